"""The token cursor: which token the keyboard is on, and where the keys take it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from PySide6.QtCore import QPointF

from core.tokens.table import MARK_AFTER_STOP, MARK_SPECIAL
from desktop.chat.blocks import AnswerBlock
from desktop.chat.stage import Stage
from desktop.chat.turns import TokenRef

_NOT_DOUBTFUL = MARK_SPECIAL | MARK_AFTER_STOP


class TokenCursor:
    """Moves by token, by line and from doubt to doubt, over all answers that are shown."""

    def __init__(self, stage: Stage, view_range: Callable[[], tuple[int, int]]) -> None:
        self._stage = stage
        self._view_range = view_range
        self.ref: TokenRef | None = None
        self.doubt = 0.15

    def valid(self) -> TokenRef | None:
        """The cursor's token if it is still there and shown."""
        if self.ref is not None and self._stage.part_of(self.ref) is None:
            self.ref = None
        return self.ref

    def _answers(self) -> list[AnswerBlock]:
        return [block for block in self._stage.blocks if isinstance(block, AnswerBlock)]

    def _shown_tokens(self, block: AnswerBlock) -> range:
        """The tokens of an answer that are not folded away."""
        first = 0 if block.unfolded else block.thinking_tokens.stop
        return range(first, len(block.turn.table))

    def step_in(self) -> TokenRef | None:
        """The first token in view of the answer that is most in view."""
        top, bottom = self._view_range()
        best: tuple[int, AnswerBlock] | None = None
        for number in self._stage.between(top, bottom):
            block = self._stage.blocks[number]
            if not isinstance(block, AnswerBlock) or not self._shown_tokens(block):
                continue
            start = self._stage.top(number)
            shown = min(start + block.height, bottom) - max(start, top)
            if best is None or shown > best[0]:
                best = shown, block
        if best is None:
            return None
        return self._first_below(best[1], top)

    def _first_below(self, block: AnswerBlock, top: int) -> TokenRef:
        number = self._stage.number(block.id)
        assert number is not None  # it came from the stage
        start = self._stage.top(number)
        for part in block.parts():
            layout = part.layout
            y = top - start - part.y
            if part.tokens is None or y >= layout.height or not layout.height:
                continue
            for index in range(layout.chunk_at_y(max(y, 0)), len(layout.flow.chunks)):
                laid, chunk_top = layout.lay(index), layout.heights.top(index)
                line = next((n for n in range(len(laid.lines)) if chunk_top + laid.tops[n] >= y), None)
                tokens = part.tokens.tokens_at(laid.starts[line]) if line is not None else range(0)
                if tokens:
                    return TokenRef(block.id, tokens.start)
                if chunk_top > y + self._stage.metrics.line * 100:
                    break
        shown = self._shown_tokens(block)
        return TokenRef(block.id, shown.start)

    def by_token(self, step: int) -> TokenRef | None:
        """The next or previous token, over the ends of answers."""
        ref = self.valid()
        if ref is None:
            return self.step_in()
        answers = self._answers()
        at = next((n for n, block in enumerate(answers) if block.id == ref.turn_id), None)
        if at is None:
            return None
        index = ref.index + step
        if index in self._shown_tokens(answers[at]):
            return TokenRef(ref.turn_id, index)
        at += step
        while 0 <= at < len(answers):
            shown = self._shown_tokens(answers[at])
            if shown:
                return TokenRef(answers[at].id, shown[0] if step > 0 else shown[-1])
            at += step
        return ref

    def by_line(self, step: int) -> TokenRef | None:
        """The token nearest above or below."""
        ref = self.valid()
        if ref is None:
            return self.step_in()
        rects = self._stage.rects(ref)
        if not rects:
            return ref
        rect = rects[-1] if step > 0 else rects[0]
        x, line = rect.center().x(), self._stage.metrics.line
        y = rect.center().y()
        for _ in range(64):  # over boxes, footers and empty lines
            y += step * line * 0.5
            if not 0 <= y <= self._stage.height:
                return ref
            found = self._at(QPointF(x, y))
            if found is not None and found != ref and found.index not in self._stage.group(ref):
                there = self._stage.rects(found)
                if there and all(abs(box.center().y() - rect.center().y()) > line * 0.4 for box in there):
                    return found
                if there and any((box.center().y() - rect.center().y()) * step > line * 0.4 for box in there):
                    return found
        return ref

    def _at(self, point: QPointF) -> TokenRef | None:
        """The token at or beside a point, on text of an answer only."""
        for number, part, top in self._stage.parts(int(point.y()), int(point.y()) + 1):
            layout, block = part.layout, self._stage.blocks[number]
            if part.tokens is None:
                return None
            inner = point.y() - top
            index = layout.chunk_at_y(int(inner))
            laid = layout.lay(index)
            if not laid.lines:
                return None
            x = point.x() - self._stage.left - part.x
            unit, _ = laid.unit_at(x, inner - layout.heights.top(index))
            tokens = part.tokens.tokens_at(unit)
            return TokenRef(block.id, tokens.start) if tokens else None
        return None

    def line_edge(self, *, end: bool) -> TokenRef | None:
        """The first or last token of the cursor's line."""
        ref = self.valid()
        if ref is None:
            return self.step_in()
        found = self._stage.part_of(ref)
        if found is None or found[1].tokens is None:
            return ref
        part = found[1]
        assert part.tokens is not None  # just asked
        first, _ = part.tokens.table.span(ref.index)
        layout = part.layout
        laid = layout.lay(layout.flow.chunk_at(first))
        if not laid.lines:
            return ref
        line = laid.line_of(first)
        unit = laid.starts[line]
        if end:  # the blank at a line's end belongs to the word on the next one
            shown = laid.flat[unit - laid.start : laid.line_stop(line) - laid.start].rstrip(" ")
            unit += max(len(shown) - 1, 0)
        tokens = part.tokens.tokens_at(unit)
        return TokenRef(ref.turn_id, tokens[-1] if end else tokens[0]) if tokens else ref

    def doubtful(self, step: int) -> TokenRef | None:
        """The next or previous token below the threshold, from the cursor or the top of the view on."""
        start = self.valid() or self.step_in()
        answers = self._answers()
        limit = math.log(self.doubt)
        if start is None:
            return None
        at = next((n for n, block in enumerate(answers) if block.id == start.turn_id), 0)
        inclusive = self.ref is None
        for block in answers[at:] if step > 0 else answers[at::-1]:
            for index in self._from(block, start, step, inclusive):
                logprob = block.turn.table.columns["logprob"][index]
                if logprob < limit and not block.turn.table.mark(index) & _NOT_DOUBTFUL:
                    return TokenRef(block.id, index)
        return None

    def _from(self, block: AnswerBlock, start: TokenRef, step: int, inclusive: bool) -> Iterator[int]:
        shown = self._shown_tokens(block)
        if block.id != start.turn_id:
            yield from shown if step > 0 else reversed(shown)
            return
        index = start.index if inclusive else start.index + step
        while index in shown:
            yield index
            index += step
