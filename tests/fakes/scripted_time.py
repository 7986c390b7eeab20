"""A clock that tests turn."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable

WALL = 1_800_000_000.0


class Time:
    """Seconds that pass only in `until`. `monotonic`, `wall` and `sleep` are given to what is tested."""

    def __init__(self) -> None:
        self.now = 0.0
        self._numbers = itertools.count()
        self._timers: list[tuple[float, int, asyncio.Future[None]]] = []

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return WALL + self.now

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), future))
        await future

    async def until(self, reached: Callable[[], object], *, within: float = 600.0) -> None:
        """Let what waits go on, and time pass where nothing else happens, until `reached`. Fails after
        `within` of these seconds, or 20 real ones."""
        end, deadline = self.now + within, time.monotonic() + 20
        while not reached():
            await settle()
            if reached():
                return
            assert time.monotonic() < deadline, "nothing happens"
            if self._timers:
                assert self._timers[0][0] <= end, f"not reached within {within} s"
                self._ring()

    async def pass_(self, seconds: float) -> None:
        """So much time goes by."""
        end = self.now + seconds
        await settle()
        while self._timers and self._timers[0][0] <= end:
            self._ring()
            await settle()
        self.now = end

    def _ring(self) -> None:
        at, _, future = heapq.heappop(self._timers)
        self.now = max(self.now, at)
        if not future.done():
            future.set_result(None)


async def settle() -> None:
    for _ in range(30):
        await asyncio.sleep(0)
