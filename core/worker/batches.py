"""Batches: what comes in thousands a second is sent a few times a second, in order and without loss."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
SECONDS = 0.04  # what a line may wait for others
MOST = 2000  # in one message


class Batches(Generic[T]):
    """A context: `add` from any thread; a thread of its own calls `send`, which has had all at the exit."""

    def __init__(self, send: Callable[[list[T]], None]) -> None:
        self._send = send
        self._waiting: list[T] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="batches", daemon=True)

    def __enter__(self) -> Batches[T]:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def add(self, item: T) -> None:
        with self._changed:
            self._waiting.append(item)
            if len(self._waiting) == 1:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                closed, batch = self._closed, self._waiting
                self._waiting = []
            for start in range(0, len(batch), MOST):
                self._send(batch[start : start + MOST])
            if closed and not batch:
                return
            if not closed:
                time.sleep(SECONDS)
