"""The bounded list of log lines that the log dock shows: cleaned, cut, numbered, oldest dropped first."""

from __future__ import annotations

import re
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

CAPACITY = 100_000  # lines
LONGEST = 4096  # characters kept of one line

# CSI, OSC and other string sequences (ended by BEL, ST or the line's end), then two-character escapes
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x1b]\[[0-?]*[ -/]*$|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x1b$"
)
_LEVEL = re.compile(r"\b(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b")
_LEVEL_WITHIN = 96  # characters: a level stands in a line's prefix; later the word is only prose
_TRACEBACK = "Traceback (most recent call last)"
# what is left of the controls is made visible, so that a row stays one row; tabs are for the view
_CONTROLS = {code: 0x2400 + code for code in range(32) if code != 9} | {127: 0x2421}


class Level(IntEnum):
    """As in `logging`; UNKNOWN is a line that says none."""

    UNKNOWN = 0
    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40


_LEVELS = {
    "DEBUG": Level.DEBUG,
    "INFO": Level.INFO,
    "WARN": Level.WARNING,
    "WARNING": Level.WARNING,
    "ERROR": Level.ERROR,
    "CRITICAL": Level.ERROR,
    "FATAL": Level.ERROR,
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line. `seq` grows with every change, `number` with every row that is kept as its own.

    `time`: seconds since the epoch. `cut`: characters left out at the end. A progress bar that redraws
    itself keeps its `number` and gets a new `seq`.
    """

    seq: int
    number: int
    time: float
    level: Level
    text: str
    cut: int = 0


def strip_escapes(text: str) -> str:
    """`text` without ANSI sequences; other control characters become their visible pictures."""
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    return text.translate(_CONTROLS) if not text.isprintable() else text


def level_of(text: str) -> Level:
    """The level named in a line's prefix."""
    if text.startswith(_TRACEBACK):
        return Level.ERROR
    found = _LEVEL.search(text[:_LEVEL_WITHIN])
    return _LEVELS[found[1]] if found else Level.UNKNOWN


class LogBuffer:
    """A ring of `capacity` lines, for any thread; add is O(1), `after` O(log n + new)."""

    def __init__(self, capacity: int = CAPACITY, clock: Callable[[], float] = time.time) -> None:
        self._capacity = capacity
        self._clock = clock
        self._ring: list[LogLine] = []
        self._start = 0  # where the oldest line lies in the ring
        self._seq = 0
        self._number = 0
        self._open = False  # the last line ended with a carriage return: what comes next replaces it
        self._in_traceback = False
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._ring)

    @property
    def seq(self) -> int:
        """The newest `seq`, 0 before the first line."""
        return self._seq

    @property
    def first_number(self) -> int:
        """`number` of the oldest line that is still here."""
        with self._lock:
            return self._number - len(self._ring) + 1

    @property
    def last(self) -> LogLine | None:
        with self._lock:
            return self._at(len(self._ring) - 1) if self._ring else None

    def _at(self, index: int) -> LogLine:
        return self._ring[(self._start + index) % len(self._ring)]

    def line(self, number: int) -> LogLine:
        """The line of this number. Raises KeyError if it is dropped or not there yet."""
        with self._lock:
            index = number - (self._number - len(self._ring) + 1)
            if not 0 <= index < len(self._ring):
                raise KeyError(number)
            return self._at(index)

    def after(self, seq: int, limit: int | None = None) -> list[LogLine]:
        """What changed since `seq`, in order, the oldest `limit` of it. The first may carry a number the
        caller already has: it replaces that line. Lines that came and were dropped in between are not in
        it."""
        with self._lock:
            size = len(self._ring)
            if seq >= self._seq or not size:
                return []
            first = bisect_right(range(size), seq, key=lambda index: self._at(index).seq)
            end = size if limit is None else min(size, first + limit)
            return [self._at(index) for index in range(first, end)]

    def clear(self) -> None:
        """Forget all lines. Their numbers are not given again."""
        with self._lock:
            self._ring.clear()
            self._start = 0
            self._open = self._in_traceback = False

    def add(self, raw: str, level: int | None = None, at: float | None = None) -> None:
        """Take one line as it came, or several separated by line feeds; a last line feed adds nothing.

        `level` as in `logging`; None: it is looked for in the line. `at`: when it was written, in seconds
        since the epoch; None: now.
        """
        lines = raw.removesuffix("\n").split("\n")
        known = None if level is None else Level(max(0, min(level // 10 * 10, Level.ERROR)))
        with self._lock:
            when = self._clock() if at is None else at
            for line in lines:
                self._add_line(line.removesuffix("\r") if len(lines) > 1 else line, known, when)

    def _add_line(self, raw: str, level: Level | None, when: float) -> None:
        replaces = self._open or raw.startswith("\r")
        self._open = raw.endswith("\r")
        if "\r" in raw:  # a terminal would show only what was drawn last
            raw = next((part for part in reversed(raw.split("\r")) if part.strip()), "")
        if replaces and not raw and self._ring:
            return
        # a line can be megabytes long (a dumped config): escapes are looked for in the part that is kept
        window = raw[: LONGEST * 2]
        text = strip_escapes(window)
        cut = max(0, len(text) - LONGEST) + len(raw) - len(window)
        text = text[:LONGEST]
        self._seq += 1
        if level is None:
            level = self._guess_level(text)
        if replaces and self._ring:
            number = self._number
        else:
            number = self._number = self._number + 1
        line = LogLine(self._seq, number, when, level, text, cut)
        if replaces and self._ring:
            self._ring[(self._start - 1) % len(self._ring)] = line
        elif len(self._ring) < self._capacity:
            self._ring.append(line)
        else:
            self._ring[self._start] = line
            self._start = (self._start + 1) % self._capacity

    def _guess_level(self, text: str) -> Level:
        level = level_of(text)
        if text.startswith(_TRACEBACK):
            self._in_traceback = True
        elif self._in_traceback and level is Level.UNKNOWN:
            # frames are indented; the first line that is not is the exception itself
            self._in_traceback = text.startswith((" ", "\t")) or not text
            return Level.ERROR
        elif level is not Level.UNKNOWN:
            self._in_traceback = False
        return level
