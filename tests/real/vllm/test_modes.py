"""The other three logprobs modes, one start each; one of them with a key, one with a small context."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from tests.real.vllm.checks import GREEDY, matrix, stop_is_seen_by_the_server, whole, wire_numbers
from tests.real.vllm.conftest import Client
from tests.real.vllm.server import serving

DRAWN = Sampling(temperature=0.8, top_k=3, max_tokens=24, seed=4)
ALIKE = {"temperature": 0.8, "top_k": 3, "top_p": 1.0, "max_tokens": 24, "seed": 4, "logprobs": 6}


def test_processed_logprobs(model: Path, connect: Callable[..., Client]) -> None:
    with serving(model, "--logprobs-mode", "processed_logprobs", "--enable-scale-out") as server:
        client = connect(server.address)
        matrix(client, server, route="generate", mode=Mode.PROCESSED_LOGPROBS)
        assert client.engine.info.evidence == ("sampling",)
        rows, _ = client.ask(DRAWN)
        answer = whole(server, "generate", values=ALIKE)
        assert [row.id for row in rows] == answer["choices"][0]["token_ids"]
        for row, sent in zip(rows, wire_numbers(answer), strict=True):
            left = {id: value for id, value in sent.items() if value > -9999}
            assert (row.logprob, row.sampling_logprob) == (None, sent[row.id])
            assert {one.id: one.logprob for one in row.candidates} == left  # what was cut is not listed
            # three, and what ties with the third
            assert row.kept_count == len(left) and len(set(left.values())) <= 3
        certain, _ = client.ask(GREEDY)
        assert {(row.logprob, row.sampling_logprob, row.kept_count) for row in certain} == {(None, 0.0, 1)}
        assert [row.id for row in certain] == whole(server, "generate")["choices"][0]["token_ids"]


def test_raw_logits_with_a_key(model: Path, connect: Callable[..., Client]) -> None:
    with serving(model, "--logprobs-mode", "raw_logits", "--api-key", "s3cret") as server:
        for key in ("", "wrong"):
            with pytest.raises(EngineError) as caught:
                connect(server.address, key)
            assert caught.value.code == "server.key"
        client = connect(server.address, "s3cret")
        matrix(client, server, mode=Mode.RAW_LOGITS)
        assert client.engine.info.evidence == ("logit",)
        rows, _ = client.ask(GREEDY)
        answer = whole(server, "completions", "s3cret")
        assert [row.id for row in rows] == answer["choices"][0]["token_ids"]
        for row, sent in zip(rows, wire_numbers(answer), strict=True):
            assert (row.logprob, row.sampling_logprob, row.rank) == (None, 0.0, 1)
            assert all(one.logprob == sent[one.id] for one in row.candidates)  # scores, as sent
        stop_is_seen_by_the_server(client)


def test_processed_logits_and_a_small_context(model: Path, connect: Callable[..., Client]) -> None:
    flags = ("--logprobs-mode", "processed_logits", "--enable-scale-out", "--max-logprobs", "3")
    with serving(model, *flags, context=64) as server:
        client = connect(server.address)
        matrix(client, server, route="generate", mode=Mode.PROCESSED_LOGITS, context_limit=64, max_logprobs=3)
        rows, finished = client.ask(Sampling(temperature=1.0, top_k=2, seed=1, ignore_eos=True))
        assert (finished.reason, len(rows)) == ("context", 64 - finished.prompt_tokens)
        assert all(row.logprob is None and row.kept_count in (None, 1, 2) for row in rows)
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=list(range(100, 200)))
        assert caught.value.code == "server.refused" and "maximum model length" in caught.value.detail
