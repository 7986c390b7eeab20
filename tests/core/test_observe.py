"""Events: everybody is told, in order, and a listener that fails harms nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.observe import Event


def test_listeners_are_called_in_order_and_can_be_disconnected() -> None:
    event: Event[int] = Event()
    seen: list[tuple[str, int]] = []
    stop = event.connect(lambda value: seen.append(("a", value)))
    event.connect(lambda value: seen.append(("b", value)))
    event.emit(1)
    stop()
    stop()  # twice does no harm
    event.emit(2)
    assert seen == [("a", 1), ("b", 1), ("b", 2)]


def test_a_listener_that_raises_is_logged_and_the_others_are_told(caplog: pytest.LogCaptureFixture) -> None:
    event: Event[str] = Event()
    seen: list[str] = []

    def fail(value: str) -> None:
        raise ValueError(value)

    event.connect(fail)
    event.connect(seen.append)
    event.emit("x")
    assert seen == ["x"]
    assert "a listener failed" in caplog.text and "ValueError: x" in caplog.text


def test_while_a_loop_runs_the_error_goes_to_its_exception_handler() -> None:
    """Where the program tells it to the person."""
    event: Event[str] = Event()
    seen: list[str] = []
    told: list[dict[str, Any]] = []

    def fail(value: str) -> None:
        raise ValueError(value)

    event.connect(fail)
    event.connect(seen.append)

    async def body() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        event.emit("x")

    asyncio.run(body())
    assert seen == ["x"]
    assert [repr(context["exception"]) for context in told] == ["ValueError('x')"]


def test_what_interrupts_the_program_is_not_caught() -> None:
    event: Event[None] = Event()

    def interrupt(value: None) -> None:
        raise KeyboardInterrupt

    event.connect(interrupt)
    with pytest.raises(KeyboardInterrupt):
        event.emit(None)


def test_listeners_may_come_and_go_while_they_are_told() -> None:
    event: Event[int] = Event()
    seen: list[str] = []

    def once(value: int) -> None:
        seen.append("once")
        stop()
        event.connect(lambda value: seen.append("new"))

    stop = event.connect(once)
    event.connect(lambda value: seen.append("other"))
    event.emit(1)
    assert seen == ["once", "other"]  # who comes while it is told hears the next one
    event.emit(2)
    assert seen == ["once", "other", "other", "new"]
