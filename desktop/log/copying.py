"""Puts log rows on the clipboard: in parts, with all else that is to be done in between."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, QObject, QTimer
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
        self._text = QByteArray()  # UTF-8: of a long string even the making takes too long
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        part = self._numbers[self._next : self._next + PART]
        text = texts(self._buffer, part).encode("utf-8", "replace")
        if not self._next:  # what has to grow later is moved as a whole
            self._text.reserve(len(text) * len(self._numbers) // len(part) * 5 // 4)
        self._text.append(text)
        self._next += PART
        if self._next < len(self._numbers):
            return
        self._timer.stop()
        copied = QMimeData()
        copied.setData("text/plain", self._text)
        QGuiApplication.clipboard().setMimeData(copied)
        self._numbers, self._text = [], QByteArray()
