"""What an engine is doing, as one frozen value and a table of allowed moves."""

from __future__ import annotations

from enum import Enum

import msgspec

from core.engines.base import EngineInfo, EngineKind
from core.errors import LoupeError


class Phase(Enum):
    ABSENT = "absent"  # the model is not on disk; of a server: not connected
    CONNECTING = "connecting"  # a server is asked what it can tell
    FETCHING = "fetching"
    CONVERTING = "converting"
    VERIFYING = "verifying"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    LOST = "lost"  # the worker process ended by itself; the server is gone
    CLOSED = "closed"


_PREPARING = {Phase.CONNECTING, Phase.FETCHING, Phase.CONVERTING, Phase.VERIFYING, Phase.LOADING}
MOVES: dict[Phase, frozenset[Phase]] = {
    Phase.ABSENT: frozenset(_PREPARING | {Phase.FAILED, Phase.CLOSED}),
    **{
        phase: frozenset(_PREPARING | {Phase.READY, Phase.ABSENT, Phase.FAILED, Phase.LOST, Phase.CLOSED})
        for phase in _PREPARING
    },
    Phase.READY: frozenset(
        {Phase.CONNECTING, Phase.LOADING, Phase.LOST, Phase.FAILED, Phase.ABSENT, Phase.CLOSED}
    ),
    Phase.FAILED: frozenset(_PREPARING | {Phase.ABSENT, Phase.CLOSED}),
    Phase.LOST: frozenset(_PREPARING | {Phase.ABSENT, Phase.FAILED, Phase.CLOSED}),
    Phase.CLOSED: frozenset(),
}


class EngineState(msgspec.Struct, frozen=True):
    """`done`/`total`: bytes while fetching, steps otherwise; 0 = not known. `info` only when READY.
    `address`: of the server, "" for the local engine."""

    phase: Phase
    model: str = ""
    done: int = 0
    total: int = 0
    info: EngineInfo | None = None
    error: LoupeError | None = None
    engine: EngineKind = "local"
    address: str = ""
