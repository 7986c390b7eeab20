"""The selected text: two places, and the exact characters between them."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QTextBoundaryFinder
from PySide6.QtGui import QGuiApplication

from core.tokens.decode import utf16
from core.tokens.table import MARK_SPECIAL, TokenTable
from desktop.chat.blocks import AnswerBlock, Part
from desktop.chat.characters import cut16
from desktop.chat.stage import Place, Stage

_BETWEEN_TURNS = "\n\n"


class Selection:
    """From `anchor` to `head`, in document order as `first` and `last`."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.anchor: Place | None = None
        self.head: Place | None = None

    @property
    def empty(self) -> bool:
        return self.anchor is None or self.head is None or self.anchor == self.head

    @property
    def first(self) -> Place | None:
        return None if self.anchor is None or self.head is None else min(self.anchor, self.head)

    @property
    def last(self) -> Place | None:
        return None if self.anchor is None or self.head is None else max(self.anchor, self.head)

    def clear(self) -> None:
        self.anchor = self.head = None

    def set(self, anchor: Place, head: Place) -> None:
        self.anchor, self.head = anchor, head

    def select_all(self) -> None:
        blocks = self._stage.blocks
        if not blocks:
            return
        parts = [list(block.parts()) for block in (blocks[0], blocks[-1])]
        first, last = parts[0][0], parts[1][-1]
        self.anchor = Place(0, 0 if first.thinking else 1, first.layout.flow.base)
        self.head = Place(len(blocks) - 1, 0 if last.thinking else 1, last.layout.flow.end)

    def select_word(self, place: Place) -> None:
        """The word at a place, by the rules of Unicode."""
        part = self._stage.shown_part(place.block, place.part)
        if part is None:
            return
        chunk = part.layout.chunk(part.layout.flow.chunk_at(place.unit))
        finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, chunk.text)
        finder.setPosition(min(place.unit - chunk.start, chunk.size))
        if not finder.isAtBoundary():
            finder.toPreviousBoundary()
        start = max(finder.position(), 0)
        finder.toNextBoundary()
        stop = finder.position() if finder.position() >= 0 else chunk.size
        self.anchor = Place(place.block, place.part, chunk.start + start)
        self.head = Place(place.block, place.part, chunk.start + stop)

    def within(self, number: int, part: Part) -> tuple[int, int] | None:
        """The selected units of one part, None if there are none."""
        first, last = self.first, self.last
        if first is None or last is None or first == last or not first.block <= number <= last.block:
            return None
        order = 0 if part.thinking else 1
        flow = part.layout.flow
        here = (number, order)
        if here < (first.block, first.part) or here > (last.block, last.part):
            return None
        a = first.unit if here == (first.block, first.part) else flow.base
        b = last.unit if here == (last.block, last.part) else flow.end
        return (a, b) if a < b else None

    def text(self) -> str:
        """What copying gives: the original characters without special tokens, an empty line between turns."""
        first, last = self.first, self.last
        if first is None or last is None:
            return ""
        turns: list[str] = []
        for number in range(first.block, min(last.block + 1, len(self._stage.blocks))):
            block = self._stage.blocks[number]
            table = block.turn.table if isinstance(block, AnswerBlock) else None
            pieces: list[str] = []
            for part in block.parts():
                span = self.within(number, part)
                if span is not None:
                    pieces.append(plain(part, table, *span))
            if pieces:
                turns.append("".join(pieces))
        return _BETWEEN_TURNS.join(turns)

    def copy(self) -> bool:
        """Put the text on the clipboard. False if nothing is selected."""
        if self.empty:
            return False
        QGuiApplication.clipboard().setText(self.text())
        return True

    def offer(self) -> None:
        """Where the system has a clipboard for what is selected (X11), the middle button pastes it."""
        clipboard = QGuiApplication.clipboard()
        if clipboard.supportsSelection() and not self.empty:
            clipboard.setText(self.text(), clipboard.Mode.Selection)


def plain(part: Part, table: TokenTable | None, first: int, last: int) -> str:
    """The original text of units [first, last) of a part, special tokens left out."""
    text = part.layout.flow.slice(first, last)
    if table is None:
        return text
    pieces: list[str] = []
    at = first
    for a, b in _special(table, first, last):
        pieces.append(cut16(text, at - first, a - first))
        at = b
    pieces.append(cut16(text, at - first, utf16(text)))
    return "".join(pieces)


def _special(table: TokenTable, first: int, last: int) -> Iterator[tuple[int, int]]:
    starts, stops, marks = (table.columns[name] for name in ("start", "stop", "mark"))
    for token, mark in enumerate(marks):
        if int(mark) & MARK_SPECIAL and starts[token] < last and stops[token] > first:
            yield max(int(starts[token]), first), min(int(stops[token]), last)


def answer_text(block: AnswerBlock) -> str:
    """The answer as the person reads it: no thinking, no special tokens, nothing after a stop string."""
    flow = block.answer.layout.flow
    cut = block.turn.cut
    last = flow.end if cut is None else max(min(cut, flow.end), flow.base)
    text = plain(block.answer, block.turn.table, flow.base, last)
    return text.lstrip("\r\n") if block.thinking is not None else text
