"""What the server of ours is doing, as one frozen value and a table of allowed moves.

The run bar, the timeline and the command line all read this one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

import msgspec

from core.errors import LoupeError
from core.server.finding import Finding, Value
from core.server.spec import LaunchSpec


class ServerPhase(Enum):
    ABSENT = "absent"  # nothing of ours is known of: not looked yet, or no container
    CHECKING = "checking"  # Docker, device, port, room, the model's files
    IMAGE = "image"  # pulled or built
    WEIGHTS = "weights"  # of the model: on disk, whole
    CREATING = "creating"  # container and imports, up to the model's config
    LOADING = "loading"
    COMPILING = "compiling"
    WARMING = "warming"
    ASKING = "asking"  # it answers; what can it show about its tokens
    READY = "ready"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"  # a start that came to nothing
    LOST = "lost"  # it was ready, and is gone or dead


P = ServerPhase
STARTING: Final = (
    P.CHECKING,
    P.IMAGE,
    P.WEIGHTS,
    P.CREATING,
    P.LOADING,
    P.COMPILING,
    P.WARMING,
    P.ASKING,
)  # in this order; steps that are not needed are passed over
_ENDED: Final = frozenset({P.ABSENT, P.STOPPED, P.FAILED, P.LOST})
MOVES: Final[Mapping[ServerPhase, frozenset[ServerPhase]]] = {
    # what another window or the command line has begun is joined in the middle
    **{phase: frozenset({*STARTING, *_ENDED, P.READY, P.STOPPING}) - {phase} for phase in _ENDED},
    **{
        phase: frozenset({*STARTING[at + 1 :], P.READY, P.STOPPING, P.FAILED, P.STOPPED})
        for at, phase in enumerate(STARTING)
    },
    P.READY: frozenset({P.STOPPING, P.LOST, P.STOPPED, *STARTING}),
    P.STOPPING: frozenset({P.STOPPED, P.FAILED, P.CHECKING}),
}


# notes of steps that bring something to this computer
_ONCE: Final = frozenset({"image_pull", "image_again", "image_build", "weights_fetched"})


class StepStatus(Enum):
    TODO = "todo"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Step(msgspec.Struct, frozen=True):
    """One row of the timeline. `phase` is one of STARTING.

    `began`: seconds after the start began, None before. `seconds`: how long it took, or has taken when this
    value was made. `estimate`: seconds, the median of earlier starts, None = none yet. `note`: code of
    resources/findings.toml under `steps.` that says what is done or was found, `params` fill it. `done`,
    `total`: bytes of an image or of the model's files, total 0 = not known; `speed`: bytes a second, 0 = not
    known; `left`: seconds until all of them are here, None = not known.
    """

    phase: ServerPhase
    status: StepStatus = StepStatus.TODO
    began: float | None = None
    seconds: float | None = None
    estimate: float | None = None
    note: str = ""
    params: Mapping[str, Value] = {}
    done: int = 0
    total: int = 0
    speed: float = 0.0
    left: float | None = None


class ServerState(msgspec.Struct, frozen=True):
    """`began`: the clock's time (time.monotonic) when this start began; `ready_at`: the same clock.
    `earlier`: on how many starts the estimates rest. `last_line_at`: the clock's time of the newest log line
    of a start. `ours`: this process began it; else it was joined. `by`: who did, where `ours` is false:
    "hand" for a server that Compose was told to start by hand, else "window" or "cli". `container`: its id,
    "" if there is none. `finding`: when FAILED or LOST, and a warning during a start; `error`: what could not
    be recognised as one.
    """

    phase: ServerPhase = ServerPhase.ABSENT
    spec: LaunchSpec | None = None
    steps: tuple[Step, ...] = ()
    began: float | None = None
    ready_at: float | None = None
    earlier: int = 0
    last_line_at: float | None = None
    ours: bool = True
    by: str = ""
    container: str = ""
    launch: str = ""
    finding: Finding | None = None
    error: LoupeError | None = None

    @property
    def starting(self) -> bool:
        return self.phase in STARTING

    @property
    def alive(self) -> bool:
        """There may be a container that reads the model's files."""
        return self.starting or self.phase in (P.READY, P.STOPPING)

    @property
    def silent_since(self) -> float | None:
        """By the clock: since when the log of a start has had no new line, before the first one at least
        since its step began. None: there is no log yet."""
        step = self.running
        if self.last_line_at is not None or step is None or not self.container:
            return self.last_line_at
        return None if self.began is None or step.began is None else self.began + step.began

    @property
    def running(self) -> Step | None:
        """The step that is being done."""
        return next((step for step in self.steps if step.status is StepStatus.RUNNING), None)

    @property
    def once(self) -> bool:
        """What the running step does is not done again at the next start: it is fetched or built here."""
        return self.running is not None and self.running.note in _ONCE
