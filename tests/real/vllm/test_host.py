"""The server engine of the program on real servers: opened, lost in mid-answer, opened again, another key."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.state import Phase
from core.engines.vllm.host import ServerChoice, ServerEngine
from core.errors import EngineError
from core.paths import default_paths
from core.prompt.base import ChatMessage, PromptOptions
from core.tokens.decode import AnswerDecoder
from core.tokens.vocabulary import Vocabulary
from core.worker.client import WorkerClient
from tests.real.vllm.checks import ENDLESS, GREEDY, whole
from tests.real.vllm.conftest import PROMPT, made
from tests.real.vllm.server import RealServer, serving

CAPITAL = (ChatMessage("user", "What is the capital of France?"),)
EMOJI = (ChatMessage("user", "Repeat: 峰 🦊 峰 🦊"),)


class Desk:
    """A host, its worker and the loop they live in."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.run = self.runner.run
        self.worker = WorkerClient()
        self.host = ServerEngine(self.worker, default_paths(), watch_seconds=0.2)
        self.ids: list[int] = []

    def open(self, server: RealServer, files: str = "", key: str = "", model: str = "") -> None:
        self.run(self.host.open(ServerChoice(server.address, model, files), key))

    async def _ask(
        self, messages: tuple[ChatMessage, ...], sampling: Sampling, crash: RealServer | None
    ) -> Finished:
        self.ids = []
        finished = None
        prompt = await self.host.render(messages, PromptOptions())
        async with aclosing(self.host.generate(prompt.ids, sampling, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    self.ids += [row.id for row in event.rows]
                    if crash is not None and len(self.ids) > 3:
                        crash.crash()
                        crash = None
                elif isinstance(event, Finished):
                    finished = event
        assert finished is not None
        return finished

    def ask(
        self,
        messages: tuple[ChatMessage, ...] = CAPITAL,
        sampling: Sampling = GREEDY,
        crash: RealServer | None = None,
    ) -> Finished:
        finished: Finished = self.run(self._ask(messages, sampling, crash))
        return finished

    def text(self, vocabulary: Vocabulary | None) -> str:
        assert vocabulary is not None
        decoder = AnswerDecoder(vocabulary)
        pieces = [piece for id in self.ids for piece in decoder.feed(id)]
        return "".join(piece.text for piece in [*pieces, *decoder.finish()])

    async def _lost(self) -> None:
        lost = asyncio.Event()
        self.host.state_changed.connect(lambda _: lost.set())
        while self.host.state.phase is not Phase.LOST:
            await lost.wait()
            lost.clear()

    def until_lost(self) -> None:
        self.run(asyncio.wait_for(self._lost(), 120))

    def close(self) -> None:
        with self.runner:
            self.run(self.host.close())
            self.run(self.worker.close())


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    one = Desk()
    yield one
    one.close()


def code(desk: Desk, server: RealServer, **how: str) -> str:
    with pytest.raises(EngineError) as caught:
        desk.open(server, **how)
    return caught.value.code


def test_a_server_from_first_to_last(model: Path, tmp_path: Path, desk: Desk) -> None:
    with serving(model) as server:
        opened_by_its_own_folder(desk, server, model)
        told_by_the_server_alone(desk, server)
        assert code(desk, server, model="other") == "server.model"
        desk.open(server)
        with pytest.raises(EngineError) as caught:
            desk.ask(sampling=ENDLESS, crash=server)
        assert caught.value.code in ("server.cut", "server.engine_dead") and len(desk.ids) > 3
        assert (desk.host.state.phase, desk.host.state.error) == (Phase.LOST, caught.value)
    with serving(model, "--api-key", "right", port=server.port) as server:
        assert code(desk, server, key="wrong") == "server.key"
        desk.open(server, key="right")
        desk.ask()
        before = list(desk.ids)
        server.crash()
        desk.until_lost()  # by looking at it while it is idle
        assert desk.host.state.error is not None and desk.host.state.error.code == "server.unreachable"
    with serving(model, port=server.port) as server:
        desk.open(server)
        desk.ask()
        assert desk.ids == before


def test_another_model_on_the_port(model: Path, tmp_path: Path, home: Path) -> None:
    """Nobody looks in between, so that it is the answer that notices."""
    other = made("llama", tmp_path)
    desk = Desk()
    desk.host._watch_seconds = 3600.0
    try:
        with serving(model) as server:
            desk.open(server)
        with serving(other, port=server.port, context=512) as server:
            with pytest.raises(EngineError) as caught:
                desk.ask()
            assert (caught.value.code, caught.value.params["what"]) == ("server.changed", "model folder")
            assert desk.ids == [] and desk.host.state.phase is Phase.LOST
            desk.open(server, files=str(other))  # of no family that is known: not opened unasked
            assert desk.host.info.context_limit == 512
            assert desk.ask(sampling=Sampling(temperature=0.0, max_tokens=4)).completion_tokens > 0
    finally:
        desk.close()


def opened_by_its_own_folder(desk: Desk, server: RealServer, model: Path) -> None:
    desk.open(server)
    host = desk.host
    assert host.source is not None and (host.source.kind, host.source.place) == ("folder", str(model))
    assert [(row.family, row.supported) for row in host.served] == [("smollm2", True)]
    info = host.info
    assert (info.version, info.route, info.numbers) == ("0.32.0", "completions", "raw_logprobs")
    prompt = desk.run(host.render(CAPITAL, PromptOptions()))
    assert list(prompt.ids) == PROMPT and host.compared is True
    desk.ask()
    assert desk.ids == whole(server, "completions")["choices"][0]["token_ids"]
    assert desk.text(host.vocabulary) == server.post("/detokenize", {"tokens": desk.ids})["prompt"]


def told_by_the_server_alone(desk: Desk, server: RealServer) -> None:
    """Prompt ids, text, special tokens and the bytes of parts are those of the tokenizer."""
    desk.ask(EMOJI)
    ids, said, own = desk.ids, desk.text(desk.host.vocabulary), desk.host.vocabulary
    desk.open(server, files="server")
    host = desk.host
    assert host.has_template and not host.thinking_switch
    assert list(desk.run(host.render(CAPITAL, PromptOptions())).ids) == PROMPT
    finished = desk.ask(EMOJI)
    assert desk.ids == ids and "text_from_server" in finished.notes
    assert desk.text(host.vocabulary) == said and "\ufffd" not in said
    assert own is not None and host.vocabulary is not None and host.vocabulary_path is not None
    kept = Vocabulary.open(host.vocabulary_path)
    learned = [id for id in range(len(kept)) if not kept.is_unused(id)]
    assert len(learned) > 30
    for id in learned:
        assert kept.bytes_of(id) == own.bytes_of(id) or kept.is_part(id), id
        assert kept.is_special(id) == own.is_special(id), id
