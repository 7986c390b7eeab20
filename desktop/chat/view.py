"""The transcript as others use it: turns in, tokens out, one repaint a frame."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from desktop.chat.area import TranscriptArea
from desktop.chat.blocks import AnswerBlock, QuestionBlock
from desktop.chat.brushes import HEAT_MODES
from desktop.chat.selection import answer_text
from desktop.chat.turns import AnswerTurn, Banner, Footer, QuestionTurn, TokenRef, Turn
from desktop.kit.theme import Theme

__all__ = ["AnswerTurn", "Banner", "Footer", "QuestionTurn", "TokenRef", "TranscriptView", "Turn"]

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CTRL = Qt.KeyboardModifier.ControlModifier


class TranscriptView(TranscriptArea):
    """Shows turns. `grow` only marks; one repaint a frame takes what came."""

    # --- turns ---------------------------------------------------------------------------------------

    def set_turns(self, turns: Sequence[Turn]) -> None:
        """Show these turns from now on; the end of the conversation comes into view."""
        self._grown.clear()
        self._selection.clear()
        self._stage.set_turns(turns)
        self._attachments.drop_missing()
        self._missed = 0
        self._scroller.follow()
        if self._cursor.valid() is None:
            self._show_cursor(None)
        self._set_hovered(None)
        self.dismissed.emit()
        self._refresh()

    def append_turn(self, turn: Turn) -> None:
        """A new turn at the end. A question of the person's brings the end into view."""
        self._stage.append(turn)
        if isinstance(turn, QuestionTurn):
            self._missed = 0
            self._scroller.follow()
        self._refresh()

    def update_turn(self, turn: Turn) -> None:
        """The same turn, told anew (still running or not, cut, thinking, note). An unknown one is ignored."""
        number = self._stage.number(turn.id)
        if number is None:
            return
        block = self._stage.blocks[number]
        if isinstance(block, AnswerBlock) and isinstance(turn, AnswerTurn):
            if block.told(turn):
                return
            held = self._scroller.anchor()
            ended = block.turn.live and not turn.live
            block.update(turn)
            self._stage.refresh(number)
            self._scroller.settle(held)
            self._refresh()
            if ended:
                self._announce(block)
        elif isinstance(block, QuestionBlock) and isinstance(turn, QuestionTurn):
            held = self._scroller.anchor()
            if self._stage.tell_question(number, turn):
                self._scroller.settle(held)
                self._refresh()

    def grow(self, turn_id: str) -> None:
        """Rows were appended to that answer's table. Cheap: may be called for each token."""
        self._grown.add(turn_id)
        self.batcher.mark()

    def set_footer(self, turn_id: str, footer: Footer | None) -> None:
        """The line under an answer, and its banner."""
        block = self._stage.answer(turn_id)
        if block is None or block.footer == footer:
            return
        old, block.footer = block.footer, footer
        if (old.banner if old else None) != (footer.banner if footer else None):
            self._attachments.measure_banner(block)
        self._restacked(turn_id)

    def set_status(self, turn_id: str, text: str) -> None:
        """The waiting line of an answer, "" for none: what the engine does before the first token."""
        block = self._stage.answer(turn_id)
        if block is not None and block.status != text:
            block.status = text
            self._restacked(turn_id)

    # --- look ----------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Colours, fonts and zoom as they are now."""
        held = self._scroller.anchor()
        self._stage.restyle(theme)
        self._follow.set_theme(theme)
        for block in self._stage.blocks:
            if isinstance(block, AnswerBlock):
                self._attachments.measure_banner(block)
        self._stage.restack()
        self._scroller.settle(held)
        self._refresh()
        self.restyled.emit(theme)

    def set_heat(self, mode: str) -> None:
        """How doubt is painted: "both", "colour", "bar" or "off"."""
        self._marks.heat = mode if mode in HEAT_MODES else "both"
        self.viewport().update()

    def set_doubt(self, threshold: float) -> None:
        """Below this probability a token is doubtful (F8)."""
        self._cursor.doubt = threshold

    def column(self) -> tuple[int, int]:
        """(left edge, width) of the text column, for what stands under the transcript."""
        return self._stage.left, self._stage.width

    # --- tokens --------------------------------------------------------------------------------------

    @property
    def cursor_token(self) -> TokenRef | None:
        return self._cursor.valid()

    @property
    def hovered_token(self) -> TokenRef | None:
        return self._pointer.token

    def answer_turn(self, turn_id: str) -> AnswerTurn | None:
        block = self._stage.answer(turn_id)
        return block.turn if block is not None else None

    def group_of(self, ref: TokenRef) -> range:
        """The tokens that together make the characters this one has a part in."""
        return self._stage.group(ref)

    def sign_of(self, ref: TokenRef) -> str:
        """The characters that a token makes together with others."""
        return self._stage.sign(ref)

    def pointer_at(self) -> QPointF | None:
        """Where the pointer is in the viewport, None if it is elsewhere."""
        return self._pointer.at

    def token_at(self, point: QPointF) -> TokenRef | None:
        """The token at a point of the viewport."""
        return self._pointer.token_at(point)

    def token_rect(self, ref: TokenRef, near: QPointF | None = None) -> QRect | None:
        """Where a token stands on the screen, of several pieces the one at `near` (viewport) or the first in
        view; None if none is in view."""
        dy = -self._scroller.top
        shown = QRectF(self.viewport().rect())
        rects = [rect.translated(0, dy) for rect in self._stage.rects(ref)]
        rects = [rect for rect in rects if rect.intersects(shown)]
        if not rects:
            return None
        rect = rects[0]
        if near is not None:
            rect = next((box for box in rects if box.adjusted(-3, -4, 3, 4).contains(near)), rect)
        box = rect.toAlignedRect()
        return QRect(self.viewport().mapToGlobal(box.topLeft()), box.size())

    def mark_token(self, ref: TokenRef | None) -> None:
        """Draw the ring of the token that an open card belongs to."""
        self._set_hovered(ref)

    def set_cursor(self, ref: TokenRef | None) -> None:
        """Put the token cursor somewhere, without scrolling."""
        self._show_cursor(ref)

    def reveal(self, ref: TokenRef) -> bool:
        """Scroll to a token and put the cursor on it; folded thinking unfolds. False if it is not there."""
        block = self._stage.answer(ref.turn_id)
        if block is not None and ref.index in block.thinking_tokens:
            self.unfold(ref.turn_id)
        moved = False
        for _ in range(3):  # heights on the way there become exact
            rects = self._stage.rects(ref)
            if not rects:
                return False
            moved |= self._scroller.show_rect(rects[0].top(), rects[0].bottom())
        if moved:
            self._place()
            self.viewport().update()
        self._show_cursor(ref)
        if moved:
            self.shifted.emit()
        return True

    def step_in(self) -> None:
        """Put the focus and the cursor on the first token in view of the answer in view (Ctrl+T)."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._go(self._cursor.step_in())

    def next_doubtful(self, step: int = 1) -> bool:
        """Go to the next (-1: previous) doubtful token and open its card (F8). False if there is none."""
        found = self._cursor.doubtful(step)
        if found is None:
            return False
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._go(found)
        self.token_opened.emit(found)
        return True

    def _go(self, ref: TokenRef | None) -> None:
        if ref is not None:
            self.reveal(ref)

    # --- text ----------------------------------------------------------------------------------------

    def selected_text(self) -> str:
        """Exactly the selected characters, without special tokens."""
        return self._selection.text()

    def answer_text(self, turn_id: str) -> str:
        """An answer as plain text: no thinking, no special tokens, nothing after a stop string."""
        block = self._stage.answer(turn_id)
        return answer_text(block) if block is not None else ""

    # --- keys ----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif not self._command_key(event) and not self._cursor_key(event):
            super().keyPressEvent(event)

    def _command_key(self, event: QKeyEvent) -> bool:
        """Keys that work with or without a cursor; a window's own shortcuts come first."""
        key, modifiers = event.key(), event.modifiers()
        back = -1 if modifiers & _SHIFT else 1
        if key == Qt.Key.Key_F8 or (key == Qt.Key.Key_D and modifiers & _CTRL):
            self.next_doubtful(back)
        elif key == Qt.Key.Key_T and modifiers == _CTRL:
            self.step_in()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and modifiers & _CTRL:
            bar = self.verticalScrollBar()
            bar.setValue(0 if key == Qt.Key.Key_Home else bar.maximum())
        else:
            return False
        return True

    def _cursor_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key, here = event.key(), self._cursor.valid()
        moves = {
            Qt.Key.Key_Left: lambda: self._cursor.by_token(-1),
            Qt.Key.Key_Right: lambda: self._cursor.by_token(1),
        }
        if here is not None:  # without a cursor these scroll
            moves |= {
                Qt.Key.Key_Up: lambda: self._cursor.by_line(-1),
                Qt.Key.Key_Down: lambda: self._cursor.by_line(1),
                Qt.Key.Key_Home: lambda: self._cursor.line_edge(end=False),
                Qt.Key.Key_End: lambda: self._cursor.line_edge(end=True),
            }
        if key in moves:
            self._go(moves[Qt.Key(key)]())
            return True
        if here is None:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.token_opened.emit(here)
        elif key == Qt.Key.Key_P:
            self.pin_requested.emit(here)
        elif key == Qt.Key.Key_C:
            self.copy_requested.emit(here)
        else:
            return False
        return True
