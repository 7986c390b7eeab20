"""Sees what others do with the server: windows, the command line, somebody by hand, a killed program."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import msgspec

from core.errors import DockerError, LoupeError
from core.observe import Event
from core.server.access import Container, ContainerEvent
from core.server.announced import SECONDS, Announced
from core.server.attendance import Attendance
from core.server.course import Course
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.findings import make
from core.server.following import Following
from core.server.found import by_hand, known_spec, launch_of, pick, runs
from core.server.others import Others
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase, ServerState
from core.server.tools import NotStarted, Tools
from core.server.watch import Tail
from core.tasks import TaskScope

log = logging.getLogger(__name__)
P = ServerPhase
_TURN_SECONDS = 0.2
_PAUSES = (1.0, 30.0)  # between two questions whether Docker is back: the first, the longest
_AWAY = frozenset({"docker_stopped", "docker_slow", "docker_starting"})
_LEFT_OVER_SECONDS = 20.0  # at most, for the log of a container that has ended


class Observer:
    """While no job of this process runs, the state is what Docker and the others' file say."""

    def __init__(
        self,
        tools: Tools,
        course: Course,
        attendance: Attendance,
        others: Others,
        log_cleared: Event[None],
        busy: Callable[[], bool],
        break_off: Callable[[], None],
    ) -> None:
        """`busy`: a job of this process runs; `break_off` ends it, because another process has asked to."""
        self._tools = tools
        self._course = course
        self._attendance = attendance
        self._others = others
        self._log_cleared = log_cleared
        self._busy = busy
        self._break_off = break_off
        self._scope = TaskScope(_unexpected)
        self._polling: asyncio.Task[None] | None = None
        self._events: asyncio.Task[None] | None = None
        self._away = False  # Docker did not answer when it was asked last
        self._stirred = False  # a container of ours that is not followed has begun or ended
        self._mirrored = False
        self._looking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self._polling is None:
            self._polling = self._scope.spawn(self._poll(), name="other windows")
            self.hear()

    async def close(self) -> None:
        await self._scope.close()

    # --- once a second ---------------------------------------------------------------------------------

    async def _poll(self) -> None:
        while True:
            await self._tools.sleep(SECONDS)
            self._course.flush()
            try:
                await self._glance()
            except LoupeError as error:
                log.debug("looking for servers: %s", error)

    async def _glance(self) -> None:
        changed = self._others.file.changed()
        if self._busy():
            shared = self._others.read() if changed else None
            if shared is not None and shared.phase is P.STOPPING and self._others.lock.held:
                self._break_off()
        elif changed or (self._mirrored and self._others.idle()):
            await self._run(self._see())
        elif self._stirred:
            self._stirred = False
            await self.find()

    async def _see(self) -> None:
        self._mirrored = False
        shared = self._others.read()
        if shared is None:
            return
        if shared.busy:
            now = self._others.busy()
            if now is not None:
                await self.mirror(now)
                return
            shared = self._others.read()  # it may have come to its end meanwhile
        if shared is None or shared.busy or shared.left or shared.phase is P.READY:
            await self._find()
        else:
            await self._attendance.let_go()
            self._course.mirror(shared)

    async def mirror(self, shared: Announced) -> None:
        """Show what another process is doing, with the container's log where there is one."""
        self._mirrored = True
        attendance, before = self._attendance, self._course.state.launch
        await attendance.unwatch()
        following = attendance.following
        if following is not None and following.container.id != shared.container:
            await attendance.let_go()
        attendance.held = False
        if shared.launch != before:
            self._log_cleared.emit(None)
        self._course.mirror(shared)
        if shared.container and attendance.following is None and shared.spec is not None:
            container = await self._tools.docker.container(shared.container)
            if container is not None and attendance.following is None:
                attendance.attach(container, shared.spec, "", drives=False)

    async def follow(self, now: Announced, spec: LaunchSpec) -> bool:
        """Another process is starting `now`. True: it has started the very server that is wanted, or has left
        its start to itself, False: it has given it up. Raises DockerError("docker.busy") where it starts
        another one, and why it failed."""
        shared: Announced | None = now
        if now.spec != spec:
            await self.mirror(now)
            model = "" if now.spec is None else now.spec.model
            raise DockerError("docker.busy", by=now.by, pid=now.pid, model=model)
        last = None
        while shared is not None:
            if shared != last:
                await self.mirror(shared)
            last = shared
            await self._tools.sleep(_TURN_SECONDS)
            shared = self._others.busy()
        told = self._others.read()
        if told is None or told.launch != self._course.state.launch or told.busy:
            return False
        if told.phase is not P.READY and not told.left:
            self._course.mirror(told)
            if told.finding is not None:
                raise NotStarted(told.finding)
            raise self._course.state.error or DockerError("docker.cancelled")
        return True

    # --- what is there ---------------------------------------------------------------------------------

    async def find(self) -> None:
        """Look at the containers of ours and take what is there for the state. Raises DockerError."""
        await self._run(self._find())

    async def pause(self) -> None:
        """Whoever has a job to do does not want the state changed under it."""
        looking = self._looking
        if looking is not None and not looking.done():
            looking.cancel()
            await asyncio.wait({looking})

    async def _run(self, work: Coroutine[Any, Any, None]) -> None:
        if self._looking is not None and not self._looking.done():
            work.close()
            await asyncio.wait({self._looking})
            return
        self._looking = task = self._scope.spawn(work, name="server look")
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()

    async def _find(self, *, lost: bool = True) -> None:
        """`lost`: a container that has ended is told, too."""
        now = self._others.busy()
        if now is not None:
            await self.mirror(now)
            return
        containers = await self._tools.docker.containers()
        self.hear()
        if self._busy():
            return
        container = pick(containers)
        if container is None:
            await self._found_nothing()
        elif runs(container):
            await self._found_running(container)
        elif lost and not self._attendance.watches(container.id):
            await self._found_ended(container)

    async def _found_nothing(self) -> None:
        shared = self._others.read()
        await self._attendance.let_go()
        if shared is not None and shared.busy:  # its program was killed on the way
            finding = make("interrupted", {"step": shared.phase.value})
            over = msgspec.structs.replace(shared, phase=P.FAILED, finding=finding)
            self._others.settle(over)  # told once
            self._course.mirror(over)
        elif self._course.state.starting or self._course.state.phase in (P.READY, P.STOPPING):
            self._course.end(P.STOPPED)

    async def _found_running(self, container: Container) -> None:
        following = self._attendance.following
        if following is not None and following.container.id == container.id and not following.watch.ended:
            if not following.drives:  # what another process has started, and does so no more
                following.drives = True
                await self._go_on(container)
            return
        await self.take(container)
        self._attendance.watch()

    async def take(self, container: Container) -> Following:
        """Follow it, from the beginning of its log, unless that is done already."""
        following = self._attendance.following
        if following is not None and following.container.id == container.id and not following.watch.ended:
            return following
        await self._attendance.let_go()
        answer = await self._tools.knock(known_spec(container).port, "/v1/models", "")
        spec = known_spec(container, answer.models)
        self._log_cleared.emit(None)
        busy = answer.status == -1 and self._is_told_ready(container)
        self._show_running(container, spec, busy or answer.lists(spec.model))
        return self._attendance.attach(container, spec, "")

    async def go_back(self, container: Container, before: ServerState, *, held: bool) -> None:
        """To a server that a start of this process would have replaced, and has not. `before`, `held`: what
        was known of it then."""
        attendance, launches = self._attendance, self._tools.launches
        self._others.leave()  # whatever they have seen of that start: the server goes on
        if before.phase is P.READY and before.container == container.id and before.spec is not None:
            self._log_cleared.emit(None)
            self._course.restore(before)
            attendance.attach(container, before.spec, "")
            if held and before.ours:
                attendance.record = await asyncio.to_thread(launches.resume, before.launch, before.spec)
        else:
            await self.take(container)
        attendance.held = held
        attendance.watch()

    async def _go_on(self, container: Container) -> None:
        spec = known_spec(container)
        answer = await self._tools.knock(spec.port, "/v1/models", "")
        state = self._course.state
        if answer.lists(spec.model) and state.phase is not P.READY:
            self._place(P.READY, container, spec)
        self._attendance.watch()

    def _show_running(self, container: Container, spec: LaunchSpec, up: bool) -> None:
        if up:
            self._place(P.READY, container, spec)
            return
        now, wall = self._tools.clock(), self._tools.wall()
        self._course.begin(
            P.CREATING,
            spec,
            launch_of(container),
            began=now - max(0.0, wall - container.started) if container.started else now,
            ours=False,
            by=self._by(container),
            container=container.id,
        )

    def _place(
        self, phase: ServerPhase, container: Container, spec: LaunchSpec, finding: Finding | None = None
    ) -> None:
        self._course.place(
            phase,
            ready_at=self._ready_at(container) if phase is P.READY else None,
            spec=spec,
            launch=launch_of(container),
            ours=False,
            by=self._by(container),
            container=container.id,
            finding=finding,
        )

    def _ready_at(self, container: Container) -> float:
        """By the clock: since it was ready, as whoever started it says; else since its container runs."""
        told = self._told(container)
        since = told.ready if told is not None and told.phase is P.READY else container.started
        now = self._tools.clock()
        return now - max(0.0, self._tools.wall() - since) if since else now

    def _told(self, container: Container) -> Announced | None:
        """What whoever started it says of it."""
        shared = self._others.file.read()
        return shared if shared is not None and shared.launch == launch_of(container) else None

    def _is_told_ready(self, container: Container) -> bool:
        told = self._told(container)
        return told is not None and told.phase is P.READY

    def _by(self, container: Container) -> str:
        told = self._told(container)
        if by_hand(container):
            return "hand"
        return told.by if told is not None else "window"

    async def _found_ended(self, container: Container) -> None:
        """It is left as it is: whoever wants to know more finds it there, and one stop removes it."""
        await self._attendance.let_go()
        told = self._told(container)
        ready = told is not None and told.phase in (P.READY, P.LOST)
        spec = known_spec(container)
        tail = Tail()
        try:
            async with asyncio.timeout(_LEFT_OVER_SECONDS):
                async with aclosing(self._tools.docker.logs(container.id)) as batches:
                    async for batch in batches:
                        tail.add(batch)
        except (LoupeError, TimeoutError) as error:
            log.info("the log of a left-over container: %s", error)
        evidence = Evidence(
            spec=spec,
            exit_code=container.exit_code,
            oom_killed=container.oom_killed,
            error=container.error,
            log=tuple(piece.text for piece in tail),
            image=container.image,
            limit=container.memory,
            ready=ready,
        )
        finding = await self._tools.explain(evidence)
        if self._busy():
            return
        self._log_cleared.emit(None)
        await self._attendance.show(tuple(tail))
        if self._busy():
            return
        phase = P.LOST if ready else P.FAILED
        self._place(phase, container, spec, finding)

    # --- Docker's events -------------------------------------------------------------------------------

    def hear(self) -> None:
        """Docker answers, or may: from now on it tells of containers by itself."""
        if self._polling is None:
            return
        if self._events is None or self._events.done() or self._away:
            if self._events is not None:
                self._events.cancel()  # it waits for its next try
            self._events = self._scope.spawn(self._listen(), name="docker events")

    async def _listen(self) -> None:
        """As long as there is a Docker. After a break what has happened meanwhile is told by nobody, so
        everything is looked at anew."""
        pause = _PAUSES[0]
        while True:
            try:
                if self._away:
                    await self._tools.docker.info()
                    self._away, pause = False, _PAUSES[0]
                    await self._is_back()
                async with aclosing(self._tools.docker.events()) as events:
                    async for event in events:
                        self._heard(event)
            except LoupeError as error:
                log.info("Docker tells nothing: %s", error)
                if error.code == "docker.missing":
                    return
            self._away = True
            await self._tools.sleep(pause)
            pause = min(2 * pause, _PAUSES[1])

    def _heard(self, event: ContainerEvent) -> None:
        following = self._attendance.following
        known = following is not None and following.container.id == event.container
        self._stirred = self._stirred or (event.action in ("start", "die") and not known)

    async def _is_back(self) -> None:
        """What is there now counts; that Docker was away is the reason for what ended with it."""
        if self._busy():
            self._stirred = True  # for when that is over
            return
        ended = _is_away(self._course.state)
        await self._run(self._find(lost=not ended))
        state = self._course.state
        if ended and _is_away(state):
            self._course.update(finding=make("docker_back", {}, evidence=Evidence(spec=state.spec)))


def _is_away(state: ServerState) -> bool:
    """That Docker does not answer is why there is no server."""
    gone = state.phase in (P.FAILED, P.LOST) and state.finding is not None
    return gone and state.finding is not None and state.finding.code in _AWAY


def _unexpected(error: BaseException) -> None:
    if not isinstance(error, LoupeError):  # those reach whoever looks
        log.error("watching the other windows failed", exc_info=error)
