"""Lays out one text flow: only what is asked for holds a layout, finished lines are frozen.

Text only grows, so a line once followed by two more never changes. The last chunk is the only one laid out
again; above `LIMIT` characters all its lines but the last two are frozen and a continuation starts there.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextLayout

from desktop.chat.characters import has_right_to_left, last_direction, shown
from desktop.chat.laid import Laid
from desktop.chat.metrics import Metrics
from desktop.chat.transcript import LIMIT, Chunk, Heights, Start, TextFlow

Formats = Callable[[Chunk], list[QTextLayout.FormatRange]]
_AHEAD = 64  # units of following text that may decide about a direction
_AT_ONCE = 16  # chunks above the viewport whose line starts are found before the first paint


def _no_formats(chunk: Chunk) -> list[QTextLayout.FormatRange]:
    return []


class FlowLayout:
    """`heights` has one entry a chunk, measured or estimated. `laid_characters` counts all layout work."""

    def __init__(
        self, flow: TextFlow, metrics: Metrics, formats: Formats = _no_formats, *, answer: bool = True
    ) -> None:
        self.flow = flow
        self.metrics = metrics
        self.width = 0
        self.heights = Heights()
        self.laid_characters = 0
        self.live = False  # the last paragraph may still grow
        self._formats = formats
        self._answer = answer  # code blocks and short blank lines; a question is shown as it is
        self._laid: dict[int, Laid] = {}

    # --- content and width ---------------------------------------------------------------------------

    @property
    def height(self) -> int:
        return self.heights.total

    def set_width(self, width: int) -> None:
        """Another width: nothing is laid out now; heights are estimates until something comes into view."""
        if width != self.width:
            self.width = width
            self.reset()

    def set_metrics(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.reset()

    def reset(self) -> None:
        self._laid.clear()
        self.flow.forget_lines()
        self._estimate_from(0)

    def repaint(self) -> None:
        """Colours changed: layouts are made again where they are needed, heights and lines stay."""
        self._laid.clear()

    def grow(self) -> None:
        """Text was appended. Costs the new text and the last chunk; a long text at once is only estimated."""
        first = self.flow.take_changed()
        count = len(self.flow.chunks)
        self._forget(first)
        self._estimate_from(first)
        if not self.width or count - first > 8:
            return
        for index in range(first, count):
            self.lay(index)
        self._freeze()

    def _forget(self, first: int) -> None:
        for index in [index for index in self._laid if index >= first]:
            del self._laid[index]

    def _estimate_from(self, first: int) -> None:
        for index in range(first, len(self.flow.chunks)):
            height = self._estimated(index)
            if index < len(self.heights):
                self.heights.set(index, height)
            else:
                self.heights.append(height)

    def _estimated(self, index: int) -> int:
        chunk = self.flow.chunks[index]
        low, high = self._pads(index)
        if self._blank(index):
            return self._blank_height(index)
        if not chunk.size and not chunk.first:
            return low + high
        m = self.metrics
        wide = 1.0 if chunk.text[:1] > "\u2e80" else 0.0
        mean = m.code_font.pixelSize() * 0.62 if chunk.box else m.mean + wide * (m.em - m.mean)
        lines = max(1, -int(-chunk.size * mean // max(self.width, 1)))
        return low + high + lines * (m.code_line if chunk.box and self._answer else m.line)

    # --- what a chunk looks like ---------------------------------------------------------------------

    def boxed(self, index: int) -> bool:
        return self._answer and bool(self.flow.chunks[index].box)

    def _blank(self, index: int) -> bool:
        """An empty line between paragraphs of prose: less high than a line."""
        chunk = self.flow.chunks[index]
        return self._answer and chunk.first and not chunk.box and chunk.size < 8 and not chunk.text.strip()

    def _blank_height(self, index: int) -> int:
        chunk = self.flow.chunks[index]
        leading = index == 0 or (self.heights[index - 1] == 0 and self.heights.top(index) == 0)
        return 0 if leading or not chunk.ending else self.metrics.blank

    def _pads(self, index: int) -> tuple[int, int]:
        """Space above and below within the chunk: a code block's box has an edge there."""
        if not self.boxed(index):
            return 0, 0
        chunks = self.flow.chunks
        m = self.metrics
        edge = m.gap_small + m.gap
        opens = index == 0 or chunks[index - 1].box != chunks[index].box
        closes = index + 1 == len(chunks) or chunks[index + 1].box != chunks[index].box
        return (edge if opens else 0), (edge if closes else 0)

    def box_edges(self, index: int) -> tuple[int, int]:
        """Where the box begins and ends within a chunk of code, as insets from its top and bottom."""
        top, bottom = self._pads(index)
        gap = self.metrics.gap_small
        return (gap if top else 0), (gap if bottom else 0)

    def code(self, index: int) -> tuple[int, int]:
        """Units [first, last) of the code in the block that chunk `index` belongs to, without its fences."""
        chunks, box = self.flow.chunks, self.flow.chunks[index].box
        first = last = index
        while first and chunks[first - 1].box == box:
            first -= 1
        while last + 1 < len(chunks) and chunks[last + 1].box == box:
            last += 1
        opening = first
        while not chunks[opening].ending and opening < last:  # a long line with the fence
            opening += 1
        start = chunks[opening].end
        # a block that is not closed yet ends where the text does
        closed = last > opening and self.flow.closes(last)
        return start, max(chunks[last].start if closed else chunks[last].end, start)

    # --- layouts -------------------------------------------------------------------------------------

    def lay(self, index: int) -> Laid:
        """The layout of one chunk, made if it is not there; its height becomes exact."""
        found = self._laid.get(index)
        if found is not None:
            return found
        laid = self._make(index)
        self._laid[index] = laid
        chunk = self.flow.chunks[index]
        chunk.lines = len(laid.lines)
        low, high = self._pads(index)
        if self._blank(index):
            self.heights.set(index, self._blank_height(index))
        elif not chunk.size and not chunk.first:
            self.heights.set(index, low + high)
        else:
            self.heights.set(index, laid.height + high)
        return laid

    def _make(self, index: int) -> Laid:
        chunk = self.flow.chunks[index]
        m = self.metrics
        code = self.boxed(index)
        before, after = self._context(index)
        self.laid_characters += chunk.size + len(after)
        return Laid(
            chunk,
            m.code_font if code else m.font,
            self._formats(chunk),
            width=self.width - 2 * m.gap_large if code else self.width,
            x=m.gap_large if code else 0,
            top=self._pads(index)[0],
            line=m.code_line if code else m.line,
            tab=m.tab,
            before=before,
            after=after,
        )

    def _context(self, index: int) -> tuple[str, str]:
        """What the directions of this chunk depend on around it: the strong class before, the text after."""
        flow = self.flow
        chunk = flow.chunks[index]
        following = flow.chunks[index + 1] if flow.continues(index) else None
        previous = None if chunk.first else flow.chunks[index - 1]
        mixed = (
            chunk.rtl
            or has_right_to_left(chunk.text)
            or (previous is not None and has_right_to_left(previous.text))
        )
        if not mixed:
            return "", ""
        before = after = ""
        if previous is not None:
            before = last_direction(previous.text)
            before = "" if before == ("R" if chunk.rtl else "L") else before
        if following is not None and following.level > Start.GUESSED:
            after = shown(following.text[:_AHEAD])
        return before, after

    def _freeze(self) -> None:
        """Finished lines of the last chunk become a chunk of their own."""
        index = len(self.flow.chunks) - 1
        chunk = self.flow.chunks[index]
        if chunk.size <= LIMIT or not self.live:
            return
        laid = self.lay(index)
        if len(laid.lines) < 4:
            return
        self.flow.split_last(laid.starts[-2] - chunk.start)
        self.flow.take_changed()
        self._forget(index)
        self.heights.append(0)
        self.lay(index)
        self.lay(index + 1)

    def settle(self, first: int, last: int) -> bool:
        """Lay out chunks from `first` to `last`, lines starting where they should. True if heights moved."""
        before = self.height, self.heights.top(first)
        moved = self._find_starts(first)
        for index in range(first, last + 1):
            if index not in self._laid:
                self.lay(index)
            moved |= self._chain(index)
        return moved or before != (self.height, self.heights.top(first))

    def _find_starts(self, index: int) -> bool:
        """Make the start of `index` exact if that is cheap: few chunks since the paragraph's start."""
        if self.flow.chunks[index].level is Start.EXACT:
            return False
        start = index
        while self.flow.chunks[start].level is not Start.EXACT:
            start -= 1
        if index - start > _AT_ONCE:
            return False
        for number in range(start, index):
            self.lay(number)
            self._chain(number)
            if number < index - 1:
                self._laid.pop(number, None)
        return True

    def _chain(self, index: int, *, keep: bool = True) -> bool:
        """Let the continuation of `index` start at a line's start of this layout. True if it moved.

        Without `keep` the chunk's height is known afterwards, its layout is not.
        """
        flow = self.flow
        if not flow.continues(index):
            return False
        chunk, following = flow.chunks[index], flow.chunks[index + 1]
        if following.level >= max(chunk.level, Start.CHAINED):
            return False
        old = chunk.size
        if old <= LIMIT:
            # first take some of what follows, else every change of width would move text to the end
            flow.pull(index, 2 * self._units_per_line())
            self._laid.pop(index, None)
        laid = self.lay(index)
        units = laid.starts[-1] - chunk.start if len(laid.lines) > 1 else chunk.size
        cut = units != chunk.size
        flow.push(index, units)
        if chunk.size != old:
            self._laid.pop(index + 1, None)
            self.heights.set(index + 1, self._estimated(index + 1))
        if cut:
            self._laid.pop(index, None)
            chunk.lines = len(laid.lines) - 1
            self.heights.set(index, laid.tops[-2] + self._pads(index)[1])
            if keep:
                self.lay(index)
        return chunk.size != old

    def _units_per_line(self) -> int:
        return max(int(self.width / self.metrics.mean), 20)

    def loose(self, first: int, last: int) -> int | None:
        """The first chunk to go on from so that all in [first, last] start exactly, None if they do."""
        for index in range(first, last + 1):
            if self.flow.chunks[index].level is not Start.EXACT:
                while self.flow.chunks[index].level is not Start.EXACT:
                    index -= 1
                return index
        return None

    def tighten(self, index: int, characters: int) -> int | None:
        """Make line starts exact from chunk `index` on, within a budget. Returns where to go on, or None."""
        while characters > 0:
            if not self.flow.continues(index):
                return None
            if self.flow.chunks[index + 1].level is not Start.EXACT:
                kept = index in self._laid
                characters -= self.flow.chunks[index].size
                self._chain(index, keep=kept)
                if not kept:
                    self._laid.pop(index, None)
            index += 1
        return index

    def keep_only(self, first: int, last: int) -> None:
        """Chunks outside [first, last] hold no layout."""
        if len(self._laid) > last - first + 1:
            for index in [index for index in self._laid if not first <= index <= last]:
                del self._laid[index]

    # --- places --------------------------------------------------------------------------------------

    def chunk_at_y(self, y: int) -> int:
        return self.heights.find(y)

    def y_of(self, unit: int) -> int:
        """Top of the line that holds `unit`, laid out if need be."""
        index = self.flow.chunk_at(unit)
        laid = self.lay(index)
        return self.heights.top(index) + (laid.tops[laid.line_of(unit)] if laid.lines else 0)

    def chunk(self, index: int) -> Chunk:
        return self.flow.chunks[index]
