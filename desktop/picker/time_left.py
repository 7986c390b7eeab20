"""How long a download or a conversion still takes, going by its last seconds. No Qt."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_WINDOW = 10.0  # seconds of progress that count
_ENOUGH = 2.0  # seconds of progress before anything is said


class TimeLeft:
    """`feed` it what is done; it starts anew when the work or its size changes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()
        self._total = 0

    def reset(self) -> None:
        self._samples.clear()

    def feed(self, done: int, total: int) -> float | None:
        """Seconds left, None if that cannot be said (size not known, too early, nothing moves, or all is
        there and what follows takes its own time)."""
        now = self._clock()
        if total != self._total or (self._samples and done < self._samples[-1][1]):
            self._samples.clear()
            self._total = total
        self._samples.append((now, done))
        while len(self._samples) > 2 and now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        begin, first = self._samples[0]
        if total <= 0 or done >= total or now - begin < _ENOUGH or done <= first:
            return None
        return (total - done) * (now - begin) / (done - first)
