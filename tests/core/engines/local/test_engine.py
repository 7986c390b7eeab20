"""What the built-in engine refuses by itself, before its worker is asked."""

from __future__ import annotations

import asyncio

import pytest

from core.engines.base import Extras, Sampling, Structured
from core.engines.local.engine import LocalEngine
from core.errors import EngineError
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
