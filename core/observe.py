"""One typed observer: a value leaves the core by `emit`, whoever is interested calls `connect`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


class Event(Generic[T]):
    """A list of listeners. A listener that raises does not stop the others: its error goes to the event
    loop's exception handler, where the program tells it, or into the log where no loop runs.
    """

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
            except Exception as error:
                _tell(error)


def _tell(error: Exception) -> None:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        log.error("a listener failed", exc_info=error)
    else:
        loop.call_exception_handler({"message": "a listener failed", "exception": error})
