"""Finds the thinking part at the beginning of an answer while it streams."""

from __future__ import annotations

import msgspec

from core.chat.messages import Thinking
from core.tokens.table import MARK_THINKING, TokenTable


class ThinkingMarkers(msgspec.Struct, frozen=True):
    """How a model family writes thinking: data, e.g. "<think>" and "</think>"."""

    open: str
    close: str


class ThinkingTracker:
    """Fed with each token after it is in the table. The markers may be one token each or split over several.

    Thinking counts only at the very beginning, after white space at most: a marker that is spoken about
    later in an answer is text. `opened`: the prompt already ended with the opening marker, so that the answer
    begins inside and has only the closing one.
    """

    def __init__(self, markers: ThinkingMarkers | None, table: TokenTable, *, opened: bool) -> None:
        self._table = table
        self._markers = markers
        self._looking = markers is not None and not opened
        self._inside = markers is not None and opened
        self._seen = ""  # what may still become a marker
        self._found: Thinking | None = None

    @property
    def thinking(self) -> Thinking | None:
        """What is thinking so far, None if nothing is."""
        if self._inside:
            return Thinking(len(self._table), self._table.length, closed=False)
        return self._found

    def feed(self, text: str) -> None:
        """The table's last token, whose completed text is `text`: O(text)."""
        if self._looking and self._markers is not None:
            self._seen += text
            begun = self._seen.lstrip()
            if begun.startswith(self._markers.open):
                self._looking, self._inside = False, True
                self._mark(0)
                text, self._seen = begun[len(self._markers.open) :], ""
            elif not self._markers.open.startswith(begun):
                self._looking, self._seen = False, ""
        elif self._inside:
            self._mark(len(self._table) - 1)
        if self._inside:
            self._look_for_end(text)

    def _look_for_end(self, text: str) -> None:
        assert self._markers is not None
        close = self._markers.close
        self._seen += text
        at = self._seen.find(close)
        if at >= 0:
            rest = self._seen[at + len(close) :]
            units = self._table.length - len(rest.encode("utf-16-le", "surrogatepass")) // 2
            self._found = Thinking(len(self._table), units, closed=True)
            self._inside, self._seen = False, ""
        else:
            self._seen = self._seen[max(0, len(self._seen) - len(close) + 1) :]

    def _mark(self, first: int) -> None:
        marks = self._table.columns["mark"]
        for index in range(first, len(self._table)):
            marks[index] = int(marks[index]) | MARK_THINKING
