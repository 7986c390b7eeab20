"""The crossing between core and widgets: late events, closed scopes, awaited signals."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable
from typing import Any

import pytest
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


def test_q01_a_slots_task_that_is_cancelled_is_silent(
    run_qt: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Stop or quit while a slot's work waits: no error bar, nothing in the log, its cleaning up is done."""
    errors: list[BaseException] = []
    contexts: list[dict[str, Any]] = []
    cleaned: list[str] = []

    async def body() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: contexts.append(context))
        scope = TaskScope(errors.append)
        widget = Widget()
        started = asyncio.Semaphore(0)

        async def work() -> None:
            try:
                started.release()
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                cleaned.append("cleaned")

        widget.pressed.connect(starter(scope, work, name="the slot"))
        widget.pressed.emit(1)
        widget.pressed.emit(2)
        await started.acquire()
        await started.acquire()
        first = next(iter(scope._tasks))
        first.cancel()  # one by Stop
        await asyncio.wait({first})
        await scope.close()  # the other by the end of the program

    with caplog.at_level(logging.INFO):
        run_qt(body())
        gc.collect()
    assert cleaned == ["cleaned", "cleaned"]
    assert (errors, contexts, caplog.records) == ([], [], [])


def test_a_slots_task_that_fails_is_told_once(run_qt: Callable[..., Any]) -> None:
    errors: list[BaseException] = []

    async def body() -> None:
        scope = TaskScope(errors.append)
        widget = Widget()

        async def work() -> None:
            raise ValueError("in a slot's task")

        widget.pressed.connect(starter(scope, work))
        widget.pressed.emit(1)
        await asyncio.wait(set(scope._tasks))
        await asyncio.sleep(0)
        await scope.close()

    run_qt(body())
    assert [str(error) for error in errors] == ["in a slot's task"]


def test_a_signal_can_be_awaited(run_qt: Callable[..., Any]) -> None:
    async def body() -> tuple[Any, ...]:
        widget = Widget()
        asyncio.get_running_loop().call_soon(widget.pressed.emit, 5)
        return await emitted(widget.pressed)

    assert run_qt(body()) == (5,)
