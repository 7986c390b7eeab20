"""From a container that runs to a server that is ready, and from there to its loss."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec

from core.errors import EngineError, LoupeError
from core.server.access import Container, LogPiece
from core.server.course import Course
from core.server.evidence import Evidence
from core.server.findings import make, of_error
from core.server.phases import PhaseReader
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from core.server.tools import NotStarted, Tools
from core.server.watch import Gone, Watch
from core.tasks import TaskScope

log = logging.getLogger(__name__)
P = ServerPhase
_KNOCK_SECONDS = 0.25
_LATE_SECONDS = 3.0  # that its log may come after its first answer
_HEALTH_SECONDS = 10.0  # each question is a line in its log
_SOON_SECONDS = 1.0
# what it writes when its engine has died: reason enough to ask at once
_DEAD = ("EngineCore encountered a fatal error", "EngineDeadError", "died unexpectedly")
# an engine that is dead takes the server with it within 5 s, and the container's end tells more
_GRACE_SECONDS = 8.0
_CUT = frozenset({"server.unreachable", "server.cut", "server.engine_dead", "server.stalled", "server.slow"})


class Following:
    """One container of ours for as long as it is looked at. `known`: what is known of it beside.

    `drives`: its log moves the phases; else another process says them. `live`: it has just been started, so
    its lines are new. `reader`: of its log, which whoever records it asks too.
    """

    def __init__(
        self,
        tools: Tools,
        course: Course,
        container: Container,
        spec: LaunchSpec,
        key: str,
        on_log: Callable[[tuple[LogPiece, ...]], None],
        *,
        known: Evidence | None = None,
        drives: bool = True,
        live: bool = False,
        reader: PhaseReader | None = None,
    ) -> None:
        self.container = container
        self.spec = spec
        self.key = key
        self.drives = drives
        self._known = known or Evidence(spec=spec)
        self._tools = tools
        self._course = course
        self._on_log = on_log
        self._live = live
        self._reader = reader or PhaseReader()
        self._alarm = asyncio.Event()
        self._scope = TaskScope(self._failed)
        self.watch = Watch(tools.docker, container, self._take, self._hear, sleep=tools.sleep)

    async def close(self) -> None:
        await self._scope.close()
        await self.watch.close()

    @staticmethod
    def _failed(error: BaseException) -> None:
        if not isinstance(error, LoupeError):  # those reach whoever waits
            log.error("following the server failed", exc_info=error)

    # --- its log ---------------------------------------------------------------------------------------

    def _take(self, pieces: tuple[LogPiece, ...]) -> None:
        self._on_log(pieces)
        if any(sign in one.text for one in pieces for sign in _DEAD):
            self._alarm.set()
        if not self._course.state.starting:
            return
        self._course.line()
        if self._reads:
            for piece in pieces:
                self._read(piece)

    def _read(self, piece: LogPiece) -> None:
        course = self._course
        for mark in self._reader.feed(piece.text):
            at = None if self._live else self._tools.clock() - max(0.0, self._tools.wall() - piece.time)
            course.forward(mark.phase, at=at)
            if mark.phase is course.state.phase:
                course.note(mark.note, **mark.params)
                if mark.total:
                    course.amount(mark.done, mark.total)

    def _hear(self, trouble: LoupeError | None) -> None:
        """A server answers for itself, whatever Docker does."""
        state = self._course.state
        if state.phase is P.READY and state.container == self.container.id:
            finding = of_error(trouble) if trouble is not None else None
            if finding != state.finding:
                self._course.update(finding=finding)

    # --- ready -----------------------------------------------------------------------------------------

    async def until_ready(self, *, asks: bool) -> None:
        """Until our model is listed and, with `asks`, the probe has succeeded. The state is ASKING then, or
        what it was. Raises LoupeError, NotStarted among them."""
        await self._unless_gone(self._listed())
        if asks:
            if not self._course.forward(P.ASKING) and self._course.state.phase is P.READY:
                self._course.move(P.ASKING)
            await self._unless_gone(self._tools.ask(self.spec.address, self.spec, self.key))

    async def _is_listed(self) -> bool:
        """Our model is listed, now."""
        answer = await self._tools.knock(self.spec.port, "/v1/models", self.key)
        return answer.lists(self.spec.model) or self._told_up(answer.models)

    def _told_up(self, models: tuple[str, ...]) -> bool:
        """Its log says that it is up: that our model is not among them then is for the probe to say."""
        return bool(models) and self._reader.phase is P.ASKING

    async def _listed(self) -> None:
        while not await self._is_listed():
            await self._tools.sleep(_KNOCK_SECONDS)
        await self._read_up()

    async def _read_up(self) -> None:
        """Its log comes a moment after the open port; steps that it still tells of would seem left out."""
        left = _LATE_SECONDS
        while left > 0 and self._reads and self._reader.phase is not P.ASKING:
            await self._tools.sleep(_KNOCK_SECONDS)
            left -= _KNOCK_SECONDS

    @property
    def _reads(self) -> bool:
        return self.drives and self._course.state.starting

    async def _unless_gone(self, work: Any) -> None:
        task = self._scope.spawn(_awaited(work), name="server start")
        try:
            await asyncio.wait({task, self.watch.gone}, return_when=asyncio.FIRST_COMPLETED)
            if task.done() and not self.watch.ended:
                await self._settled(task)
            if task.done() and (task.exception() is None or not self.watch.ended):
                task.result()
                return
        finally:
            task.cancel()
            await asyncio.wait({task})
        raise await self.failure()

    async def _settled(self, task: asyncio.Task[None]) -> None:
        """An answer that was cut off is most often the end of the container, a moment before it."""
        error = task.exception()
        if isinstance(error, LoupeError) and (_is_cut(error) or self._alarm.is_set()):
            await self._or_gone(self._tools.sleep(_GRACE_SECONDS))

    async def _or_gone(self, work: Any) -> None:
        task = self._scope.spawn(_awaited(work), name="server watch")
        try:
            await asyncio.wait({task, self.watch.gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
            await asyncio.wait({task})

    # --- lost ------------------------------------------------------------------------------------------

    async def until_lost(self) -> LoupeError:
        """Why the server that was ready is not there any more: NotStarted with the finding, or what Docker
        says of itself."""
        said: list[LoupeError] = []
        await self._or_gone(self._unwell(said))
        if not self.watch.ended:
            await self._or_gone(self._tools.sleep(_GRACE_SECONDS))
        return await self.failure(ready=True, said=said[0] if said else None)

    async def _unwell(self, said: list[LoupeError]) -> None:
        """Two bad answers in a row. One that does not come in time is none: a server may be busy."""
        failures = 0
        while failures < 2:
            await self._pause(_SOON_SECONDS if failures or self._alarm.is_set() else _HEALTH_SECONDS)
            answer = await self._tools.knock(self.spec.port, "/health", self.key)
            bad = answer.status == 0 or answer.status >= 500
            failures = failures + 1 if bad else 0
        code = "server.unreachable" if answer.status == 0 else "server.engine_dead"
        said.append(EngineError(code, address=self.spec.address, detail=f"GET /health: {answer.status}"))

    async def _pause(self, seconds: float) -> None:
        """Or until its log gives reason to ask."""
        if self._alarm.is_set():
            await self._tools.sleep(seconds)
            return
        timer = self._scope.spawn(_awaited(self._tools.sleep(seconds)), name="health timer")
        alarm = self._scope.spawn(_awaited(self._alarm.wait()), name="health alarm")
        try:
            await asyncio.wait({timer, alarm}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            alarm.cancel()

    async def failure(self, *, ready: bool = False, said: LoupeError | None = None) -> LoupeError:
        """What the end of the container, or of Docker, means."""
        container: Container | None = self.watch.container
        if self.watch.ended:
            try:
                container = await self.watch.gone
            except Gone as error:
                return error.cause
        evidence = msgspec.structs.replace(
            self._known,
            exit_code=None if container is None else container.exit_code,
            oom_killed=self.watch.oom or (container is not None and container.oom_killed),
            error="\n".join(
                filter(None, ("" if container is None else container.error, said.detail if said else ""))
            ),
            log=tuple(piece.text for piece in self.watch.tail),
            image="" if container is None else container.image,
            gone=container is None,
            limit=self.watch.container.memory,
            ready=ready,
        )
        finding = await self._tools.explain(evidence)
        if said is not None and finding.code == "unknown":  # it has not ended, and wrote no reason
            finding = make("engine_died", {}, finding.line, evidence)
        return NotStarted(finding)


def _is_cut(error: LoupeError) -> bool:
    status = error.params.get("status")
    return error.code in _CUT or (isinstance(status, int) and status >= 500)


async def _awaited(work: Any) -> None:
    await work
