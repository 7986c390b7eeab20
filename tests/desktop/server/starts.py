"""States and findings of a start for the tests of the server's widgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.server.finding import Collision, Finding, Fix, Part, Value
from core.server.spec import GIB, LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState, Step, StepStatus

MODEL: Final = "Qwen3.5 0.8B"
SPEC: Final = LaunchSpec(model="Qwen/Qwen3.5-0.8B", folder="/m", device="gpu")
TOOK: Final = (1.0, 2.0, 3.0, 10.0, 8.0, 60.0, 16.0, 4.0)
LINE: Final = "ValueError: Free memory on device cuda:0 (9.84/15.59 GiB) on startup is less than " + "x" * 200


class Clock:
    """A clock that a test moves."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def start(
    at: ServerPhase, *, earlier: int = 0, done: int = 0, total: int = 0, note: str = "", **rest: float
) -> ServerState:
    """A start that has come to this step; it began at 0 of the clock, each step took what TOOK says."""
    here, began, steps = STARTING.index(at), 0.0, []
    for place, (phase, took) in enumerate(zip(STARTING, TOOK, strict=True)):
        estimate = took if earlier else None
        if place < here:
            steps.append(Step(phase, StepStatus.DONE, began, took, estimate))
            began += took
        elif place == here:
            steps.append(Step(phase, StepStatus.RUNNING, began, 0.0, estimate, note, {}, done, total))
        else:
            steps.append(Step(phase, estimate=estimate))
    last = rest.get("last_line_at")
    return ServerState(at, SPEC, tuple(steps), began=0.0, earlier=earlier, last_line_at=last)


def finding(collision: Collision | None = None, params: Mapping[str, Value] | None = None) -> Finding:
    """Too little GPU memory, with three ways out."""
    return Finding(
        "gpu_memory",
        params or {"asked": 14.34, "free": 9.84, "percent": 92},
        line=LINE,
        collision=collision,
        fixes=(
            Fix("share", "start", {"percent": 60, "asked": 9.35, "total": 15.59, "free": 9.84}),
            Fix("free_gpu", "check"),
            Fix("group", "copy", {"command": "sudo usermod -aG docker $USER"}),
        ),
        logged=True,
    )


MEMORY: Final = Collision(
    "gpu", "bytes", 14.34 * GIB, 9.84 * GIB, 15.59 * GIB, "RTX 4080", (Part("python3", 4.7 * GIB),)
)
