"""Everything in the window that can have the focus says what it is, to those who do not see it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QComboBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.errors import LoupeError, WorkerLost
from core.log_lines import LogBuffer
from core.models.catalog import built_in
from core.paths import default_paths
from core.settings import SettingsStore
from desktop.chat.view import Banner, Footer, QuestionTurn, TranscriptView
from desktop.conversations.days import ConversationRow
from desktop.kit.appearance import Appearance
from desktop.kit.named import name
from desktop.sampling.summary import AnswerSummary
from desktop.settings.view import SettingsView
from desktop.window.geometry import WindowMemory
from desktop.window.main_window import MainWindow
from desktop.window.placement import Panel
from tests.fakes.answers import answer, words
from tests.fakes.transcript import turn_of

INFO = EngineInfo("local", "SmolLM2 135M", device="cpu", threads=3)


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """The real one, with all its panels open and something in each."""
    appearance = Appearance(qapp, tmp_path / "style")
    appearance.set_reduce_motion(True)
    appearance.apply("light")
    view = TranscriptView()
    made = MainWindow(view, appearance, LogBuffer(), WindowMemory())
    qtbot.addWidget(made, before_close_func=MainWindow.close_for_real)
    made.resize(1400, 1000)
    made.show()
    made.set_engine_state(EngineState(Phase.READY, "SmolLM2 135M", info=INFO))
    made.show_panel(Panel.LOG, True)
    made.show_empty(False)
    made.conversations.set_rows((ConversationRow("a", "A chat", 1, 0.0),), "a")
    made_up = answer(words("one two three"), 0.1)
    view.set_turns([QuestionTurn("q", "?"), turn_of(made_up)])
    banner = Banner("It failed.", "Why.", "err", (("again", "Try again"),))
    view.set_footer("a", Footer("3 tokens", (1, 2), ("copy", "again"), banner))
    made.sampling.answer.watch(AnswerSummary("a", made_up.table, made_up.vocabulary), live=False)
    made.composer.system.open()
    yield made
    qapp.setStyleSheet("")  # it names files of this run


def spoken(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def nameless(window: QWidget) -> list[str]:
    """Those that can have the focus as the window stands, and the lists of combo boxes, which open later."""
    lists = {id(box.view()) for box in window.findChildren(QComboBox) if box.isVisibleTo(window)}
    found = []
    for widget in window.findChildren(QWidget):
        reachable = widget.isVisibleTo(window) or id(widget) in lists
        focusable = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        if reachable and focusable and not spoken(widget).strip():
            parent = type(widget.parentWidget()).__name__
            found.append(f"{type(widget).__name__} {widget.objectName()} in {parent}")
    return found


def test_the_chat_page(window: MainWindow) -> None:
    assert nameless(window) == []


def test_the_empty_chat(window: MainWindow) -> None:
    window.show_empty(True)
    assert nameless(window) == []


@pytest.mark.parametrize(
    "state",
    [
        EngineState(Phase.FETCHING, "SmolLM2 135M", 40, 90),
        EngineState(Phase.ABSENT, "SmolLM2 135M"),
        EngineState(Phase.FAILED, "SmolLM2 135M", error=WorkerLost(detail="many lines", reason="killed")),
    ],
    ids=lambda state: state.phase.value,
)
def test_the_model_on_its_way_and_failed(window: MainWindow, state: EngineState) -> None:
    window.set_engine_state(state)
    assert nameless(window) == []


@pytest.mark.parametrize("action", ["", "Solve it"], ids=["no way out", "way out"])
def test_the_error_bar(window: MainWindow, action: str) -> None:
    error = LoupeError("internal", detail="ValueError: x")
    window.centre.errors.show_error(error, action)
    assert nameless(window) == []


def test_the_settings(window: MainWindow, tmp_path: Path) -> None:
    view = SettingsView(SettingsStore(tmp_path / "settings.json"), default_paths(), built_in(), window)
    window.show_page(view)
    for tab in range(view.tabs.count()):
        view.tabs.setCurrentIndex(tab)
        assert nameless(window) == []


def test_the_walk_sees_what_has_no_name(window: MainWindow) -> None:
    box = QSpinBox(window.centre)
    box.show()
    assert len(nameless(window)) >= 1
    name(box, "A number")
    assert nameless(window) == []
