"""Looks at a running window from inside: stalls, garbage collection, frames, memory."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import psutil
from PySide6.QtCore import QObject, Qt, QTimer

from tests.bench.figures import percentile

BEAT_MS = 1


class Heartbeat(QObject):
    """A 1 ms timer that notes how late each of its beats is: the loop was elsewhere that long."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []  # ms
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.late = []
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> list[float]:
        self._timer.stop()
        return self.late

    def _beat(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, (now - self._last) * 1000 - BEAT_MS))
        self._last = now


class Collections:
    """Pauses of Python's garbage collector, by its own callbacks."""

    def __init__(self) -> None:
        self.pauses: list[float] = []  # ms
        self._began = 0.0

    def start(self) -> None:
        self.pauses = []
        gc.callbacks.append(self._noted)

    def stop(self) -> list[float]:
        gc.callbacks.remove(self._noted)
        return self.pauses

    def _noted(self, phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.pauses.append((time.perf_counter() - self._began) * 1000)


class Timed:
    """Wraps methods of a class and sums what they cost between two paints: the cost of one frame.

    `ended(object, method)` is called after each of them. Wrap before the first object of the class is made:
    Qt's bindings keep what they found in a class.
    """

    def __init__(self, ended: Callable[[Any, str], None]) -> None:
        self.frames: list[float] = []  # ms
        self._cost = 0.0
        self._depth = 0
        self._ended = ended

    def wrap(self, owner: type, name: str, *, ends_frame: bool = False) -> None:
        original: Any = getattr(owner, name)

        def measured(this: Any, *args: Any, **kwargs: Any) -> Any:
            self._depth += 1
            began = time.perf_counter()
            try:
                return original(this, *args, **kwargs)
            finally:
                self._depth -= 1
                if self._depth == 0:  # what is called by something measured counts once
                    self._cost += (time.perf_counter() - began) * 1000
                    if ends_frame:
                        self.frames.append(self._cost)
                        self._cost = 0.0
                    self._ended(this, name)

        setattr(owner, name, measured)

    def start(self) -> None:
        self.frames, self._cost = [], 0.0


def stalls(late: list[float], prefix: str = "") -> dict[str, float]:
    return {
        f"{prefix}stall_ms_p999": percentile(late, 0.999),
        f"{prefix}stall_ms_max": max(late, default=float("nan")),
    }


def resident() -> int:
    """Bytes of memory this process holds."""
    return int(psutil.Process().memory_info().rss)
