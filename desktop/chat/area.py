"""The scroll area under the transcript: its parts, its events, what they do to each other."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHideEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from core.tokens import figures
from desktop.chat.attachments import Attachments
from desktop.chat.blocks import AnswerBlock, Part
from desktop.chat.cursor import TokenCursor
from desktop.chat.follow import FollowButton
from desktop.chat.paint import Marks, TranscriptPainter
from desktop.chat.pointer import Pointer
from desktop.chat.pulse import Pulse
from desktop.chat.scroller import Scroller
from desktop.chat.selection import Selection, answer_text
from desktop.chat.stage import Stage
from desktop.chat.turns import TokenRef
from desktop.kit import accessible
from desktop.kit.batcher import Batcher
from desktop.kit.theme import LIGHT

_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class TranscriptArea(QAbstractScrollArea):
    """Everything but the API; see `TranscriptView`."""

    token_hovered = Signal(object)  # TokenRef or None
    token_clicked = Signal(object)
    token_opened = Signal(object)  # by key
    cursor_moved = Signal(object)
    pin_requested = Signal(object)
    copy_requested = Signal(object)  # the token, by key
    dismissed = Signal()  # a click beside any token, a drag, new turns
    action = Signal(str, str)  # footer or banner button, turn id
    scrolled = Signal()  # by the person, or to another place
    shifted = Signal()  # by itself, while an answer grows
    restyled = Signal(object)  # the Theme, after `set_theme`

    def __init__(
        self, parent: QWidget | None = None, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        super().__init__(parent)
        self._stage = Stage(LIGHT)
        self._selection = Selection(self._stage)
        self._marks = Marks()
        self._painter = TranscriptPainter(self._stage, self._selection)
        self._grown: set[str] = set()
        self._missed = 0
        self._ring = False  # the keyboard focus came here and no token has it
        self.reduce_motion = False
        self._make_area()
        self._scroller = Scroller(self._stage, self.verticalScrollBar(), self._page, self)
        self._pointer = Pointer(self._stage, self._selection, self._to_document, self._page, self)
        self._cursor = TokenCursor(self._stage, lambda: (self._scroller.top, self._scroller.bottom))
        self._attachments = Attachments(self._stage, self.viewport())
        self._follow = FollowButton(self, LIGHT)
        self.batcher = Batcher(self._drain, clock=clock, parent=self)
        self._pulse = Pulse(self._waiting, self.viewport().update, clock, self)
        self._connect()
        accessible.register(TranscriptArea)

    def _make_area(self) -> None:
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def _connect(self) -> None:
        self._scroller.moved.connect(self._was_scrolled)
        self._scroller.settled.connect(self._was_settled)
        self._scroller.following_changed.connect(self._following_changed)
        self._pointer.hovered.connect(self.token_hovered)
        self._pointer.clicked.connect(self._clicked)
        self._pointer.selection_changed.connect(self._selection_changed)
        self._pointer.selected.connect(self._selection.offer)
        self._pointer.scroll_by.connect(self._scroll_by)
        self._attachments.pressed.connect(self._pressed)
        self._attachments.unfolded.connect(self.unfold)
        self._follow.clicked.connect(self.to_end)

    # --- plumbing ------------------------------------------------------------------------------------

    def _page(self) -> int:
        return self.viewport().height()

    def _to_document(self, point: QPointF) -> QPointF:
        return QPointF(point.x(), point.y() + self._scroller.top)

    def _refresh(self) -> None:
        """Something changed: lay out what shows now, put the widgets there, repaint."""
        self._scroller.settle()
        self._place()
        self.viewport().update()

    def _place(self) -> None:
        self._attachments.place(self._scroller.top, self._scroller.bottom)
        button = self._follow
        shown = not self._scroller.following and self.verticalScrollBar().maximum() > 0
        if shown:
            button.set_count(self._missed)
            room = self.viewport().geometry()
            gap = self._stage.metrics.gap
            button.move(room.center().x() - button.width() // 2, room.bottom() - button.height() - gap)
        if shown == button.isHidden():
            button.setVisible(shown)
            button.raise_()
        self._pulse.keep(self.isVisible() and not self.reduce_motion)

    def _drain(self) -> None:
        grown, self._grown = self._grown, set()
        before = self._scroller.top
        ends: list[tuple[int, Part, int, int]] = []  # what grows, and from which y of the document on
        for turn_id in grown:
            number = self._stage.number(turn_id)
            block = self._stage.answer(turn_id)
            if number is None or block is None:
                continue
            new = len(block.turn.table) - block.seen
            part, chunk = block.growing()
            ends.append((number, part, chunk, self._stage.y_of(number, part, chunk)))
            block.grow()
            self._stage.refresh(number)
            if not self._scroller.following:
                self._missed += new
        self._scroller.settle()
        still = all(self._stage.y_of(number, part, chunk) == y for number, part, chunk, y in ends)
        self._repaint_growth(before, min((end[3] for end in ends), default=0), still=still)
        if self._scroller.top != before:
            self.shifted.emit()

    def _repaint_growth(self, before: int, y: int, *, still: bool) -> None:
        """Text from `y` on is new, what stands above is the same if it stood `still`: it is only moved."""
        port, moved = self.viewport(), self._scroller.top - before
        if not still or self._ring or not 0 <= moved < port.height():
            self._place()
            port.update()
            return
        if moved:
            port.scroll(0, -moved)  # takes the widgets of the answers along, which then are put right
        self._place()
        port.update(0, max(y - self._scroller.top, 0), port.width(), port.height())

    def _restacked(self, turn_id: str) -> None:
        """A block's own things changed: its footer, its waiting line."""
        number = self._stage.number(turn_id)
        if number is None:
            return
        before = self._stage.tops[number]
        self._stage.refresh(number)
        if self._stage.tops[number] != before:
            self._refresh()
            return
        self._place()
        for rect in self._waiting():
            self.viewport().update(rect)

    def unfold(self, turn_id: str, on: bool = True) -> None:
        """Show or fold the thinking part of an answer."""
        block = self._stage.answer(turn_id)
        number = self._stage.number(turn_id)
        if block is None or number is None or block.thinking is None or block.unfolded == on:
            return
        self._scroller.follow(False)  # the line that was pressed stays where it is
        block.unfolded = on
        self._stage.refresh(number)
        self._selection.clear()
        self._refresh()
        self._scroller.check_end()
        self.scrolled.emit()

    def to_end(self) -> None:
        """Bring the end into view and follow it."""
        self._scroller.to_end()
        self._refresh()
        self.scrolled.emit()

    def _was_scrolled(self) -> None:
        self._place()
        self.viewport().update()
        self._pointer.look()
        self.scrolled.emit()

    def _was_settled(self) -> None:
        self._place()
        self.viewport().update()
        self.shifted.emit()

    def _following_changed(self) -> None:
        if self._scroller.following:
            self._missed = 0
        self._place()

    def _scroll_by(self, pixels: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pixels)

    def _pressed(self, what: str, turn_id: str) -> None:
        if what == "copy":
            block = self._stage.answer(turn_id)
            if block is not None:
                QGuiApplication.clipboard().setText(answer_text(block))
        self.action.emit(what, turn_id)

    # --- tokens --------------------------------------------------------------------------------------

    def _show_cursor(self, ref: TokenRef | None) -> None:
        if ref == self._cursor.ref and ref == self._marks.cursor:
            return
        self._repaint_token(self._marks.cursor)
        self._cursor.ref = ref
        self._marks.cursor = ref
        self._repaint_token(ref)
        self.cursor_moved.emit(ref)
        accessible.value_changed(self, self.accessible_value())

    def _set_hovered(self, ref: TokenRef | None) -> None:
        if ref == self._marks.hovered:
            return
        self._repaint_token(self._marks.hovered)
        self._marks.hovered = ref
        self._repaint_token(ref)

    def _repaint_token(self, ref: TokenRef | None) -> None:
        """Only what a ring around this token can touch."""
        if ref is None:
            return
        for index in self._stage.group(ref):
            for rect in self._stage.rects(TokenRef(ref.turn_id, index)):
                box = rect.translated(0, -self._scroller.top).adjusted(-5, -5, 5, 5)
                self.viewport().update(box.toAlignedRect())

    def _clicked(self, ref: TokenRef | None) -> None:
        if ref is None:
            self._show_cursor(None)
            self.dismissed.emit()
            return
        self._show_cursor(ref)
        self.token_clicked.emit(ref)

    def _selection_changed(self) -> None:
        self.viewport().update()
        if not self._selection.empty:
            self.dismissed.emit()

    def copy(self) -> bool:
        """Put the selected text on the clipboard. False if nothing is selected."""
        return self._selection.copy()

    def select_all(self) -> None:
        self._selection.select_all()
        self.viewport().update()

    # --- accessibility -------------------------------------------------------------------------------

    def accessible_name(self) -> str:
        return self.accessibleName() or self.tr("Conversation")

    def accessible_value(self) -> str:
        """The token under the cursor with its numbers; else the last answer's text."""
        ref = self._cursor.valid()
        block = self._stage.answer(ref.turn_id) if ref is not None else None
        if ref is None or block is None:
            answers = [block for block in self._stage.blocks if isinstance(block, AnswerBlock)]
            return answer_text(answers[-1]) if answers else ""
        table = block.turn.table
        words = [block.turn.vocabulary.label(table.id(ref.index))]
        logprob = table.logprob(ref.index)
        if logprob is not None:
            words.append(self.tr("probability {p}").format(p=figures.percent_of(logprob)))
        rank = table.row(ref.index).rank
        if rank is not None:
            words.append(self.tr("rank {n}").format(n=figures.count(rank)))
        return ", ".join(words)

    def _announce(self, block: AnswerBlock) -> None:
        words = self.tr("Answer finished, %n token(s)", "", len(block.turn.table))
        accessible.announce(self, f"{words}. {answer_text(block)}")

    # --- motion --------------------------------------------------------------------------------------

    def _waiting(self) -> list[QRect]:
        """Where waiting lines are in view."""
        found: list[QRect] = []
        top = self._scroller.top
        for number in self._stage.between(top, self._scroller.bottom):
            block = self._stage.blocks[number]
            if isinstance(block, AnswerBlock) and block.waits:
                y = self._stage.top(number) + block.text_bottom - top
                found.append(QRect(self._stage.left - 4, y, self._stage.width + 4, self._stage.metrics.line))
        return found

    # --- events --------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        region = event.rect()
        painter.fillRect(region, self._stage.brushes.surface)
        top = self._scroller.top
        self._marks.pulse = self._pulse.strength
        self._painter.paint(painter, top, top + region.top(), top + region.bottom() + 1, self._marks)
        if self._ring and self.hasFocus() and self._marks.cursor is None:
            painter.resetTransform()
            self._stage.brushes.focus_frame(painter, QRectF(self.viewport().rect()))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        held = self._scroller.kept_anchor() if self._stage.width else None
        # as if the scroll bar were always there: the column must not jump when it comes
        bar = self.verticalScrollBar().sizeHint().width()
        if self._stage.set_view_width(self.width() - bar):
            for block in self._stage.blocks:
                if isinstance(block, AnswerBlock):
                    self._attachments.measure_banner(block)
            self._stage.restack()
        self._scroller.settle(held)
        self._refresh()
        self.scrolled.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Who moves the bar repaints what it moved; Qt would repaint all."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.batcher.set_visible(True)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.batcher.set_visible(False)
        self._pulse.keep(False)
        self._pointer.leave()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ring = False
            self._pointer.press(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.double_click(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._pointer.leave()
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in _TAB
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), QKeySequence(QKeySequence.StandardKey.Copy), self.copy)
        copy.setEnabled(not self._selection.empty)
        menu.addAction(
            self.tr("Select all"), QKeySequence(QKeySequence.StandardKey.SelectAll), self.select_all
        )
        menu.popup(event.globalPos())
