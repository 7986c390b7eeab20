"""Notices that a server is gone while nobody asks it anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from core.engines.vllm.http import Server
from core.errors import EngineError

SECONDS = 5.0
_ANSWER_SECONDS = 5.0
# errors of an answer that say that the server asked at the start is not there any more
GONE = frozenset({"server.unreachable", "server.cut", "server.engine_dead", "server.changed", "server.key"})


async def loss(server: Server, busy: Callable[[], bool], seconds: float = SECONDS) -> EngineError:
    """Return when GET /health has failed twice in a row, with what the second failure was. While `busy` an
    answer tells it sooner, and nothing is asked."""
    failures = 0
    while True:
        await asyncio.sleep(seconds)
        error = None if busy() else await _health(server)
        failures = 0 if error is None or busy() else failures + 1
        if failures == 2 and error is not None:
            return error


async def _health(server: Server) -> EngineError | None:
    try:
        reply = await server.get("/health", seconds=_ANSWER_SECONDS)
    except EngineError as error:
        return None if error.code == "server.slow" else error  # it may be busy, or this computer
    if reply.status < 500:  # a gateway without this route answers, too
        return None
    code = "server.engine_dead" if reply.status == 503 else "server.unreachable"
    return EngineError(code, address=server.address, detail=f"GET /health: {reply.status} {reply.message}")
