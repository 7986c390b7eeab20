"""Task scopes: what is spawned is ended and awaited, errors are told, cancellation is silent."""

from __future__ import annotations

import asyncio
import logging

import pytest

from core.tasks import TaskScope


def test_closing_cancels_and_awaits_every_task(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    cleaned: list[str] = []

    async def forever(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # cleaning up may take a moment: it is waited for
            cleaned.append(name)

    async def body() -> None:
        errors: list[BaseException] = []
        scope = TaskScope(errors.append)
        tasks = [scope.spawn(forever(name), name=name) for name in "ab"]
        await asyncio.sleep(0)
        await scope.close()
        assert sorted(cleaned) == ["a", "b"]
        assert all(task.cancelled() for task in tasks)
        assert errors == []
        await scope.close()

    asyncio.run(body(), debug=True)
    assert caplog.text == ""


def test_a_result_is_the_tasks_and_an_error_is_told_once() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise ValueError("oh")

    async def body() -> None:
        errors: list[BaseException] = []
        scope = TaskScope(errors.append)
        assert await scope.spawn(answer()) == 42
        task = scope.spawn(fail())
        await asyncio.wait({task})
        await asyncio.sleep(0)
        assert [str(error) for error in errors] == ["oh"]
        await scope.close()

    asyncio.run(body(), debug=True)


def test_an_error_without_a_listener_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("oh")

    async def body() -> None:
        scope = TaskScope()
        await asyncio.wait({scope.spawn(fail(), name="the task")})
        await scope.close()

    asyncio.run(body(), debug=True)
    assert "task the task failed" in caplog.text and "ValueError: oh" in caplog.text


def test_an_error_while_it_is_cancelled_is_told() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("at the end")

    async def body() -> None:
        errors: list[BaseException] = []
        scope = TaskScope(errors.append)
        scope.spawn(stubborn())
        await asyncio.sleep(0)
        await scope.close()
        await asyncio.sleep(0)
        assert [str(error) for error in errors] == ["at the end"]

    asyncio.run(body(), debug=True)


def test_nothing_starts_in_a_closed_scope() -> None:
    started: list[bool] = []

    async def late() -> None:
        started.append(True)

    async def body() -> None:
        scope = TaskScope()
        await scope.close()
        with pytest.raises(RuntimeError):
            scope.spawn(late())  # and the coroutine is closed: no "never awaited" warning

    asyncio.run(body(), debug=True)
    assert started == []


def test_a_task_that_closes_its_own_scope_does_not_wait_for_itself() -> None:
    async def body() -> None:
        scope = TaskScope()
        other = scope.spawn(asyncio.Event().wait())
        await asyncio.wait({scope.spawn(scope.close())})
        assert other.cancelled()

    asyncio.run(asyncio.wait_for(body(), 5), debug=True)


def test_without_a_loop_nothing_is_left_to_be_awaited(recwarn: pytest.WarningsRecorder) -> None:
    """A slot that comes after the loop's end: no "never awaited" at some later place."""

    async def late() -> None: ...

    work = late()
    with pytest.raises(RuntimeError):
        TaskScope().spawn(work)
    assert work.cr_frame is None  # closed
    assert not recwarn.list
