"""Owns the crossing between the Qt-free core and widgets: events in, tasks out, signals awaited."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QObject, SignalInstance
from shiboken6 import isValid

from core.observe import Event
from core.tasks import TaskScope

T = TypeVar("T")
log = logging.getLogger(__name__)


def bind(owner: QObject, event: Event[T], listener: Callable[[T], None]) -> Callable[[], None]:
    """Connect a core event to a widget's method until the widget is gone; returns what ends it earlier.

    An event that arrives after Qt has deleted the owner is ignored.
    """

    def guarded(value: T) -> None:
        if isValid(owner):
            listener(value)

    disconnect = event.connect(guarded)
    owner.destroyed.connect(lambda *_: disconnect())
    return disconnect


def starter(
    scope: TaskScope, work: Callable[[], Coroutine[Any, Any, object]], *, name: str = ""
) -> Callable[..., None]:
    """A slot that starts `work()` in the scope; what the signal carries is dropped.

    Once the scope is closed (the program is quitting) it does nothing.
    """

    def start(*_: object) -> None:
        try:
            scope.spawn(work(), name=name)
        except RuntimeError:
            log.debug("too late for %s: the scope is closed", name or work)

    return start


async def emitted(signal: SignalInstance) -> tuple[Any, ...]:
    """Wait for a signal's next emission; gives its arguments. Instead of a nested event loop."""
    future: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()

    def arrived(*arguments: Any) -> None:
        if not future.done():
            future.set_result(arguments)

    signal.connect(arrived)
    try:
        return await future
    finally:
        try:
            signal.disconnect(arrived)
        except RuntimeError:  # its sender is gone
            log.debug("the sender of a signal went while it was awaited")
