"""The window's words of the server: findings, fixes, checks and steps in the present language, and how
durations and amounts are written beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from core import sentences
from core.errors import LoupeError
from core.server import finding_words
from core.server.access import Check
from core.server.finding import Collision, Finding, Fix, Value
from core.server.finding_words import Table
from core.server.spec import GIB, Device
from core.server.state import ServerPhase, Step
from core.tokens import figures
from desktop.kit.elided import plain_tip
from desktop.kit.errors_text import describe, joined

CONTEXT: Final = "Findings"
_ENDS: Final = ".。"
# notes of a step in which a model comes from the hub
FETCHING: Final = frozenset(
    {"weights_queued", "weights_fetch", "weights_again", "weights_follow", "weights_paused"}
)


@dataclass(frozen=True, slots=True)
class FindingText:
    """`what` failed, `why`; `short`: what, for the run bar."""

    what: str
    why: str
    short: str


@dataclass(frozen=True, slots=True)
class FixText:
    """`title`: what to do, `effect`: what that changes, `button`: the verb."""

    title: str
    effect: str
    button: str


def _said(table: Table, code: str, part: str, params: Mapping[str, Value]) -> str:
    english = finding_words.entry(table, code).get(part, "")
    return finding_words.fill(QCoreApplication.translate(CONTEXT, english), params) if english else ""


def finding_text(finding: Finding) -> FindingText:
    """The finding in the present language."""
    what = _said("finding", finding.code, "what", finding.params)
    return FindingText(what, _said("finding", finding.code, "why", finding.params), what.rstrip(_ENDS))


def error_text(error: LoupeError) -> FindingText:
    """An error that no finding explains, in the same form."""
    words = describe(error)
    return FindingText(words.what, joined(words.why, words.next), words.what.rstrip(_ENDS))


def fix_text(fix: Fix) -> FixText:
    return FixText(*(_said("fix", fix.code, part, fix.params) for part in ("title", "effect", "button")))


def note(step: Step) -> str:
    """What is done in a step, or was found there."""
    return _said("steps", step.note, "text", step.params) if step.note else ""


def check_text(check: Check) -> str:
    return _said("checks", check.note, "text", check.params) if check.note else ""


def amount_name(collision: Collision) -> str:
    """What it is whose numbers collide: by its own name, else by its kind; a device's number has both."""
    kind = _said("amounts", collision.what, "text", {})
    if collision.name.startswith("cuda"):
        return f"{kind} {collision.name}"
    return collision.name or kind


def part_name(name: str) -> str:
    """A piece of what is taken: foreign text, or a code of ours."""
    return _said("amounts", name, "text", {}) or name


def check_name(code: str) -> str:
    """What a line of the doctor is about."""
    return {
        "docker": "Docker",
        "compose": "Compose",
        "engine": QCoreApplication.translate("Server", "Docker Engine"),
        "gpu": "GPU",
        "gpu_memory": QCoreApplication.translate("Server", "GPU memory"),
        "memory": QCoreApplication.translate("Server", "Memory"),
        "disk": QCoreApplication.translate("Server", "Disk"),
        "port": QCoreApplication.translate("Server", "Port"),
        "architecture": QCoreApplication.translate("Server", "Architecture"),
        "processor": QCoreApplication.translate("Server", "Processor"),
        "security": QCoreApplication.translate("Server", "Security"),
        "sharing": QCoreApplication.translate("Server", "File sharing"),
    }.get(code, code)


def severity_word(severity: str) -> str:
    """What the sign before a line of the doctor says."""
    return {
        "ok": QCoreApplication.translate("Server", "In order"),
        "warn": QCoreApplication.translate("Server", "Warning"),
        "err": QCoreApplication.translate("Server", "Missing or broken"),
        "unknown": QCoreApplication.translate("Server", "Not known"),
    }[severity]


def device_word(device: Device) -> str:
    return "GPU" if device == "gpu" else "CPU"


def step_word(phase: ServerPhase) -> str:
    """The name of a row of the timeline."""
    return {
        ServerPhase.CHECKING: QCoreApplication.translate("Server", "Check"),
        ServerPhase.IMAGE: QCoreApplication.translate("Server", "Image"),
        ServerPhase.WEIGHTS: QCoreApplication.translate("Server", "Weights"),
        ServerPhase.CREATING: QCoreApplication.translate("Server", "Start vLLM"),
        ServerPhase.LOADING: QCoreApplication.translate("Server", "Load"),
        ServerPhase.COMPILING: QCoreApplication.translate("Server", "Compile"),
        ServerPhase.WARMING: QCoreApplication.translate("Server", "Warm up"),
        ServerPhase.ASKING: QCoreApplication.translate("Server", "Ask"),
    }[phase]


def doing_word(phase: ServerPhase, note: str = "") -> str:
    """What is being done, in the run bar. `note`: of the step."""
    if note in FETCHING:
        return QCoreApplication.translate("Server", "downloading the model")
    return {
        ServerPhase.CHECKING: QCoreApplication.translate("Server", "checking"),
        ServerPhase.IMAGE: QCoreApplication.translate("Server", "getting the image"),
        ServerPhase.WEIGHTS: QCoreApplication.translate("Server", "checking the weights"),
        ServerPhase.CREATING: QCoreApplication.translate("Server", "starting vLLM"),
        ServerPhase.LOADING: QCoreApplication.translate("Server", "loading"),
        ServerPhase.COMPILING: QCoreApplication.translate("Server", "compiling"),
        ServerPhase.WARMING: QCoreApplication.translate("Server", "warming up"),
        ServerPhase.ASKING: QCoreApplication.translate("Server", "asking what it can show"),
    }[phase]


def clock(seconds: float) -> str:
    """A time of day's form: 1:05, 1:02:03."""
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def span(seconds: float) -> str:
    """How long something took or takes: 0.6 s, 41 s, 2:05."""
    if seconds >= 99.5:
        return clock(seconds)
    if seconds < 19.95:
        return _seconds(f"{max(seconds, 0.0):.1f}")
    return _seconds(f"{seconds:.0f}")


def about(seconds: float) -> str:
    """An estimate: ~16 s, ~2:05; never more exact than it is."""
    return "~" + (clock(seconds) if seconds >= 99.5 else _seconds(f"{max(seconds, 1.0):.0f}"))


def so_far(seconds: float, estimate: float | None) -> str:
    """How long a running step has taken, of what it is expected to take: 41 of ~68 s."""
    if estimate is None:
        return clock(seconds) if seconds >= 99.5 else _seconds(f"{int(seconds)}")
    words = QCoreApplication.translate("Server", "{now} of {all}")
    if max(seconds, estimate) >= 99.5:
        return words.format(now=clock(seconds), all=f"~{clock(estimate)}")
    return words.format(now=int(seconds), all=about(estimate))


def _seconds(number: str) -> str:
    return QCoreApplication.translate("Server", "{n} s").format(n=number)


def left(seconds: float) -> str:
    """About 46 s left, within a sentence's line."""
    if seconds < 99.5:
        words = QCoreApplication.translate("Server", "about {n} s left")
        return words.format(n=max(1, round(seconds)))
    return QCoreApplication.translate("Server", "about {n} min left").format(n=round(seconds / 60))


def up(seconds: float) -> str:
    """How long a server has been ready."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return QCoreApplication.translate("Server", "up {n} s").format(n=max(0, int(seconds)))
    if minutes < 60:
        return QCoreApplication.translate("Server", "up {n} min").format(n=minutes)
    words = QCoreApplication.translate("Server", "up {h} h {n} min")
    return words.format(h=minutes // 60, n=minutes % 60)


def gib(amount: float) -> str:
    """Memory."""
    return f"{amount / GIB:,.2f} GiB"


def amount(value: float, collision: Collision) -> str:
    """A number of a collision with its unit: GB of a disk, GiB of memory, tokens."""
    if collision.unit == "tokens":
        return QCoreApplication.translate("Server", "{n} tokens").format(n=figures.count(round(value)))
    if collision.unit == "port":
        return str(round(value))
    return figures.size(round(value)) if collision.what == "disk" else gib(value)


def said(finding: Finding) -> str:
    """Over a finding's line: whose words it is."""
    if finding.code == "unknown":
        return QCoreApplication.translate("Server", "The first error")
    known = sentences.tables(finding_words.FILE)["finding"].get(finding.code, {})
    docker, engine = "docker" in known, "engine" in known
    if docker and not engine:
        return QCoreApplication.translate("Server", "What Docker said")
    if engine and not docker:
        return QCoreApplication.translate("Server", "What vLLM said")
    return QCoreApplication.translate("Server", "What was said")


def tip(text: str) -> str:
    """Foreign text for a tooltip."""
    return plain_tip(text)


def who(by: str) -> str:
    """Who has started a server that this window did not."""
    return {
        "hand": QCoreApplication.translate("Server", "started by hand"),
        "cli": QCoreApplication.translate("Server", "started by the command line"),
    }.get(by, QCoreApplication.translate("Server", "started by another window"))
