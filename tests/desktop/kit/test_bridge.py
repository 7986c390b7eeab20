"""The crossing between core and widgets: late events, closed scopes, awaited signals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import delete

from core.observe import Event
from core.tasks import TaskScope
from desktop.kit.bridge import bind, emitted, starter


class Widget(QObject):
    pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []


def test_bound_until_disconnected(qapp) -> None:
    event: Event[int] = Event()
    widget = Widget()
    disconnect = bind(widget, event, widget.seen.append)
    event.emit(1)
    disconnect()
    event.emit(2)
    assert widget.seen == [1]


def test_late_events_for_a_deleted_widget_are_ignored(qapp) -> None:
    event: Event[int] = Event()
    widget = Widget()
    seen = widget.seen
    bind(widget, event, seen.append)
    delete(widget)
    event.emit(1)
    assert seen == []


def test_starter_drops_the_signals_arguments_and_is_quiet_once_closed(run_qt: Callable[..., Any]) -> None:
    async def body() -> list[str]:
        done: list[str] = []
        scope = TaskScope()
        widget = Widget()

        async def work() -> None:
            done.append("worked")

        widget.pressed.connect(starter(scope, work))
        widget.pressed.emit(3)
        await asyncio.gather(*scope._tasks)
        await scope.close()
        widget.pressed.emit(4)
        return done

    assert run_qt(body()) == ["worked"]


def test_a_signal_can_be_awaited(run_qt: Callable[..., Any]) -> None:
    async def body() -> tuple[Any, ...]:
        widget = Widget()
        asyncio.get_running_loop().call_soon(widget.pressed.emit, 5)
        return await emitted(widget.pressed)

    assert run_qt(body()) == (5,)
