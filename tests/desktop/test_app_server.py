"""What the window gives its server manager."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.paths import default_paths
from core.server import controller
from core.server.launcher import Doctor
from core.settings import Settings
from desktop import app, loop
from desktop.app_server import manager


def test_the_doctor_looks_for_what_the_settings_say_now(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, str]] = []

    async def examine(docker: object, *, models: Path, port: int, version: str) -> Doctor:
        asked.append((port, version))
        return Doctor()

    async def ask(*_: object) -> None:
        raise AssertionError

    library: Any = object()  # nothing of Docker is asked here
    monkeypatch.setattr(controller, "examine", examine)
    monkeypatch.delenv("VLLM_PORT", raising=False)
    settings = Settings(vllm_port=9000)

    async def story() -> None:
        nonlocal settings
        made = manager(library, default_paths(), ask, lambda: settings)
        await made.doctor()
        settings = Settings(vllm_port=9001, vllm_version="0.33.0")
        await made.doctor()

    asyncio.run(story())
    assert asked == [(9000, Settings().vllm_version), (9001, "0.33.0")]


def test_the_end_of_the_server_has_the_time_that_it_may_take() -> None:
    given = app.ANSWER_WITHIN + app.TASKS_WITHIN + app.OWN_SERVER_MORE
    assert given > controller.CLOSE_SECONDS + controller.KILL_SECONDS


def test_the_end_comes_to_its_last_step_before_the_loop_cuts_it_off() -> None:
    for more in (0.0, app.OWN_SERVER_MORE):
        assert app.END_WITHIN + more < (loop.LIMIT_S + more / 0.7) * 0.7
