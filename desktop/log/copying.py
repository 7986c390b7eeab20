"""Puts log rows on the clipboard: in parts, with all else that is to be done in between."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

from core.log_lines import LogBuffer
from desktop.log.rows import PART, texts


class LogCopy(QObject):
    """One copy at a time: a newer one takes the place of the one that is not done."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def start(self, buffer: LogBuffer, numbers: list[int]) -> None:
        """The lines of these numbers; at once if they are few. None: the clipboard stays as it is."""
        if not numbers:
            return
        self._buffer, self._numbers, self._next = buffer, numbers, 0
        self._parts: list[str] = []
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        part = self._numbers[self._next : self._next + PART]
        self._parts.append(texts(self._buffer, part))
        self._next += PART
        if self._next < len(self._numbers):
            return
        self._timer.stop()
        # no QMimeData made here: the clipboard's outlives the interpreter, and its end would be a crash
        QGuiApplication.clipboard().setText("".join(self._parts))
        self._numbers, self._parts = [], []
