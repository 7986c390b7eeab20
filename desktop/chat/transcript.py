"""The append-only text index of one flow: paragraphs cut into chunks, offsets in UTF-16 units. No Qt.

A chunk is what one `QTextLayout` holds. A paragraph's first chunk starts where the paragraph starts; the
others are continuations, which start at a line's start once the lines before them are known. Chunk numbers
never change: chunks are added at the end only, and boundaries move between neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from enum import IntEnum
from operator import attrgetter

from core.tokens.decode import utf16
from desktop.chat.characters import BREAK, cut16, first_direction

LIMIT = 400  # characters after which finished lines are frozen
BULK = 3 * LIMIT  # more than this never stands in one chunk

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_HEAD = 200  # characters of a paragraph that decide what it is


class Heights:
    """Heights of stacked things: append, change one, sum up to one, find one by position; each O(log n)."""

    def __init__(self) -> None:
        self._values: list[int] = []
        self._tree: list[int] = [0]
        self.total = 0

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def append(self, value: int) -> None:
        self._values.append(value)
        node = len(self._values)
        total, step = value, 1
        while step < node & -node:
            total += self._tree[node - step]
            step <<= 1
        self._tree.append(total)
        self.total += value

    def set(self, index: int, value: int) -> None:
        change = value - self._values[index]
        if not change:
            return
        self._values[index] = value
        self.total += change
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def top(self, index: int) -> int:
        """Sum of all before `index`."""
        total = 0
        while index:
            total += self._tree[index]
            index &= index - 1
        return total

    def find(self, position: int) -> int:
        """The one that `position` lies in; the last one for what is beyond; 0 if there is none."""
        index, left = 0, position
        step = 1 << max(len(self._values).bit_length() - 1, 0)
        while step:
            after = index + step
            if after < len(self._tree) and self._tree[after] <= left:
                index = after
                left -= self._tree[after]
            step >>= 1
        return min(index, max(len(self._values) - 1, 0))


class Start(IntEnum):
    """How a chunk's first unit was found."""

    GUESSED = 0  # cut at a blank; the line before may end early
    CHAINED = 1  # a line's start below a guessed one
    EXACT = 2  # the paragraph's start, or a line's start below an exact one


class Chunk:
    """A piece of one paragraph. `ending` is the character that ended the paragraph, "" within one."""

    __slots__ = ("box", "ending", "first", "level", "lines", "rtl", "size", "start", "text")

    def __init__(self, start: int, *, first: bool, box: int = 0, rtl: bool = False) -> None:
        self.start = start
        self.text = ""
        self.size = 0  # UTF-16 units of text
        self.ending = ""
        self.first = first
        self.box = box  # number of the code block it belongs to; 0 = prose
        self.rtl = rtl  # base direction of the paragraph
        self.level = Start.EXACT if first else Start.GUESSED
        self.lines = 0  # 0 = not laid out at the present width

    @property
    def stop(self) -> int:
        """Unit after the text, where the line end stands if there is one."""
        return self.start + self.size

    @property
    def end(self) -> int:
        return self.start + self.size + len(self.ending)


class TextFlow:
    """The text of one turn or part of a turn, from unit `base` on. Always has at least one chunk."""

    def __init__(self, base: int = 0) -> None:
        self.base = base
        self.chunks: list[Chunk] = [Chunk(base, first=True)]
        self._fence: tuple[str, int] | None = None  # of the open code block
        self._boxes = 0  # code blocks so far
        self._head = 0  # first chunk of the last paragraph
        self._undirected = True  # the last paragraph has no strong character yet
        self._rtl = False  # and its first one is a right-to-left one
        self._changed = 0

    @property
    def end(self) -> int:
        return self.chunks[-1].end

    @property
    def empty(self) -> bool:
        return self.end == self.base

    def take_changed(self) -> int:
        """The first chunk that changed since the last call."""
        changed, self._changed = self._changed, len(self.chunks)
        return changed

    def append(self, text: str) -> None:
        """Add text: O(that text). No layout, no second look at what came before the last paragraph's head."""
        if not text:
            return
        self._changed = min(self._changed, len(self.chunks) - 1)
        at = 0
        for match in BREAK.finditer(text):
            self._extend(text[at : match.start()])
            self._end_paragraph(match.group())
            at = match.end()
        self._extend(text[at:])

    def chunk_at(self, unit: int) -> int:
        """Number of the chunk that holds `unit` (the last one for what is beyond)."""
        return max(bisect_right(self.chunks, unit, key=attrgetter("start")) - 1, 0)

    def slice(self, first: int, last: int) -> str:
        """The original text of units [first, last): line ends as they came."""
        first, last = max(first, self.base), min(last, self.end)
        parts: list[str] = []
        for index in range(self.chunk_at(first), len(self.chunks)):
            chunk = self.chunks[index]
            if chunk.start >= last:
                break
            parts.append(cut16(chunk.text + chunk.ending, first - chunk.start, last - chunk.start))
        return "".join(parts)

    def paragraph_start(self, index: int) -> int:
        """Number of the first chunk of the paragraph that chunk `index` belongs to."""
        while not self.chunks[index].first:
            index -= 1
        return index

    def continues(self, index: int) -> bool:
        """True if the chunk after `index` belongs to the same paragraph."""
        return index + 1 < len(self.chunks) and not self.chunks[index + 1].first

    def closes(self, index: int) -> bool:
        """Is this chunk the line that ends a code block?"""
        chunk = self.chunks[index]
        if not chunk.box or not chunk.first:
            return False
        last = index + 1 == len(self.chunks)
        after = self._fence if last else None
        # when the next paragraph is prose or another block, this line was the end of one
        ended = not last and self.chunks[index + 1].first and self.chunks[index + 1].box != chunk.box
        return ended or (last and after is not None and _closes(chunk.text[:_HEAD], after))

    def split_last(self, units: int) -> None:
        """Freeze the first `units` of the last chunk; the rest becomes a continuation at a line's start."""
        chunk = self.chunks[-1]
        rest = Chunk(chunk.start + units, first=False, box=chunk.box, rtl=chunk.rtl)
        rest.text = cut16(chunk.text, units, chunk.size)
        rest.size = chunk.size - units
        rest.level = Start.EXACT if chunk.level is Start.EXACT else Start.CHAINED
        chunk.text, chunk.size = cut16(chunk.text, 0, units), units
        self.chunks.append(rest)
        self._changed = min(self._changed, len(self.chunks) - 2)

    def pull(self, index: int, units: int) -> None:
        """Move up to `units` from the front of the continuation of chunk `index` to that chunk."""
        chunk, following = self.chunks[index], self.chunks[index + 1]
        text = cut16(following.text, 0, units)
        size = utf16(text)
        chunk.text += text
        chunk.size += size
        following.text = following.text[len(text) :]
        following.size -= size
        following.start += size
        chunk.lines = following.lines = 0

    def push(self, index: int, units: int) -> None:
        """Chunk `index` keeps its first `units`; its continuation gets the rest, at a line's start."""
        chunk, following = self.chunks[index], self.chunks[index + 1]
        if units < chunk.size:
            following.text = cut16(chunk.text, units, chunk.size) + following.text
            following.size += chunk.size - units
            following.start = chunk.start + units
            chunk.text, chunk.size = cut16(chunk.text, 0, units), units
            chunk.lines = following.lines = 0
        following.level = Start.EXACT if chunk.level is Start.EXACT else Start.CHAINED

    def forget_lines(self) -> None:
        """The width or the font changed: no chunk is laid out, continuations start where they happen to."""
        for chunk in self.chunks:
            chunk.lines = 0
            if not chunk.first:
                chunk.level = Start.GUESSED

    def _extend(self, part: str) -> None:
        if not part:
            return
        tail = self.chunks[-1]
        fresh = self._head == len(self.chunks) - 1
        if self._undirected:
            direction = first_direction(part)
            if direction:
                self._undirected = False
                self._rtl = direction != "L"
                tail.rtl = self._rtl and not tail.box
        size = utf16(part)
        if tail.size + size <= BULK:
            tail.text += part
            tail.size += size
            tail.lines = 0
            if fresh:
                self._judge(tail)
            return
        whole = tail.text + part
        if fresh:
            tail.text = whole[:_HEAD]
            self._judge(tail)
        self._fill(whole)

    def _fill(self, text: str) -> None:
        """Put a long text into the last chunk and guessed continuations of it."""
        at = 0
        while True:
            piece = text[at : _blank_before(text, at)] if len(text) - at > BULK else text[at:]
            at += len(piece)
            tail = self.chunks[-1]
            tail.text, tail.size, tail.lines = piece, utf16(piece), 0
            if at >= len(text):
                return
            self.chunks.append(Chunk(tail.stop, first=False, box=tail.box, rtl=tail.rtl))

    def _judge(self, chunk: Chunk) -> None:
        """Is the paragraph that starts with this chunk code? May change while its first characters come."""
        if self._fence is None:
            opens = _opening(chunk.text[:_HEAD]) is not None
            box = self._boxes + 1 if opens else 0
            if box != chunk.box:
                chunk.box = box
                chunk.rtl = self._rtl and not box
                self._changed = min(self._changed, max(len(self.chunks) - 2, 0))

    def _end_paragraph(self, ending: str) -> None:
        self.chunks[-1].ending = ending
        self.chunks[-1].lines = 0  # a "\r" before it loses its picture
        head = self.chunks[self._head]
        line = head.text[:_HEAD]
        if self._fence is None:
            self._fence = _opening(line)
            self._boxes += self._fence is not None
        elif self._head == len(self.chunks) - 1 and _closes(line, self._fence):
            self._fence = None
        self._head = len(self.chunks)
        self._undirected, self._rtl = True, False
        box = self._boxes if self._fence is not None else 0
        self.chunks.append(Chunk(self.end, first=True, box=box))


def _blank_before(text: str, at: int) -> int:
    """Where to cut a long text near `at + LIMIT`: after a blank, else not within one sign of several."""
    blank = text.rfind(" ", at + LIMIT // 2, at + LIMIT)
    if blank > 0:
        return blank + 1
    cut = at + LIMIT
    while cut > at + LIMIT // 2 and (
        unicodedata.category(text[cut])[0] in "MC" or unicodedata.category(text[cut - 1]) == "Cf"
    ):
        cut -= 1
    return cut


def _opening(line: str) -> tuple[str, int] | None:
    """The fence that this line opens, as (character, length)."""
    match = _FENCE.match(line)
    if match is None or (match[1][0] == "`" and "`" in match[2]):
        return None
    return match[1][0], len(match[1])


def _closes(line: str, fence: tuple[str, int]) -> bool:
    match = _FENCE.match(line)
    return (
        match is not None and match[1][0] == fence[0] and len(match[1]) >= fence[1] and not match[2].strip()
    )
