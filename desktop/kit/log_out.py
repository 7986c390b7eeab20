"""Knows when the system's session ends: then a window that is closed asks nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

_SECONDS: Final = 60.0


class LogOut(QObject):
    """The system has everything saved first, which it also does where the session goes on or its end is
    called off, and closes the windows then: what it asks for is no end yet, and counts for a minute."""

    def __init__(
        self,
        app: QGuiApplication,
        save: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(app)
        self._app, self._save, self._clock = app, save, clock
        self._at: float | None = None
        app.commitDataRequest.connect(self._saving, Qt.ConnectionType.DirectConnection)

    @property
    def now(self) -> bool:
        recent = self._at is not None and self._clock() - self._at < _SECONDS
        return recent or self._app.isSavingSession()

    def _saving(self) -> None:
        """Without the signal's QSessionManager: PySide 6.11 crashes when it hands one over (measured)."""
        self._at = self._clock()
        self._save()
