"""The state of the one server and its timeline: the only place that moves it from one phase to the next."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from core.errors import LoupeError
from core.observe import Event
from core.server.announced import Announced
from core.server.finding import Finding, Value
from core.server.spec import LaunchSpec
from core.server.state import MOVES, STARTING, ServerPhase, ServerState, Step, StepStatus

log = logging.getLogger(__name__)
_PAUSE = 0.2  # seconds between two values that differ in amounts only


class Course:
    """`changed` carries every move; amounts and the time of the newest line at most five times a second, the
    last of them with `flush`."""

    def __init__(self, clock: Callable[[], float], wall: Callable[[], float]) -> None:
        self._clock = clock
        self._wall = wall
        self._told_at = 0.0
        self._told = ServerState()
        self.state = ServerState()
        self.changed: Event[ServerState] = Event()

    def begin(
        self,
        phase: ServerPhase,
        spec: LaunchSpec,
        launch: str,
        *,
        began: float | None = None,
        estimates: Mapping[ServerPhase, float] | None = None,
        **more: Any,
    ) -> None:
        """A new timeline, whose first step is `phase`. `began`: the clock's time, None = now."""
        known = estimates or {}
        if phase not in MOVES[self.state.phase]:
            self.end(ServerPhase.STOPPED)
        steps = tuple(Step(step, estimate=known.get(step)) for step in STARTING)
        began = self._clock() if began is None else began
        fresh = ServerState(
            self.state.phase, spec=spec, launch=launch, steps=steps, began=began, last_line_at=None
        )
        self.state = msgspec.structs.replace(fresh, **more)
        self.move(phase)

    def move(self, phase: ServerPhase, *, at: float | None = None, **changes: Any) -> None:
        """Raises ValueError for a move that the table has not. `at`: the clock's time of it, None = now."""
        before = self.state
        if phase not in MOVES[before.phase]:
            raise ValueError(f"a server cannot go from {before.phase.value} to {phase.value}")
        steps = _steps(before, phase, self._since(at))
        if phase is ServerPhase.READY and before.ready_at is None:  # else it is only asked again
            changes = {"ready_at": self._clock() if at is None else at, **changes}
        self.state = msgspec.structs.replace(before, phase=phase, steps=steps, **changes)
        log.info("server: %s → %s", before.phase.value, phase.value)
        self._tell()

    def forward(self, phase: ServerPhase, *, at: float | None = None) -> bool:
        """Move where that is a step ahead in a start, else leave it. True: moved."""
        ahead = self.state.starting and phase in MOVES[self.state.phase]
        if ahead:
            self.move(phase, at=at)
        return ahead

    def end(
        self,
        phase: ServerPhase,
        finding: Finding | None = None,
        error: LoupeError | None = None,
        **changes: Any,
    ) -> None:
        """STOPPED, FAILED or LOST, from wherever it is; nothing is told twice."""
        same = phase is self.state.phase
        if not same and phase not in MOVES[self.state.phase]:
            self.state = msgspec.structs.replace(self.state, phase=ServerPhase.STOPPED)
        if same:
            self.update(finding=finding, error=error, **changes)
        else:
            self.move(phase, finding=finding, error=error, **changes)

    def note(self, code: str, **params: Value) -> None:
        """What is done or was found in the step that runs."""
        self._step(note=code, params=params)
        self._tell()

    def amount(self, done: int, total: int) -> None:
        self._step(done=done, total=total)
        self._tell(soon=True)

    def arrived(self, done: int, total: int, speed: float = 0.0, left: float | None = None) -> None:
        """Bytes that come over the network, bytes a second, seconds: how long earlier starts took, which may
        have had all of it, says nothing."""
        running = self.state.running
        spent = self._since(None) - (0.0 if running is None else running.began or 0.0)
        estimate = None if left is None else spent + left
        self._step(done=done, total=total, speed=speed, left=left, estimate=estimate)
        self._tell(soon=True)

    def line(self) -> None:
        """A log line has come."""
        self.state = msgspec.structs.replace(self.state, last_line_at=self._clock())
        self._tell(soon=True)

    def flush(self) -> None:
        """Tell what was kept back."""
        if self.state != self._told:
            self._tell()

    def update(self, **changes: Any) -> None:
        state = msgspec.structs.replace(self.state, **changes)
        if state != self.state:
            self.state = state
            self._tell()

    def place(self, phase: ServerPhase, **values: Any) -> None:
        """What was found as it is, without a way to it."""
        self.state = ServerState(phase, **values)
        log.info("server: found %s", phase.value)
        self._tell()

    def restore(self, before: ServerState) -> None:
        """What was left for a start that came to nothing is as it was."""
        self.state = before
        log.info("server: %s, as before", before.phase.value)
        self._tell()

    def mirror(self, shared: Announced) -> None:
        """What another process does, as it says."""
        now, wall = self._clock(), self._wall()
        ready = shared.phase is ServerPhase.READY
        self.state = ServerState(
            phase=shared.phase,
            spec=shared.spec,
            steps=shared.steps,
            began=now - max(0.0, wall - shared.begin),
            ready_at=now - max(0.0, wall - shared.ready) if ready else None,
            earlier=shared.earlier,
            last_line_at=self.state.last_line_at if self.state.launch == shared.launch else None,
            ours=False,
            by=shared.by,
            container=shared.container,
            launch=shared.launch,
            finding=shared.finding,
            error=None if shared.error is None else shared.error.error(),
        )
        log.info("server: %s, by another %s", shared.phase.value, shared.by)
        self._tell()

    def _since(self, at: float | None) -> float:
        """Seconds after the start began, never before its last step."""
        running = self.state.running
        now = (self._clock() if at is None else at) - (self.state.began or 0.0)
        return max(now, 0.0 if running is None else running.began or 0.0)

    def _step(self, **changes: Any) -> None:
        running = self.state.running
        if running is None:
            return
        seconds = self._since(None) - (running.began or 0.0)
        changed = msgspec.structs.replace(running, seconds=seconds, **changes)
        steps = tuple(changed if step is running else step for step in self.state.steps)
        self.state = msgspec.structs.replace(self.state, steps=steps)

    def _tell(self, *, soon: bool = False) -> None:
        now = self._clock()
        if soon and 0 <= now - self._told_at < _PAUSE:
            return
        self._told_at, self._told = now, self.state
        self.changed.emit(self.state)


def _steps(state: ServerState, phase: ServerPhase, now: float) -> tuple[Step, ...]:
    """The timeline after a move: what ran is done or has failed, what was passed over is skipped."""
    if phase is ServerPhase.STOPPING:
        return state.steps  # what was cut off keeps its mark
    going_on = phase in STARTING or phase is ServerPhase.READY
    target = STARTING.index(phase) if phase in STARTING else len(STARTING)
    if not state.starting and phase is not ServerPhase.READY and phase not in STARTING:
        return state.steps
    steps = []
    for at, step in enumerate(state.steps):
        change: dict[str, Any] = {}
        if step.status is StepStatus.RUNNING:
            status = StepStatus.DONE if going_on else StepStatus.FAILED
            change = {"status": status, "seconds": now - (step.began or 0.0)}
        elif going_on and at < target and step.status is StepStatus.TODO:
            change = {"status": StepStatus.SKIPPED}
        elif going_on and at == target:
            change = {"status": StepStatus.RUNNING, "began": now, "seconds": 0.0}
        steps.append(msgspec.structs.replace(step, **change))
    return tuple(steps)
