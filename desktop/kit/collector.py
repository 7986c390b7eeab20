"""Garbage is collected in the window's thread only: a Qt object that another thread frees takes the program
down, and Python's own collections run in whichever thread happens to allocate."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_LOOK_MS = 500


class Collector(QObject):
    """Does what Python's collector would do, by its own thresholds, looked at twice a second."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> int:
        """Collect as many generations as are due; returns how many."""
        due = 0
        for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True):
            if not threshold or count <= threshold:  # an older one counts collections of the one before it
                break
            due += 1
        if due:
            gc.collect(due - 1)
        return due
