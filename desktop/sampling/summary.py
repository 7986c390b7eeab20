"""What stands out in one answer: tokens, speed, perplexity and the least likely tokens. No Qt."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from core.tokens.table import MARK_AFTER_STOP, MARK_SPECIAL, TokenTable
from core.tokens.vocabulary import Vocabulary

LEAST = 5
_PART = 512  # tokens
_SPEED_WINDOW_MS = 2_000.0


@dataclass(frozen=True, slots=True)
class LeastToken:
    """A token of the answer that was unlikely. `text`: its characters if it is `plain`, else its bytes as hex
    or its name."""

    index: int
    text: str
    logprob: float
    special: bool
    plain: bool = True

    @property
    def probability(self) -> float:
        return math.exp(self.logprob)


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """`speed` in tokens a second and `perplexity`: None = not known, never guessed."""

    turn_id: str = ""
    tokens: int = 0
    speed: float | None = None
    perplexity: float | None = None
    live: bool = False
    least: tuple[LeastToken, ...] = ()


class AnswerSummary:
    """Follows a table that grows; `figures` costs O(new rows + LEAST)."""

    def __init__(self, turn_id: str, table: TokenTable, vocabulary: Vocabulary) -> None:
        self.turn_id = turn_id
        self._table = table
        self._vocabulary = vocabulary
        self._seen = 0
        self._sum = 0.0  # of log probabilities
        self._known = 0
        self._least: list[
            tuple[float, int]
        ] = []  # (−log probability, −index): a heap, its root the likeliest

    def figures(self, *, live: bool, speed: float | None = None) -> AnswerFigures:
        """The state now. `speed`: the engine's own figure once the answer has ended."""
        self._take_new()
        complete = self._known == self._seen and self._known > 0
        computed = self._sum < 0 or self._known == 1  # several that are all exactly certain were not
        return AnswerFigures(
            turn_id=self.turn_id,
            tokens=self._seen,
            speed=self._recent_speed() if live else speed,
            perplexity=math.exp(-self._sum / self._known) if complete and computed else None,
            live=live,
            least=tuple(self._token(-index) for _, index in sorted(self._least, reverse=True)),
        )

    def _take_new(self) -> None:
        """A part at a time: most tokens of one are likelier than the least likely so far, and that is seen
        by one comparison each."""
        size = len(self._table)
        while self._seen < size:
            start, stop = self._seen, min(size, self._seen + _PART)
            column = self._table.columns["logprob"][start:stop]
            known = [value for value in column if value == value]  # NaN: no number
            self._sum += sum(known)
            self._known += len(known)
            limit = -self._least[0][0] if len(self._least) == LEAST else math.inf
            for index, value in enumerate(column, start):
                if value < limit:
                    self._consider(index, value)
            self._seen = stop

    def _consider(self, index: int, logprob: float) -> None:
        if self._table.mark(index) & MARK_AFTER_STOP:
            return  # not part of the answer's text: nothing to point at
        entry = (-logprob, -index)
        if len(self._least) < LEAST:
            heapq.heappush(self._least, entry)
        elif entry > self._least[0]:
            heapq.heapreplace(self._least, entry)

    def _recent_speed(self) -> float | None:
        """Over the last two seconds of tokens, by the times the engine took."""
        times = self._table.columns["t_ms"]
        last = len(times) - 1
        if last < 1:
            return None
        low, high = 0, last
        while low < high:  # the first token within the window
            middle = (low + high) // 2
            if times[last] - times[middle] > _SPEED_WINDOW_MS:
                low = middle + 1
            else:
                high = middle
        first = min(low, last - 1)
        spent = times[last] - times[first]
        return (last - first) * 1000.0 / spent if spent > 0 else None

    def _token(self, index: int) -> LeastToken:
        table, vocabulary = self._table, self._vocabulary
        number, logprob = table.id(index), table.logprob(index)
        assert logprob is not None  # only such are kept
        return LeastToken(
            index=index,
            text=vocabulary.label(number),
            logprob=logprob,
            special=bool(table.mark(index) & MARK_SPECIAL),
            plain=vocabulary.is_whole(number) and not vocabulary.is_special(number),
        )
