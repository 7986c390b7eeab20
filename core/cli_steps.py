"""How the command line shows a start: one line a step, and of a failure its numbers and what mends it."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TextIO

from core.server.finding import Collision, Finding, Fix
from core.server.finding_words import effect, entry, fill, sentence, title
from core.server.spec import GIB, LaunchSpec
from core.server.state import ServerPhase, ServerState, Step, StepStatus

P = ServerPhase
NAMES: Final[Mapping[ServerPhase, str]] = {
    P.CHECKING: "Check",
    P.IMAGE: "Image",
    P.WEIGHTS: "Weights",
    P.CREATING: "Start vLLM",
    P.LOADING: "Load",
    P.COMPILING: "Compile",
    P.WARMING: "Warm up",
    P.ASKING: "Ask",
}
# what `--set` can change: fields of LaunchSpec that have no option of their own
SETTABLE: Final = ("context", "drafter", "eager", "gpu_share", "kv_bytes", "memory", "speculative", "version")
_BY: Final = {"window": "the window", "cli": "the command line", "hand": "hand"}
_QUIET_SECONDS = 30.0
_EVERY_SECONDS = 5.0


def device_name(spec: LaunchSpec) -> str:
    return "the GPU" if spec.device == "gpu" else "the CPU"


def duration(seconds: float) -> str:
    """9.4 s, 1 min 5 s, 3 h 2 min."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def note(step: Step) -> str:
    text = entry("steps", step.note).get("text", "") if step.note else ""
    return fill(text, step.params) if text else step.note


def step_line(step: Step) -> str:
    taken = "not needed" if step.status is StepStatus.SKIPPED else duration(step.seconds or 0.0)
    said = "failed here" if step.status is StepStatus.FAILED else note(step)
    if step.status is StepStatus.RUNNING:
        said = ", ".join(filter(None, (said, arrived(step))))
    return f"{NAMES[step.phase]:<10} {taken:>10}  {said}".rstrip()


def arrived(step: Step) -> str:
    """0.62 of 1.77 GB, 84.0 MB/s, 14 s left; "" where nothing comes over the network."""
    if step.phase not in (P.IMAGE, P.WEIGHTS) or not step.total:
        return ""
    words = [f"{step.done / 1e9:.2f} of {step.total / 1e9:.2f} GB"]
    words += [f"{step.speed / 1e6:.1f} MB/s"] if step.speed else []
    words += [f"{duration(step.left)} left"] if step.left is not None else []
    return ", ".join(words)


def kept_text(state: ServerState) -> str:
    """What a start that was broken off leaves of a download, as a line; "" = nothing."""
    cut = next((step for step in state.steps if step.phase is P.WEIGHTS and step.done), None)
    if cut is None or cut.status is StepStatus.DONE:
        return ""
    return "tokenloupe: what was downloaded is kept; the same command goes on from there\n"


def step_record(step: Step) -> dict[str, Any]:
    return {
        "type": "step",
        "step": step.phase.value,
        "status": step.status.value,
        "seconds": None if step.seconds is None else round(step.seconds, 3),
        "note": step.note,
        "text": note(step),
        "done": step.done,
        "total": step.total,
    }


class StepLines:
    """Each step when it is over, as `write` is told; on a terminal the one that runs stands below them and
    is drawn anew, elsewhere a download is told every few seconds. Steps that were over at the beginning are
    not told."""

    def __init__(
        self,
        tell: Callable[[Step], None],
        terminal: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = tell
        self._terminal = terminal
        self._clock = clock
        self._told: set[ServerPhase] = set()
        self._launch = ""
        self._said = 0.0

    def __call__(self, state: ServerState) -> None:
        if state.launch != self._launch:
            self._told, self._launch = set(), state.launch
        for step in state.steps:
            over = step.status in (StepStatus.DONE, StepStatus.FAILED)
            if over and step.phase not in self._told:
                self._told.add(step.phase)
                self.clear()
                self._tell(step)
        running = state.running
        if self._terminal is not None and running is not None:
            self._terminal.write(f"\r\x1b[K{self._running(state, running)[:100]}")
            self._terminal.flush()
        elif running is not None and arrived(running) and self._clock() - self._said >= _EVERY_SECONDS:
            self._said = self._clock()
            self._tell(running)

    def clear(self) -> None:
        if self._terminal is not None:
            self._terminal.write("\r\x1b[K")
            self._terminal.flush()

    def _running(self, state: ServerState, step: Step) -> str:
        now = self._clock()
        seconds = max(0.0, now - (state.began or now) - (step.began or 0.0))
        taken = duration(seconds) + (f" of ~{duration(step.estimate)}" if step.estimate else "")
        said = ", ".join(filter(None, (note(step), arrived(step))))
        since = state.silent_since
        if since is not None and now - since >= _QUIET_SECONDS:
            nothing = "no log line" if state.last_line_at is None else "nothing new"
            said = f"{nothing} for {now - since:.0f} s"
        return f"{NAMES[step.phase]:<10} {taken:>10}  {said}".rstrip()


def by_whom(state: ServerState) -> str:
    return _BY.get(state.by, "the command line" if state.ours else "another program")


def record(state: ServerState, up: float | None = None) -> dict[str, Any]:
    """The server as one object for scripts. `up`: for how many seconds it has been ready."""
    spec = state.spec
    return {
        "type": "server",
        "phase": state.phase.value,
        "model": None if spec is None else spec.model,
        "folder": None if spec is None else spec.folder,
        "revision": None if spec is None else spec.revision,
        "device": None if spec is None else spec.device,
        "version": None if spec is None else spec.version,
        "address": None if spec is None else spec.address,
        "up_seconds": None if up is None else round(up, 1),
        "by": state.by or ("cli" if state.ours and spec is not None else ""),
        "launch": state.launch,
        "container": state.container,
        "finding": None if state.finding is None else state.finding.code,
    }


# --- a failure -----------------------------------------------------------------------------------------


def finding_lines(finding: Finding, model: str, asked: Mapping[str, object]) -> list[str]:
    """Sentence, numbers, the server's own line, and what mends it as commands. `asked`: as `command`."""
    lines = [sentence(finding)]
    if finding.collision is not None:
        lines.append(f"  {collision_text(finding.collision)}")
    if finding.line:
        lines += ["  It said:", *(f"    {line}" for line in finding.line.strip().splitlines())]
    fixes = [fix_line(fix, model, asked) for fix in finding.fixes]
    return [*lines, *(f"  → {line}" for line in fixes)]


def finding_record(finding: Finding, model: str, asked: Mapping[str, object]) -> dict[str, Any]:
    collision = finding.collision
    return {
        "type": "error",
        "code": finding.code,
        "message": sentence(finding),
        "detail": finding.line,
        "numbers": None
        if collision is None
        else {
            "what": collision.what,
            "unit": collision.unit,
            "asked": collision.asked,
            "free": collision.free,
            "total": collision.total,
        },
        "fixes": [
            {
                "code": fix.code,
                "title": title(fix),
                "effect": effect(fix),
                "command": command(fix, model, asked),
            }
            for fix in finding.fixes
        ],
    }


def collision_text(collision: Collision) -> str:
    what = entry("amounts", collision.what).get("text", collision.what)
    whole = collision.name or what
    asked, free = (_amount(value, collision.unit) for value in (collision.asked, collision.free))
    if collision.unit == "port":
        return f"{whole}: {asked} is taken"
    total = "" if collision.total is None else f" of {_amount(collision.total, collision.unit)}"
    return f"{whole}: {asked} asked, {free}{total} free"


def _amount(value: float, unit: str) -> str:
    if unit == "bytes":
        return f"{value / GIB:.2f} GiB"
    return f"{value:.0f}" if unit == "port" else f"{value:,.0f} tokens"


def fix_line(fix: Fix, model: str, asked: Mapping[str, object]) -> str:
    run = command(fix, model, asked)
    said = ": ".join(part for part in (title(fix), effect(fix)) if part and part != run)
    return f"{said.rstrip('.')}: {run}" if run else said


def asked(device: str | None, port: int | None, pairs: Sequence[str]) -> dict[str, object]:
    """What `up` was asked for; `pairs`: NAME=VALUE of `--set`."""
    options = {"device": device, "port": port}
    given: dict[str, object] = {name: value for name, value in options.items() if value is not None}
    return given | {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def unusual(spec: LaunchSpec) -> dict[str, object]:
    """What `up` must be asked for to start this one."""
    usual = LaunchSpec(model=spec.model, folder=spec.folder)
    names = ("device", "port", *SETTABLE)
    return {name: getattr(spec, name) for name in names if getattr(spec, name) != getattr(usual, name)}


def command(fix: Fix, model: str, asked: Mapping[str, object]) -> str:
    """What to run for it, or the page to open; "" where it is nothing that can be typed. `asked`: what the
    start was asked for beside the model, which its next try is to keep: device, port, what `--set` takes."""
    words = ["tokenloupe", "up", "--wait", "--model", model]
    if fix.action == "start":
        for name, value in {**asked, **fix.changes}.items():
            words += _option(name, value)
        return shlex.join(words)
    return {
        "check": "tokenloupe doctor",
        "copy": str(fix.params.get("command", "")),
        "open": fix.url,
        "built_in": "tokenloupe ask --model built-in …",
        "server": "tokenloupe ask --url ADDRESS …",
        "models": "tokenloupe models",
    }.get(fix.action, "")


def _option(name: str, value: object) -> list[str]:
    if name in ("device", "port"):
        return [f"--{name}", str(value)]
    shown = "true" if value is True else "false" if value is False else "" if value is None else f"{value}"
    return ["--set", f"{name}={shown}"]


def built_in_progress(step: str, done: int, total: int) -> None:
    """On a terminal: what is being prepared, on one line of stderr that is overwritten."""
    words = {"fetching": "Downloading", "extracting": "Unpacking", "converting": "Converting"}
    share = f" {done * 100 // total} %" if total else ""
    sys.stderr.write(f"\r\x1b[K{words.get(step, 'Checking')} the built-in model{share}")
    sys.stderr.flush()
