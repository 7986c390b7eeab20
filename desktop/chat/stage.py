"""The stack of blocks: what stands where in the document, and what is at a point of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from desktop.chat import metrics
from desktop.chat.blocks import AnswerBlock, Block, Part, QuestionBlock
from desktop.chat.brushes import Brushes
from desktop.chat.characters import BREAK
from desktop.chat.transcript import Heights
from desktop.chat.turns import AnswerTurn, QuestionTurn, TokenRef, Turn
from desktop.kit.theme import Theme


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position between two units: block number, part (0 thinking, 1 text), UTF-16 unit."""

    block: int
    part: int
    unit: int


class Stage:
    """Document coordinates: x as in the viewport, y from the top of the conversation."""

    def __init__(self, theme: Theme) -> None:
        self.metrics = metrics.measure()
        self.brushes = Brushes(theme)
        self.blocks: list[Block] = []
        self.tops = Heights()
        self._numbers: dict[str, int] = {}
        self.left = 0
        self.width = 0
        self._full = 0

    # --- content -------------------------------------------------------------------------------------

    def set_turns(self, turns: Sequence[Turn]) -> None:
        """Show these turns; what is the same turn with the same table keeps its layout."""
        known = {block.id: block for block in self.blocks}
        self.blocks = [self._block(turn, known.get(turn.id)) for turn in turns]
        self._numbers = {block.id: number for number, block in enumerate(self.blocks)}
        self.restack()

    def append(self, turn: Turn) -> None:
        block = self._block(turn, None)
        self._numbers[block.id] = len(self.blocks)
        self.blocks.append(block)
        self.tops.append(block.height)

    def _block(self, turn: Turn, known: Block | None) -> Block:
        if isinstance(turn, AnswerTurn):
            if isinstance(known, AnswerBlock) and known.turn.table is turn.table:
                known.update(turn)
                return known
            made: Block = AnswerBlock(turn, self.metrics, self.brushes)
        elif isinstance(known, QuestionBlock) and known.turn == turn:
            return known
        else:
            made = QuestionBlock(turn, self.metrics, self.brushes)
        if self.width:
            made.set_width(self.width)
        return made

    def tell_question(self, number: int, turn: QuestionTurn) -> bool:
        """Its note may be another one; False if nothing is."""
        before = self.blocks[number]
        self.blocks[number] = self._block(turn, before)
        self.refresh(number)
        return self.blocks[number] is not before

    def restack(self) -> None:
        self.tops = Heights()
        for block in self.blocks:
            self.tops.append(block.height)

    def refresh(self, number: int) -> None:
        """A block's height may have changed."""
        self.tops.set(number, self.blocks[number].height)

    def number(self, turn_id: str) -> int | None:
        return self._numbers.get(turn_id)

    def answer(self, turn_id: str) -> AnswerBlock | None:
        number = self._numbers.get(turn_id)
        block = self.blocks[number] if number is not None else None
        return block if isinstance(block, AnswerBlock) else None

    def set_view_width(self, width: int) -> bool:
        """Fit the column into a view of this width. True if the text's width changed."""
        self._full = width
        self.left, wide = metrics.column(width)
        if wide == self.width:
            return False
        self.width = wide
        for block in self.blocks:
            block.set_width(wide)
        self.restack()
        return True

    def restyle(self, theme: Theme) -> None:
        """Another theme or zoom. Only a change of size costs layout."""
        fresh = metrics.measure()
        self.brushes = Brushes(theme)
        if fresh != self.metrics:
            self.metrics = fresh
        for block in self.blocks:
            block.restyle(self.metrics, self.brushes)
        self.set_view_width(self._full)
        self.restack()

    # --- geometry ------------------------------------------------------------------------------------

    @property
    def pad(self) -> int:
        return self.metrics.gap_large + 4

    @property
    def height(self) -> int:
        return self.tops.total + self.pad + self.metrics.gap_large

    def top(self, number: int) -> int:
        return self.pad + self.tops.top(number)

    def y_of(self, number: int, part: Part, chunk: int) -> int:
        """Top of a chunk in the document; of a folded part, of its block."""
        for shown in self.blocks[number].parts():
            if shown is part:
                return self.top(number) + part.y + part.layout.heights.top(chunk)
        return self.top(number)

    def between(self, top: int, bottom: int) -> range:
        """Numbers of the blocks that show between two y's."""
        if not self.blocks:
            return range(0)
        return range(self.tops.find(max(top - self.pad, 0)), self.tops.find(max(bottom - self.pad, 0)) + 1)

    def parts(self, top: int, bottom: int) -> Iterator[tuple[int, Part, int]]:
        """(block number, part, y of the part) for what shows between two y's."""
        for number in self.between(top, bottom):
            start = self.top(number)
            for part in self.blocks[number].parts():
                y = start + part.y
                if y < bottom and y + part.layout.height > top:
                    yield number, part, y

    def shown_part(self, number: int, order: int) -> Part | None:
        for part in self.blocks[number].parts():
            if (0 if part.thinking else 1) == order:
                return part
        return None

    def part_of(self, ref: TokenRef) -> tuple[int, Part] | None:
        """The block and part that hold a token; None if it is not shown (folded, gone)."""
        number = self._numbers.get(ref.turn_id)
        if number is None:
            return None
        block = self.blocks[number]
        if not isinstance(block, AnswerBlock) or not 0 <= ref.index < len(block.turn.table):
            return None
        thinking = ref.index in block.thinking_tokens
        for part in block.parts():
            if part.thinking == thinking:
                return number, part
        return None

    def rects(self, ref: TokenRef) -> list[QRectF]:
        """Where a token stands in the document; empty if it is not shown."""
        found = self.part_of(ref)
        if found is None or found[1].tokens is None:
            return []
        number, part = found
        rects = part.tokens.rects(ref.index)  # type: ignore[union-attr]
        self.refresh(number)  # the chunk may have been laid out just now
        dx, dy = self.left + part.x, self.top(number) + part.y
        return [rect.translated(dx, dy) for rect in rects]

    def is_line_end(self, ref: TokenRef) -> bool:
        """True for a token whose text is line ends and blanks only, at least one line end."""
        found = self.part_of(ref)
        if found is None or found[1].tokens is None:
            return False
        first, last = found[1].tokens.table.span(ref.index)
        if first >= last or last - first > 64:
            return False
        text = found[1].layout.flow.slice(first, last)
        return not text.strip() and BREAK.search(text) is not None

    def sign(self, ref: TokenRef) -> str:
        """The text of all tokens that share characters with this one."""
        found = self.part_of(ref)
        if found is None or found[1].tokens is None:
            return ""
        part = found[1]
        assert part.tokens is not None  # just asked
        group, table = part.tokens.group(ref.index), part.tokens.table
        return part.layout.flow.slice(table.span(group[0])[0], table.span(group[-1])[1])

    def group(self, ref: TokenRef) -> range:
        """The tokens that share characters with this one, itself included."""
        found = self.part_of(ref)
        if found is None or found[1].tokens is None:
            block = self.answer(ref.turn_id)
            return block.turn.table.group(ref.index) if block is not None else range(ref.index, ref.index + 1)
        return found[1].tokens.group(ref.index)

    # --- points --------------------------------------------------------------------------------------

    def tokens_at(self, point: QPointF) -> tuple[str, range] | None:
        """(turn, tokens) of the character painted at this point of the document."""
        x, y = point.x() - self.left, point.y()
        for number, part, top in self.parts(int(y), int(y) + 1):
            if part.tokens is None:
                return None
            unit = part.tokens.unit_at(x - part.x, y - top)
            if unit is None:
                return None
            tokens = part.tokens.tokens_at(unit)
            return (self.blocks[number].id, tokens) if tokens else None
        return None

    def place_at(self, point: QPointF, *, between: bool = True) -> Place | None:
        """The nearest text position to any point: between characters, or that of the character under it."""
        nearest: tuple[float, int, Part, int] | None = None
        y = point.y()
        for number in self.between(int(y) - 1, int(y) + 1):
            start = self.top(number)
            for part in self.blocks[number].parts():
                top = start + part.y
                distance = max(top - y, y - (top + part.layout.height), 0)
                if nearest is None or distance < nearest[0]:
                    nearest = distance, number, part, top
        if nearest is None:
            return None
        _, number, part, top = nearest
        layout = part.layout
        order = 0 if part.thinking else 1
        inner = y - top
        if inner < 0:
            return Place(number, order, layout.flow.base)
        if inner >= layout.height:
            return Place(number, order, layout.flow.end)
        index = layout.chunk_at_y(int(inner))
        laid = layout.lay(index)
        if not laid.lines:
            return Place(number, order, layout.chunk(index).start)
        x, low = point.x() - self.left - part.x, inner - layout.heights.top(index)
        unit = laid.caret_at(x, low) if between else laid.unit_at(x, low)[0]
        return Place(number, order, unit)
