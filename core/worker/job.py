"""A job: one request being worked on, with its way to answer and to notice a cancel."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from core.worker import protocol
from core.worker.protocol import Reply, Request


class Cancelled(Exception):
    """The job was cancelled: its partial result has been sent, nothing more is to be said."""


class Job:
    """What a service sees of a request: send replies, ask whether it is cancelled."""

    def __init__(self, request: Request, send: Callable[[Reply], None]) -> None:
        self.request = request
        self.send = send
        self.cancelled = threading.Event()
        self._lock = threading.Lock()
        self._ends: list[Callable[[], None]] = []

    @property
    def number(self) -> int:
        return self.request.job

    def progress(self, step: str, done: int = 0, total: int = 0) -> None:
        self.check()
        self.send(protocol.Progress(self.number, step, done, total))

    def check(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Called by the thread that reads the requests: what the job waits for is ended, not waited for."""
        with self._lock:
            self.cancelled.set()
            ends = list(self._ends)
        for end in ends:
            end()

    @contextlib.contextmanager
    def ended_by(self, end: Callable[[], None]) -> Iterator[None]:
        """Inside, a cancel calls `end` at once, from another thread; it neither waits nor raises."""
        with self._lock:
            self._ends.append(end)
            late = self.cancelled.is_set()
        try:
            if late:
                end()
            yield
        finally:
            with self._lock:
                self._ends.remove(end)
