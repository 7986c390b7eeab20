"""What the built-in engine refuses by itself, before its worker is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from core.engines.base import EngineInfo, Extras, Sampling, Structured
from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.errors import EngineError, WorkerLost
from core.paths import default_paths
from core.worker.client import WorkerClient


@pytest.mark.parametrize(
    "extras", [Extras(Structured("choice", ["yes", "no"])), Extras(fields={"min_tokens": 3})]
)
def test_what_only_servers_have_is_never_left_out_silently(extras: Extras) -> None:
    async def ask() -> None:
        engine = LocalEngine(WorkerClient(), default_paths())
        async for _ in engine.generate([1, 2], Sampling(), top_candidates=5, extras=extras):
            pass

    with pytest.raises(EngineError) as caught:
        asyncio.run(ask())
    assert caught.value.code == "engine.no_extras"


class Dying(WorkerClient):
    async def stream(self, make: Callable[[int], Any]) -> AsyncGenerator[Any, None]:
        raise WorkerLost(reason="SIGKILL")
        yield


def test_a_worker_that_dies_while_it_is_left_holds_nobody_up() -> None:
    """The engine that is used instead is still to be opened."""

    async def leave() -> Phase:
        engine = LocalEngine(Dying(), default_paths())
        engine._info = EngineInfo("local", "a model")
        engine.state = EngineState(Phase.READY, "a model", info=engine.info)
        await engine.leave()
        return engine.state.phase

    assert asyncio.run(leave()) is Phase.ABSENT


@pytest.mark.parametrize("phase", [Phase.ABSENT, Phase.FAILED])
def test_a_worker_that_dies_for_others_is_no_loss(phase: Phase, caplog: pytest.LogCaptureFixture) -> None:
    """It makes the prompts of servers too."""
    worker = WorkerClient()
    engine = LocalEngine(worker, default_paths())
    engine.state = EngineState(phase)
    worker.lost.emit(WorkerLost(reason="SIGKILL"))
    assert (engine.state.phase, caplog.text) == (phase, "")
