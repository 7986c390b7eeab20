"""Batches: what comes in thousands a second is sent a few times a second, in order and without loss."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
SECONDS = 0.04  # what an item may wait for others
MOST = 2000  # items of one message
LARGEST = 4_000_000  # of one message, by `size`, if it has more than one item
WAITING = 50_000  # items; then whoever adds waits


class Batches(Generic[T]):
    """A context: `add` from any thread; a thread of its own calls `send`, which has had all at the exit."""

    def __init__(self, send: Callable[[list[T]], None], size: Callable[[T], int]) -> None:
        self._send = send
        self._size = size
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
            self._changed.notify_all()
        self._thread.join()

    def add(self, item: T) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < WAITING)
            self._waiting.append(item)
            if len(self._waiting) == 1:
                self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                closed, batch = self._closed, self._waiting
                self._waiting = []
                self._changed.notify_all()
            for part in self._parts(batch):
                self._send(part)
            if closed and not batch:
                return
            if not closed:
                time.sleep(SECONDS)

    def _parts(self, batch: list[T]) -> Iterator[list[T]]:
        part: list[T] = []
        size = 0
        for item in batch:
            size += self._size(item)
            if part and (len(part) == MOST or size > LARGEST):
                yield part
                part, size = [], self._size(item)
            part.append(item)
        if part:
            yield part
