"""What goes into the input box comes out of it (cases G06 and G16)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.chat.exact_text import ExactTextEdit

PASTED = [
    "a\tb",
    "two  spaces",
    "line1\n\n\nline4",
    "trailing  ",
    "  leading and a last line end\n",
    "\u2028sep\u2029par\u2029\u2029",
    "zero\u200dwidth \u200b\ufeff",
    "\u00e9 vs e\u0301",
    "12\u00a0345\u202f678\u00a0",
    "\U0001f469\u200d\U0001f4bb family, שלום \u202bعربي\u202c",
    "\ufffc object \ufffd",
    "\ufdd0frame\ufdd1",
    "\u0085next line \x0b \x0c",
    "<b>&amp;</b>",
]


@pytest.fixture
def box(qtbot: QtBot) -> ExactTextEdit:
    edit = ExactTextEdit()
    qtbot.addWidget(edit)
    return edit


def paste(box: ExactTextEdit, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    box.insertFromMimeData(data)


def compose(box: ExactTextEdit, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    box.inputMethodEvent(event)


@pytest.mark.parametrize("text", PASTED)
def test_pasted_text_is_unharmed(box: ExactTextEdit, text: str) -> None:
    paste(box, text)
    assert box.exact_text() == text


@pytest.mark.parametrize("text", PASTED)
def test_set_text_is_unharmed_and_copies_out_the_same(box: ExactTextEdit, text: str) -> None:
    box.set_exact_text(text)
    assert box.exact_text() == text
    box.selectAll()
    assert box.createMimeDataFromSelection().text() == text


def test_only_line_ends_change(box: ExactTextEdit) -> None:
    paste(box, "line1\r\nline2\rline3\n")
    assert box.exact_text() == "line1\nline2\nline3\n"


def test_rich_text_is_pasted_as_its_plain_text(box: ExactTextEdit) -> None:
    data = QMimeData()
    data.setText("a  b")
    data.setHtml("<p>a <b>b</b></p>")
    box.insertFromMimeData(data)
    assert box.exact_text() == "a  b"


def test_a_dropped_file_types_nothing(box: ExactTextEdit) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/picture.png")])
    assert not box.canInsertFromMimeData(data)
    box.insertFromMimeData(data)
    assert box.exact_text() == ""


def test_paste_can_be_undone_in_one_step(box: ExactTextEdit) -> None:
    paste(box, "one\ntwo")
    box.undo()
    assert box.exact_text() == ""
    box.redo()
    assert box.exact_text() == "one\ntwo"


def test_shift_enter_is_a_line_feed_and_not_a_line_separator(box: ExactTextEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(box, "a")
    qtbot.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(box, "b")
    assert box.exact_text() == "a\nb"


def test_a_typed_no_break_space_stays(box: ExactTextEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(box, "12\u00a0kg")
    assert box.exact_text() == "12\u00a0kg"


def test_part_of_the_text_is_copied_exactly(box: ExactTextEdit) -> None:
    box.set_exact_text("one\u00a0x\n\u2029two")
    cursor = box.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(7, QTextCursor.MoveMode.KeepAnchor)
    box.setTextCursor(cursor)
    assert box.selected_exact_text() == "\u00a0x\n\u2029"


def test_enter_while_composing_belongs_to_the_input_method(box: ExactTextEdit, qtbot: QtBot) -> None:
    compose(box, "ㄋㄧ")
    assert box.composing and not box.is_empty()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
        qtbot.keyClick(box, key)
    assert box.exact_text() == "" and box.composing
    compose(box, "", commit="你")
    assert box.exact_text() == "你" and not box.composing


def test_what_is_being_composed_survives_losing_the_focus(qtbot: QtBot) -> None:
    parent = QWidget()
    layout = QVBoxLayout(parent)
    box, other = ExactTextEdit(), QLineEdit()
    layout.addWidget(box)
    layout.addWidget(other)
    qtbot.addWidget(parent)
    with qtbot.waitActive(parent):
        parent.show()
        parent.activateWindow()
    box.setFocus()
    box.set_exact_text("前")
    compose(box, "ㄏㄠ")
    other.setFocus()
    assert box.exact_text() == "前ㄏㄠ"
    assert not box.composing
    box.setFocus()
    other.setFocus()
    assert box.exact_text() == "前ㄏㄠ"
