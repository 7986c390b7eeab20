"""What the composer's button does, as one function of the engine's phase and the chat's state. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from core.chat.state import CAN_STOP, ChatState
from core.engines.state import EngineState, Phase
from core.server.state import ServerPhase, ServerState


class Button(Enum):
    """SEND and its stand-ins keep one place and one width."""

    SEND = "send"
    WAIT = "wait"  # "Send when ready": the model is being got or loaded
    UNWAIT = "unwait"  # pressed WAIT; a press takes it back
    CONNECT = "connect"  # "Connect and send": a server was chosen and is not connected
    START = "start"  # "Start and send": the server of ours was chosen and does not run
    STOP = "stop"
    STOPPING = "stopping"


class Reason(Enum):
    """Why nothing can be sent."""

    NONE = "none"
    EMPTY = "empty"
    NO_MODEL = "no_model"
    FAILED = "failed"
    LOST = "lost"
    OVER_LIMIT = "over_limit"
    ATTACHING = "attaching"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ComposerState:
    """`enabled` is about the button; text can be typed in every state."""

    button: Button
    enabled: bool
    reason: Reason = Reason.NONE

    @property
    def running(self) -> bool:
        return self.button in (Button.STOP, Button.STOPPING)


_COMING = frozenset({Phase.CONNECTING, Phase.FETCHING, Phase.CONVERTING, Phase.VERIFYING, Phase.LOADING})
_BLOCKED = {
    Phase.ABSENT: Reason.NO_MODEL,
    Phase.FAILED: Reason.FAILED,
    Phase.LOST: Reason.LOST,
    Phase.CLOSED: Reason.NO_MODEL,
}


# of a server that answers, but whose model cannot be used as it is: connecting again changes nothing
_NO_REMEDY = frozenset({"server.files_unknown"})


def can_connect(state: EngineState) -> bool:
    """A server was chosen and is not connected; connecting again may help."""
    if state.engine != "vllm" or state.phase not in (Phase.ABSENT, Phase.FAILED, Phase.LOST):
        return False
    return state.error is None or state.error.code not in _NO_REMEDY


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the composer goes by: the engine's phase, whether sending connects to a server first, and whether
    it starts the one of ours."""

    phase: Phase
    connects: bool = False
    starts: bool = False


def readiness(engine: EngineState, server: ServerState | None = None, wanted: bool = False) -> Readiness:
    """`server`: the one of ours, while it is the engine in use. `wanted`: a start of it is on its way,
    whatever its state says yet."""
    if server is None:
        return Readiness(engine.phase, can_connect(engine))
    phase = server.phase
    if engine.phase is Phase.READY and phase in (ServerPhase.ASKING, ServerPhase.READY):
        return Readiness(Phase.READY)
    if wanted or server.starting:
        return Readiness(Phase.LOADING)
    if phase is ServerPhase.READY:  # it runs, and the connection to it is gone
        return Readiness(engine.phase, can_connect(engine))
    if phase is ServerPhase.FAILED:
        return Readiness(Phase.FAILED)
    apart = Phase.LOST if phase is ServerPhase.LOST else Phase.ABSENT
    startable = phase is not ServerPhase.STOPPING
    return Readiness(apart, connects=startable, starts=startable)


def composer_state(
    phase: Phase,
    chat: ChatState,
    *,
    empty: bool,
    queued: bool,
    over_limit: bool = False,
    connects: bool = False,
    starts: bool = False,
    attaching: Reason = Reason.NONE,
) -> ComposerState:
    """`queued`: "Send when ready" was pressed. `over_limit`: the prompt does not fit with this text.
    `connects`: as `can_connect` says; `starts`: the server of ours, which is started first. `attaching`: why
    the attachments cannot be sent (yet)."""
    if chat is ChatState.STOPPING:
        return ComposerState(Button.STOPPING, False)
    if chat in CAN_STOP:
        return ComposerState(Button.STOP, True)
    if connects and not queued:
        button = Button.START if starts else Button.CONNECT
        return ComposerState(button, not empty, Reason.EMPTY if empty else Reason.NONE)
    if phase in _BLOCKED and not queued:
        return ComposerState(Button.SEND, False, _BLOCKED[phase])
    if queued and phase is not Phase.READY:
        return ComposerState(Button.UNWAIT, True)
    if phase in _COMING:
        return ComposerState(Button.WAIT, not empty, Reason.EMPTY if empty else Reason.NONE)
    if empty:
        return ComposerState(Button.SEND, False, Reason.EMPTY)
    if attaching is not Reason.NONE:
        return ComposerState(Button.SEND, False, attaching)
    if over_limit:
        return ComposerState(Button.SEND, False, Reason.OVER_LIMIT)
    return ComposerState(Button.SEND, True)


def may_wait(phase: Phase) -> bool:
    """A message pressed "Send when ready" still waits in this phase."""
    return phase in _COMING
