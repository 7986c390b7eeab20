"""What the start timeline shows, computed from a ServerState: rows in words, bars in seconds, the axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from core.server.state import ServerPhase, ServerState, Step, StepStatus
from desktop.kit.errors_text import joined
from desktop.server import words
from desktop.server.run_words import elapsed, is_late, pace, progress, seconds_left

QUIET: Final = 30.0  # seconds without a log line after which that is said
_TICKS: Final = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
_MOST_TICKS: Final = 5
_LEAST_SPAN: Final = 30.0


@dataclass(frozen=True, slots=True)
class Row:
    """One step. `begin`, `end`: its bar in seconds on the axis, None = no bar yet; `outline`: where the
    estimate ends, None = there is none."""

    phase: ServerPhase
    status: StepStatus
    name: str
    detail: str
    time: str
    begin: float | None = None
    end: float | None = None
    outline: float | None = None
    late: bool = False

    @property
    def sentence(self) -> str:
        """The row for a screen reader."""
        return ", ".join(filter(None, (self.name, status_word(self.status), self.time, self.detail)))


@dataclass(frozen=True, slots=True)
class Axis:
    """`span`: seconds that the width stands for. `ticks`: seconds of the labelled lines."""

    span: float
    ticks: tuple[int, ...]


def status_word(status: StepStatus) -> str:
    return {
        StepStatus.TODO: QCoreApplication.translate("Server", "to come"),
        StepStatus.RUNNING: QCoreApplication.translate("Server", "running"),
        StepStatus.DONE: QCoreApplication.translate("Server", "done"),
        StepStatus.FAILED: QCoreApplication.translate("Server", "failed"),
        StepStatus.SKIPPED: QCoreApplication.translate("Server", "not needed"),
    }[status]


def rows(state: ServerState, now: float) -> tuple[Row, ...]:
    """A row for each step, at most eight; what is to come stands behind what runs, by the estimates."""
    made = []
    at = 0.0
    for step in state.steps:
        row = _row(state, step, now, at)
        made.append(row)
        at = max(at, row.end or 0.0, row.outline or 0.0)
    return tuple(made)


def _row(state: ServerState, step: Step, now: float, at: float) -> Row:
    status, name = step.status, words.step_word(step.phase)
    spent = elapsed(state, step, now)
    detail = words.note(step) or (_about(step.phase) if status is StepStatus.TODO else "")
    begin = at if step.began is None else step.began
    if status is StepStatus.TODO:
        if step.estimate is None:
            return Row(step.phase, status, name, detail, "")
        time = words.about(step.estimate)
        return Row(step.phase, status, name, detail, time, begin, None, begin + step.estimate)
    if status is StepStatus.RUNNING:
        late = is_late(state, now)
        time = words.so_far(spent, step.estimate)
        moved = progress(step), pace(step)
        # why nothing comes is said before how much has come
        rest = (detail, *moved) if step.phase is ServerPhase.WEIGHTS and not step.speed else (*moved, detail)
        detail = " · ".join(filter(None, (_late(late), *rest)))
        outline = None if step.estimate is None else begin + max(spent, step.estimate)
        return Row(step.phase, status, name, detail, time, begin, begin + spent, outline, late)
    if status is StepStatus.SKIPPED:
        return Row(step.phase, status, name, detail or status_word(status), "")
    time = words.span(step.seconds) if step.seconds is not None else ""
    return Row(step.phase, status, name, detail, time, begin, begin + spent)


def _about(phase: ServerPhase) -> str:
    """What a step that is to come will do."""
    return {
        ServerPhase.CHECKING: QCoreApplication.translate("Server", "Docker, device, port, disk space"),
        ServerPhase.IMAGE: QCoreApplication.translate("Server", "The program in its container image"),
        ServerPhase.WEIGHTS: QCoreApplication.translate("Server", "The model's files on this computer"),
        ServerPhase.CREATING: QCoreApplication.translate("Server", "Container, imports, the model's config"),
        ServerPhase.LOADING: QCoreApplication.translate("Server", "The weights into memory"),
        ServerPhase.COMPILING: QCoreApplication.translate("Server", "Kept for the next start"),
        ServerPhase.WARMING: QCoreApplication.translate("Server", "KV cache and a first run"),
        ServerPhase.ASKING: QCoreApplication.translate(
            "Server", "What this server can show about its tokens"
        ),
    }[phase]


def _late(late: bool) -> str:
    return QCoreApplication.translate("Server", "longer than usual") if late else ""


def total(state: ServerState, now: float) -> float:
    """Seconds since the start began; while it does not run, up to where its last step ended."""
    if state.began is not None and (state.starting or not state.steps):
        return max(0.0, now - state.began)
    return max((row.end or 0.0 for row in rows(state, now)), default=0.0)


def axis(made: tuple[Row, ...], spent: float) -> Axis:
    """It holds every bar and grows by steps, so that the bars do not crawl to the left all the time."""
    ends = [end for row in made for end in (row.end, row.outline) if end is not None]
    foreseen = any(row.outline is not None for row in made)
    reach = max([spent if foreseen else spent * 1.15, _LEAST_SPAN / 3 if foreseen else _LEAST_SPAN, *ends])
    tick = next((tick for tick in _TICKS if reach / tick < _MOST_TICKS), None)
    if tick is None:
        tick = _TICKS[-1] * (1 + int(reach / _TICKS[-1] / _MOST_TICKS))
    piece = tick / 3
    whole = piece * -(-reach // piece)
    return Axis(whole, tuple(range(0, int(whole) + 1, tick)))


def headline(model: str, state: ServerState) -> str:
    if state.spec is None:
        return QCoreApplication.translate("Server", "Starting {model}").format(model=model)
    if state.spec.device == "gpu":
        return QCoreApplication.translate("Server", "Starting {model} on the GPU").format(model=model)
    return QCoreApplication.translate("Server", "Starting {model} on the CPU").format(model=model)


def outlook(state: ServerState, now: float) -> str:
    """How long it still takes and how that is known."""
    if not state.earlier:
        return QCoreApplication.translate("Server", "First start, no estimate yet.")
    if is_late(state, now):
        return QCoreApplication.translate("Server", "This step takes longer than usual.")
    rest = seconds_left(state, now)
    if rest is None:
        return ""
    count = state.earlier
    by = QCoreApplication.translate("Server", "going by %n earlier start(s) on this computer", "", count)
    if rest < 99.5:
        words_ = QCoreApplication.translate("Server", "About {n} s left, {by}.")
        return words_.format(n=max(1, round(rest)), by=by)
    return QCoreApplication.translate("Server", "About {n} min left, {by}.").format(n=round(rest / 60), by=by)


def foot(state: ServerState, now: float) -> str:
    """Whether the log moves, and what a cancel would leave."""
    step = state.running
    fetches = step is not None and (step.phase is ServerPhase.IMAGE or step.note in words.FETCHING)
    if fetches and state.last_line_at is None:
        return QCoreApplication.translate("Server", "What is downloaded stays on disk if you cancel.")
    since = state.silent_since
    if since is None or not state.starting:
        return ""
    age = max(0, int(now - since))
    if age >= QUIET:
        said = QCoreApplication.translate("Server", "Nothing new for {n} s.")
        if state.last_line_at is None:
            said = QCoreApplication.translate("Server", "No log line for {n} s.")
        return joined(said.format(n=age), _quiet(step.phase) if step is not None else "")
    if state.last_line_at is None:
        return ""
    last = QCoreApplication.translate("Server", "Last log line {n} s ago.").format(n=age)
    if step is not None and step.phase is ServerPhase.COMPILING:
        return joined(last, QCoreApplication.translate("Server", "Compiling can be quiet for a while."))
    return last


def _quiet(phase: ServerPhase) -> str:
    return {
        ServerPhase.CREATING: QCoreApplication.translate(
            "Server", "Importing vLLM can be slow the first time."
        ),
        ServerPhase.LOADING: QCoreApplication.translate(
            "Server", "This is normal while loading from a slow disk."
        ),
        ServerPhase.COMPILING: QCoreApplication.translate("Server", "This is normal while compiling."),
        ServerPhase.WARMING: QCoreApplication.translate("Server", "This is normal while warming up."),
    }.get(phase, "")
