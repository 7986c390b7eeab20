"""The tokens as a table in the right dock: position, id, text, bytes, and a field to find one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QToolTip, QVBoxLayout, QWidget

from core.tokens import figures
from core.tokens.label import Sort, label
from desktop.context import words
from desktop.context.model import Finder, Sight
from desktop.kit import accessible, fonts
from desktop.kit.elided import plain_tip
from desktop.kit.find_edit import FindEdit
from desktop.kit.icons import icon
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_4, SPACE_16, Theme

WIDTH = 296  # of the panel, at zoom 100 %
_ROW, _HEAD = 23, 32
_ID, _TEXT, _EDGE = 60, 124, 16  # left edges of the columns; the first begins at the edge
_MARK = 3  # beside the chosen row
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class TokenTable(QAbstractScrollArea):
    """One row a token, of any number: only the rows in view are looked at. `chosen`: by the person."""

    chosen = Signal(int)
    copy_wanted = Signal(str)
    find_wanted = Signal()
    next_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight: Sight | None = None
        self.current = -1
        self.painted = 0  # rows so far, for tests
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._head = _Head(self)
        self._measure()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._measure()
        self._place()

    def set_sight(self, sight: Sight | None) -> None:
        """None: there are no tokens."""
        if sight is None or not sight.continues(self._sight):
            self.current = -1
            self.verticalScrollBar().setValue(0)
        self._sight = sight
        self._place()

    def select(self, token: int) -> None:
        if token != self.current and token < self.count:
            self.current = token
            bar = self.verticalScrollBar()
            if token < bar.value():
                bar.setValue(token)
            elif token >= bar.value() + self._rows():
                bar.setValue(token - self._rows() + 1)
            accessible.value_changed(self, self.accessible_value())
            self.viewport().update()

    @property
    def count(self) -> int:
        return len(self._sight.context.ids) if self._sight is not None else 0

    def accessible_name(self) -> str:
        return self.tr("Tokens as a table")

    def accessible_value(self) -> str:
        return (
            words.spoken(self._sight, self.current) if self._sight is not None and self.current >= 0 else ""
        )

    # layout

    def _measure(self) -> None:
        self._mono, self._number = fonts.font("mono_small"), fonts.font("caption")
        self._of_mono = QFontMetricsF(self._mono)
        self._row_height = fonts.px(_ROW)
        self.setViewportMargins(0, fonts.px(_HEAD), 0, 0)
        self._head.set_theme(self._theme)

    def _rows(self) -> int:
        return max(1, self.viewport().height() // self._row_height)

    def _place(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self.count - self._rows()))
        bar.setPageStep(self._rows())
        self._head.setGeometry(0, 0, self.width(), fonts.px(_HEAD))
        self._head.bar = self.width() - self.viewport().width()
        self._head.update()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    # events

    def _token_at(self, y: float) -> int:
        row = self.verticalScrollBar().value() + int(y) // self._row_height
        return row if row < self.count else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        token = self._token_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and token >= 0:
            self.select(token)
            self.chosen.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, page = Qt.Key(event.key()), self._rows()
        moves = {
            Qt.Key.Key_Up: self.current - 1,
            Qt.Key.Key_Down: self.current + 1,
            Qt.Key.Key_PageUp: self.current - page,
            Qt.Key.Key_PageDown: self.current + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: self.count - 1,
        }
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_wanted.emit()
        elif key == Qt.Key.Key_F3:
            self.next_wanted.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif key == Qt.Key.Key_C and self.current >= 0:
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            self.copy_wanted.emit("id" if plain else "text")
        elif key in moves and self.count:
            token = max(0, min(moves[key], self.count - 1))
            if token != self.current:
                self.select(token)
                self.chosen.emit(token)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self._token_at(event.pos().y())
            if token >= 0 and self._sight is not None:
                QToolTip.showText(event.globalPos(), plain_tip(words.token(self._sight, token)), self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By the Tab key there is a cursor to be seen."""
        super().focusInEvent(event)
        if event.reason() in _TAB and self.current < 0 and self.count:
            self.select(self.verticalScrollBar().value())
            self.chosen.emit(self.current)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._theme.side))
        first = self.verticalScrollBar().value()
        for slot in range(min(self._rows() + 1, self.count - first)):
            self._paint_row(painter, first + slot, slot * self._row_height)
            self.painted += 1
        painter.end()

    def _paint_row(self, painter: QPainter, token: int, top: int) -> None:
        assert self._sight is not None
        px, theme, wide, high = fonts.px, self._theme, self.viewport().width(), self._row_height
        number = self._sight.context.ids[token]
        shown = label(self._sight.vocabulary, number)
        if token == self.current:
            painter.fillRect(0, top, wide, high, QColor(theme.accent_soft))
            painter.fillRect(0, top, px(_MARK), high, QColor(theme.accent))
        special = shown.sort is Sort.SPECIAL
        faint = shown.sort in (Sort.BLANK, Sort.BYTES, Sort.ABSENT)
        size = figures.DASH if special or not shown.size else str(shown.size)
        room = wide - px(_TEXT) - px(_EDGE) - px(2 * SPACE_16)
        text = self._of_mono.elidedText(shown.text, Qt.TextElideMode.ElideMiddle, room)
        painter.setFont(self._mono)
        colour = theme.accent if special else theme.text2 if faint else theme.text
        for at, width, words_, tone, side in (
            (px(_EDGE), px(_ID - _EDGE), str(token), theme.text3, _LEFT),
            (px(_ID), px(_TEXT - _ID), str(number), theme.text2, _LEFT),
            (px(_TEXT), room + 2, text, colour, _LEFT),
            (px(_TEXT), wide - px(_TEXT + _EDGE), size, theme.text2, _RIGHT),
        ):
            painter.setPen(QColor(tone))
            painter.drawText(QRectF(at, top, width, high), side, words_)


class _Head(QWidget):
    """The names of the columns."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.bar = 0  # width of the scroll bar beside the rows

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(fonts.font("caption_strong"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        px, high = fonts.px, self.height() - 1
        painter.fillRect(self.rect(), QColor(self._theme.side))
        painter.fillRect(QRect(0, high, self.width(), 1), QColor(self._theme.line))
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.text2))
        for left, text in ((_EDGE, "#"), (_ID, self.tr("id")), (_TEXT, self.tr("text"))):
            painter.drawText(QRectF(px(left), 0, px(80), high), _LEFT, text)
        right = self.width() - self.bar - px(_EDGE)
        painter.drawText(QRectF(0, 0, right, high), _RIGHT, self.tr("bytes"))
        painter.end()


class TokenPanel(QWidget):
    """The dock's content: the field above, the table below. A hidden one keeps only what it would show."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="side")
        self.field = FindEdit(self)
        mark(self.field, kind="search", size="small")
        self._glass = self.field.addAction(
            icon("search", LIGHT.text3), FindEdit.ActionPosition.LeadingPosition
        )
        self._none = QLabel(self)
        mark(self._none, role="caption", tone="text2")
        self._none.hide()
        self.table = TokenTable(self)
        self._finder: Finder | None = None
        self._timer = QTimer(self)  # between two parts of a search what else there is to do is done
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._search_on)
        self._above = QVBoxLayout()
        self._above.addWidget(self.field)
        self._above.addWidget(self._none)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._above)
        layout.addWidget(self.table, 1)
        self.field.textChanged.connect(lambda _: self._look(1, stay=True))
        self.field.step.connect(self._look)
        self.field.left.connect(self.table.setFocus)
        self.table.chosen.connect(self.chosen)
        self.table.find_wanted.connect(self.field.setFocus)
        self.table.next_wanted.connect(self._look)
        self._translate()

    def set_theme(self, theme: Theme) -> None:
        self._glass.setIcon(icon("search", theme.text3))
        px = fonts.px
        self._above.setContentsMargins(px(SPACE_16), px(SPACE_4), px(SPACE_16), px(SPACE_4))
        self._above.setSpacing(px(SPACE_4))
        self.table.set_theme(theme)

    def set_sight(self, sight: Sight | None) -> None:
        self._end_search()
        self._sight = sight
        self.table.set_sight(sight)

    _sight: Sight | None = None

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(WIDTH), super().sizeHint().height())

    # finding

    def _look(self, step: int, *, stay: bool = False) -> None:
        """For what stands in the field, from the chosen token on; it itself only while the words change."""
        self._end_search()
        typed = self.field.text()
        if self._sight is None or not typed:
            return
        start = max(self.table.current, 0) if stay else self.table.current + step
        self._finder = Finder(self._sight.context.ids, self._sight.vocabulary, typed, start, step)
        self._search_on()

    def _search_on(self) -> None:
        finder = self._finder
        if finder is None:
            return
        finder.advance()
        if not finder.over:
            self._timer.start()
            return
        self._end_search()
        if finder.found is None:
            self._none.setText(self.tr("Nothing found for “{words}”.").format(words=self.field.text()))
            self._none.show()
            accessible.announce(self, self._none.text())
        else:
            self.table.select(finder.found)
            self.chosen.emit(finder.found)

    def _end_search(self) -> None:
        self._timer.stop()
        self._finder = None
        self._none.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F3:
            self._look(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _translate(self) -> None:
        words_ = self.tr("Find a token or an id")
        self.field.setPlaceholderText(words_)
        self.field.setAccessibleName(words_)
        self.field.setToolTip(self.tr("Enter: next, Shift+Enter: the one before"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


accessible.register(TokenTable)
