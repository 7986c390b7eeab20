"""The picker over a window: opening and closing, search, pages, signals, folders dropped on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.models.picker import ModelPicker
from desktop.models.rows import ModelRows
from desktop.models.values import Group, Machine, State, Trouble
from tests.desktop.models import models as m

ANCHOR = QPoint(52, 49)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.before = QLineEdit(made)  # type: ignore[attr-defined]
    made.show()
    made.activateWindow()
    made.before.setFocus()  # type: ignore[attr-defined]
    yield made


@pytest.fixture
def picker(window: QWidget) -> ModelPicker:
    made = ModelPicker(window)
    made.change(machine=m.MACHINE)
    made.change(rows=m.ROWS)
    made.change(speed=84e6)
    made.select(m.GEMMA)
    made.set_detail(m.DETAIL)
    made.open_at(ANCHOR)
    return made


def note_of(picker: ModelPicker, group: Group) -> str:
    rows = [picker.list.rows.index(at).data(Qt.ItemDataRole.UserRole) for at in range(12)]
    return next(row.note for row in rows if getattr(row, "group", None) is group)


def test_it_stands_below_its_button_as_large_as_designed(picker: ModelPicker) -> None:
    box = picker.panel.geometry()
    assert (box.topLeft(), box.width(), box.height()) == (ANCHOR, 900, 700)
    assert picker.side.isVisible() and picker.detail.isVisible() and picker.detail.back.isHidden()
    assert picker.search.hasFocus()


def test_its_notes_say_sizes_speed_and_machine(picker: ModelPicker) -> None:
    assert note_of(picker, Group.HERE) == "7.61 GB"
    assert note_of(picker, Group.DOWNLOADING) == "84 MB/s"
    assert note_of(picker, Group.SUGGESTED) == "for 13.9 GiB of GPU memory"
    assert picker.side.foot.memory.text() == "RTX 4080, 13.9 of 15.6 GiB free"
    assert picker.side.foot.disk.text() == "212 GB free"
    picker.change(machine=Machine("Docker, CPU", "cpu", 12 * m.GIB, 12 * m.GIB, 16 * m.GIB))
    assert note_of(picker, Group.SUGGESTED) == "for 12.0 GiB of memory"
    assert picker.side.foot.disk.isHidden()


def test_esc_and_a_click_outside_close_it_and_the_focus_goes_back(
    picker: ModelPicker, window: QWidget, qtbot: QtBot
) -> None:
    qtbot.keyClick(picker.search, Qt.Key.Key_Escape)
    assert not picker.is_open and window.before.hasFocus()  # type: ignore[attr-defined]
    picker.open_at(ANCHOR)
    with qtbot.waitSignal(picker.closed):
        qtbot.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(1200, 400))
    assert not picker.is_open
    picker.open_at(ANCHOR)
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(500, 60))
    assert picker.is_open


def test_escape_empties_the_search_first(picker: ModelPicker) -> None:
    picker.search.setText("gemma")
    assert picker.escape() and picker.is_open and picker.search.text() == ""
    assert picker.escape() and not picker.is_open
    assert not picker.escape()


def test_letters_of_the_list_search_and_enter_searches_at_once(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.list.setFocus()
    qtbot.keyClick(picker.list, "g")
    qtbot.keyClicks(picker.search, "emma ")
    heard: list[str] = []
    picker.searched.connect(heard.append)
    qtbot.keyClick(picker.search, Qt.Key.Key_Return)
    assert heard == ["gemma"]
    with qtbot.waitSignal(picker.searched) as told:
        picker.search.setText("org/name@abc")
    assert told.args == ["org/name@abc"]
    qtbot.keyClick(picker.search, Qt.Key.Key_Down)
    assert picker.list.hasFocus()


@pytest.mark.parametrize(
    ("state", "button", "signal"),
    [
        (State.ABSENT, "get", "get_wanted"),
        (State.ABSENT, "start", "start_wanted"),
        (State.FETCHING, "pause", "pause_wanted"),
        (State.FETCHING, "cancel", "cancel_wanted"),
        (State.FETCHING, "start", "start_wanted"),
        (State.PAUSED, "resume", "resume_wanted"),
        (State.PAUSED, "cancel", "cancel_wanted"),
        (State.FAILED, "resume", "resume_wanted"),
        (State.DAMAGED, "repair", "repair_wanted"),
        (State.READY, "delete", "delete_wanted"),
        (State.READY, "start", "start_wanted"),
    ],
)
def test_the_buttons_tell_what_is_wanted(
    picker: ModelPicker, qtbot: QtBot, state: State, button: str, signal: str
) -> None:
    picker.set_detail(m.detail(state, frees=m.GB))
    with qtbot.waitSignal(getattr(picker, signal)) as told:
        qtbot.mouseClick(picker.detail.buttons.buttons[button], Qt.MouseButton.LeftButton)
    assert told.args == [m.GEMMA]


def test_use_chooses_and_the_rest_of_the_signals(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.set_detail(m.detail(State.READY, use=True))
    with qtbot.waitSignal(picker.chosen):
        picker.detail.buttons.buttons["use"].click()
    picker.set_detail(m.detail(State.GATED, page="https://hub/x"))
    with qtbot.waitSignal(picker.page_wanted) as told:
        picker.detail.buttons.buttons["page"].click()
    assert told.args == ["https://hub/x"]
    with qtbot.waitSignal(picker.tokenizer_only_wanted) as told:
        picker.detail.tokenizer.click()
    assert told.args == [m.GEMMA]
    picker.set_detail(m.detail(State.ABSENT, why="No template is known for falcon_h1."))
    with qtbot.waitSignal(picker.why_wanted):
        picker.detail.buttons.buttons["why"].click()
    with qtbot.waitSignal(picker.folder_wanted):
        picker.side.folder.click()
    with qtbot.waitSignal(picker.page_wanted) as told:
        picker.list.acted.emit("ask", m.GATED.key)
    assert told.args == [m.GATED.page]


def test_the_delete_key_does_what_its_button_does(picker: ModelPicker, qtbot: QtBot) -> None:
    heard: list[str] = []
    picker.delete_wanted.connect(heard.append)
    picker.list.setFocus()
    qtbot.keyClick(picker.list, Qt.Key.Key_Delete)
    assert heard == []  # it is being fetched
    picker.set_detail(m.detail(State.RUNNING, frees=m.GB))
    qtbot.keyClick(picker.list, Qt.Key.Key_Delete)
    assert heard == []
    picker.set_detail(m.detail(State.READY, frees=m.GB))
    qtbot.keyClick(picker.list, Qt.Key.Key_Delete)
    assert heard == [m.GEMMA]


def test_tab_stays_within_it(picker: ModelPicker, qtbot: QtBot) -> None:
    seen = []
    for _ in range(12):
        focused = QApplication.focusWidget()
        assert focused is not None and picker.isAncestorOf(focused)
        seen.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    buttons = picker.detail.buttons.buttons
    assert {picker.list, buttons["pause"], buttons["start"], picker.side.folder} <= set(seen)


def test_a_narrow_window_has_the_details_as_a_second_page(
    picker: ModelPicker, window: QWidget, qtbot: QtBot
) -> None:
    window.resize(720, 520)
    assert window.rect().contains(picker.panel.geometry())
    assert picker.side.isVisible() and not picker.detail.isVisible()
    at = picker.list.visualRect(picker.list.rows.index_of(m.OLDER.key)).center()
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert picker.detail.isVisible() and not picker.side.isVisible()
    assert picker.detail.back.isVisible()
    qtbot.mouseClick(picker.detail.back, Qt.MouseButton.LeftButton)
    assert picker.side.isVisible() and picker.list.hasFocus()
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert picker.escape() and picker.is_open and picker.side.isVisible()
    window.resize(1280, 800)
    assert picker.side.isVisible() and picker.detail.isVisible() and picker.detail.back.isHidden()


def test_empty_states_say_why(picker: ModelPicker) -> None:
    empty = picker.side.empty
    picker.change(rows=())
    assert empty.isVisible() and empty.text().startswith("No models yet.")
    picker.search.setText("nöthing")
    assert empty.text() == "Nothing found for “nöthing”."
    picker.change(busy=True)
    assert empty.text() == "Asking the hub…"
    picker.change(busy=False)
    picker.change(rows=m.ROWS)
    assert empty.isHidden() and picker.side.asking.isHidden()
    picker.change(busy=True)
    assert picker.side.asking.isVisible()


def test_an_error_of_the_hub_stands_as_a_row_with_its_next_step(picker: ModelPicker, qtbot: QtBot) -> None:
    row = picker.side.trouble
    assert row.isHidden()
    picker.change(
        trouble=Trouble("The hub did not answer.", "Look at the connection.", "Try again", "hub.offline")
    )
    assert row.isVisible() and row.what.text() == "The hub did not answer."
    with qtbot.waitSignal(picker.trouble_acted) as told:
        qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert told.args == ["hub.offline"]
    picker.change(trouble=None)
    assert row.isHidden()


def _drag(picker: ModelPicker, paths: list[Path]) -> tuple[bool, list[str]]:
    """Whether it is taken, and what came of the drop."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(300, 300), copy, data, Qt.MouseButton.LeftButton, none)
    entered.ignore()
    heard: list[str] = []
    picker.folder_dropped.connect(heard.append)
    QApplication.sendEvent(picker, entered)
    dropped = QDropEvent(QPointF(300, 300), copy, data, Qt.MouseButton.LeftButton, none)
    QApplication.sendEvent(picker, dropped)
    return entered.isAccepted(), heard


def test_one_folder_can_be_dropped_on_it(picker: ModelPicker, tmp_path: Path) -> None:
    folder = tmp_path / "玉山 7B"
    folder.mkdir()
    file = tmp_path / "config.json"
    file.write_text("{}")
    assert _drag(picker, [folder]) == (True, [str(folder)])
    assert _drag(picker, [file]) == (False, [])
    assert _drag(picker, [folder, tmp_path]) == (False, [])


def test_many_changes_are_one_drawing(picker: ModelPicker, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    show = ModelRows.show

    def count(self: ModelRows, rows: tuple[m.ModelRow, ...], notes: Any) -> bool:
        drawn.append(len(rows))
        return show(self, rows, notes)

    monkeypatch.setattr(ModelRows, "show", count)
    picker.change(rows=m.ROWS[:2], speed=1e6, busy=True, machine=Machine(), trouble=Trouble("No answer."))
    assert drawn == [2]
    picker.change(rows=m.ROWS[:2], speed=1e6, busy=True)
    assert drawn == [2]
    picker.step({row.key: row for row in m.ROWS[:1]}, 2e6)
    assert drawn == [2]
