"""A server manager that plays a script, for the window: its moves are those of the state table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from core.errors import DockerError
from core.models.room import Room
from core.observe import Event
from core.server.access import LogPiece
from core.server.finding import Finding
from core.server.launcher import Doctor
from core.server.spec import GPU_SHARE, Device, LaunchSpec
from core.server.state import MOVES, STARTING, ServerPhase, ServerState, Step, StepStatus
from core.server.tools import NotStarted

P = ServerPhase
Ask = Callable[[str, LaunchSpec, str], Awaitable[None]]


async def _no_ask(address: str, spec: LaunchSpec, key: str) -> None:
    """Nobody is connected."""


class ScriptedLauncher:
    """`holds[phase]`: the start waits there. `fails[phase]`: it ends there, once. `refuses`: why a server
    that is ready is not replaced, once, after a hold of CHECKING. `found`: what `look` finds.
    `specs`: of every start; `calls`: what was called otherwise. `host_port`: where the server really answers,
    if not at the spec's port. `busy`: another process is starting one. `slow_doctor`: he takes his time."""

    def __init__(self, ask: Ask = _no_ask, found: ServerState | None = None) -> None:
        self._ask, self._found = ask, found
        self.state = ServerState()
        self.state_changed: Event[ServerState] = Event()
        self.log: Event[tuple[LogPiece, ...]] = Event()
        self.log_cleared: Event[None] = Event()
        self.holds: dict[ServerPhase, asyncio.Event] = {}
        self.fails: dict[ServerPhase, Finding] = {}
        self.refuses: Finding | None = None
        self.shared = self.slow_doctor = False
        self.busy: DockerError | None = None
        self.found_doctor = Doctor()
        self.found_room: Room | None = None
        self.specs: list[LaunchSpec] = []
        self.calls: list[str] = []

    # --- the protocol ------------------------------------------------------------------------------------

    async def doctor(self) -> Doctor:
        self.calls.append("doctor")
        for _ in range(20 if self.slow_doctor else 0):
            await asyncio.sleep(0)
        return self.found_doctor

    async def room(self, device: Device, *, version: str = "", share: float = GPU_SHARE) -> Room:
        self.calls.append("room")
        return self.found_room or Room(device=device, why="docker")

    async def look(self) -> ServerState:
        self.calls.append("look")
        if self._found is not None:
            self._set(self._found)
        return self.state

    async def start(self, spec: LaunchSpec, *, key: str = "") -> None:
        self.specs.append(spec)
        if self.busy is not None:
            raise self.busy
        if self.state.phase is P.READY:
            if self.state.spec == spec:
                return
            if self.refuses is not None:
                await self._refuse(spec)
            self.move(P.STOPPING)
        self.log_cleared.emit(None)
        begun = ServerState(P.CHECKING, spec, began=time.monotonic(), launch=f"launch-{len(self.specs)}")
        try:
            await self._go(begun, key)
        except asyncio.CancelledError:
            self.move(P.STOPPING)
            self.move(P.STOPPED, container="")
            raise

    async def join(self) -> None:
        self.calls.append("join")
        if self.state.starting:
            await self._go(self.state, "")
        elif self.state.spec is not None:
            await self._ask(self.state.spec.address, self.state.spec, "")

    async def stop(self) -> None:
        self.calls.append("stop")
        if self.state.phase in (P.ABSENT, P.STOPPED):
            return
        if self.state.phase in (P.READY, *STARTING):
            self.move(P.STOPPING)
        self._set(ServerState(P.STOPPED, self.state.spec), checked=False)

    async def leave(self) -> None:
        self.calls.append("leave")
        if not self.shared:
            await self.stop()

    async def close(self, *, leave: bool = False) -> None:
        self.calls.append("close, leave" if leave else "close")

    def report(self) -> str:
        return "the report"

    # --- the script --------------------------------------------------------------------------------------

    async def _refuse(self, spec: LaunchSpec) -> None:
        before, finding, self.refuses = self.state, self.refuses, None
        assert finding is not None
        self._set(ServerState(P.CHECKING, spec, began=time.monotonic(), launch="refused"))
        try:
            if P.CHECKING in self.holds:
                await self.holds[P.CHECKING].wait()
        finally:
            self._set(before)
        raise NotStarted(finding)

    async def _go(self, begun: ServerState, key: str) -> None:
        spec = begun.spec
        assert spec is not None
        first = STARTING.index(begun.phase)
        for at, phase in enumerate(STARTING[first:], first):
            steps = tuple(
                Step(one, StepStatus.DONE if number < at else StepStatus.RUNNING, 0.1 * number, 0.1)
                if number <= at
                else Step(one)
                for number, one in enumerate(STARTING)
            )
            self._set(msgspec.structs.replace(begun, phase=phase, steps=steps, container="c1"))
            self.say(f"INFO {phase.value}")
            if phase in self.holds:
                await self.holds[phase].wait()
            await asyncio.sleep(0)
            if phase in self.fails:
                finding = self.fails.pop(phase)
                self.move(P.FAILED, finding=finding, container="" if begun.ours else "c1")
                raise NotStarted(finding)
        await self._ask(spec.address, spec, key)
        self.move(P.READY, ready_at=time.monotonic())

    def move(self, phase: ServerPhase, **changes: Any) -> None:
        """To another phase, as Docker or somebody else brings it about."""
        self._set(msgspec.structs.replace(self.state, phase=phase, **changes))

    def say(self, *lines: str) -> None:
        self.log.emit(tuple(LogPiece(time.time(), line) for line in lines))

    def _set(self, state: ServerState, *, checked: bool = True) -> None:
        before = self.state.phase
        assert not checked or state.phase is before or state.phase in MOVES[before], (before, state.phase)
        self.state = state
        self.state_changed.emit(state)


class NoServer:
    """The picker's OwnServer of a program that starts none."""

    alive = False
    model = ""
    device = None

    def __init__(self) -> None:
        self.changed: Event[None] = Event()
        self.gone: Event[None] = Event()

    def devices(self) -> tuple[()]:
        return ()

    def use(self, on: bool) -> None:
        assert not on

    def chosen_anew(self) -> None:
        """Nothing was mended."""

    def want(self, on: bool) -> None:
        assert not on

    async def start(self) -> None:
        raise AssertionError("there is none")

    async def join(self) -> None:
        raise AssertionError("there is none")

    async def stop(self) -> None:
        raise AssertionError("there is none")

    async def cancel(self) -> None:
        raise AssertionError("there is none")

    async def leave(self) -> None:
        """There is nothing to leave."""
