"""The chips: an own-painted, scrolled view that lays out in parts and paints only what is in view."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from desktop.context import words
from desktop.context.faces import ChipFonts, Faces
from desktop.context.laid import Laid
from desktop.context.legend import Legend
from desktop.context.lines import Run
from desktop.context.model import Form, Sight
from desktop.context.paint import ChipPainter, GroupPainter
from desktop.kit import accessible, fonts
from desktop.kit.elided import plain_tip
from desktop.kit.theme import LIGHT, SPACE_16, SPACE_32, Theme

_WIDEST = 960
_NARROW = 480
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_LEGEND_SHARE = 6  # of a view's height it may take all the time


class ChipsView(QAbstractScrollArea):
    """`chosen`: the token that the person put the cursor on. `copy_wanted`: "id" or "text" of it."""

    chosen = Signal(int)
    copy_wanted = Signal(str)
    find_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight: Sight | None = None
        self._form = Form.TOKENS
        self._unfolded: frozenset[int] = frozenset()
        self._laid: Laid | None = None
        self._next: Laid | None = None  # laid out anew while the old one is still in view
        self._anchor = -1  # a token that comes into view as soon as it is laid out
        self._at_top = False  # and stands at the top then
        self._to_end = False
        self._width = -1
        self.current = -1
        self._legend = Legend()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._lay_on)
        self.painted = 0  # chips so far, for tests
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._measure()

    # what is shown

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._measure()
        self._lay_anew(known=None)

    def set_form(self, form: Form) -> None:
        if form is not self._form:
            self._form = form
            self._lay_anew(known=None)

    def set_sight(self, sight: Sight) -> None:
        """Another one, or the same grown: then what is laid out stays, and an end in view is followed."""
        before, self._sight = self._sight, sight
        if self._laid is not None and sight.continues(before):
            bar = self.verticalScrollBar()
            self._to_end = bar.maximum() > 0 and bar.value() == bar.maximum()
            for laid in filter(None, (self._laid, self._next)):
                laid.grow(sight)
            self._lay_on()
            return
        known = self._laid.faces if self._laid is not None else None
        if before is not None and sight.vocabulary is not before.vocabulary:
            known = None
        self.current, self._unfolded = -1, frozenset()
        self._laid, self._to_end = None, False
        self._anchor, self._at_top = 0, True
        self._lay_anew(known)

    def select(self, token: int) -> None:
        """Put the cursor there and show it, as soon as it is laid out."""
        if self._sight is not None and 0 <= token < len(self._sight.context.ids):
            self.current = self._anchor = token
            self._at_top = False
            self._show_anchor()
            accessible.value_changed(self, self.accessible_value())
            self.viewport().update()

    def retranslate(self) -> None:
        self._measure()
        self._lay_anew(known=None)  # the marks within the chips are words

    @property
    def laying(self) -> bool:
        """There is more to lay out."""
        return self._timer.isActive()

    def accessible_name(self) -> str:
        return self.tr("Tokens in order")

    def accessible_value(self) -> str:
        if self._sight is None or self.current < 0:
            return ""
        return words.spoken(self._sight, self.current)

    # layout

    def _measure(self) -> None:
        self._fonts = ChipFonts()
        self._chips = ChipPainter(self._theme, self._fonts)
        self._groups = GroupPainter(self._theme, self._fonts.names)
        self.verticalScrollBar().setSingleStep(self._fonts.measures(self._form).row)

    def column(self) -> tuple[int, int]:
        """(left, width) of what is shown: the same with and without a scroll bar."""
        width = self.width() - self.verticalScrollBar().sizeHint().width()
        margin = fonts.px(SPACE_32 if width >= fonts.px(_NARROW) else SPACE_16)
        wide = min(width - 2 * margin, fonts.px(_WIDEST))
        return (width - wide) // 2, wide

    def _lay_anew(self, known: Faces | None) -> None:
        """From the first cell on; what is at the top stays there."""
        _, wide = self.column()
        self._legend.lay(wide, self._fonts, self._form)
        if self._sight is None:
            return
        if self._laid is not None and self._laid.flow.rows and self._anchor < 0:
            self._anchor = self._laid.first(self._laid.flow.row_at(self.verticalScrollBar().value()))
            self._at_top = True
        room = max(wide - self._fonts.names, self._fonts.names)
        self._next = Laid(self._sight, self._form, self._unfolded, self._fonts, room, known)
        self._lay_on()

    def _lay_on(self) -> None:
        """One part more; a new layout comes into view when it reaches what is to be in view."""
        laid = self._next or self._laid
        if laid is None:
            return
        laid.lay()
        if self._next is not None and (laid.flow.done or self._reaches(laid)):
            self._laid, self._next = self._next, None
        self._place()
        self._show_anchor()
        if laid.flow.done or not self.isVisible():
            self._timer.stop()
        else:
            self._timer.start()

    def _reaches(self, laid: Laid) -> bool:
        anchor = max(self._anchor, 0)
        below = laid.flow.top(laid.row_of(anchor)) + self.viewport().height() if laid.has(anchor) else 0
        return laid.has(anchor) and laid.flow.top(len(laid.flow.rows) - 1) > below

    def _place(self) -> None:
        bar, high = self.verticalScrollBar(), self.viewport().height()
        content = self._legend.height + (self._laid.flow.height if self._laid is not None else 0)
        bar.setRange(0, max(0, content - high))
        bar.setPageStep(max(1, high - self._pinned))
        if self._to_end and self._laid is not None and self._laid.flow.done:
            self._to_end = False
            bar.setValue(bar.maximum())
        self.viewport().update()

    def _show_anchor(self) -> None:
        laid, token = self._laid, self._anchor
        if laid is None or self._next is not None or not laid.has(token):
            return
        self._anchor = -1
        row, measures = laid.row_of(token), laid.flow.measures
        top, bottom = laid.flow.top(row) - measures.above, laid.flow.top(row) + measures.row
        bar, high = self.verticalScrollBar(), self.viewport().height() - self._pinned
        if self._at_top or top < bar.value():
            bar.setValue(top)
        elif bottom > bar.value() + high:
            bar.setValue(bottom - high)

    # events

    def _inside(self, at: QPointF) -> QPointF:
        """A point of the viewport, counted from the corner of the first chip."""
        return at + QPointF(-self.column()[0] - self._fonts.names, self.verticalScrollBar().value())

    def _token_at(self, at: QPointF) -> int:
        if self._laid is None or at.y() > self._legend_top():
            return -1
        return self._laid.token_at(self._inside(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_wanted.emit()
        elif key == Qt.Key.Key_C and self.current >= 0:
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            self.copy_wanted.emit("id" if plain else "text")
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._fold(self.current):
            return
        elif (target := self._target(event)) is not None:
            if target != self.current:
                self.select(target)
                self.chosen.emit(target)
        else:
            super().keyPressEvent(event)

    def _target(self, event: QKeyEvent) -> int | None:
        """Where a key moves the cursor to; None: it is no such key."""
        laid, token, key = self._laid, self.current, event.key()
        if laid is None or not laid.flow.laid:
            return None
        whole = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        page = max(1, self.verticalScrollBar().pageStep() // laid.flow.measures.row - 1)
        rows = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        ends = (Qt.Key.Key_Home, Qt.Key.Key_End)
        if key not in (*rows, *steps, *ends):
            return None
        if whole and key in ends:
            last = len(laid.flow.cells) - 1
            return laid.flow.cells.token(last if key == Qt.Key.Key_End else 0)
        if not laid.has(token):  # the cursor is not there yet: at the top of what is in view
            return laid.first(laid.flow.row_at(self.verticalScrollBar().value() + laid.flow.measures.above))
        if key in ends:
            row = laid.row_of(token)
            return laid.last(row) if key == Qt.Key.Key_End else laid.first(row)
        if key in steps:
            return laid.along(token, steps[Qt.Key(key)])
        return laid.beside(token, rows[Qt.Key(key)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        token = self._token_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and token >= 0:
            self.select(token)
            self.chosen.emit(token)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._fold(self._token_at(event.position()))

    def _fold(self, token: int) -> bool:
        """Unfold the medium that this token stands for, or fold it again. False if it is an ordinary one."""
        medium = self._laid.flow.cells.medium(token) if self._laid is not None else None
        if medium is None or self._laid is None:
            return False
        self._unfolded ^= {medium.first}
        self._lay_anew(known=self._laid.faces)
        self.select(medium.first)
        return True

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self._token_at(QPointF(event.pos()))
            if token >= 0 and self._sight is not None:
                QToolTip.showText(event.globalPos(), plain_tip(words.token(self._sight, token)), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._width:
            self._width = self.width()
            self._lay_anew(self._laid.faces if self._laid is not None else None)
        self._place()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_on()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()  # what nobody sees is not laid out

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By the Tab key there is a cursor to be seen."""
        super().focusInEvent(event)
        laid = self._laid
        if event.reason() in _TAB and self.current < 0 and laid is not None and laid.flow.rows:
            self.select(laid.first(laid.flow.row_at(self.verticalScrollBar().value())))
            self.chosen.emit(self.current)

    # painting

    @property
    def _pinned(self) -> int:
        """Height of the legend where it stays at the bottom of the view: not in a low one."""
        return self._legend.height if self._legend.height * _LEGEND_SHARE <= self.viewport().height() else 0

    def _legend_top(self) -> int:
        """Under the last group, at the bottom of the view at most."""
        under = self._laid.flow.height - self.verticalScrollBar().value() if self._laid is not None else 0
        return min(under, self.viewport().height() - self._pinned) if self._pinned else under

    def paintEvent(self, event: QPaintEvent) -> None:
        self._chips.begin()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), QColor(self._theme.surface))
        laid, sight = self._laid, self._sight
        if laid is not None and sight is not None and laid.flow.rows:
            self._paint_rows(painter, laid, sight)
        left, wide = self.column()
        top = self._legend_top()
        whole = self.viewport().rect()
        painter.fillRect(QRectF(0, top, whole.width(), whole.height()), QColor(self._theme.surface))
        self._groups.line(painter, left, top, wide)
        self._legend.paint(painter, self._chips, left, top, self._theme)
        painter.end()
        if self._chips.behind:
            QTimer.singleShot(0, self.viewport(), self.viewport().update)

    def _paint_rows(self, painter: QPainter, laid: Laid, sight: Sight) -> None:
        flow, scrolled = laid.flow, self.verticalScrollBar().value()
        left, wide = self.column()
        bottom = scrolled + min(self._legend_top(), self.viewport().height())
        painter.translate(left, -scrolled)
        row = first = flow.row_at(scrolled)
        while row < len(flow.rows) and flow.top(row) - flow.measures.above < bottom:
            group = flow.group_of(row)
            if row == first or row == flow.group_rows[group]:
                top, under = flow.tops[group], flow.under(group)
                name = max(top, min(scrolled, under - flow.measures.least))  # it stays with its chips
                self._groups.draw(painter, sight.context.groups[group], top, wide, name)
            self._paint_row(painter, laid, row)
            row += 1
        painter.translate(-left, scrolled)

    def _paint_row(self, painter: QPainter, laid: Laid, row: int) -> None:
        names = self._fonts.names
        runs: list[Run] = []
        if laid.faces.form is Form.TEXT:
            boxes, runs = laid.text(row, QColor(self._theme.text3))
        else:
            boxes = laid.boxes(row)
        chosen = laid.flow.cells.cell(self.current) if self.current >= 0 else -1
        for cell, box in boxes:
            box.translate(names, 0)
            self._chips.draw(painter, laid.faces.face(cell), box, laid.faces.form, current=cell == chosen)
            self.painted += 1
        painter.setPen(QColor(self._theme.text))
        for run in runs:
            run.layout.draw(painter, run.at + QPointF(names, 0))


accessible.register(ChipsView)
