"""Which lines of the buffer the log view shows: the level filter as a list kept up to date, without Qt."""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left
from collections.abc import Iterable

from core.log_lines import Level, LogBuffer, LogLine

PART = 1_000  # lines taken in at once: two milliseconds
# time, process, level and source stand in their own columns, so they are not shown a second time
_LEVELS = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"
_PREFIX = re.compile(
    r"(?:\(\S+ pid=\d+\)\s)?"  # which of vLLM's processes
    r"(?:(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?\s+(?:\d+\s+)?)?"
    rf"{_LEVELS}[\s:]+"
    r"(?:\d\d-\d\d \d\d:\d\d:\d\d \[(?P<source>[\w./<>-]+:\d+)\]\s?)?"
)


def parts(line: LogLine) -> tuple[str, str]:
    """(source as "file.py:12" or "", the line without the prefix that repeats time, level and source)."""
    found = _PREFIX.match(line.text)
    if found is None:
        return "", line.text
    return found["source"] or "", line.text[found.end() :]


class ShownRows:
    """Numbers of the lines that pass the filter, oldest first; `refresh` is O(new lines), PART at most."""

    def __init__(self, buffer: LogBuffer) -> None:
        self.buffer = buffer
        self._minimum = Level.UNKNOWN
        self._numbers: list[int] = []
        self._head = 0  # numbers before it are dropped lines; the list is cut when half of it is
        self._seen = 0
        self._words = ""
        self.longest = 0  # columns of the longest line seen, wide characters counted as two
        self.source = 0  # columns of the longest source seen

    def __len__(self) -> int:
        return len(self._numbers) - self._head

    @property
    def minimum(self) -> Level:
        return self._minimum

    @property
    def behind(self) -> int:
        """How many lines came or changed that are not taken in yet."""
        return self.buffer.seq - self._seen

    def set_minimum(self, level: Level) -> None:
        """Show lines of this level and above; UNKNOWN shows all."""
        self._minimum = level
        self._begin()

    def set_words(self, words: str) -> None:
        """Show only lines with these words, case ignored; "" shows all."""
        if words.casefold() != self._words:
            self._words = words.casefold()
            self._begin()

    def _begin(self) -> None:
        self._numbers.clear()
        self._head = self._seen = self.longest = self.source = 0
        self.refresh()

    def refresh(self) -> int:
        """Take in what changed, PART lines at most (then it is still `behind`); returns how many rows were
        dropped at the top."""
        newest = self.buffer.seq
        new = self.buffer.after(self._seen, PART)
        numbers, words = self._numbers, self._words
        for line in new:
            if numbers and numbers[-1] == line.number:
                numbers.pop()  # a progress bar was drawn anew, perhaps at another level
            if line.level >= self._minimum and (not words or words in line.text.casefold()):
                numbers.append(line.number)
                self.source = max(self.source, len(parts(line)[0]))
                width = len(line.text) * (1 if line.text.isascii() else 2)
                self.longest = max(self.longest, width)
        self._seen = new[-1].seq if new else newest  # the lines of a cleared buffer never come
        before = self._head
        self._head = bisect_left(numbers, self.buffer.first_number, before)
        dropped = self._head - before
        if self._head > 1024 and self._head * 2 > len(numbers):
            del numbers[: self._head]
            self._head = 0
        return dropped

    def line(self, row: int) -> LogLine | None:
        """The line in a row; None if it was dropped a moment ago by another thread."""
        try:
            return self.buffer.line(self._numbers[self._head + row])
        except KeyError:
            return None

    def number(self, row: int) -> int:
        return self._numbers[self._head + row]

    def numbers(self, rows: range) -> list[int]:
        """The numbers of these rows, which stay theirs when older rows are dropped."""
        return self._numbers[self._head + rows.start : self._head + rows.stop]

    def row_of(self, number: int) -> int:
        """The row with this number, or the first after it."""
        return bisect_left(self._numbers, number, self._head) - self._head


def texts(buffer: LogBuffer, numbers: Iterable[int]) -> str:
    """Lines as they came, one a line, for the clipboard and for files, from any thread. Those that are
    dropped meanwhile are left out."""
    found = []
    for number in numbers:
        with contextlib.suppress(KeyError):
            line = buffer.line(number)
            found.append(f"{line.text} … +{line.cut}\n" if line.cut else f"{line.text}\n")
    return "".join(found)
