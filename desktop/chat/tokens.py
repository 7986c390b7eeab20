"""Where tokens stand in a laid out flow, which tokens stand at a unit, and how doubtful they are painted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from PySide6.QtCore import QRectF

from core.tokens.table import MARK_AFTER_STOP, MARK_GUESS, MARK_SPECIAL, TokenTable
from desktop.chat.laid import PILL, Laid, Tint, x_of
from desktop.chat.layout import FlowLayout
from desktop.kit.theme import heat_step

_BLANKS = " "
_LINE_ENDS = "\n\r\u2028\u2029"


class TokenMap:
    """Tokens of one table over one flow of it (the thinking part or the answer)."""

    def __init__(self, table: TokenTable, layout: FlowLayout) -> None:
        self.table = table
        self.layout = layout

    # --- painting ------------------------------------------------------------------------------------

    def tints(self, index: int) -> list[Tint]:
        """The tint rectangles of one chunk, relative to it; kept with its layout."""
        laid = self.layout.lay(index)
        if laid.heat is None:
            # by step, so that painting changes its brush seldom
            laid.heat = sorted(self._tints(index, laid), key=attrgetter("step"))
        return laid.heat

    def guesses(self, index: int) -> list[QRectF]:
        """Where tokens of one chunk stand that were guessed ahead and kept; kept with its layout."""
        laid = self.layout.lay(index)
        if laid.guesses is None:
            laid.guesses = list(self._guesses(index, laid))
        return laid.guesses

    def _guesses(self, index: int, laid: Laid) -> Iterator[QRectF]:
        columns = self.table.columns
        starts, stops, marks = columns["start"], columns["stop"], columns["mark"]
        inset, low, high = self._inset(index), laid.start, laid.stop
        for token in range(bisect_right(stops, low), len(starts)):
            first, last = max(int(starts[token]), low), min(int(stops[token]), high)
            if first >= high:
                break
            if first >= last or not marks[token] & MARK_GUESS:
                continue
            if not laid.ascii:
                first, last = laid.snap(first, last)
            for number, left, right in self._fragments(laid, first, last):
                x = round(left)
                yield QRectF(x, laid.tops[number] + inset, max(round(right) - x, 2), laid.line - 2 * inset)

    def _tints(self, index: int, laid: Laid) -> Iterator[Tint]:
        inset = self._inset(index)
        height = laid.line - 2 * inset
        metrics = self.layout.metrics
        for first, last, step, beside in self._spans(laid):
            if not step:
                continue
            found = list(self._fragments(laid, first, last))
            for at, (number, left, right) in enumerate(found):
                ends = at == len(found) - 1
                if step == PILL:  # its last character has the space behind it
                    left -= metrics.pill_pad
                    right -= metrics.pill_gap - metrics.pill_pad if ends and not beside else 0
                if beside and ends and laid.flat[last - laid.start - 1].isascii():
                    right -= metrics.pill_gap
                # soft edges would read as another step
                x = round(left)
                width = max(round(right) - x, 2)
                yield Tint(QRectF(x, laid.tops[number] + inset, width, height), step)

    def _spans(self, laid: Laid) -> Iterator[tuple[int, int, int, bool]]:
        """(first unit, last unit, step, whether a pill is next) within this chunk. What shares a character is
        one span with the step of the least likely."""
        columns = self.table.columns
        starts, stops, marks, logprobs = (columns[name] for name in ("start", "stop", "mark", "logprob"))
        low, high = laid.start, laid.stop
        held: tuple[int, int, int] | None = None
        for token in range(bisect_right(stops, low), len(starts)):
            first, last = int(starts[token]), int(stops[token])
            if first >= high:
                break
            if first >= last:
                continue
            mark = int(marks[token])
            if mark & MARK_SPECIAL:
                step = PILL
            else:
                step = 0 if mark & MARK_AFTER_STOP else heat_step(logprobs[token])
            first, last = max(first, low), min(last, high)
            if not laid.ascii:
                first, last = laid.snap(first, last)
            if held is not None:
                if first < held[1]:
                    held = held[0], max(last, held[1]), max(step, held[2])
                    continue
                yield *held, step == PILL
            held = first, last, step
        if held is not None:
            yield *held, False

    def _fragments(self, laid: Laid, first: int, last: int) -> Iterator[tuple[int, float, float]]:
        """(line, left, right) of what is painted of units [first, last): blanks before a word and at a line's
        end own nothing, but the tint begins half a blank before the word."""
        text, base = laid.flat, laid.start
        number = laid.line_of(first)
        while first < last:
            stop = laid.line_stop(number)
            a, b = first, min(last, stop)
            if b > a and text[b - base : stop - base].strip(_BLANKS) == "":
                while b > a and text[b - base - 1] in _BLANKS:
                    b -= 1
            word = a
            while word < b and text[word - base] in _BLANKS:
                word += 1
            if word == b:  # nothing but blanks
                word = a
            if b > a:
                lead = self.layout.metrics.space / 2 if word > a else 0.0
                for left, right in laid.segments(number, word, b):
                    if right > left:
                        yield number, (left if laid.bidi else left - lead), right
            first = stop
            number += 1

    def _inset(self, index: int) -> int:
        metrics = self.layout.metrics
        return metrics.code_inset if self.layout.boxed(index) else metrics.token_inset

    # --- places --------------------------------------------------------------------------------------

    def rects(self, token: int) -> list[QRectF]:
        """Where a token stands in the flow: never empty. One without visible text has a mark."""
        layout = self.layout
        first, last = self.table.span(token)
        found: list[QRectF] = []
        index = layout.flow.chunk_at(max(first, layout.flow.base))
        while index < len(layout.flow.chunks) and layout.chunk(index).start < last:
            chunk = layout.chunk(index)
            a, b = max(first, chunk.start), min(last, chunk.stop)
            if a < b:
                laid = layout.lay(index)
                if not laid.ascii:
                    a, b = laid.snap(a, b)
                top, inset = layout.heights.top(index), self._inset(index)
                for number, left, right in self._fragments(laid, a, b):
                    y = top + laid.tops[number] + inset
                    found.append(QRectF(left, y, max(right - left, 3.0), laid.line - 2 * inset))
            index += 1
        return found or self._marks(first, last)

    def _marks(self, first: int, last: int) -> list[QRectF]:
        """Boxes for line ends, or one thin box where a token without any text stands."""
        flow = self.layout.flow
        found: list[QRectF] = []
        unit = first
        while unit < last and len(found) < 8:
            chunk = flow.chunks[flow.chunk_at(unit)]
            if unit >= chunk.stop:
                found.append(self.line_end(unit))
            unit = max(chunk.end, unit + 1)
        return found or [self._thin(first)]

    def line_end(self, unit: int) -> QRectF:
        """The box of a line end: after the last line of its paragraph."""
        layout = self.layout
        index = layout.flow.chunk_at(unit)
        while not layout.chunk(index).size and not layout.chunk(index).first:
            index -= 1
        laid = layout.lay(index)
        wide = layout.metrics.em * 0.7
        edge = laid.edge(len(laid.lines) - 1)
        inset = self._inset(index)
        y = layout.heights.top(index) + laid.tops[-2]
        height = laid.line
        if layout.heights[index] < height:  # an empty line between paragraphs
            height = max(layout.heights[index], layout.metrics.blank)
            inset = 0
        return QRectF(edge - wide if laid.rtl else edge + 1, y + inset, wide, height - 2 * inset)

    def _thin(self, unit: int) -> QRectF:
        layout = self.layout
        index = layout.flow.chunk_at(min(max(unit, layout.flow.base), layout.flow.end))
        laid = layout.lay(index)
        top, inset = layout.heights.top(index), self._inset(index)
        if not laid.lines:
            return QRectF(0, top + inset, 4, laid.line - 2 * inset)
        number = laid.line_of(unit)
        at = min(unit, laid.line_stop(number))
        x = x_of(laid.lines[number], at - laid.start + laid.shift)
        return QRectF(x - 2, top + laid.tops[number] + inset, 4, laid.line - 2 * inset)

    # --- hits ----------------------------------------------------------------------------------------

    def unit_at(self, x: float, y: float) -> int | None:
        """The unit whose character is at this point of the flow, a line end included; None beside text."""
        layout = self.layout
        if not 0 <= y < layout.height:
            return None
        index = layout.chunk_at_y(int(y))
        laid = layout.lay(index)
        chunk = layout.chunk(index)
        if not laid.lines:
            return None
        unit, on = laid.unit_at(x, y - layout.heights.top(index))
        if on:
            return unit
        if chunk.ending and self.line_end(chunk.stop).adjusted(-2, -2, 2, 2).contains(x, y):
            return chunk.stop
        return None

    def tokens_at(self, unit: int) -> range:
        """All tokens that have a part in the character (as a reader counts them) at this unit."""
        layout = self.layout
        index = layout.flow.chunk_at(unit)
        chunk = layout.chunk(index)
        if unit >= chunk.stop or chunk.text.isascii():
            return self.table.tokens_at(unit)
        first, last = layout.lay(index).snap(unit, unit + 1)
        low, high = self.table.tokens_at(first), self.table.tokens_at(last - 1)
        return range(low.start, max(high.stop, low.stop))

    def group(self, token: int) -> range:
        """The tokens that together make the characters that this one has a part in."""
        whole = self.table.group(token)
        first, last = self.table.span(token)
        if first >= last:
            return whole
        low, high = self.tokens_at(first), self.tokens_at(last - 1)
        if not low or not high:
            return whole
        return range(min(whole.start, low.start), max(whole.stop, high.stop))
