"""What a person does at the picker of models, before a hub on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.models.desk import Run, Visit, desk, serving
from tests.fakes.hub.server import FakeHub


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with serving(monkeypatch, home) as made:
        yield made


@pytest.fixture
def visit(qtbot: QtBot, run_qt: Callable[..., Any], hub: FakeHub) -> Run:
    """Runs what a person does at the desk."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()

    async def run(what: Visit) -> None:
        async with desk(window) as made:
            await what(made)

    return lambda what: run_qt(run(what), timeout=60)
