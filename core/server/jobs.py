"""One job at a time: a newer wish ends the one that runs, whose caller sees a cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from core.server.spec import LaunchSpec
from core.tasks import TaskScope


class Jobs:
    def __init__(self, scope: TaskScope, before: Callable[[], Awaitable[None]]) -> None:
        """`before`: awaited before each job."""
        self._scope = scope
        self._before = before
        self._turn = asyncio.Lock()
        self._wish = 0
        self._job: asyncio.Task[None] | None = None
        self._wanted: LaunchSpec | None = None  # of the start that is the job
        self._stops = False  # the job is a stop, which is never broken off
        self._closed = False

    @property
    def running(self) -> asyncio.Task[None] | None:
        job = self._job
        return None if job is None or job.done() else job

    def at(self, wanted: LaunchSpec) -> asyncio.Task[None] | None:
        """The job that is a start of this, and is not broken off."""
        job = self.running
        return job if job is not None and self._wanted == wanted and not job.cancelling() else None

    def break_off(self) -> None:
        """Once: a job that is cancelled cleans up behind itself, which a second time would end."""
        job = self.running
        if job is not None and not job.cancelling() and not self._stops:
            job.cancel()

    async def do(
        self,
        work: Callable[[], Coroutine[Any, Any, None]],
        wanted: LaunchSpec | None = None,
        *,
        stops: bool = False,
    ) -> None:
        self._wish += 1
        wish = self._wish
        async with self._turn:
            if wish != self._wish or self._closed:
                raise asyncio.CancelledError  # a newer wish has come
            await self.end()
            await self._before()
            self._wanted, self._stops = wanted, stops
            self._job = job = self._scope.spawn(work(), name="server")
        await self.finished(job)

    async def finished(self, job: asyncio.Task[None]) -> None:
        """The caller's cancellation is the job's, and is over when that has cleaned up."""
        try:
            await asyncio.shield(job)
        except asyncio.CancelledError:
            if not job.done() and not self._stops:
                self.break_off()
                await asyncio.wait({job})
            raise

    async def end(self) -> None:
        """Break off what runs, and wait until it has cleaned up."""
        job = self.running
        if job is not None:
            self.break_off()
            await asyncio.wait({job})

    def close(self) -> None:
        """Whoever waits for a turn gets none."""
        self._closed = True
        self._wish += 1
