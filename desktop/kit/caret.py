"""Lets the text cursor stop blinking when nobody types: an idle window repaints nothing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

REST_MS: Final = 10_000  # as GTK does


class CaretRest(QObject):
    """`stir()` at each key and focus; after a rest the cursor stays lit until the next `stir` or `leave`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._blink: int | None = None  # the system's own rate while ours holds
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(REST_MS)
        self.timer.timeout.connect(self._rest)

    def stir(self) -> None:
        self._restore()
        self.timer.start()

    def leave(self) -> None:
        """The focus is elsewhere: other fields blink as the system says."""
        self.timer.stop()
        self._restore()

    def _rest(self) -> None:
        hints = QGuiApplication.styleHints()
        self._blink = hints.cursorFlashTime()
        hints.setCursorFlashTime(0)

    def _restore(self) -> None:
        if self._blink is not None:
            QGuiApplication.styleHints().setCursorFlashTime(self._blink)
            self._blink = None
