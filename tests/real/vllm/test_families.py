"""Every family that is claimed: prompts as vLLM itself makes them, over the real vocabularies; tiny random
models of Qwen3.5, whose engine dies of a one-token prompt, and of Gemma 4 with its drafter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.errors import EngineError
from core.models.folder import read_folder
from core.prompt.base import ChatMessage, PromptOptions
from core.prompt.worker_prompter import WorkerPrompter
from tests.conftest import test_cache
from tests.core.engines.local.conftest import Local, open_local, reference
from tests.real.vllm.checks import (
    GREEDY,
    greedy_is_the_servers_own,
    matrix,
    stop_is_seen_by_the_server,
)
from tests.real.vllm.conftest import Client, made
from tests.real.vllm.server import RealServer, rendering, serving
from tests.reference.vocabularies import tokenizer_folder

CHATS = [
    [ChatMessage("user", "What is the capital of France?")],
    [
        ChatMessage("system", "Be brief. 簡短。"),
        ChatMessage("user", "👩‍👧  two  spaces\n\n1234567 cafe\u0301 Cửa Việt"),
    ],
    [ChatMessage("user", "a"), ChatMessage("assistant", "b"), ChatMessage("user", "c\tתודה  `x`\n")],
]
# those that are only rendered here: model_type and architecture of a config without weights
RENDERED = {
    "qwen3": ("qwen3", "Qwen3ForCausalLM"),
    "gemma3": ("gemma3_text", "Gemma3ForCausalLM"),
    "llama3.1": ("llama", "LlamaForCausalLM"),
}


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    one = open_local(tmp_path)
    yield one
    one.close()


def prompts_are_the_servers_own(server: RealServer, local: Local, *, render: bool) -> list[list[int]]:
    """The prompts' ids: rendered and tokenized here, and the same there."""
    local.run(local.engine.open_tokenizer(read_folder(server.model, weights=False)))
    found: list[list[int]] = []
    for messages in CHATS:
        prompt = local.run(WorkerPrompter(local.worker).render(messages, PromptOptions()))
        chat = [{"role": message.role, "content": message.content} for message in messages]
        told = server.post("/tokenize", {"model": "tiny", "messages": chat, "add_generation_prompt": True})
        assert list(prompt.ids) == told["tokens"]
        plain = {"model": "tiny", "prompt": prompt.text, "add_special_tokens": False}
        assert server.post("/tokenize", plain)["tokens"] == told["tokens"]
        if render:
            rendered = server.post("/v1/chat/completions/render", {"model": "tiny", "messages": chat})
            assert rendered["token_ids"] == told["tokens"]
        found.append(told["tokens"])
    return found


@pytest.mark.parametrize("family", RENDERED)
def test_prompts_of(family: str, local: Local, tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    for file in tokenizer_folder(family, test_cache()).iterdir():
        (model / file.name).symlink_to(file)
    model_type, architecture = RENDERED[family]
    config = {"model_type": model_type, "architectures": [architecture], "max_position_embeddings": 4096}
    (model / "config.json").write_text(json.dumps(config))
    with rendering(model) as server:
        prompts_are_the_servers_own(server, local, render=True)


def test_qwen35_and_the_death_of_an_engine(
    local: Local, tmp_path_factory: pytest.TempPathFactory, connect: Callable[..., Client]
) -> None:
    model = made("qwen3.5-wide", tmp_path_factory.mktemp("made"), tokenizer_folder("qwen3.5", test_cache()))
    with serving(model, "--enable-scale-out", "--dtype", "float32", context=512) as server:
        prompt = prompts_are_the_servers_own(server, local, render=True)[1]
        client = connect(server.address)  # the probe itself must not kill it
        matrix(client, server, route="generate", context_limit=512)
        greedy_is_the_servers_own(client, server, prompt=prompt)
        stop_is_seen_by_the_server(client, prompt=prompt)
        numbers_are_those_of_a_forward_pass(client, model, prompt)
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=[256])
        assert caught.value.code == "server.engine_dead"
        assert "EngineCore" in caught.value.detail
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=prompt)
        assert caught.value.code in ("server.engine_dead", "server.unreachable", "server.cut")
        assert server.exit_code() == 0  # which tells nothing
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=prompt)
        assert caught.value.code == "server.unreachable"


def numbers_are_those_of_a_forward_pass(client: Client, model: Path, prompt: list[int]) -> None:
    """In float32 on both sides: within a thousandth, and ranks wherever neighbours differ by more."""
    rows, _ = client.ask(Sampling(temperature=1.2, max_tokens=24, seed=3, ignore_eos=True), prompt)
    ids = [row.id for row in rows]
    told = reference(folder=str(model), dtype="float32", full=[prompt, ids], top=20)
    for row, logprob, rank, gap in zip(rows, told["logprobs"], told["ranks"], told["gaps"], strict=True):
        assert row.logprob == pytest.approx(logprob, abs=1e-3)
        if gap > 1e-3:
            assert row.rank == rank


@pytest.fixture(scope="module")
def gemma4(model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(the target, how to guess with its drafter)."""
    root, tokenizer = tmp_path_factory.mktemp("made"), tokenizer_folder("gemma4", test_cache())
    drafter = made("gemma4-assistant", root, tokenizer)
    speculation = {"method": "mtp", "model": str(drafter), "num_speculative_tokens": 2}
    return made("gemma4", root, tokenizer), json.dumps(speculation)


@pytest.mark.parametrize("metrics", ["summary", "detailed"])
def test_gemma4_with_its_drafter(
    metrics: str, gemma4: tuple[Path, str], local: Local, connect: Callable[..., Client]
) -> None:
    model, speculation = gemma4
    flags = ("--speculative-config", speculation, "--per-request-spec-decode-metrics", metrics)
    # left alone, vLLM hands this template lists of parts, after which it writes a space in a system prompt
    strings = ("--chat-template-content-format", "string")
    with serving(model, *flags, *strings, context=512) as server:
        prompt = prompts_are_the_servers_own(server, local, render=False)[1]
        client = connect(server.address)
        matrix(
            client,
            server,
            context_limit=512,
            speculative=True,
            speculation_metrics=metrics,
            fragile_top_k=True,
        )
        greedy_is_the_servers_own(client, server, prompt=prompt)
        rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, ignore_eos=True), prompt=prompt)
        counts = finished.speculation
        assert counts is not None and counts.steps > 0 and counts.drafted >= counts.accepted
        if metrics == "detailed":  # every step has guesses here, so the counts account for every token
            assert counts.guesses is not None and all(0 < index < len(rows) for index in counts.guesses)
        stop_is_seen_by_the_server(client, prompt=prompt)
