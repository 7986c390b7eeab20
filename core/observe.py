"""One typed observer: a value leaves the core by `emit`, whoever is interested calls `connect`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


class Event(Generic[T]):
    """A list of listeners. A listener that raises is logged and does not stop the others."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[T], None]] = []

    def connect(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call `listener` at each emit; returns the function that disconnects it."""
        self._listeners.append(listener)

        def disconnect() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return disconnect

    def emit(self, value: T) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(value)
            except Exception:
                log.exception("a listener failed")
