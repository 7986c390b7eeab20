"""Errors of listeners of the core's events come to the reporter, and so to the error bar."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from core.errors import LoupeError
from core.observe import Event
from desktop import loop
from desktop.kit.bridge import bind
from desktop.kit.reporter import Reporter


def test_a_raising_listener_of_a_core_event_is_told_once_and_the_program_goes_on(
    qapp: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    """Q07, for what comes from the core: bound to a widget or not, in a task or in a slot."""
    reporter = Reporter()
    told: list[LoupeError] = []
    reporter.failed.connect(told.append)
    event: Event[str] = Event()
    seen: list[str] = []

    def fails(value: str) -> None:
        raise ValueError("in a listener")

    async def main() -> int:
        button = QPushButton()
        bind(button, event, fails)
        bind(button, event, seen.append)
        event.emit("task")
        button.clicked.connect(lambda: event.emit("slot"))
        button.click()
        for _ in range(10):  # Qt and asyncio deliver what is queued
            await asyncio.sleep(0)
        return 0

    assert loop.run(main, reporter=reporter) == 0
    assert seen == ["task", "slot"]
    assert [(error.code, error.detail) for error in told] == [("internal", "ValueError: in a listener")]
    records = [record for record in caplog.records if record.name == "loupe.uncaught"]
    assert len(records) == 2 and records[0].exc_info is not None
