"""The run bar's words for each phase of the server, and how long a start still takes: no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from core.server.state import STARTING, ServerPhase, ServerState, Step, StepStatus
from core.tokens import figures
from desktop.server import words

Act = Literal["", "start", "cancel_start", "stop", "retry"]
_OPEN: Final = frozenset({StepStatus.RUNNING, StepStatus.TODO})


@dataclass(frozen=True, slots=True)
class ServerText:
    """`tone`: colour role of the dot, "" = outline. `action`: what the one button does, with its `label`."""

    tone: str
    word: str
    detail: str = ""
    action: Act = ""
    label: str = ""


def not_begun(asked: float) -> ServerState:
    """Of a start that was asked for at this time of the clock: what is to be started is looked at."""
    first, *others = STARTING
    steps = (Step(first, StepStatus.RUNNING, 0.0, 0.0), *map(Step, others))
    return ServerState(first, steps=steps, began=asked)


def elapsed(state: ServerState, step: Step, now: float) -> float:
    """Seconds that a step has taken; `now` by the clock of `state.began`. It ends with the start."""
    if (
        state.starting
        and step.status is StepStatus.RUNNING
        and step.began is not None
        and state.began is not None
    ):
        return max(now - state.began - step.began, step.seconds or 0.0)
    return step.seconds or 0.0


def is_late(state: ServerState, now: float) -> bool:
    """The running step takes longer than it did before. What comes over the network has no before."""
    step = state.running
    if step is None or step.estimate is None or step.left is not None:
        return False
    return elapsed(state, step, now) > step.estimate


def seconds_left(state: ServerState, now: float) -> float | None:
    """Until ready, by earlier starts. None: there are none, or the running step is past its estimate, or has
    none."""
    still = [step for step in state.steps if step.status in _OPEN]
    if not state.starting or not state.earlier or not still or is_late(state, now):
        return None
    running = state.running
    if (running is not None and running.estimate is None) or all(step.estimate is None for step in still):
        return None
    return sum(max(0.0, (step.estimate or 0.0) - elapsed(state, step, now)) for step in still)


def server_text(state: ServerState, now: float) -> ServerText:
    """Dot, word, detail and button; `now` by the clock of `state.began` and `state.ready_at`."""
    phase = state.phase
    if state.starting:
        cancel = QCoreApplication.translate("Server", "Cancel start")
        word = QCoreApplication.translate("Server", "Starting")
        return ServerText("accent", word, _progress(state, now), "cancel_start", cancel)
    start = QCoreApplication.translate("Server", "Start")
    again = QCoreApplication.translate("Server", "Try again")
    if phase is ServerPhase.READY:
        stop = QCoreApplication.translate("Server", "Stop server")
        ready = QCoreApplication.translate("Server", "Ready")
        tone = "ok" if state.finding is None else "warn"
        return ServerText(tone, ready, _ready(state, now), "stop", stop)
    if phase is ServerPhase.STOPPING:
        return ServerText("accent", QCoreApplication.translate("Server", "Stopping"))
    if phase is ServerPhase.FAILED:
        return ServerText(
            "err", QCoreApplication.translate("Server", "Did not start"), cause(state), "retry", again
        )
    if phase is ServerPhase.LOST:
        return ServerText(
            "err", QCoreApplication.translate("Server", "Server gone"), cause(state), "retry", again
        )
    if phase is ServerPhase.STOPPED:
        return ServerText("", QCoreApplication.translate("Server", "Stopped"), "", "start", start)
    return ServerText("", QCoreApplication.translate("Server", "No server"), "", "start", start)


def cause(state: ServerState) -> str:
    """Why it failed or is gone, in a few words."""
    if state.finding is not None:
        return words.finding_text(state.finding).short
    return words.error_text(state.error).short if state.error is not None else ""


def _ready(state: ServerState, now: float) -> str:
    device = words.device_word(state.spec.device) if state.spec is not None else ""
    up = words.up(now - state.ready_at) if state.ready_at is not None else ""
    return " · ".join(filter(None, (device, up, cause(state))))


def _progress(state: ServerState, now: float) -> str:
    """compiling · about 46 s left"""
    rest = seconds_left(state, now)
    if rest is not None:
        after = words.left(rest)
    elif is_late(state, now):
        after = QCoreApplication.translate("Server", "longer than usual")
    else:
        after = ""
    step = state.running
    doing = words.doing_word(state.phase, step.note if step is not None else "")
    if step is None or not step.total or step.left is None:
        return " · ".join(filter(None, (doing, progress(step) if step is not None else "", after)))
    share = f"{min(step.done / step.total, 1.0) * 100:.0f} %"
    return " · ".join((doing, share, after or words.left(step.left)))


def progress(step: Step) -> str:
    """1.20 GB of 3.40 GB of an image or a model; empty while nothing comes over the network."""
    if step.phase not in (ServerPhase.IMAGE, ServerPhase.WEIGHTS) or not (step.done or step.total):
        return ""
    done = figures.size(step.done)
    if not step.total:
        return done
    words_ = QCoreApplication.translate("Server", "{done} of {total}")
    return words_.format(done=done, total=figures.size(step.total))


def pace(step: Step) -> str:
    """84 MB/s"""
    return f"{figures.size(round(step.speed))}/s" if step.speed else ""
