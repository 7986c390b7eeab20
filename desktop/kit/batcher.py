"""Owns the rhythm of repaints: many marks, one drain a frame, fewer when drains are costly or hidden."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer

FRAME_MS: Final = 16.0
SLOWEST_MS: Final = 100.0
HIDDEN_MS: Final = 250.0
COSTLY_MS: Final = 8.0


class Batcher(QObject):
    """Calls `drain` once for any number of `mark()`s: at once after a rest, else one frame after the last.

    A drain that took over 8 ms doubles the interval (to 100 ms at most), a cheap one halves it again: the
    pressure is measured by cost, not by queue length. Hidden, it drains four times a second. Nothing marked,
    nothing runs.
    """

    def __init__(
        self,
        drain: Callable[[], None],
        *,
        clock: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._drain = drain
        self._clock = clock
        self._interval = FRAME_MS
        self._visible = True
        self._pending = False
        self._draining = False
        self._last = float("-inf")
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._run)

    @property
    def interval_ms(self) -> float:
        """The shortest time between two drains now."""
        return self._interval if self._visible else HIDDEN_MS

    @property
    def pending(self) -> bool:
        return self._pending

    def mark(self) -> None:
        """There is something to show. Cheap: may be called for each token."""
        if not self._pending:
            self._pending = True
            self._schedule()

    def flush(self) -> None:
        """Drain at once what is marked, for the last event of a stream. Within a drain it does nothing."""
        if self._pending and not self._draining:
            self.timer.stop()
            self._run()

    def set_visible(self, visible: bool) -> None:
        """Hidden or minimised views drain at 4 Hz; coming back shows at once what is marked."""
        if visible == self._visible:
            return
        self._visible = visible
        if self._pending and not self._draining:
            self._schedule()

    def stop(self) -> None:
        """Forget what is marked: the view is going away."""
        self._pending = False
        self.timer.stop()

    def _schedule(self) -> None:
        since = (self._clock() - self._last) * 1000
        self.timer.start(round(min(max(self.interval_ms - since, 0.0), self.interval_ms)))

    def _run(self) -> None:
        if not self._pending or self._draining:
            return
        self._pending = False
        self._draining = True
        begin = self._last = self._clock()
        try:
            self._drain()
        finally:
            self._draining = False
            cost = (self._clock() - begin) * 1000
            factor = 2.0 if cost > COSTLY_MS else 0.5
            self._interval = min(max(self._interval * factor, FRAME_MS), SLOWEST_MS)
            if self._pending:  # marked from within the drain, before the interval was known
                self._schedule()
