"""The list of conversations: open, rename in place, ask to delete, follow the day."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop.conversations.days import ConversationRow
from desktop.conversations.panel import ConversationsPanel

NOW = datetime(2026, 3, 2, 12, 0)


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def row(id_: str, title: str, days: int = 0, answers: int = 1) -> ConversationRow:
    return ConversationRow(id_, title, answers, (NOW - timedelta(days=days)).timestamp())


ROWS = (row("a", "Tea"), row("b", "<b>Bold</b> & more", 1), row("c", "", 1, 0))


@pytest.fixture
def panel(qtbot: QtBot) -> ConversationsPanel:
    made = ConversationsPanel(now=Clock())
    qtbot.addWidget(made)
    made.resize(224, 500)
    made.show()
    made.set_rows(ROWS, "a")
    return made


def texts(panel: ConversationsPanel) -> list[str]:
    model = panel.model
    return [str(model.data(model.index(at))) for at in range(model.rowCount())]


def centre_of(panel: ConversationsPanel, id_: str) -> QPoint:
    return panel.list.visualRect(panel.model.index_of(id_)).center()


def test_headings_and_titles(panel: ConversationsPanel) -> None:
    assert texts(panel) == ["Today", "Tea", "Yesterday", "<b>Bold</b> & more", "New chat"]
    assert panel.list.currentIndex() == panel.model.index_of("a")


def test_a_click_or_enter_opens(panel: ConversationsPanel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.opened) as signal:
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=centre_of(panel, "b"))
    assert signal.args == ["b"]
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    with qtbot.waitSignal(panel.opened) as signal:
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert signal.args == ["a"]


def test_a_heading_is_no_chat(panel: ConversationsPanel, qtbot: QtBot) -> None:
    heading = panel.list.visualRect(panel.model.index(0)).center()
    with qtbot.assertNotEmitted(panel.opened):
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=heading)


def editor(panel: ConversationsPanel) -> QLineEdit:
    return next(one for one in panel.list.findChildren(QLineEdit) if one.isVisible())


def test_rename_in_place(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    edit = editor(panel)
    assert edit.text() == "Tea"
    edit.setText("  Green \n tea  ")
    with qtbot.waitSignal(panel.renamed) as signal:
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert signal.args == ["a", "Green tea"]
    with qtbot.assertNotEmitted(panel.renamed):
        for text, key in (("x", Qt.Key.Key_Escape), ("   ", Qt.Key.Key_Return), ("Tea", Qt.Key.Key_Return)):
            panel.rename("a")
            edit = editor(panel)
            edit.setText(text)
            with qtbot.waitSignal(panel.delegate.closeEditor):
                qtbot.keyClick(edit, key)


def test_new_rows_do_not_disturb_an_open_editor(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.rename("a")
    edit = editor(panel)
    edit.setText("half writ")
    panel.set_rows((row("d", "Another"), *ROWS), "a")
    assert edit.isVisible() and edit.text() == "half writ"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "Another" in texts(panel))


def test_delete_key_asks(panel: ConversationsPanel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.delete_wanted) as signal:
        qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert signal.args == ["a"]
    assert panel.title_of("c") == "New chat"


def test_the_context_menu(panel: ConversationsPanel, qtbot: QtBot) -> None:
    panel.list.customContextMenuRequested.emit(centre_of(panel, "b"))
    assert panel.menu.isVisible()
    actions = panel.menu.actions()
    with qtbot.waitSignal(panel.delete_wanted) as signal:
        actions[-1].trigger()
    assert signal.args == ["b"]
    panel.menu.close()
    panel.list.customContextMenuRequested.emit(QPoint(20, 450))  # below the rows
    assert not panel.menu.isVisible()


def test_counts_change_in_place(panel: ConversationsPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(panel.model.modelReset), qtbot.waitSignal(panel.model.dataChanged):
        panel.set_rows((row("a", "Tea", answers=2), *ROWS[1:]), "a")


def test_headings_move_at_midnight(panel: ConversationsPanel) -> None:
    clock = panel._now
    assert isinstance(clock, Clock)
    assert panel._midnight.isActive()
    clock.now = NOW + timedelta(days=1)
    panel._midnight.timeout.emit()
    assert texts(panel)[0] == "Yesterday"


def test_no_chats(panel: ConversationsPanel) -> None:
    panel.set_rows((), "")
    assert panel._empty.isVisible() and not panel.list.isVisible()


def test_the_new_button(panel: ConversationsPanel, qtbot: QtBot) -> None:
    qtbot.addWidget(panel.head)
    with qtbot.waitSignal(panel.new_wanted):
        panel.new.click()
