"""The tokens as a table: rows in view only, the field that finds one, keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from desktop.context.table import TokenPanel
from desktop.kit.theme import LIGHT
from tests.fakes.sights import MESSAGES, long_sight, sight


@pytest.fixture
def panel(qtbot: QtBot) -> TokenPanel:
    made = TokenPanel()
    qtbot.addWidget(made)
    made.resize(296, 400)
    made.set_theme(LIGHT)
    made.show()
    made.set_sight(sight())
    return made


def find(panel: TokenPanel, qtbot: QtBot, words: str) -> None:
    panel.field.clear()
    qtbot.keyClicks(panel.field, words)
    finish(panel)


def finish(panel: TokenPanel) -> None:
    while panel._finder is not None:
        panel._search_on()


def test_of_100_000_tokens_only_the_rows_in_view_are_looked_at(panel: TokenPanel) -> None:
    panel.set_sight(long_sight(100_000))
    before = panel.table.painted
    panel.table.select(90_000)
    panel.table.viewport().grab()
    assert 0 < panel.table.painted - before < 60
    bar = panel.table.verticalScrollBar()
    assert bar.value() <= 90_000 <= bar.value() + panel.table._rows()


def test_keys_go_through_the_rows_and_tell(panel: TokenPanel, qtbot: QtBot) -> None:
    told: list[int] = []
    panel.chosen.connect(told.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Home):
        qtbot.keyClick(panel.table, key)
    assert told == [0, 1, 22, 21, 0]
    qtbot.keyClick(panel.table, Qt.Key.Key_Up)  # there is nothing above
    assert told == [0, 1, 22, 21, 0]


def test_a_click_chooses_the_row(panel: TokenPanel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.chosen) as told:
        at = QPoint(100, 3 * panel.table._row_height + 4)
        qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert told.args == [3]


def test_what_is_chosen_elsewhere_is_shown_and_not_told_again(panel: TokenPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(panel.chosen):
        panel.table.select(20)
    assert panel.table.current == 20


def test_typing_finds_and_enter_goes_on(panel: TokenPanel, qtbot: QtBot) -> None:
    find(panel, qtbot, "capital")
    assert panel.table.current == 11
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.table.current == 21
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.table.current == 11
    qtbot.keyClick(panel.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert panel.table.current == 21
    qtbot.keyClick(panel.field, Qt.Key.Key_F3)
    assert panel.table.current == 11
    qtbot.keyClick(panel.table, Qt.Key.Key_F3)
    assert panel.table.current == 21


def test_an_id_is_found(panel: TokenPanel, qtbot: QtBot) -> None:
    find(panel, qtbot, "13")
    assert panel.table._sight is not None
    assert panel.table._sight.context.ids[panel.table.current] == 13


def test_nothing_found_is_said_until_the_words_change(panel: TokenPanel, qtbot: QtBot) -> None:
    find(panel, qtbot, "zebra")
    assert panel._none.isVisible() and "“zebra”" in panel._none.text() and panel.table.current == -1
    find(panel, qtbot, "of")
    assert not panel._none.isVisible() and panel.table.current == 12


def test_a_search_through_very_many_leaves_the_window_free(panel: TokenPanel, qtbot: QtBot) -> None:
    panel.set_sight(long_sight(100_000))
    panel.field.setText("zebra")
    assert panel._timer.isActive() and not panel._none.isVisible()
    panel.set_sight(sight())  # another context: nobody waits for that any more
    assert panel._finder is None and not panel._timer.isActive()


def test_growing_keeps_the_row_another_context_does_not(panel: TokenPanel) -> None:
    panel.table.select(5)
    who, tokens = MESSAGES[-1]
    panel.set_sight(sight(*MESSAGES[:-1], (who, [*tokens, 3])))
    assert panel.table.current == 5
    panel.set_sight(sight(*MESSAGES[1:]))
    assert panel.table.current == -1


def test_a_screen_reader_hears_the_row(panel: TokenPanel) -> None:
    panel.table.select(0)
    said = QAccessible.queryAccessibleInterface(panel.table)
    assert said.text(QAccessible.Text.Name) == "Tokens as a table"
    assert "<|im_start|>" in said.text(QAccessible.Text.Value)
    assert "special token" in said.text(QAccessible.Text.Value)
