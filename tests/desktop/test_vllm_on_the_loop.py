"""The vLLM engine on the window's own event loop: real sockets, an answer, Stop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from tests.fakes.fake_vllm import FakeVllm

CJK = (Path(__file__).parents[1] / "cases" / "sse" / "cjk.sse").read_bytes()
GREEDY = Sampling(temperature=0.0, max_tokens=20)


def test_an_answer_and_stop(run_qt: Callable[..., Any]) -> None:
    async def main() -> None:
        async with FakeVllm(stream=CJK, chunk=7).serve() as fake:
            engine = VllmEngine(fake.address)
            try:
                await engine.connect()
                rows, finished = 0, None
                async with aclosing(engine.generate([1, 2, 3], GREEDY, top_candidates=5)) as events:
                    async for event in events:
                        rows += len(event.rows) if isinstance(event, TokenBatch) else 0
                        finished = event if isinstance(event, Finished) else finished
                assert finished is not None and (rows, finished.reason) == (10, "stop")
                fake.stream, fake.hold = CJK[:900], True
                async with aclosing(engine.generate([1, 2, 3], GREEDY, top_candidates=5)) as events:
                    async for event in events:
                        if isinstance(event, TokenBatch):
                            break
                await fake.closed_by_client.wait()
            finally:
                await engine.close()

    run_qt(main())
