"""The one server of ours: started, joined, watched, switched and stopped, whoever began it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from core.errors import DockerError, LoupeError
from core.models.ledger import Permit
from core.models.room import Room
from core.observe import Event
from core.paths import Paths
from core.server.access import Docker, LogPiece
from core.server.attendance import Attendance
from core.server.course import Course
from core.server.doctor import examine
from core.server.found import pick, runs
from core.server.jobs import Jobs
from core.server.key_mark import has_key, is_behind
from core.server.knock import Knock, knock
from core.server.launcher import Doctor
from core.server.launches import Launches
from core.server.observing import Observer
from core.server.others import Others
from core.server.removal import GRACE, clean, kill
from core.server.reporting import report
from core.server.room import room_for
from core.server.source import Source
from core.server.spec import GPU_SHARE, PORT, Device, LaunchSpec
from core.server.start_check import check_start
from core.server.starting import Start
from core.server.state import ServerPhase, ServerState
from core.server.tools import Ask, Check, Sleep, Tools, finding_of, known
from core.tasks import TaskScope

log = logging.getLogger(__name__)
P = ServerPhase
# ceilings: a busy machine takes several times what an idle one does
CLOSE_SECONDS = 10.0  # and then what runs is killed
KILL_SECONDS = 5.0
_STOP_SECONDS = 20.0  # that another process has to let go of what it starts
_WAIT_SECONDS = 60.0  # for one that holds the lock and does not say what it does, or stops
_TURN_SECONDS = 0.2
_QUICK = 1  # seconds a server has to end by itself when the program ends, too
Work = Callable[[], Coroutine[Any, Any, None]]
T = TypeVar("T")


class ServerController:
    """Implements `core.server.launcher.Launcher`.

    A start that finds its very server running joins it. Cancelling `join` lets go of the server and leaves
    it as it was.
    """

    def __init__(
        self,
        docker: Docker,
        paths: Paths,
        ask: Ask,
        *,
        by: str = "window",
        check: Check | None = None,
        source: Source | None = None,
        permit: Permit | None = None,
        wanted: Callable[[], tuple[int, str]] = lambda: (PORT, ""),
        knock: Knock = knock,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`ask`: connects, raises LoupeError. `by`: "window" or "cli". `check`: in place of the look before a
        start. `source`: of models not on disk. `permit`: to pull. `wanted`: port, version of the doctor."""
        self.state_changed: Event[ServerState] = Event()
        self.log: Event[tuple[LogPiece, ...]] = Event()
        self.log_cleared: Event[None] = Event()
        self._tools = tools = Tools(
            docker, ask, check or partial(check_start, docker), paths.models,
            Launches(paths.data / "launches", clock=wall), knock, sleep, clock, wall, source,
            permit or Permit(),
        )  # fmt: skip
        self._wanted_here = wanted
        self._others = others = Others(paths, by)
        self._course = Course(tools.clock, tools.wall)
        self.state = self._course.state
        self._scope = TaskScope(_unexpected)
        self._attendance = Attendance(tools, self._course, others, self.log)
        self._observer = Observer(
            tools, self._course, self._attendance, others, self.log_cleared, self._is_busy, self._break_off
        )
        self._jobs = Jobs(self._scope, self._observer.pause)
        self._start_now: Start | None = None
        self._leaving = False
        self._closed = False
        self._key = ""
        self._course.changed.connect(self._moved)
        self.log_cleared.connect(lambda _: self._attendance.clear())

    def _moved(self, state: ServerState) -> None:
        before, self.state = self.state, state
        record = self._attendance.record
        if record is not None and state.starting and state.phase is not before.phase:
            record.phase(state.phase, once=before.once)
        ago = 0.0 if state.began is None else self._tools.clock() - state.began
        self._others.tell(state, self._tools.wall() - ago)
        self.state_changed.emit(state)

    # --- what is there ---------------------------------------------------------------------------------

    async def doctor(self) -> Doctor:
        port, version = self._wanted_here()
        tools = self._tools
        found = await examine(tools.docker, models=tools.models, port=port, version=version)
        if found.info is not None and not self._closed:
            self._observer.hear()
        return found

    async def room(self, device: Device, *, version: str = "", share: float = GPU_SHARE) -> Room:
        tools = self._tools
        return await room_for(tools.docker, tools.models, device, version=version, share=share)

    async def look(self) -> ServerState:
        """Raises nothing: where Docker cannot be asked, nothing is found."""
        self._observer.begin()
        if not self._is_busy():
            try:
                await self._observer.find()
            except LoupeError as error:
                log.info("no server is looked for: %s", error)
        return self.state

    def report(self) -> str:
        record = self._tools.launches.read(self.state.launch)
        return report(self.state, record, self._attendance.lines())

    # --- jobs ------------------------------------------------------------------------------------------

    def _is_busy(self) -> bool:
        return self._jobs.running is not None

    def _break_off(self) -> None:
        self._jobs.break_off()

    async def _do(self, work: Work, wanted: LaunchSpec | None = None, *, stops: bool = False) -> None:
        self._observer.begin()
        await self._jobs.do(work, wanted, stops=stops)

    async def _holding(self, work: Work) -> None:
        """Whoever starts or joins a server holds it from then on: another's end does not take it away."""
        holders = self._others.holders
        holders.hold("job", True)
        try:
            await work()
        finally:
            holders.hold("job", False)

    async def _apart(self, work: Coroutine[Any, Any, T]) -> T:
        """In a task of its own: what is done inside a cancelled one cannot be limited in time."""
        try:
            task = self._scope.spawn(work, name="server clean-up")
        except RuntimeError:
            raise asyncio.CancelledError from None  # the program is over
        await asyncio.wait({task})
        return task.result()

    # --- start -----------------------------------------------------------------------------------------

    async def start(self, spec: LaunchSpec, *, key: str = "") -> None:
        ready = self._attendance.ready
        same = ready is not None and self.state.spec == spec and await has_key(ready, key)
        job = self._jobs.at(spec) if key == self._key else None
        if job is not None:
            await self._jobs.finished(job)
            return
        self._key = key
        if same and self._attendance.ready is ready and not self._is_busy():
            if not self._attendance.held:
                await self.join()
            return
        await self._do(lambda: self._holding(lambda: self._start(spec)), spec)

    async def _start(self, spec: LaunchSpec) -> None:
        since, docker = self._tools.clock(), self._tools.docker  # nobody has said anything since
        while not self._others.lock.take():
            shared = self._others.busy()
            if shared is not None and shared.starting:
                if await self._observer.follow(shared, spec) and await is_behind(docker, self._key):
                    await self._join()
                    return
                since = self._tools.clock()
            elif self._tools.clock() - since > _WAIT_SECONDS:
                pid = self._others.lock.owner() or 0
                raise DockerError("docker.busy", by="program", pid=pid, model="?")
            else:
                await self._tools.sleep(_TURN_SECONDS)  # it has just begun, or will soon have ended
        try:
            await self._start_alone(spec)
        finally:
            self._others.lock.free()

    async def _start_alone(self, spec: LaunchSpec) -> None:
        attendance, course, launches = self._attendance, self._course, self._tools.launches
        await asyncio.to_thread(launches.prune)
        seconds, earlier = await asyncio.to_thread(launches.estimates, spec)
        record = launches.begin(spec, by=self._others.by)
        replaced = attendance.end_record()  # nothing of this start belongs into it
        start = self._start_now = Start(
            self._tools, course, spec, record, self._key, running=attendance.ready, held=attendance.held,
            replaces=replaced, removed=self._others.removed.update, said=attendance.say,
        )  # fmt: skip
        course.begin(P.CHECKING, spec, record.id, estimates=seconds, earlier=earlier, ours=True, by="")
        try:
            await attendance.let_go()
            attendance.record = record
            record.phase(P.CHECKING)
            self.log_cleared.emit(None)
            container = await start.ground()
            if container is None:
                container = await start.run()
            following = attendance.attach(
                container, start.spec, self._key, known=start.evidence(), live=not start.shared
            )
            await following.until_ready(asks=True)
        except asyncio.CancelledError:
            await self._give_up(P.STOPPED, start)
            raise
        except Exception as error:
            told = known(error)
            await self._give_up(P.FAILED, start, told)
            raise told from None if told is error else error
        record.phase(P.READY)
        self._ready()

    def _ready(self) -> None:
        self._course.move(P.READY, finding=None)  # a warning is about the start
        self._attendance.held = True
        self._attendance.watch()

    async def _give_up(self, phase: ServerPhase, start: Start, error: LoupeError | None = None) -> None:
        """Nothing of a start that came to nothing stays, but its record, and what it would have replaced."""
        if self._leaving and self._attendance.following is not None:
            self._others.leave()
            return
        tools, ended = self._tools, self._attendance.ended
        finding = None if error is None else finding_of(error)
        record = self._attendance.record
        if record is not None:
            result = "stopped" if phase is P.STOPPED else "failed"
            record.end(result, finding, "" if error is None or finding is not None else str(error))
        if start.kept is not None:
            await self._attendance.let_go()
            await self._observer.go_back(start.kept, start.before, held=start.held)
            return
        if phase is P.STOPPED:
            self._course.move(P.STOPPING)
        await self._attendance.let_go()
        if not start.shared or ended:
            try:
                removed = self._others.removed
                await self._apart(clean(tools.docker, tools.sleep, settle=start.created, gone=removed))
            except LoupeError as trouble:
                log.warning("what the start left cannot be removed: %s", trouble)
                if error is None:  # else why it failed says more
                    phase, error, finding = P.FAILED, trouble, finding_of(trouble)
        self._course.end(phase, finding, error if finding is None else None, container="")

    # --- join ------------------------------------------------------------------------------------------

    async def join(self) -> None:
        await self._do(lambda: self._holding(self._join_any), self.state.spec)

    async def _join_any(self) -> None:
        shared = self._others.busy()
        spec = shared.spec if shared is not None and shared.starting else None
        if shared is not None and spec is not None:
            await self._observer.follow(shared, spec)
        await self._join()

    async def _join(self) -> None:
        attendance = self._attendance
        container = pick(await self._tools.docker.containers())
        if container is None or not runs(container):
            raise DockerError("docker.nothing")
        following = await self._observer.take(container)
        await attendance.unwatch()
        following.drives = True
        following.key = self._key
        try:
            await following.until_ready(asks=True)
        except asyncio.CancelledError:
            attendance.watch()
            raise
        except Exception as error:
            told = known(error)
            finding, ended = finding_of(told), attendance.ended
            await attendance.let_go()
            attendance.held = ended  # what is left of it ends with this program
            self._course.end(P.FAILED, finding, None if finding else told)
            raise told from None if told is error else error
        self._ready()

    # --- stop ------------------------------------------------------------------------------------------

    async def stop(self) -> None:
        await self._do(self._stop, stops=True)

    async def _stop(self) -> None:
        waited = 0.0
        while not self._others.lock.take():
            shared = self._others.busy()
            if shared is not None and shared.phase is not P.STOPPING:
                self._others.ask_to_stop(shared)
            if waited >= _STOP_SECONDS:
                break  # it does not let go: what it has made is removed all the same
            waited += _TURN_SECONDS
            await self._tools.sleep(_TURN_SECONDS)
        try:
            await self._stop_alone()
        finally:
            self._others.lock.free()

    async def _stop_alone(self, *, grace: int = GRACE) -> None:
        course, attendance = self._course, self._attendance
        await attendance.unwatch()
        shared = self._others.file.read()
        if not course.state.launch and shared is not None:  # so that others can say what is stopped
            course.update(spec=shared.spec, launch=shared.launch)
        course.update(ours=True, by="")
        if course.state.phase is not P.STOPPING:
            course.move(P.STOPPING)
        try:
            await clean(self._tools.docker, self._tools.sleep, grace=grace, gone=self._others.removed)
        except Exception as error:
            told = known(error)
            left = self.state.container if self.state.container not in self._others.removed else ""
            course.end(P.FAILED, finding_of(told), told, container=left)
            raise told from None if told is error else error
        if attendance.record is not None:
            attendance.record.end("stopped")
            attendance.record = None
        await attendance.let_go()
        course.end(P.STOPPED, container="")

    # --- the end ---------------------------------------------------------------------------------------

    @property
    def shared(self) -> bool:
        return self._others.holders.others()

    async def leave(self) -> None:
        self._attendance.held = False
        if not self.shared:
            await self.stop()

    async def close(self, *, leave: bool = False) -> None:
        if self._closed:
            return
        self._closed = True
        self._others.holders.close()  # before the look at the others: of two at once one is the last
        self._leaving = leave = leave or self.shared
        self._jobs.close()
        held, launch = self._held(), self.state.launch if self._is_busy() and self.state.ours else ""
        end = self._scope.spawn(self._end(leave), name="server end")
        await asyncio.wait({end}, timeout=CLOSE_SECONDS)
        killed: set[str] = set()
        if not end.done() and not leave:
            end.cancel()
            docker, jobs = self._tools.docker, self._jobs
            killed = await kill(docker, held, launch, lambda: jobs.running, KILL_SECONDS)
        for part in (self._observer, self._attendance, self._scope):
            await part.close()
        if killed and killed >= held:
            self._others.removed |= killed
            self._course.end(P.STOPPED, container="")
        self._others.lock.free()

    def _held(self) -> set[str]:
        """The containers that end with this program."""
        start = self._start_now
        kept = start.kept.id if self._is_busy() and start and start.kept and start.held else ""
        now = self.state.container if self._is_busy() or self._attendance.held else ""
        return {kept, now} - {""}

    async def _end(self, leave: bool) -> None:
        held = self._attendance.held
        await self._jobs.end()
        held = held or self._attendance.held
        if held and not leave and self.state.phase is not P.STOPPED:
            with suppress(LoupeError):
                await self._stop_alone(grace=_QUICK)


def _unexpected(error: BaseException) -> None:
    if not isinstance(error, LoupeError):  # those reach whoever waits, and the state tells them
        log.error("a job of the server failed", exc_info=error)
