"""TaskScope: the only place that creates tasks. Who opens a scope closes it and so ends all its tasks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


class TaskScope:
    """Owns tasks; `close()` cancels and awaits them. Errors go to `on_error`, cancellation is silent."""

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on_error = on_error
        self._closed = False

    def spawn(self, coroutine: Coroutine[Any, Any, T], *, name: str = "") -> asyncio.Task[T]:
        """Start a task owned by this scope. RuntimeError if the scope is closed or no loop runs."""
        try:
            if self._closed:
                raise RuntimeError("the scope is closed")
            loop = asyncio.get_running_loop()
        except RuntimeError:
            coroutine.close()  # nobody will await it: no warning about that at a later place
            raise
        task = loop.create_task(coroutine, name=name or None)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            log.debug("task %s cancelled", task.get_name())
            return
        error = task.exception()
        if error is None:
            return
        if self._on_error is not None:
            self._on_error(error)
        else:
            log.error("task %s failed", task.get_name(), exc_info=error)

    async def close(self) -> None:
        """Cancel every task and wait until each has ended. A task that closes its own scope goes on."""
        self._closed = True
        tasks = list(self._tasks - {asyncio.current_task()})
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
