"""The blocks that the transcript stacks: a question in its box, an answer with what belongs to it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout

from core.tokens.decode import utf16
from core.tokens.table import MARK_GUESS, MARK_SPECIAL
from desktop.chat.brushes import Brushes
from desktop.chat.characters import cut16, flat
from desktop.chat.laid import WHOLE
from desktop.chat.layout import FlowLayout
from desktop.chat.metrics import Metrics
from desktop.chat.tokens import TokenMap
from desktop.chat.transcript import Chunk, TextFlow
from desktop.chat.turns import AnswerTurn, Footer, QuestionTurn
from desktop.kit import fonts

NOTE_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap


@dataclass(slots=True)
class Part:
    """A flow within a block. `x`, `y`: its place there. `tokens` None: a question."""

    layout: FlowLayout
    tokens: TokenMap | None
    x: int
    y: int
    thinking: bool = False


class QuestionBlock:
    """A question in its box."""

    footer: Footer | None = None

    def __init__(self, turn: QuestionTurn, metrics: Metrics, brushes: Brushes) -> None:
        self.turn = turn
        self.metrics = metrics
        flow = TextFlow()
        flow.append(turn.text)
        self._layout = FlowLayout(flow, metrics, answer=False)
        self._layout.grow()
        self.note_height = 0
        self._width = 0

    @property
    def id(self) -> str:
        return self.turn.id

    @property
    def box_height(self) -> int:
        m = self.metrics
        return self._layout.height + 2 * m.gap_small + self.note_height

    @property
    def height(self) -> int:
        return self.box_height + self.metrics.gap_large + 2

    def parts(self) -> Iterator[Part]:
        m = self.metrics
        yield Part(self._layout, None, m.gap_large, m.gap_small)

    def set_width(self, width: int) -> None:
        self._width = width
        self.note_height = self._note_height(width - 2 * self.metrics.gap_large)
        self._layout.set_width(width - 2 * self.metrics.gap_large)

    def _note_height(self, width: int) -> int:
        if not self.turn.note:
            return 0
        room = QRectF(0, 0, width, 10_000)
        words = QFontMetricsF(fonts.font("small")).boundingRect(room, NOTE_FLAGS, self.turn.note)
        return max(self.metrics.code_line, math.ceil(words.height()))

    def restyle(self, metrics: Metrics, brushes: Brushes) -> None:
        if metrics is not self.metrics:
            self.metrics = metrics
            self._layout.set_metrics(metrics)
            self.note_height = self._note_height(self._width - 2 * metrics.gap_large)
        self._layout.repaint()


class AnswerBlock:
    """An answer: thinking line, thinking text if unfolded, answer text, waiting line, footer, banner."""

    def __init__(self, turn: AnswerTurn, metrics: Metrics, brushes: Brushes) -> None:
        self.turn = turn
        self.metrics = metrics
        self._brushes = brushes
        self.footer: Footer | None = None
        self.status = ""
        self.unfolded = False
        self.banner_height = 0  # told by the widget that shows it
        self._width = 0
        self._seen = 0  # tokens taken from the table
        self.thinking: Part | None = None
        self.answer: Part
        self._build()

    @property
    def id(self) -> str:
        return self.turn.id

    # --- content -------------------------------------------------------------------------------------

    def _build(self) -> None:
        """Both flows from the whole text: at first, and when thinking turns out to end elsewhere."""
        self._seen = 0
        turn = self.turn
        split = 0
        self.thinking = None
        if turn.thinking is not None:
            first = turn.thinking[0]
            split = first if turn.thinking_open else turn.thinking[1]
            self.thinking = self._part(first, thinking=True)
        self.answer = self._part(split)
        self.grow()

    def _part(self, base: int, *, thinking: bool = False) -> Part:
        layout = FlowLayout(TextFlow(base), self.metrics, self._formats)
        layout.set_width(self._text_width(thinking))
        return Part(layout, TokenMap(self.turn.table, layout), 0, 0, thinking)

    @property
    def seen(self) -> int:
        """Tokens taken from the table so far."""
        return self._seen

    def grow(self) -> None:
        """Take the new rows of the table: O(their text)."""
        table = self.turn.table
        if self._seen >= len(table):
            return
        text = table.text_from(self._seen)
        unit = table.text_start(self._seen)
        self._seen = len(table)
        if self.thinking is not None and self.turn.thinking is not None:
            if self.turn.thinking_open:
                self._append(self.thinking, text)
                return
            inside = self.turn.thinking[1] - unit
            if inside > 0:
                self._append(self.thinking, cut16(text, 0, inside))
                text = cut16(text, inside, utf16(text))
        self._append(self.answer, text)

    def _append(self, part: Part, text: str) -> None:
        part.layout.live = self.turn.live
        part.layout.flow.append(text)
        part.layout.grow()

    def told(self, turn: AnswerTurn) -> bool:
        """Is this what the block shows already? While thinking goes on, its end means nothing."""
        old = self.turn
        same = turn.table is old.table and (turn.live, turn.cut) == (old.live, old.cut)
        if not same or turn.vocabulary is not old.vocabulary or turn.thinking_open != old.thinking_open:
            return False
        if turn.thinking_open and turn.thinking and old.thinking:
            return turn.thinking[0] == old.thinking[0]
        return turn.thinking == old.thinking

    def update(self, turn: AnswerTurn) -> None:
        """The same answer, told anew: still running or not, cut, thinking."""
        old, self.turn = self.turn, turn
        if turn.table is not old.table or not self._fits(old, turn):
            self._build()
            return
        self.grow()
        marked = old.live and not turn.live and any(mark & MARK_GUESS for mark in turn.table.columns["mark"])
        for part in self._all_parts():
            part.layout.live = turn.live
            if turn.cut != old.cut or marked:
                part.layout.repaint()

    def _fits(self, old: AnswerTurn, new: AnswerTurn) -> bool:
        """Can the flows stay? The thinking part may close exactly where its text ends."""
        if (old.thinking is None) != (new.thinking is None):
            return False
        if new.thinking is None or old.thinking is None or self.thinking is None:
            return True
        if new.thinking[0] != old.thinking[0]:
            return False
        if old.thinking_open and new.thinking_open:
            return True
        if not old.thinking_open and not new.thinking_open:
            return old.thinking == new.thinking
        if not old.thinking_open:
            return False
        end = new.thinking[1]
        if self.thinking.layout.flow.end > end:
            return False
        self.answer = self._part(end)
        return True

    @property
    def thinking_tokens(self) -> range:
        """Numbers of the tokens of the thinking part."""
        if self.thinking is None:
            return range(0)
        ends = self.turn.table.columns["end"]
        if self.turn.thinking_open:
            return range(len(ends))
        return range(bisect_right(ends, self.answer.layout.flow.base))

    def _formats(self, chunk: Chunk) -> list[QTextLayout.FormatRange]:
        """Special tokens in mono and accent, what comes after the cut grey."""
        table = self.turn.table
        marks, starts, stops = (table.columns[name] for name in ("mark", "start", "stop"))
        found: list[QTextLayout.FormatRange] = []
        first, last, cut = chunk.start, chunk.stop, self.turn.cut
        if cut is not None and cut < last:
            found.append(_range(max(cut, first), last, self._brushes.text3))
        after = -1  # end of the last special token
        for token in range(bisect_right(stops, first), len(starts)):
            a, b = int(starts[token]), int(stops[token])
            if a >= last:
                break
            if int(marks[token]) & MARK_SPECIAL and a < b:
                found += self._pill(chunk, max(a, first), min(b, last), follows=after == a)
                after = b
        return found

    def _pill(self, chunk: Chunk, a: int, b: int, *, follows: bool) -> list[QTextLayout.FormatRange]:
        """A special token: its own look, and some space around it that no character may give by itself."""
        m, colour = self.metrics, self._brushes.accent
        found = [
            _range(a, b, colour, m.special_font),
            _range(b - 1, b, colour, _spaced(m.special_font, m.pill_gap)),
        ]
        found[0].format.setProperty(WHOLE, True)
        before = flat(chunk.text)[a - chunk.start - 1] if a > chunk.start else " "
        if follows and a > chunk.start:
            found.append(_range(a - 1, a, colour, _spaced(m.special_font, m.pill_pad + m.pill_gap)))
        elif before.isascii() and not before.isspace():
            # only here is it sure that the character is one of its own
            font = m.code_font if chunk.box else m.font
            found.append(_range(a - 1, a, None, _spaced(font, m.pill_gap)))
        return found

    # --- geometry ------------------------------------------------------------------------------------

    def _text_width(self, thinking: bool) -> int:
        return max(self._width - (self.metrics.gap_large if thinking else 0), 0)

    def _all_parts(self) -> Iterator[Part]:
        if self.thinking is not None:
            yield self.thinking
        yield self.answer

    def parts(self) -> Iterator[Part]:
        """The flows that are shown, with their places."""
        m = self.metrics
        y = 0
        if self.thinking is not None:
            y = m.row
            if self.unfolded:
                self.thinking.x, self.thinking.y = m.gap_large, y
                yield self.thinking
                y += self.thinking.layout.height
            y += m.gap_small
        self.answer.x, self.answer.y = 0, y
        yield self.answer

    @property
    def text_bottom(self) -> int:
        """Where the answer's text ends; a waiting line may come there."""
        last = self.answer
        for part in self.parts():
            last = part
        return last.y + last.layout.height

    def growing(self) -> tuple[Part, int]:
        """The part that grows and the first chunk of it that new text can change."""
        part = self.thinking if self.thinking is not None and self.turn.thinking_open else self.answer
        return part, max(len(part.layout.flow.chunks) - 2, 0)

    @property
    def waits(self) -> bool:
        """Nothing to read has come yet, or the engine says what it is doing."""
        return (self.turn.live and (self.answer.layout.flow.empty and self.thinking is None)) or bool(
            self.status
        )

    @property
    def footer_top(self) -> int:
        return self.text_bottom + (self.metrics.line if self.waits else 0) + self.metrics.gap_small

    @property
    def footer_height(self) -> int:
        shown = self.footer is not None and (self.footer.facts or self.footer.actions or self.footer.branch)
        return 1 + self.metrics.row if shown else 0

    @property
    def height(self) -> int:
        m = self.metrics
        banner = self.banner_height + m.gap_small if self.banner_height else 0
        return self.footer_top + self.footer_height + banner + m.gap_large

    def set_width(self, width: int) -> None:
        self._width = width
        for part in self._all_parts():
            part.layout.set_width(self._text_width(part.thinking))

    def restyle(self, metrics: Metrics, brushes: Brushes) -> None:
        self._brushes = brushes
        if metrics is not self.metrics:
            self.metrics = metrics
            for part in self._all_parts():
                part.layout.set_metrics(metrics)
            self.set_width(self._width)
        for part in self._all_parts():
            part.layout.repaint()


Block = QuestionBlock | AnswerBlock


def _spaced(font: QFont, pixels: int) -> QFont:
    made = QFont(font)
    made.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, pixels)
    return made


def _range(
    first: int, last: int, colour: QColor | None, font: QFont | None = None
) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = first, last - first
    look = QTextCharFormat()
    if colour is not None:
        look.setForeground(colour)
    if font is not None:
        look.setFont(font)
    made.format = look
    return made
