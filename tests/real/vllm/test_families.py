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
from tests.core.engines.local.conftest import Local, open_local
from tests.real.vllm.checks import (
    GREEDY,
    greedy_is_the_servers_own,
    matrix,
    stop_is_seen_by_the_server,
)
from tests.real.vllm.conftest import Client, made
from tests.real.vllm.server import rendering, serving
from tests.reference.vocabularies import tokenizer_folder

pytestmark = pytest.mark.usefixtures("model")  # which says where vLLM is missing
CHATS = [
    [ChatMessage("user", "What is the capital of France?")],
    [
        ChatMessage("system", "Be brief. 簡短。"),
        ChatMessage("user", "👩‍👧  two  spaces\n\n1234567 cafe\u0301 Cửa Việt"),
    ],
    [ChatMessage("user", "a"), ChatMessage("assistant", "b"), ChatMessage("user", "c\tתודה  `x`\n")],
]
# model_type and architecture of a config without weights; SmolLM2's prompts are held against its own server
RENDERED = {
    "qwen3.5": ("qwen3_5_text", "Qwen3_5ForCausalLM"),
    "qwen3": ("qwen3", "Qwen3ForCausalLM"),
    "gemma4": ("gemma4_text", "Gemma4ForCausalLM"),
    "gemma3": ("gemma3_text", "Gemma3ForCausalLM"),
    "llama3.1": ("llama", "LlamaForCausalLM"),
}
# left alone, vLLM hands Gemma 4's template lists of parts, after which it writes a space in a system prompt
STRINGS = ("--chat-template-content-format", "string")
PROMPT = [256, 257, 258, 259, 270, 271, 272]  # of the tiny tokenizer


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    one = open_local(tmp_path)
    yield one
    one.close()


@pytest.mark.parametrize("family", RENDERED)
def test_prompts_of(family: str, local: Local, tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    for file in tokenizer_folder(family, test_cache()).iterdir():
        (model / file.name).symlink_to(file)
    model_type, architecture = RENDERED[family]
    config = {"model_type": model_type, "architectures": [architecture], "max_position_embeddings": 4096}
    (model / "config.json").write_text(json.dumps(config))
    local.run(local.engine.open_tokenizer(read_folder(model, weights=False)))
    with rendering(model, *(STRINGS if family == "gemma4" else ())) as server:
        for messages in CHATS:
            prompt = local.run(WorkerPrompter(local.worker).render(messages, PromptOptions()))
            chat = [{"role": message.role, "content": message.content} for message in messages]
            body = {"model": "tiny", "messages": chat}
            assert server.post("/tokenize", body)["tokens"] == list(prompt.ids)
            assert server.post("/v1/chat/completions/render", body)["token_ids"] == list(prompt.ids)
            plain = {"model": "tiny", "prompt": prompt.text, "add_special_tokens": False}
            assert server.post("/tokenize", plain)["tokens"] == list(prompt.ids)


def test_qwen35_and_the_death_of_an_engine(tmp_path: Path, connect: Callable[..., Client]) -> None:
    with serving(made("qwen3.5-wide", tmp_path), "--enable-scale-out", context=512) as server:
        client = connect(server.address)  # the probe itself must not kill it
        matrix(client, server, route="generate", context_limit=512)
        greedy_is_the_servers_own(client, server, prompt=PROMPT)
        stop_is_seen_by_the_server(client, prompt=PROMPT)
        try:
            client.ask(GREEDY, prompt=[256])
        except EngineError as error:
            assert error.code == "server.engine_dead" and "EngineCore" in error.detail
        else:  # this processor's kernels survive a prompt of one token
            server.end_engine()
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=PROMPT)
        assert caught.value.code in ("server.engine_dead", "server.unreachable", "server.cut")
        assert server.exit_code() == 0  # which tells nothing
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=PROMPT)
        assert caught.value.code == "server.unreachable"


@pytest.fixture(scope="module")
def gemma4(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(the target, how to guess with its drafter)."""
    root = tmp_path_factory.mktemp("made")
    drafter = made("gemma4-assistant", root)
    speculation = {"method": "mtp", "model": str(drafter), "num_speculative_tokens": 2}
    return made("gemma4", root), json.dumps(speculation)


@pytest.mark.parametrize("metrics", ["summary", "detailed"])
def test_gemma4_with_its_drafter(
    metrics: str, gemma4: tuple[Path, str], connect: Callable[..., Client]
) -> None:
    model, speculation = gemma4
    flags = ("--speculative-config", speculation, "--per-request-spec-decode-metrics", metrics)
    with serving(model, *flags, context=512) as server:
        client = connect(server.address)
        matrix(
            client,
            server,
            context_limit=512,
            speculative=True,
            speculation_metrics=metrics,
            fragile_top_k=True,
        )
        greedy_is_the_servers_own(client, server, prompt=PROMPT)
        rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, ignore_eos=True), prompt=PROMPT)
        counts = finished.speculation
        assert counts is not None and counts.steps > 0 and counts.drafted >= counts.accepted
        if metrics == "detailed":  # every step has guesses here, so the counts account for every token
            assert counts.guesses is not None and all(0 < index < len(rows) for index in counts.guesses)
        stop_is_seen_by_the_server(client, prompt=PROMPT)
