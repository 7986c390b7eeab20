"""Which lines of the buffer the log view shows: the level filter as a list kept up to date, without Qt."""

from __future__ import annotations

import re
from bisect import bisect_left

from core.log_lines import Level, LogBuffer, LogLine

# time, process and level stand in their own columns, so they are not shown a second time
_PREFIX = re.compile(
    r"(?:(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?\s+(?:\d+\s+)?)?"
    r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)[\s:]+"
)


def body(line: LogLine) -> str:
    """The line without the prefix that repeats its time and level."""
    found = _PREFIX.match(line.text)
    return line.text[found.end() :] if found else line.text


class ShownRows:
    """Numbers of the lines that pass the filter, oldest first; `refresh` is O(new lines)."""

    def __init__(self, buffer: LogBuffer) -> None:
        self.buffer = buffer
        self._minimum = Level.UNKNOWN
        self._numbers: list[int] = []
        self._head = 0  # numbers before it are dropped lines; the list is cut when half of it is
        self._seen = 0
        self.longest = 0  # columns of the longest line seen, wide characters counted as two

    def __len__(self) -> int:
        return len(self._numbers) - self._head

    @property
    def minimum(self) -> Level:
        return self._minimum

    def set_minimum(self, level: Level) -> None:
        """Show lines of this level and above; UNKNOWN shows all."""
        self._minimum = level
        self._numbers.clear()
        self._head = self._seen = self.longest = 0
        self.refresh()

    def refresh(self) -> int:
        """Take in what changed; returns how many rows were dropped at the top."""
        new = self.buffer.after(self._seen)
        numbers = self._numbers
        for line in new:
            if numbers and numbers[-1] == line.number:
                numbers.pop()  # a progress bar was drawn anew, perhaps at another level
            if line.level >= self._minimum:
                numbers.append(line.number)
                width = len(line.text) * (1 if line.text.isascii() else 2)
                self.longest = max(self.longest, width)
        if new:
            self._seen = new[-1].seq
        before = self._head
        first = self.buffer.first_number
        while self._head < len(numbers) and numbers[self._head] < first:
            self._head += 1
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

    def texts(self, rows: range) -> str:
        """The rows as they came, one a line, for the clipboard."""
        lines = (self.line(row) for row in rows)
        return "".join(f"{line.text}{_cut_mark(line.cut)}\n" for line in lines if line is not None)

    def row_of(self, number: int) -> int:
        """The row with this number, or the first after it."""
        return bisect_left(self._numbers, number, self._head) - self._head


def _cut_mark(cut: int) -> str:
    return f" … +{cut}" if cut else ""
