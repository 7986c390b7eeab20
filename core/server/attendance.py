"""The container that is looked after: attached, watched until it is lost, let go."""

from __future__ import annotations

import asyncio
import logging

from core.errors import LoupeError
from core.observe import Event
from core.server.access import Container, LogPiece
from core.server.course import Course
from core.server.evidence import Evidence
from core.server.following import Following
from core.server.launches import Launch
from core.server.others import Others
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from core.server.tools import Tools, finding_of
from core.server.watch import Tail, in_parts
from core.tasks import TaskScope

log = logging.getLogger(__name__)
P = ServerPhase


class Attendance:
    """At most one container at a time. `held`: this process has started or joined it, so it is this one's to
    stop at the end."""

    def __init__(
        self,
        tools: Tools,
        course: Course,
        others: Others,
        on_log: Event[tuple[LogPiece, ...]],
    ) -> None:
        self.following: Following | None = None
        self.record: Launch | None = None
        self._tools = tools
        self._course = course
        self._others = others
        self._held = False
        self._on_log = on_log
        self._scope = TaskScope(_unexpected)
        self._said = Tail()
        self._kept: list[str] = []
        self._watching: asyncio.Task[None] | None = None

    @property
    def held(self) -> bool:
        return self._held

    @held.setter
    def held(self, on: bool) -> None:
        self._held = on
        self._others.holders.hold("server", on)

    @property
    def ready(self) -> Container | None:
        """The one that is followed, if it is ready."""
        following = self.following
        return following.container if following and self._course.state.phase is P.READY else None

    @property
    def ended(self) -> bool:
        """The one that is followed runs no more."""
        return self.following is not None and self.following.watch.ended

    def attach(
        self,
        container: Container,
        spec: LaunchSpec,
        key: str,
        *,
        known: Evidence | None = None,
        drives: bool = True,
        live: bool = False,
    ) -> Following:
        """As `Following`, which it returns."""
        reader = None if self.record is None else self.record.reader
        self.following = Following(
            self._tools, self._course, container, spec, key, self._take,
            known=known, drives=drives, live=live, reader=reader,
        )  # fmt: skip
        return self.following

    def _take(self, pieces: tuple[LogPiece, ...]) -> None:
        self._on_log.emit(pieces)
        if self.record is not None:
            self.record.add(pieces)

    def say(self, piece: LogPiece) -> None:
        """What Docker says before there is a container is the beginning of its log."""
        self._said.add((piece,))
        self._take((piece,))

    def clear(self) -> None:
        """The log begins anew."""
        self._said, self._kept = Tail(), []

    def lines(self) -> list[str]:
        """What is kept of the log, the oldest first."""
        if self.following is not None:
            self._kept = [piece.text for piece in self.following.watch.tail]
        return [*(piece.text for piece in self._said), *self._kept]

    async def show(self, pieces: tuple[LogPiece, ...]) -> None:
        """Of a container that has ended."""
        self._kept = [piece.text for piece in pieces]
        async for part in in_parts(pieces):
            self._on_log.emit(part)

    def watch(self) -> None:
        """From now on the container's end makes the state LOST, or FAILED where it was still starting."""
        self._watching = self._scope.spawn(self._watch(), name="server watch")

    def watches(self, container: str) -> bool:
        """Its end is told here, as soon as all is known of it."""
        following, watching = self.following, self._watching
        return following is not None and following.container.id == container and _runs(watching)

    async def unwatch(self) -> None:
        watching, self._watching = self._watching, None
        if watching is not None and watching is not asyncio.current_task():
            watching.cancel()
            await asyncio.wait({watching})

    def end_record(self) -> Launch | None:
        """Nothing more of what comes is recorded in it. It, where there was one."""
        record, self.record = self.record, None
        if record is not None:
            record.close()
        return record

    async def let_go(self) -> None:
        """The container goes on as it is; nothing of it is followed any more."""
        await self.unwatch()
        self.lines()  # a report is wanted when all is over
        following, self.following = self.following, None
        self.held = False
        if following is not None:
            await following.close()
        self.end_record()

    async def close(self) -> None:
        await self.let_go()
        await self._scope.close()

    async def _watch(self) -> None:
        following = self.following
        assert following is not None
        if self._course.state.phase is not P.READY:
            try:
                await following.until_ready(asks=False)
            except LoupeError as error:
                await self._gone(P.FAILED, error)
                return
            self._course.forward(P.READY)
        await self._gone(P.LOST, await following.until_lost())

    async def _gone(self, phase: ServerPhase, error: LoupeError) -> None:
        """Unless another process has done it: then what that says of it is the state."""
        if self.following is not None and self._others.ended(self.following.container.id):
            return
        finding = finding_of(error)
        if self.record is not None:
            self.record.end("lost" if phase is P.LOST else "failed", finding, "" if finding else str(error))
            self.record = None
        self._course.end(phase, finding, None if finding is not None else error)


def _runs(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def _unexpected(error: BaseException) -> None:
    log.error("watching the server failed", exc_info=error)
