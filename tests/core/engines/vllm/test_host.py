"""The server host: connecting, finding files, answers, loss and leaving, against a server on a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.state import EngineState, Phase
from core.engines.vllm.host import ServerChoice, ServerEngine, Source
from core.errors import EngineError, LoupeError
from core.models.folder import built_in_folder, read_folder
from core.paths import default_paths
from core.prompt.base import ChatMessage, PromptOptions
from core.worker.client import WorkerClient
from tests.core.engines.vllm.replay import CASES
from tests.fakes.fake_vllm import FakeVllm

CJK = (CASES / "cjk.sse").read_bytes()
GREEDY = Sampling(temperature=0.0, max_tokens=20)
HELLO = (ChatMessage("user", "Hello"),)


@pytest.fixture
def folder(built_in_models: Path) -> str:
    return str(built_in_folder(built_in_models))


class Desk:
    """A host, its worker, and every state it went through."""

    def __init__(self, **options: Any) -> None:
        self.worker = WorkerClient()
        self.host = ServerEngine(self.worker, default_paths(), **options)
        self.states: list[EngineState] = []
        self.host.state_changed.connect(self.states.append)

    @property
    def phases(self) -> list[Phase]:
        """Each once in a row."""
        all_ = [state.phase for state in self.states]
        return [phase for at, phase in enumerate(all_) if at == 0 or all_[at - 1] is not phase]

    async def ask(self) -> tuple[list[int], Finished]:
        prompt = await self.host.render(HELLO, PromptOptions())
        ids: list[int] = []
        finished = None
        async with aclosing(self.host.generate(prompt.ids, GREEDY, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    ids += [row.id for row in event.rows]
                elif isinstance(event, Finished):
                    finished = event
        assert finished is not None
        return ids, finished

    async def until(self, phase: Phase) -> None:
        reached = asyncio.Event()
        disconnect = self.host.state_changed.connect(
            lambda state: reached.set() if state.phase is phase else None
        )
        if self.host.state.phase is not phase:
            await reached.wait()
        disconnect()


def run(fake: FakeVllm, use: Callable[[FakeVllm, Desk], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def main() -> None:
        async with fake.serve():
            desk = Desk(**options)
            try:
                await use(fake, desk)
            finally:
                await desk.host.close()
                await desk.worker.close()

    asyncio.run(asyncio.wait_for(main(), 60))


async def fails(attempt: Coroutine[Any, Any, Any], code: str) -> LoupeError:
    with pytest.raises(LoupeError) as caught:
        await attempt
    assert caught.value.code == code
    return caught.value


def test_a_server_whose_folder_can_be_read_here(folder: str) -> None:
    async def use(fake: FakeVllm, desk: Desk) -> None:
        host = desk.host
        with pytest.raises(EngineError):
            host.info  # noqa: B018
        await host.open(ServerChoice(fake.address + "/v1"))
        assert desk.phases == [Phase.CONNECTING, Phase.LOADING, Phase.READY]
        assert (host.state.model, host.state.address, host.state.engine) == ("tiny", fake.address, "vllm")
        files = read_folder(Path(folder))
        assert host.source == Source("folder", folder, files.revision, assumed=True)
        info = host.info
        assert host.state.info == info
        assert (info.engine, info.model, info.version) == ("vllm", "tiny", "0.32.0")
        assert (info.route, info.numbers, info.revision) == ("completions", "raw_logprobs", files.revision)
        assert info.recommended == files.recommended
        assert host.family is not None and host.family.name == "smollm2"
        assert host.has_template and not host.thinking_switch
        assert host.vocabulary is not None and host.vocabulary_path is not None
        ids, finished = await desk.ask()
        assert ids == [290, 291, 292, 293, 296, 230, 304, 294, 295, 33]
        assert (finished.reason, finished.completion_tokens) == ("stop", 10)
        await host.leave()
        assert (host.state.phase, host.vocabulary) == (Phase.ABSENT, None)

    run(FakeVllm(stream=CJK, root=folder, tokenizes=False), use)
