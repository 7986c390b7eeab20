"""A server with --enable-scale-out in float32: ids, ranks of every token, and the same numbers as ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.engines.local.engine import LocalEngine
from core.engines.vllm.extras import Extras, field, structured
from core.models.folder import read_folder
from core.prompt.base import ChatMessage, PromptOptions
from core.prompt.worker_prompter import WorkerPrompter
from tests.core.engines.local.conftest import open_local, reference
from tests.real.vllm.checks import (
    GREEDY,
    greedy_is_the_servers_own,
    matrix,
    stop_is_seen_by_the_server,
    the_network_fails_in_mid_answer,
)
from tests.real.vllm.conftest import PROMPT, Client
from tests.real.vllm.server import RealServer, serving

NEAR = 1e-3


@pytest.fixture(scope="module")
def server(model: Path) -> Iterator[RealServer]:
    with serving(model, "--enable-scale-out", "--dtype", "float32") as one:
        yield one


@pytest.fixture(scope="module")
def client(server: RealServer, connect: Callable[..., Client]) -> Client:
    return connect(server.address)


def test_what_is_found(client: Client, server: RealServer) -> None:
    matrix(client, server, route="generate")


def test_greedy(client: Client, server: RealServer) -> None:
    greedy_is_the_servers_own(client, server)


def test_stop(client: Client) -> None:
    stop_is_seen_by_the_server(client)


@pytest.mark.parametrize("how", ["cut", "silence"])
def test_the_network_fails(how: str, server: RealServer) -> None:
    the_network_fails_in_mid_answer(server, how)


def test_numbers_of_far_tokens_are_those_of_a_plain_forward_pass(client: Client, model: Path) -> None:
    rows, _ = client.ask(Sampling(temperature=1.6, max_tokens=48, seed=3, ignore_eos=True))
    ids = [row.id for row in rows]
    told = reference(folder=str(model), dtype="float32", full=[PROMPT, ids], top=20)
    assert any((row.rank or 0) > 6 for row in rows)
    for row, logprob, rank, gap in zip(rows, told["logprobs"], told["ranks"], told["gaps"], strict=True):
        assert row.logprob == pytest.approx(logprob, abs=NEAR)
        if gap > NEAR:
            assert row.rank == rank
    for row, top in zip(rows, told["top"], strict=True):
        wanted = dict(top)
        for one in row.candidates[:5]:
            assert one.logprob == pytest.approx(wanted.get(one.id, one.logprob), abs=NEAR)


def test_both_engines_agree(client: Client, model: Path, tmp_path: Path) -> None:
    local = open_local(tmp_path)
    try:
        local.run(local.engine.open(str(model), dtype="float32"))
        ours, _, _ = local.generate(PROMPT, GREEDY)
    finally:
        local.close()
    theirs, _ = client.ask(GREEDY)
    assert [row.id for row in theirs] == [row.id for row in ours]
    for mine, yours in zip(ours, theirs, strict=True):
        assert yours.logprob == pytest.approx(mine.logprob, abs=NEAR)
        assert yours.rank == mine.rank
        known = {one.id: one.logprob for one in mine.candidates}
        assert all(
            one.logprob == pytest.approx(known.get(one.id, one.logprob), abs=NEAR) for one in yours.candidates
        )


@pytest.mark.parametrize(
    ("form", "text", "wanted"),
    [
        ("choice", "yes\nno", r"yes|no"),
        ("regex", "[ab]{3}x", r"[ab]{3}x"),
        ("json", '{"type": "object", "properties": {"n": {"enum": [7]}}, "required": ["n"]}', r"(?s)\{.*7.*"),
    ],
)
def test_forms(form: str, text: str, wanted: str, client: Client, server: RealServer) -> None:
    extras = Extras(structured(form, text))
    rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=24), extras=extras)
    said = server.post("/detokenize", {"model": "tiny", "tokens": [row.id for row in rows]})["prompt"]
    assert re.fullmatch(wanted, said.removesuffix("<|im_end|>"))
    assert "form_masked" in finished.notes
    assert all(one.logprob is not None for row in rows for one in row.candidates)  # no fillers among them


def test_other_fields_reach_the_sampler(client: Client) -> None:
    extras = Extras(fields=dict([field("logit_bias", '{"504": -100}'), field("min_tokens", "12")]))
    rows, _ = client.ask(Sampling(temperature=0.0, max_tokens=14), extras=extras)
    assert 504 not in [row.id for row in rows] and len(rows) >= 12
    assert rows[0].rank == 2  # the model's own numbers, which the bias does not touch


@pytest.mark.parametrize(
    "messages",
    [
        [ChatMessage("user", "What is the capital of France?")],
        [
            ChatMessage("system", "Be brief. 簡短。"),
            ChatMessage("user", "👩‍👧  two  spaces\n\n1234567 café\u0301"),
        ],
        [ChatMessage("user", "a"), ChatMessage("assistant", "b"), ChatMessage("user", "c\tתודה")],
    ],
)
def test_prompts_are_the_servers_own(
    messages: list[ChatMessage], client: Client, server: RealServer, tmp_path: Path
) -> None:
    local = open_local(tmp_path)
    try:
        engine: LocalEngine = local.engine
        local.run(engine.open_tokenizer(read_folder(server.model, weights=False)))
        prompt = local.run(WorkerPrompter(local.worker).render(messages, PromptOptions()))
    finally:
        local.close()
    chat = [{"role": message.role, "content": message.content} for message in messages]
    told = server.post("/tokenize", {"model": "tiny", "messages": chat, "add_generation_prompt": True})
    assert list(prompt.ids) == told["tokens"]
    rendered = server.post("/v1/chat/completions/render", {"model": "tiny", "messages": chat})
    assert list(prompt.ids) == rendered["token_ids"]
    client.run(client.engine.compare(prompt.text, prompt.ids))
