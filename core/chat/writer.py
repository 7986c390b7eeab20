"""Turns the rows of one running answer into its table: text, marks, thinking, and where it is cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from core.chat.messages import Answer
from core.chat.thinking import ThinkingMarkers, ThinkingTracker
from core.engines.base import Finished
from core.tokens.decode import AnswerDecoder, Piece, utf16
from core.tokens.row import TokenRow
from core.tokens.table import MARK_AFTER_STOP, MARK_SPECIAL
from core.tokens.vocabulary import Vocabulary


class AnswerWriter:
    """Appends to `answer.table`. A token whose character is not complete waits here, never in the table."""

    def __init__(
        self,
        answer: Answer,
        vocabulary: Vocabulary,
        markers: ThinkingMarkers | None = None,
        *,
        thinking_open: bool = False,
    ) -> None:
        self._answer = answer
        self._vocabulary = vocabulary
        self._decoder = AnswerDecoder(vocabulary)
        self._waiting: deque[TokenRow] = deque()
        self._tracker = ThinkingTracker(markers, answer.table, opened=thinking_open)
        self._closed = False

    @property
    def waiting(self) -> tuple[TokenRow, ...]:
        """Rows whose character is not complete yet."""
        return tuple(self._waiting)

    def add(self, rows: Iterable[TokenRow]) -> int:
        """Take new rows; returns how many rows the table grew by."""
        before = len(self._answer.table)
        for row in rows:
            self._waiting.append(row)
            self._put(self._decoder.feed(row.id))
        self._answer.thinking = self._tracker.thinking
        return len(self._answer.table) - before

    def close(self, finished: Finished | None) -> int:
        """The answer is over, well or not: release what waits and apply the stop. Returns the growth."""
        if self._closed:
            return 0
        self._closed = True
        before = len(self._answer.table)
        self._put(self._decoder.finish())
        answer = self._answer
        answer.thinking = self._tracker.thinking
        if finished is not None:
            answer.finished = finished
            if finished.speculation is not None and finished.speculation.guesses is not None:
                answer.table.mark_guesses(finished.speculation.guesses)
            answer.cut = self._cut_at(finished.stop_reason)
            if answer.cut is not None:
                self._mark_after(answer.cut)
        return len(answer.table) - before

    def _put(self, pieces: list[Piece]) -> None:
        table = self._answer.table
        for piece in pieces:
            row = self._waiting.popleft()
            table.append(row, piece, MARK_SPECIAL if self._vocabulary.is_special(row.id) else 0)
            self._tracker.feed(piece.text)

    def _cut_at(self, stop: str | int | None) -> int | None:
        """The first place of the stop string: an engine that goes token by token stopped there, one that
        accepts several tokens at once may have gone past it. A stop id that is ordinary text is cut too."""
        table = self._answer.table
        if isinstance(stop, str):
            text = table.text
            at = text.find(stop) if stop else -1
            return utf16(text[:at]) if at >= 0 else None
        last = len(table) - 1
        if stop is not None and last >= 0 and table.id(last) == stop and not table.mark(last) & MARK_SPECIAL:
            return table.text_start(last)
        return None

    def _mark_after(self, cut: int) -> None:
        starts, marks = self._answer.table.columns["start"], self._answer.table.columns["mark"]
        for index in range(len(self._answer.table) - 1, -1, -1):
            if starts[index] < cut:
                break
            marks[index] = int(marks[index]) | MARK_AFTER_STOP
