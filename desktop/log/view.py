"""Paints log lines: one row a line, only the visible ones, from a ring buffer of any size."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from core.log_lines import Level, LogBuffer
from desktop.kit import fonts
from desktop.kit.batcher import Batcher
from desktop.kit.theme import LIGHT, ROW_LOG, Theme
from desktop.log.copying import LogCopy
from desktop.log.line_paint import LinePainter, columns_of
from desktop.log.rows import ShownRows
from desktop.log.search import Search


class LogView(QAbstractScrollArea):
    """Rows of a LogBuffer. `follow_changed`: scrolling up ended the following, or the End key began it."""

    follow_changed = Signal(bool)
    waiting_changed = Signal(int)  # lines that came while it is paused
    search_ended = Signal(bool)  # whether there is such a line
    selection_changed = Signal()

    def __init__(self, buffer: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ShownRows(buffer)
        self.batcher = Batcher(self._drain, parent=self)
        self._theme = LIGHT
        self._follow = True
        self._paused = False
        self._anchor = -1  # selected rows: from anchor to current, both included
        self._current = -1
        self._words = ""
        self._search: Search | None = None
        self._search_timer = QTimer(self)  # between two parts of a search what else there is to do is done
        self._search_timer.setInterval(0)
        self._search_timer.timeout.connect(self._search_on)
        self._copy = LogCopy(self)
        self._placing = False  # the scroll bar is moved by us, not by the person
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._measure()

    # what is shown

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._measure()
        self._place()

    def set_minimum_level(self, level: Level) -> None:
        self._end_search()
        self.rows.set_minimum(level)
        self._select(-1, -1)
        self._drain()

    def set_filter(self, words: str) -> None:
        """Show only lines with these words; "" shows all."""
        self._end_search()
        self.rows.set_words(words)
        self._select(-1, -1)
        self._drain()

    @property
    def paused(self) -> bool:
        return self._paused

    def set_paused(self, paused: bool) -> None:
        """What is in view stays as it is while lines go on coming."""
        if paused == self._paused:
            return
        self._paused = paused
        self.waiting_changed.emit(0)
        if not paused:
            self.mark()

    def show_line(self, text: str) -> None:
        """Go to the newest line with this text and select it; `search_ended` tells if there is one."""
        self._search = Search(self.rows, text.strip(), len(self.rows) - 1, -1)
        self._search_on()

    def set_find(self, words: str) -> None:
        self._end_search()
        self._words = words
        self.viewport().update()

    def find_next(self, step: int, *, stay: bool = False) -> None:
        """Go to the next (1) or previous (-1) row with the words; `search_ended` tells if there is one."""
        start = self._current if self._current >= 0 else self.verticalScrollBar().value()
        self._search = Search(self.rows, self._words, start if stay else start + step, step)
        self._search_on()

    def _search_on(self) -> None:
        search = self._search
        assert search is not None  # its timer stops with it
        search.advance()
        if not search.over:
            self._search_timer.start()
            return
        self._end_search()
        if search.found is not None:
            row = min(self.rows.row_of(search.found), len(self.rows) - 1)
            self.set_follow(False)
            self._select(row, row)
            self._show_row(row)
        self.search_ended.emit(search.found is not None)

    def _end_search(self) -> None:
        self._search_timer.stop()
        self._search = None

    @property
    def follow(self) -> bool:
        return self._follow

    def set_follow(self, follow: bool) -> None:
        if follow == self._follow:
            return
        self._follow = follow
        if follow:
            self._place()
        self.follow_changed.emit(follow)

    def mark(self) -> None:
        """Lines were added. A hidden view does nothing until it is shown."""
        if self.isVisible():
            self.batcher.mark()

    def copy(self) -> None:
        """The selected rows; all rows if none is selected."""
        rows = self._selected() or range(len(self.rows))
        self._copy.start(self.rows.buffer, self.rows.numbers(rows))

    # keeping up

    def _drain(self) -> None:
        if self._paused:
            self.waiting_changed.emit(self.rows.behind)
            return
        before = self.rows.longest, self.rows.source
        dropped = self.rows.refresh()
        if self.rows.behind:  # many came at once: the rest in the next frames
            self.batcher.mark()
        if dropped:
            self._anchor, self._current = max(-1, self._anchor - dropped), max(-1, self._current - dropped)
        self._place(dropped)
        if (self.rows.longest, self.rows.source) != before:
            self._place_columns()
            self._place_across()
        self.viewport().update()

    def _measure(self) -> None:
        self.setFont(fonts.font("mono_small"))
        self._row_height = fonts.px(ROW_LOG)
        self._place_columns()

    def _place_columns(self) -> None:
        self._columns = columns_of(self.font(), self.rows.source)

    def _visible_rows(self) -> int:
        return max(1, self.viewport().height() // self._row_height)

    def _place(self, dropped: int = 0) -> None:
        """Fit the scroll bars to the rows; the row at the top stays there unless the end is followed."""
        bar = self.verticalScrollBar()
        last = max(0, len(self.rows) - self._visible_rows())
        value = last if self._follow else max(0, bar.value() - dropped)
        self._placing = True
        bar.setRange(0, last)
        bar.setPageStep(self._visible_rows())
        bar.setValue(value)
        self._placing = False
        self._place_across()
        self.viewport().update()

    def _place_across(self) -> None:
        bar = self.horizontalScrollBar()
        columns = self._columns
        wide = columns.text + math.ceil(self.rows.longest * columns.advance) + columns.pad
        bar.setRange(0, max(0, wide - self.viewport().width()))
        bar.setPageStep(self.viewport().width())
        bar.setSingleStep(math.ceil(columns.advance * 4))

    def _scrolled(self, value: int) -> None:
        if not self._placing and self._follow and value < self.verticalScrollBar().maximum():
            self.set_follow(False)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    # events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._drain()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.batcher.stop()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _row_at(self, at: QPoint) -> int:
        row = self.verticalScrollBar().value() + at.y() // self._row_height
        return max(-1, min(row, len(self.rows) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            row = self._row_at(event.position().toPoint())
            keep = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) and self._anchor >= 0
            self._select(self._anchor if keep else row, row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._anchor >= 0:
            row = self._row_at(event.position().toPoint())
            self._select(self._anchor, row)
            self._show_row(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._select(0, len(self.rows) - 1)
            return
        row = self._row_for(Qt.Key(event.key()))
        if row is None or not len(self.rows):
            super().keyPressEvent(event)
            return
        row = max(0, min(row, len(self.rows) - 1))
        keep = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) and self._anchor >= 0
        self.set_follow(event.key() == Qt.Key.Key_End)
        self._select(self._anchor if keep else row, row)
        self._show_row(row)

    def _row_for(self, key: Qt.Key) -> int | None:
        page = self._visible_rows()
        current = self._current if self._current >= 0 else self.verticalScrollBar().value()
        return {
            Qt.Key.Key_Up: current - 1,
            Qt.Key.Key_Down: current + 1,
            Qt.Key.Key_PageUp: current - page,
            Qt.Key.Key_PageDown: current + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self.rows) - 1,
        }.get(key)

    def _selected(self) -> range:
        if self._current < 0:
            return range(0)
        anchor = max(0, self._anchor)
        return range(min(anchor, self._current), max(anchor, self._current) + 1)

    def _select(self, anchor: int, current: int) -> None:
        if (anchor, current) == (self._anchor, self._current):
            return
        self._anchor, self._current = anchor, current
        line = self.rows.line(current) if 0 <= current < len(self.rows) else None
        if line is not None:  # a screen reader hears the row under the cursor
            self.setAccessibleDescription(line.text)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self.selection_changed.emit()
        self.viewport().update()

    def _show_row(self, row: int) -> None:
        bar = self.verticalScrollBar()
        if row < bar.value():
            bar.setValue(row)
        elif row >= bar.value() + self._visible_rows():
            bar.setValue(row - self._visible_rows() + 1)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        painter.fillRect(event.rect(), QColor(self._theme.surface))
        selected = self._selected()
        first = self.verticalScrollBar().value()
        lines = LinePainter(
            painter,
            self._theme,
            self._columns,
            self.viewport().width(),
            self._row_height,
            self.horizontalScrollBar().value(),
            self._words.casefold(),
        )
        for slot in range(self._visible_rows() + 1):
            row = first + slot
            if row >= len(self.rows):
                break
            line = self.rows.line(row)
            if line is not None:
                lines.paint(line, slot * self._row_height, row in selected)
        painter.end()
