"""One painted line of the log: what is marked, and that the length of a line does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QImage, QPainter
from pytestqt.qtbot import QtBot

from core.log_lines import Level, LogLine
from desktop.kit import fonts
from desktop.kit.theme import LIGHT
from desktop.log.line_paint import LinePainter, columns_of, found

WIDTH = 600


class Notes(QPainter):
    """`texts` and `marks` (fills narrower than the row) that were drawn."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.texts: list[str] = []
        self.marks: list[QRectF] = []

    def drawText(self, *arguments: Any) -> None:
        self.texts.append(arguments[-1])
        super().drawText(*arguments)

    def fillRect(self, *arguments: Any) -> None:
        if isinstance(arguments[0], QRectF):
            self.marks.append(arguments[0])
        super().fillRect(*arguments)


@pytest.fixture
def notes(qtbot: QtBot) -> Iterator[Notes]:
    image = QImage(WIDTH, 20, QImage.Format.Format_ARGB32)
    painter = Notes(image)
    painter.setFont(QFont(fonts.font("mono_small")))
    yield painter
    painter.end()


def paint(notes: Notes, text: str, words: str = "", scrolled: int = 0, cut: int = 0) -> LinePainter:
    columns = columns_of(notes.font(), 0)
    lines = LinePainter(notes, LIGHT, columns, WIDTH, 20, scrolled, words)
    lines.paint(LogLine(0, 0, 0.0, Level.UNKNOWN, text, cut), 0, False)
    return lines


def test_of_a_long_line_only_what_is_in_view_is_drawn(notes: Notes) -> None:
    paint(notes, "ab" * 50_000, "b", scrolled=300_000)
    columns = columns_of(notes.font(), 0)
    in_view = WIDTH / columns.advance
    assert len(notes.texts[-1]) < in_view + 8
    assert 0 < len(notes.marks) <= in_view / 2 + 4


def test_marks_lie_over_the_words_wherever_the_line_is_scrolled_to(notes: Notes) -> None:
    text, at = "x" * 300 + "needle" + "y" * 300, 300
    columns = columns_of(notes.font(), 0)
    paint(notes, text, "needle", scrolled=round(at * columns.advance))
    (mark,) = notes.marks
    assert abs(mark.left() - columns.text) <= 1.5
    assert abs(mark.width() - 6 * columns.advance) <= 1


def test_wide_characters_are_marked_where_they_are(notes: Notes) -> None:
    lines = paint(notes, "載入模型 model", "model")
    (mark,) = notes.marks
    assert mark.left() > lines.columns.text + 5 * lines.columns.advance


def test_how_much_was_cut_is_said_at_the_end(notes: Notes) -> None:
    paint(notes, "short", cut=1234)
    assert "1" in notes.texts[-1] and notes.texts[-2] == "short"


def test_where_words_are_found() -> None:
    assert list(found("One one", "one")) == [(0, 3), (4, 7)]
    assert list(found("aaa", "aa")) == [(0, 2)]
    assert list(found("Straße", "ss")) == []
    assert list(found("x", "")) == []
