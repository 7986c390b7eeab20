"""Paints log lines: one row a line, only the visible ones, from a ring buffer of any size."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
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

from core.log_lines import Level, LogBuffer, LogLine
from desktop.kit import fonts
from desktop.kit.batcher import Batcher
from desktop.kit.theme import LIGHT, LINE, ROW_LOG, SPACE_8, SPACE_16, Theme
from desktop.log.rows import ShownRows, parts, texts
from desktop.log.search import Search

_LEVEL_NAMES = {
    Level.UNKNOWN: "",
    Level.DEBUG: "DEBUG",
    Level.INFO: "INFO",
    Level.WARNING: "WARNING",
    Level.ERROR: "ERROR",
}
_TAB = 8  # columns
_SOURCE = 24  # columns of a source, at most


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

    def selected_text(self) -> str:
        """The selected rows; all rows if none is selected."""
        rows = self._selected() or range(len(self.rows))
        return texts(self.rows.buffer, self.rows.numbers(rows))

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selected_text())

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
        metrics = QFontMetrics(self.font())
        self._row_height = fonts.px(ROW_LOG)
        self._advance = metrics.horizontalAdvance("0")
        self._pad = fonts.px(SPACE_16)
        self._gap = fonts.px(SPACE_16)
        self._level_x = self._pad + metrics.horizontalAdvance("00:00:00") + self._gap
        self._source_x = self._level_x + metrics.horizontalAdvance("WARNING") + self._gap
        self._place_columns()

    def _place_columns(self) -> None:
        """The column of sources is as wide as they are, and gone where no line has one."""
        columns = min(self.rows.source, _SOURCE)
        self._text_x = self._source_x + (columns * self._advance + self._gap if columns else 0)

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
        wide = self._text_x + self.rows.longest * self._advance + self._pad
        bar.setRange(0, max(0, wide - self.viewport().width()))
        bar.setPageStep(self.viewport().width())
        bar.setSingleStep(self._advance * 4)

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
        for slot in range(self._visible_rows() + 1):
            row = first + slot
            if row >= len(self.rows):
                break
            line = self.rows.line(row)
            if line is not None:
                self._paint_row(painter, line, slot * self._row_height, row in selected)
        painter.end()

    def _paint_row(self, painter: QPainter, line: LogLine, top: int, selected: bool) -> None:
        theme, height, width = self._theme, self._row_height, self.viewport().width()
        if selected or line.level is Level.ERROR:
            painter.fillRect(0, top, width, height, QColor(theme.selection if selected else theme.err_soft))
        colour = {Level.WARNING: theme.warn, Level.ERROR: theme.err}.get(line.level)
        if colour is not None:
            painter.fillRect(0, top, fonts.px(2), height - LINE, QColor(colour))
        left = -self.horizontalScrollBar().value()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
        painter.setPen(QColor(theme.text2 if selected else theme.text3))
        clock = time.strftime("%H:%M:%S", time.localtime(line.time))
        painter.drawText(QRect(left + self._pad, top, self._level_x, height), middle, clock)
        if colour is not None and not selected:
            painter.setPen(QColor(colour))
        level = QRect(left + self._level_x, top, self._source_x - self._level_x, height)
        painter.drawText(level, middle, _LEVEL_NAMES[line.level])
        source, text = parts(line)
        if source:
            painter.setPen(QColor(theme.text2 if selected else theme.text3))
            place = QRect(left + self._source_x, top, self._text_x - self._source_x - self._gap, height)
            painter.drawText(place, middle, source)
        text = text.expandtabs(_TAB)
        area = QRect(left + self._text_x, top, max(width, self.rows.longest * self._advance * 2), height)
        self._paint_found(painter, text, area)
        failed = line.level is Level.ERROR and not selected
        painter.setPen(QColor(theme.err if failed else theme.text))
        painter.drawText(area, middle, text)
        if line.cut:
            metrics = painter.fontMetrics()
            painter.setPen(QColor(theme.text3))
            area.setLeft(area.left() + metrics.horizontalAdvance(text) + fonts.px(SPACE_8))
            painter.drawText(area, middle, self.tr("… %n more character(s)", "", line.cut))

    def _paint_found(self, painter: QPainter, text: str, area: QRect) -> None:
        words = self._words.casefold()
        folded = text.casefold()
        # casefold can change the length ("ß"): then the row is found but not marked within
        if not words or len(folded) != len(text):
            return
        metrics = painter.fontMetrics()
        at = folded.find(words)
        while at >= 0:
            left = area.left() + metrics.horizontalAdvance(text[:at])
            wide = metrics.horizontalAdvance(text[at : at + len(words)])
            painter.fillRect(left, area.top() + 1, wide, area.height() - 2, QColor(self._theme.accent_soft))
            at = folded.find(words, at + len(words))
