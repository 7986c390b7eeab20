"""Paints one log line in its columns: of a long text only what is in view."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from core.log_lines import Level, LogLine
from desktop.kit import fonts
from desktop.kit.theme import LINE, SPACE_8, SPACE_16, Theme
from desktop.log.rows import parts

SOURCE = 24  # columns of a source, at most
_TAB = 8  # columns
_NAMES = {
    Level.UNKNOWN: "",
    Level.DEBUG: "DEBUG",
    Level.INFO: "INFO",
    Level.WARNING: "WARNING",
    Level.ERROR: "ERROR",
}
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


@dataclass(frozen=True, slots=True)
class Columns:
    """Where they begin, in pixels from the line's left edge. `advance`: the width of one character."""

    pad: int
    gap: int
    level: int
    source: int
    text: int
    advance: float


def columns_of(font: QFont, source: int) -> Columns:
    """`source`: characters of the longest one; it has a column as wide, and none if no line has one."""
    metrics = QFontMetricsF(font)
    pad = gap = fonts.px(SPACE_16)
    advance = metrics.horizontalAdvance("0" * 100) / 100
    level = pad + math.ceil(metrics.horizontalAdvance("00:00:00")) + gap
    begin = level + math.ceil(metrics.horizontalAdvance("WARNING")) + gap
    text = begin + (math.ceil(min(source, SOURCE) * advance) + gap if source else 0)
    return Columns(pad, gap, level, begin, text, advance)


def found(text: str, words: str) -> Iterator[tuple[int, int]]:
    """(begin, end) of each place; `words` casefolded. Casefolding can change the length ("ß"): then the row
    is found, but nothing is marked within."""
    folded = text.casefold()
    if not words or len(folded) != len(text):
        return
    at = folded.find(words)
    while at >= 0:
        yield at, at + len(words)
        at = folded.find(words, at + len(words))


@dataclass(frozen=True, slots=True)
class LinePainter:
    """For the rows of one picture. `scrolled`: pixels to the right; `words`: casefolded, to be marked."""

    painter: QPainter
    theme: Theme
    columns: Columns
    width: int
    height: int
    scrolled: int
    words: str

    def paint(self, line: LogLine, top: int, selected: bool) -> None:
        painter, theme, columns = self.painter, self.theme, self.columns
        if selected or line.level is Level.ERROR:
            back = theme.selection if selected else theme.err_soft
            painter.fillRect(0, top, self.width, self.height, QColor(back))
        colour = {Level.WARNING: theme.warn, Level.ERROR: theme.err}.get(line.level)
        if colour is not None:
            painter.fillRect(0, top, fonts.px(2), self.height - LINE, QColor(colour))
        quiet = QColor(theme.text2 if selected else theme.text3)
        clock = time.strftime("%H:%M:%S", time.localtime(line.time))
        self._cell(clock, columns.pad, columns.level, top, quiet)
        word = QColor(colour) if colour is not None and not selected else quiet
        self._cell(_NAMES[line.level], columns.level, columns.source, top, word)
        source, text = parts(line)
        self._cell(source, columns.source, columns.text - columns.gap, top, quiet)
        failed = line.level is Level.ERROR and not selected
        self._text(text.expandtabs(_TAB), top, QColor(theme.err if failed else theme.text), line.cut)

    def _cell(self, text: str, begin: int, end: int, top: int, colour: QColor) -> None:
        if text:
            self.painter.setPen(colour)
            place = QRect(begin - self.scrolled, top, end - begin, self.height)
            self.painter.drawText(place, _MIDDLE, text)

    def _text(self, text: str, top: int, colour: QColor, cut: int) -> None:
        painter, advance = self.painter, self.columns.advance
        metrics = QFontMetricsF(painter.font())
        left = float(self.columns.text - self.scrolled)
        end = left + (len(text) * advance if text.isascii() else metrics.horizontalAdvance(text))
        if text.isascii():  # all characters are as wide: what is not in view need not be looked at
            first = max(0, int(-left / advance) - len(self.words))
            last = int((self.width - left) / advance) + 2 + len(self.words)
            text, left = text[first : max(first, last)], left + first * advance
        at, x = 0, left
        for begin, after in found(text, self.words):
            x += metrics.horizontalAdvance(text[at:begin])
            wide = metrics.horizontalAdvance(text[begin:after])
            if x > self.width:
                break
            painter.fillRect(QRectF(x, top + 1, wide, self.height - 2), QColor(self.theme.accent_soft))
            at, x = after, x + wide
        painter.setPen(colour)
        painter.drawText(QRectF(left, top, max(end - left, 1) + advance, self.height), int(_MIDDLE), text)
        if cut and end < self.width:
            painter.setPen(QColor(self.theme.text3))
            more = QCoreApplication.translate("LogView", "… %n more character(s)", "", cut)
            room = QRectF(end + fonts.px(SPACE_8), top, self.width, self.height)
            painter.drawText(room, int(_MIDDLE), more)
