"""A server host with its worker, for tests: asked questions, its states written down, closed in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest

from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.state import EngineState, Phase
from core.engines.vllm.host import ServerChoice, ServerEngine
from core.errors import LoupeError
from core.paths import default_paths
from core.prompt.base import ChatMessage, PromptOptions
from core.tokens.row import TokenRow
from core.worker.client import WorkerClient
from core.worker.job import Job
from core.worker.prompt_service import PromptService
from core.worker.protocol import OpenTokenizer
from tests.core.engines.vllm.replay import CASES
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.server_tokenizer import TINY, ServerTokenizer

CJK = (CASES / "cjk.sse").read_bytes()
CJK_IDS = [290, 291, 292, 293, 296, 230, 304, 294, 295, 33]
GREEDY = Sampling(temperature=0.0, max_tokens=20)
HELLO = (ChatMessage("user", "Hello"),)


def a_server(**settings: Any) -> FakeVllm:
    """One whose model's folder is here, and that reads a prompt as this program does."""
    return FakeVllm(**{"stream": CJK, "root": str(TINY), "tokenizer": ServerTokenizer(), **settings})


class WorkerHere(WorkerClient):
    """The worker's prompt service in this process: its libraries are imported once, not once a test."""

    def __init__(self) -> None:
        super().__init__()
        self._service = PromptService()

    async def stream(self, make: Callable[[int], Any]) -> AsyncGenerator[Any, None]:
        request, replies = make(1), list[Any]()
        job = Job(request, replies.append)
        if isinstance(request, OpenTokenizer):
            self._service.open(job, request)
        else:
            self._service.render(job, request)
        for reply in replies:
            yield reply


class Desk:
    def __init__(self, fake: FakeVllm, worker: WorkerClient | None = None, **options: Any) -> None:
        self.fake = fake
        self.worker = worker or WorkerHere()
        self.host = ServerEngine(self.worker, default_paths(), **options)
        self.states: list[EngineState] = []
        self.rows: list[TokenRow] = []  # of the last answer
        self.host.state_changed.connect(self.states.append)

    @property
    def phases(self) -> list[Phase]:
        """Each once in a row."""
        phases = [state.phase for state in self.states]
        return [phase for at, phase in enumerate(phases) if at == 0 or phases[at - 1] is not phase]

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self.rows]

    async def open(self, model: str = "", files: str = "", key: str = "") -> None:
        await self.host.open(ServerChoice(self.fake.address, model, files), key)

    async def ask(self, messages: tuple[ChatMessage, ...] = HELLO) -> Finished:
        self.rows = []
        finished = None
        prompt = await self.host.render(messages, PromptOptions())
        async with aclosing(self.host.generate(prompt.ids, GREEDY, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    self.rows += event.rows
                elif isinstance(event, Finished):
                    finished = event
        assert finished is not None
        return finished

    async def until(self, phase: Phase) -> None:
        reached = asyncio.Event()
        disconnect = self.host.state_changed.connect(lambda _: reached.set())
        while self.host.state.phase is not phase:
            await reached.wait()
            reached.clear()
        disconnect()


def run(fake: FakeVllm, use: Callable[[Desk], Coroutine[Any, Any, None]], **options: Any) -> None:
    """Serve, use, close everything: a task that is left behind fails the test."""

    async def main() -> None:
        async with fake.serve():
            desk = Desk(fake, **options)
            try:
                await use(desk)
            finally:
                await desk.host.close()
                await desk.worker.close()

    asyncio.run(asyncio.wait_for(main(), 300))


async def fails(attempt: Coroutine[Any, Any, Any], code: str) -> LoupeError:
    with pytest.raises(LoupeError) as caught:
        await attempt
    assert caught.value.code == code
    return caught.value
