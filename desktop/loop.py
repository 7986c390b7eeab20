"""Owns the event loop: asyncio inside Qt's loop, from the first task to a clean end. The only user of qasync.

Order at the end: something requests it (window, menu, Ctrl+C, SIGTERM) -> `main()` sees the request, cancels
its scopes and awaits them -> what is still pending is cancelled and awaited -> the loop closes. Whatever
hangs is left behind after a limit, said in the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

# qasync takes the binding that QT_API names, else the first it finds: ours, whatever else is installed
import PySide6.QtCore  # isort: skip
from PySide6.QtCore import QSocketNotifier  # isort: skip
from PySide6.QtWidgets import QApplication  # isort: skip

os.environ["QT_API"] = "pyside6"
import qasync  # type: ignore[import-untyped]

from desktop.kit.reporter import Reporter

log = logging.getLogger(__name__)

LIMIT_S: Final = 5.0
SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)

if qasync.QtCore is not PySide6.QtCore:  # pragma: no cover - a damaged installation
    raise RuntimeError(f"qasync runs on {qasync.QtCore.__name__}, the program on PySide6")


class Quitting:
    """The wish to quit, made once from anywhere in the window's thread; `main()` waits for it."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []
        self._announced = False
        self.reason = ""

    @property
    def requested(self) -> bool:
        return self._event.is_set()

    def request(self, reason: str = "") -> None:
        """From the loop only, not from a signal handler: that may run in the middle of `wait`."""
        self.announce(reason)
        self._event.set()

    def announce(self, reason: str = "") -> None:
        """Tell the listeners, once; safe in a signal handler, where the request itself must wait."""
        if self._announced:
            return
        self._announced = True
        self.reason = reason
        log.info("quitting: %s", reason or "asked by the window")
        for listener in self._listeners:
            listener()

    async def wait(self) -> None:
        await self._event.wait()

    def on_request(self, listener: Callable[[], None]) -> None:
        """Call `listener` at the request, or now if it was made already."""
        self._listeners.append(listener)
        if self.requested:
            listener()


def run(
    main: Callable[[], Coroutine[Any, Any, int | None]],
    *,
    reporter: Reporter | None = None,
    quitting: Quitting | None = None,
    limit: float | Callable[[], float] = LIMIT_S,
) -> int:
    """Run `main()` on Qt's event loop until it returns; gives the exit code (1 if it raised).

    `main` shall return soon after `quitting` was requested. `limit`: seconds for the end, asked for when it
    begins. A QApplication must exist.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("create the QApplication before the loop")
    app.setQuitOnLastWindowClosed(False)
    seconds = limit if callable(limit) else lambda: limit
    reporter = reporter if reporter is not None else Reporter()
    quitting = quitting if quitting is not None else Quitting()
    threads_before = set(threading.enumerate())
    executor = ThreadPoolExecutor(max_workers=8, thread_name_prefix="loupe-pool")
    loop = qasync.QEventLoop(app)
    loop.set_default_executor(executor)
    loop.set_exception_handler(reporter.loop_handler)
    asyncio.set_event_loop(loop)
    watchdog = _Watchdog(loop, seconds)
    quitting.on_request(watchdog.start)
    reporter.install()
    try:
        with _signals(quitting):
            return _drive(loop, _whole(main, reporter, quitting, seconds), quitting)
    finally:
        watchdog.stop()
        executor.shutdown(wait=False, cancel_futures=True)
        loop.set_default_executor(None)  # its own close() would wait for stuck threads without limit
        loop.close()
        asyncio.set_event_loop(None)
        reporter.uninstall()
        _leave_stuck_threads_behind(set(threading.enumerate()) - threads_before, watchdog.left())


def _drive(loop: Any, coroutine: Coroutine[Any, Any, int], quitting: Quitting) -> int:
    """Run to the end even if something ends Qt's loop early (the system's session, an `app.quit()`)."""
    task = loop.create_task(coroutine, name="main")
    for _ in range(3):
        try:
            return int(loop.run_until_complete(task))
        except RuntimeError:
            if task.done():
                raise
            quitting.request("the event loop was ended from outside")
    return 1


async def _whole(
    main: Callable[[], Coroutine[Any, Any, int | None]],
    reporter: Reporter,
    quitting: Quitting,
    seconds: Callable[[], float],
) -> int:
    """`main()`, with a time limit from the request to quit on, then the end of all that is still pending."""
    work = asyncio.ensure_future(main())
    wish = asyncio.ensure_future(quitting.wait())
    await asyncio.wait({work, wish}, return_when=asyncio.FIRST_COMPLETED)
    wish.cancel()
    limit = seconds()
    await asyncio.wait({work}, timeout=limit * 0.7)
    if not work.done():
        log.error("main() did not end within %.1f s of the request to quit; cancelled", limit * 0.7)
    await _cancel_all(limit * 0.1)
    if not work.done() or work.cancelled():
        return 1
    error = work.exception()
    if error is not None:
        reporter.report(error, "main() failed")
        return 1
    return work.result() or 0


async def _cancel_all(limit: float) -> None:
    """Cancel every other task and await them all, at most this long."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if not tasks:
        return
    _, stuck = await asyncio.wait(tasks, timeout=limit)
    for task in stuck:
        log.error("left behind: %r", task)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # said just now


@contextlib.contextmanager
def _signals(quitting: Quitting) -> Iterator[None]:
    """Ctrl+C, SIGTERM and a closed terminal become a request to quit; a second one ends the process at once.

    Python runs signal handlers between bytecodes only, and Qt's loop rests in C: the wake-up socket makes it
    call a slot, in which the handler then runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    came: list[str] = []

    def drain() -> None:
        with contextlib.suppress(BlockingIOError):
            reader.recv(256)
        if came:
            quitting.request(came[0])

    def handler(number: int, _frame: object) -> None:
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)
        came.append(signal.Signals(number).name)
        quitting.announce(came[0])  # the time limit runs from now on, be the loop blocked

    notifier.activated.connect(drain)
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    wakeup_before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup_before)
        for number, old in before.items():
            signal.signal(number, old)
        notifier.setEnabled(False)
        notifier.deleteLater()
        reader.close()
        writer.close()


class _Watchdog:
    """Ends the process when quitting takes longer than the limit, be the loop itself blocked."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: Callable[[], float]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._limit = 0.0
        self._deadline = float("inf")
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        self._limit = self._seconds()
        self._deadline = time.monotonic() + self._limit
        self._timer = threading.Timer(self._limit, self._bite)
        self._timer.daemon = True
        self._timer.name = "loupe-watchdog"
        self._timer.start()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def left(self) -> float:
        """Seconds left for the end, at most one."""
        return min(max(self._deadline - time.monotonic(), 0.0), 1.0)

    def _bite(self) -> None:
        log.critical("quitting took longer than %.1f s; leaving anyway", self._limit)
        with contextlib.suppress(Exception):
            for task in asyncio.all_tasks(self._loop):
                log.critical("still running: %r", task)
        leave(1)


def _leave_stuck_threads_behind(threads: set[threading.Thread], limit: float) -> None:
    """Python waits at its end for the threads of all pools, without limit: the loop's own and the history's.
    One that is stuck (a disk or a network drive that hangs) shall not keep us alive."""
    end = time.monotonic() + limit
    for thread in threads:
        if not thread.daemon:
            thread.join(max(0.0, end - time.monotonic()))
            if thread.is_alive():
                log.error("thread %s is stuck; leaving it behind", thread.name)
                leave(0)


def leave(code: int) -> None:
    """End the process now, without waiting for threads; what was logged is written first."""
    logging.shutdown()
    with contextlib.suppress(Exception):
        if sys.stderr is not None:
            sys.stderr.flush()
    faulthandler.disable()
    os._exit(code)
