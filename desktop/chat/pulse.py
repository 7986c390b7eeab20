"""The slow pulse of the waiting dot: moves only while such a dot is in view."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QTimer

_BEAT_MS = 40
_TURN = 1.2  # seconds


class Pulse(QObject):
    """`strength` is 0..1. `waiting` gives what to repaint, `repaint` does it."""

    def __init__(
        self,
        waiting: Callable[[], list[QRect]],
        repaint: Callable[[QRect], None],
        clock: Callable[[], float],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._waiting, self._repaint, self._clock = waiting, repaint, clock
        self.strength = 1.0
        self._timer = QTimer(self)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._beat)

    @property
    def active(self) -> bool:
        return self._timer.isActive()

    def keep(self, allowed: bool) -> None:
        """Run if it is allowed and something waits, else stand still: an idle window does not repaint."""
        wanted = allowed and bool(self._waiting())
        if wanted != self.active:
            self.strength = 1.0
            if wanted:
                self._timer.start()
            else:
                self._timer.stop()

    def _beat(self) -> None:
        self.strength = 0.5 + 0.5 * math.cos(2 * math.pi * self._clock() / _TURN)
        for rect in self._waiting():
            self._repaint(rect)
