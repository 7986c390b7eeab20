"""Bytes become progress: a smoothed speed, the time left, and no more than ten words of it a second."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

EVERY = 0.1  # seconds between two words of progress
_SMOOTH = 4.0  # seconds after which an old speed counts for 1/e


class Meter:
    """`clock`: seconds, monotonic. Bytes that were there before count as done, not as speed."""

    def __init__(self, total: int, done: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.total, self.done = total, done
        self._clock = clock
        self._at = self._told = clock()
        self._since = 0  # bytes
        self._speed: float | None = None

    def add(self, count: int, *, fetched: bool = True) -> bool:
        """Count bytes; a negative count takes back what is fetched anew. True if it is time to tell."""
        self.done += count
        if fetched:
            self._since += max(0, count)
        now = self._clock()
        if now - self._told < EVERY:
            return False
        self._told = now
        self._measure(now)
        return True

    def _measure(self, now: float) -> None:
        passed = now - self._at
        speed = self._since / passed
        if self._speed is None:
            self._speed = speed
        else:
            self._speed += (speed - self._speed) * (1 - math.exp(-passed / _SMOOTH))
        self._at, self._since = now, 0

    @property
    def speed(self) -> float:
        """Bytes a second, 0 = not known."""
        return self._speed or 0.0

    @property
    def left(self) -> float:
        """Seconds, -1 = not known."""
        return (self.total - self.done) / self._speed if self._speed and self._speed >= 1 else -1.0
