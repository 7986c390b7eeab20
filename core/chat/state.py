"""What a chat is doing: eight states and the moves between them."""

from __future__ import annotations

import logging
from enum import Enum

log = logging.getLogger(__name__)


class ChatState(Enum):
    IDLE = "idle"
    PREPARING = "preparing"  # messages become token ids
    PREFILLING = "prefilling"  # the engine reads the prompt
    DECODING = "decoding"
    STOPPING = "stopping"  # asked to stop; the engine has not let go yet
    STOPPED = "stopped"  # by the person; what came is kept
    FINISHED = "finished"
    FAILED = "failed"  # with an error; what came is kept


_S = ChatState
MOVES: dict[ChatState, frozenset[ChatState]] = {
    _S.IDLE: frozenset({_S.PREPARING}),
    _S.PREPARING: frozenset({_S.PREFILLING, _S.STOPPING, _S.FAILED}),
    _S.PREFILLING: frozenset({_S.DECODING, _S.STOPPING, _S.FINISHED, _S.FAILED}),
    _S.DECODING: frozenset({_S.STOPPING, _S.FINISHED, _S.FAILED}),
    # the last token and an error can both be faster than the request to stop
    _S.STOPPING: frozenset({_S.STOPPED, _S.FINISHED, _S.FAILED}),
    _S.STOPPED: frozenset({_S.PREPARING, _S.IDLE}),
    _S.FINISHED: frozenset({_S.PREPARING, _S.IDLE}),
    _S.FAILED: frozenset({_S.PREPARING, _S.IDLE}),
}
RUNNING = frozenset({_S.PREPARING, _S.PREFILLING, _S.DECODING, _S.STOPPING})
CAN_STOP = frozenset(state for state in RUNNING if _S.STOPPING in MOVES[state])
CAN_ASK = frozenset(state for state in ChatState if _S.PREPARING in MOVES[state])


class IllegalMove(RuntimeError):
    """The program tried a move that is not in the table: a bug, never the person's fault."""


def move(current: ChatState, to: ChatState) -> ChatState:
    """Apply one move and log it. Raises IllegalMove."""
    if to not in MOVES[current]:
        raise IllegalMove(f"{current.value} -> {to.value}")
    log.debug("chat: %s -> %s", current.value, to.value)
    return to
