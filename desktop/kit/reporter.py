"""Owns what happens to errors that nobody caught: a full record in the log, one line in the error bar."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler

from core.errors import LoupeError

log = logging.getLogger("loupe.uncaught")
qt_log = logging.getLogger("qt")

AGAIN_S: Final = 10.0
KEPT: Final = 64

_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class Reporter(QObject):
    """The one place for uncaught errors of slots, tasks and threads.

    `failed` carries the error as a LoupeError (code "internal" unless it had one), in the window's thread and
    never from within the code that failed. The same error from the same line is told once in ten seconds:
    a failing paintEvent comes sixty times a second.
    """

    failed = Signal(object)
    _arrived = Signal(object)

    def __init__(self, clock: Callable[[], float] = time.monotonic, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._lock = threading.Lock()
        self._told: dict[tuple[object, ...], tuple[float, int]] = {}
        self._arrived.connect(self.failed.emit, Qt.ConnectionType.QueuedConnection)
        self._before: list[Callable[[], None]] = []

    def report(self, error: BaseException, where: str = "") -> None:
        """Log it and tell it. Cancellation is silent. May be called from any thread; raises nothing."""
        try:
            if isinstance(error, asyncio.CancelledError):
                log.debug("cancelled: %s", where)
                return
            again = self._seen_before(error)
            if again:
                log.error("once more (%d times): %s: %s", again, type(error).__name__, error)
                return
            log.error("%s", where or "uncaught", exc_info=(type(error), error, error.__traceback__))
            self._arrived.emit(self._as_loupe_error(error))
        except Exception:
            # a log that fails must not lead back here
            pass

    def _as_loupe_error(self, error: BaseException) -> LoupeError:
        if isinstance(error, LoupeError):
            return error
        return LoupeError("internal", detail=f"{type(error).__name__}: {error}"[:500])

    def _seen_before(self, error: BaseException) -> int:
        """How often this error came before within the time in which it is not told again; 0 = tell it."""
        frames = traceback.extract_tb(error.__traceback__)[-1:]
        place = (frames[0].filename, frames[0].lineno) if frames else ()
        key = (type(error), *place) if place else (type(error), str(error))
        now = self._clock()
        with self._lock:
            first, count = self._told.get(key, (float("-inf"), 0))
            if now - first < AGAIN_S:
                self._told[key] = (first, count + 1)
                return count + 1
            if len(self._told) >= KEPT:
                self._told.clear()
            self._told[key] = (now, 0)
            return 0

    def install(self) -> None:
        """Take over the hooks of slots (sys.excepthook), threads, destructors and Qt's messages."""
        except_before, thread_before = sys.excepthook, threading.excepthook
        unraisable_before = sys.unraisablehook
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        sys.unraisablehook = self._unraisable
        qt_before = qInstallMessageHandler(_qt_message)

        def undo() -> None:
            sys.excepthook, threading.excepthook = except_before, thread_before
            sys.unraisablehook = unraisable_before
            qInstallMessageHandler(qt_before)

        self._before.append(undo)

    def uninstall(self) -> None:
        """Give the hooks back. Must happen before the interpreter ends: Qt would call into nothing."""
        while self._before:
            self._before.pop()()

    def loop_handler(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The event loop's exception handler: errors of callbacks and of tasks that nobody awaited."""
        error = context.get("exception")
        message = str(context.get("message", ""))
        if isinstance(error, BaseException):
            self.report(error, message)
        else:
            log.error("%s", message)

    def _uncaught(
        self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        self.report(error, "uncaught in a slot")

    def _uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value, f"uncaught in thread {args.thread.name if args.thread else '?'}")

    def _unraisable(self, args: sys.UnraisableHookArgs) -> None:
        # in a destructor: nothing the person could do, so only the log
        with contextlib.suppress(Exception):
            log.error("%s: %r", args.err_msg or "ignored", args.object, exc_info=args.exc_value)


def _qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Qt's own warnings go to the log file: a windowed program has no terminal."""
    category = f"{context.category}: " if context.category and context.category != "default" else ""
    qt_log.log(_LEVELS.get(kind, logging.WARNING), "%s%s", category, text)
