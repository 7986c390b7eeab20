"""When a window that is closed is closed by the end of the session."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from desktop.kit.log_out import LogOut


def test_for_a_minute_after_the_system_had_everything_saved(qapp: QApplication) -> None:
    saved: list[float] = []
    now = 0.0
    log_out = LogOut(qapp, lambda: saved.append(now), clock=lambda: now)
    try:
        assert not log_out.now
        manager = QObject()  # only the system has a real one
        qapp.commitDataRequest.emit(
            shiboken6.wrapInstance(shiboken6.getCppPointer(manager)[0], QSessionManager)
        )
        assert saved == [0.0] and log_out.now
        now = 59.0
        assert log_out.now
        now = 61.0
        assert not log_out.now, "it was called off, or was none"
    finally:
        shiboken6.delete(log_out)
