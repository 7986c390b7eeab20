"""The run bar's words for each phase of the engine: one function, no widgets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.tokens import figures
from desktop.kit.errors_text import describe

_COMMIT = re.compile(r"[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True)
class RunText:
    """`tone`: colour role of the dot, "" = outline. `action`: "", "cancel", "retry" or "get", with its label.
    `progress`: 0..1, None = not known or not measured."""

    tone: str
    word: str
    detail: str = ""
    action: str = ""
    label: str = ""
    progress: float | None = None


def time_left(seconds: float | None) -> str:
    """As in 47 s left; empty if it is not known."""
    if seconds is None:
        return ""
    if seconds < 90:
        return QCoreApplication.translate("RunBar", "{n} s left").format(n=max(1, round(seconds)))
    return QCoreApplication.translate("RunBar", "{n} min left").format(n=round(seconds / 60))


def short(address: str) -> str:
    """An address as it is shown in narrow places."""
    return address.removeprefix("http://")


def version_text(info: EngineInfo) -> str:
    """As in vLLM 0.32.0; one that does not tell is not given a number."""
    return " ".join(part for part in ("vLLM", info.version) if part)


def device_text(info: EngineInfo) -> str:
    """The processor with its threads, or the device by its own name."""
    known = {"cpu": "CPU", "mps": "Apple GPU", "cuda": "GPU"}
    device = known.get(info.device, info.device)
    if info.device == "cpu" and info.threads:
        count = info.threads  # lupdate overlooks a call with a dot in its last argument
        return f"{device} · " + QCoreApplication.translate("RunBar", "%n thread(s)", "", count)
    return device


def model_note(info: EngineInfo | None) -> str:
    """What stands in grey after the model's name: number format and revision."""
    if info is None:
        return ""
    revision = info.revision[:7] if _COMMIT.fullmatch(info.revision) else info.revision
    return " · ".join(part for part in (info.dtype, revision) if part)


def run_text(state: EngineState, seconds_left: float | None = None) -> RunText:
    """Dot, word, detail and the one button of a phase."""
    if state.engine == "vllm" and state.phase in _SERVER:
        return _server_text(state)
    phase, word = state.phase, phase_word(state.phase)
    if phase is Phase.READY:
        return RunText("ok", word, device_text(state.info) if state.info else "")
    if phase is Phase.ABSENT:
        label = QCoreApplication.translate("RunBar", "Download")
        return RunText("", word, figures.size(state.total) if state.total else "", "get", label)
    if phase in (Phase.FAILED, Phase.LOST):
        cause = describe(state.error).what if state.error is not None else ""
        return RunText("err", word, cause, "retry", QCoreApplication.translate("RunBar", "Try again"))
    if phase is Phase.CLOSED:
        return RunText("", word)
    share = min(state.done / state.total, 1.0) if state.total else None
    detail = " · ".join(part for part in (_amount(state, share), time_left(seconds_left)) if part)
    if phase is Phase.LOADING:
        return RunText("accent", word, detail, progress=share)
    return RunText("accent", word, detail, "cancel", QCoreApplication.translate("RunBar", "Cancel"), share)


# phases that read otherwise of a server than of a model on this computer
_SERVER = frozenset({Phase.CONNECTING, Phase.READY, Phase.ABSENT, Phase.FAILED, Phase.LOST})


def _server_text(state: EngineState) -> RunText:
    place = short(state.address)
    cause = describe(state.error).what if state.error is not None else ""
    again = QCoreApplication.translate("RunBar", "Try again")
    if state.phase is Phase.READY:
        version = version_text(state.info) if state.info else ""  # the place stands in the engine's button
        return RunText("ok", phase_word(state.phase), version or place)
    if state.phase is Phase.LOST:
        return RunText("err", QCoreApplication.translate("RunBar", "Server gone"), cause, "retry", again)
    apart = QCoreApplication.translate("RunBar", "Not connected")
    if state.phase is Phase.FAILED:
        return RunText("err", apart, cause, "retry", again)
    if state.phase is Phase.ABSENT:
        return RunText("", apart, place, "retry", QCoreApplication.translate("RunBar", "Connect"))
    cancel = QCoreApplication.translate("RunBar", "Cancel")
    return RunText("accent", phase_word(state.phase), place, "cancel", cancel)


def phase_word(phase: Phase) -> str:
    return {
        Phase.READY: QCoreApplication.translate("RunBar", "Ready"),
        Phase.ABSENT: QCoreApplication.translate("RunBar", "Not downloaded"),
        Phase.CONNECTING: QCoreApplication.translate("RunBar", "Connecting"),
        Phase.FETCHING: QCoreApplication.translate("RunBar", "Downloading"),
        Phase.CONVERTING: QCoreApplication.translate("RunBar", "Converting"),
        Phase.VERIFYING: QCoreApplication.translate("RunBar", "Checking files"),
        Phase.LOADING: QCoreApplication.translate("RunBar", "Loading"),
        Phase.FAILED: QCoreApplication.translate("RunBar", "Did not start"),
        Phase.LOST: QCoreApplication.translate("RunBar", "Stopped by itself"),
        Phase.CLOSED: QCoreApplication.translate("RunBar", "Closed"),
    }[phase]


def _amount(state: EngineState, share: float | None) -> str:
    """How far it is: percent, files, or bytes while the whole is not known."""
    if share is None:
        return figures.size(state.done) if state.phase is Phase.FETCHING and state.done else ""
    if state.phase is Phase.VERIFYING:
        words = QCoreApplication.translate("RunBar", "{done} of {total}")
        return words.format(done=state.done, total=state.total)
    return f"{share * 100:.0f} %"
