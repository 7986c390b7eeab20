"""Follows one container of ours: its log, its events, and whether it still runs."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, suppress

import msgspec

from core.errors import LoupeError
from core.log_lines import LONGEST
from core.server.access import Container, ContainerEvent, Docker, LogPiece
from core.server.findings import KILLED
from core.tasks import TaskScope

log = logging.getLogger(__name__)
Sleep = Callable[[float], Awaitable[None]]
_LOOK_SECONDS = 10.0  # between two looks at a container that says nothing of itself
_AGAIN_SECONDS = 1.0  # before a stream that has broken off is opened again
_REST_SECONDS = 20.0  # at most, for what an ended container has still written
_REMOVED_SECONDS = 3.0  # the same of one that is not there any more: Docker may not give it
_OOM_SECONDS = 2.0  # the mark that the kernel has killed something may come after the end
_SLOW = "docker.slow"
_ENDS = frozenset({"die", "oom", "kill", "stop", "destroy", "pause", "unpause", "restart"})
_HEAD, _TAIL = 2000, 6000  # pieces of the log that are kept for a diagnosis
_PART, _PART_CHARACTERS = 200, 1 << 16  # of a log in one turn of the event loop: a millisecond or two


class Tail:
    """The beginning and the end of a log: a cause may stand in either."""

    def __init__(self) -> None:
        self._head: list[LogPiece] = []
        self._tail: deque[LogPiece] = deque(maxlen=_TAIL)

    def add(self, pieces: tuple[LogPiece, ...]) -> None:
        room = max(0, _HEAD - len(self._head))
        self._head.extend(map(_short, pieces[:room]))
        self._tail.extend(map(_short, pieces[room:]))

    def __iter__(self) -> Iterator[LogPiece]:
        yield from self._head
        yield from self._tail

    def __len__(self) -> int:
        return len(self._head) + len(self._tail)


def _short(piece: LogPiece) -> LogPiece:
    """A line can be a megabyte long: what it begins and ends with says enough."""
    if len(piece.text) <= 2 * LONGEST:
        return piece
    return msgspec.structs.replace(piece, text=f"{piece.text[:LONGEST]}…{piece.text[-LONGEST:]}")


async def in_parts(pieces: Sequence[LogPiece]) -> AsyncIterator[tuple[LogPiece, ...]]:
    """All of them in their order; between two parts whatever else there is to do is done."""
    part: list[LogPiece] = []
    size = 0
    for piece in pieces:
        if part and (len(part) >= _PART or size + len(piece.text) > _PART_CHARACTERS):
            yield tuple(part)
            await asyncio.sleep(0)
            part, size = [], 0
        part.append(piece)
        size += len(piece.text)
    if part:
        yield tuple(part)


class Gone(LoupeError):
    """Docker itself does not answer any more. `cause` is what it said last."""

    code = "docker.stopped"

    def __init__(self, cause: LoupeError) -> None:
        super().__init__(cause.code, detail=cause.detail, **cause.params)
        self.cause = cause


class Watch:
    """`gone` ends when the container does not run any more: with the container as it is then, None if it has
    been removed. It raises Gone when Docker itself has gone. Nothing is emitted after `close`.

    `on_docker`: Docker takes questions and answers none (docker.slow), which says nothing of the container;
    None: it has answered."""

    def __init__(
        self,
        docker: Docker,
        container: Container,
        on_log: Callable[[tuple[LogPiece, ...]], None],
        on_docker: Callable[[LoupeError | None], None] = lambda _: None,
        *,
        sleep: Sleep,
    ) -> None:
        self.container = container
        self.tail = Tail()
        self._docker = docker
        self._on_log = on_log
        self._on_docker = on_docker
        self._sleep = sleep
        self._wake = asyncio.Event()
        self._read = asyncio.Event()  # all that it has written
        self._oom = asyncio.Event()
        self._scope = TaskScope(self._failed)
        self._last = 0.0
        self._catching_up = False
        self._scope.spawn(self._follow_log(), name="container log")
        self._scope.spawn(self._follow_events(), name="container events")
        self.gone = self._scope.spawn(self._until_gone(), name="container")

    @property
    def ended(self) -> bool:
        return self.gone.done()

    @property
    def oom(self) -> bool:
        """The kernel has killed something in it, maybe not the server itself."""
        return self._oom.is_set()

    async def close(self) -> None:
        await self._scope.close()

    @staticmethod
    def _failed(error: BaseException) -> None:
        if not isinstance(error, Gone):
            log.error("watching the container failed", exc_info=error)

    async def _until_gone(self) -> Container | None:
        while True:
            self._wake.clear()
            try:
                container = await self._look()
            except Gone:
                raise
            except LoupeError as error:
                self._on_docker(error)
                await self._wait(self._wake, _LOOK_SECONDS)
                continue
            self._on_docker(None)
            if container is None:
                await self._wait(self._read, _REMOVED_SECONDS)
                return None
            if container.status not in ("running", "paused", "restarting"):
                await self._wait(self._read, _REST_SECONDS)  # what it wrote last is often the reason
                return await self._with_mark(container)
            self.container = container
            await self._wait(self._wake, _LOOK_SECONDS)

    async def _with_mark(self, container: Container) -> Container:
        if container.exit_code != KILLED or container.oom_killed:
            return container
        await self._wait(self._oom, _OOM_SECONDS)
        with suppress(LoupeError):
            return await self._docker.container(container.id) or container
        return container

    async def _look(self) -> Container | None:
        """Asked twice before Docker is taken for gone: one call may fail for reasons of its own. Raises Gone,
        and docker.slow."""
        try:
            return await self._docker.container(self.container.id)
        except LoupeError:
            await self._sleep(_AGAIN_SECONDS)
        try:
            return await self._docker.container(self.container.id)
        except LoupeError as error:
            if error.code == _SLOW:
                raise
            raise Gone(error) from error

    async def _wait(self, event: asyncio.Event, seconds: float) -> None:
        timer = self._scope.spawn(self._nap(seconds), name="container timer")
        happened = self._scope.spawn(event.wait(), name="container event")
        try:
            await asyncio.wait({timer, happened}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            happened.cancel()

    async def _nap(self, seconds: float) -> None:
        await self._sleep(seconds)

    async def _follow_log(self) -> None:
        while True:
            try:
                async with aclosing(self._docker.logs(self.container.id, since=self._last)) as batches:
                    async for batch in batches:
                        async for part in in_parts(batch):
                            self._take(part)
                self._read.set()
            except LoupeError as error:
                log.info("the log of the container broke off: %s", error)
            self._wake.set()
            await self._sleep(_AGAIN_SECONDS)
            self._read.clear()
            self._catching_up = True
            if self.gone.done():
                return

    def _take(self, part: tuple[LogPiece, ...]) -> None:
        """A log that is read again begins with what is known already."""
        if self._catching_up:
            part = tuple(piece for piece in part if piece.time > self._last)
            self._catching_up = not part
        if part:
            self._last = max(piece.time for piece in part)
            self.tail.add(part)
            self._on_log(part)

    async def _follow_events(self) -> None:
        while True:
            try:
                async with aclosing(self._docker.events()) as events:
                    async for event in events:
                        self._heard(event)
            except LoupeError as error:
                log.info("the events of Docker broke off: %s", error)
            self._wake.set()
            await self._sleep(_AGAIN_SECONDS)
            if self.gone.done():
                return

    def _heard(self, event: ContainerEvent) -> None:
        if event.container != self.container.id:
            return
        if event.action == "oom":
            self._oom.set()
        if event.action in _ENDS:
            self._wake.set()
