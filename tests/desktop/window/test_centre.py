"""The page of the server that covers the chat, and the way around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.log_lines import LogBuffer
from desktop.chat.view import TranscriptView
from desktop.conversations.days import ConversationRow
from desktop.kit.appearance import Appearance
from desktop.window.centre import Centre
from desktop.window.geometry import WindowMemory
from desktop.window.main_window import MainWindow


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    appearance = Appearance(qapp, tmp_path_factory.getbasetemp() / "style")
    appearance.apply("light")
    made = MainWindow(TranscriptView(), appearance, LogBuffer(), WindowMemory())
    qtbot.addWidget(made, before_close_func=MainWindow.close_for_real)
    made.centre.add_page("context", QWidget(), lambda: "Context")
    made.resize(1280, 800)
    made.show()
    yield made
    qapp.setStyleSheet("")  # it names files of this run


@pytest.fixture
def centre(window: MainWindow) -> Centre:
    return window.centre


@pytest.mark.parametrize(("page", "back"), [("timeline", "Show start"), ("card", "Show what failed")])
def test_a_chat_with_messages_can_be_read_meanwhile(page: str, back: str, centre: Centre) -> None:
    centre.show_empty(False)
    assert not centre.aside.isVisible()
    centre.show_over(page)
    assert centre.stage.currentWidget() is centre.server.pages[page] and not centre.heat.isVisible()
    assert centre.aside.isVisible() and centre.aside.text() == "Show chat"
    centre.aside.click()
    assert centre.stage.currentWidget() is centre.transcript and centre.heat.isVisible()
    assert centre.aside.text() == back and not centre.heat.steps.isVisible()
    centre.aside.click()
    assert centre.stage.currentWidget() is centre.server.pages[page]
    centre.show_over("")
    assert not centre.aside.isVisible() and centre.heat.steps.isVisible()


def test_a_chat_that_is_picked_is_shown(window: MainWindow) -> None:
    centre = window.centre
    centre.show_empty(True)
    centre.show_over("timeline")
    assert not centre.aside.isVisible()  # there is nothing to read
    window.conversations.set_rows((ConversationRow("a", "A chat", 1, 0.0),), "")
    window.conversations.opened.emit("a")
    assert centre.stage.currentWidget() is centre.server.pages["timeline"]
    centre.show_empty(False)
    assert centre.stage.currentWidget() is centre.transcript and centre.aside.text() == "Show start"


def test_what_comes_anew_is_seen(centre: Centre) -> None:
    centre.show_empty(False)
    centre.show_over("timeline")
    centre.aside.click()
    centre.show_over("card")
    assert centre.stage.currentWidget() is centre.server.pages["card"]


def test_in_another_tab_it_is_away(centre: Centre) -> None:
    centre.show_empty(False)
    centre.show_over("timeline")
    centre.show_tab("context")
    assert not centre.aside.isVisible() and not centre.heat.isVisible()
    centre.show_over("")
    assert not centre.heat.isVisible()
    centre.show_tab("chat")
    assert centre.heat.isVisible() and not centre.aside.isVisible()


def test_the_first_run_stands_alone(centre: Centre) -> None:
    centre.show_empty(False)
    centre.show_over("first_run")
    centre.show_chat()
    assert centre.stage.currentWidget() is centre.server.pages["first_run"]
    assert not centre.tabs.isVisible() and not centre.composer.isVisible()
