"""The other three logprobs modes, one start each; one of them with a key, one with a small context."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from tests.real.vllm.checks import GREEDY, stop_is_seen_by_the_server, whole
from tests.real.vllm.conftest import Client
from tests.real.vllm.server import serving

DRAWN = Sampling(temperature=0.8, top_k=3, top_p=0.99, max_tokens=12, seed=4)


def test_processed_logprobs(model: Path, connect: Callable[..., Client]) -> None:
    with serving(model, "--logprobs-mode", "processed_logprobs", "--enable-scale-out") as server:
        client = connect(server.address)
        found = client.engine.capabilities
        assert (found.mode, found.route, found.greedy) == (Mode.PROCESSED_LOGPROBS, "generate", True)
        assert found.sampling_mask is False
        assert client.engine.info.evidence == ("sampling",)
        rows, _ = client.ask(DRAWN)
        for row in rows:
            assert row.logprob is None and row.sampling_logprob is not None
            assert row.kept_count is not None and 1 <= row.kept_count <= 3
            assert len(row.candidates) == row.kept_count  # what was cut is not listed
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
        found = client.engine.capabilities
        assert (found.mode, found.route) == (Mode.RAW_LOGITS, "completions")
        assert client.engine.info.evidence == ("logit",)
        rows, _ = client.ask(GREEDY)
        assert [row.id for row in rows] == whole(server, "completions", "s3cret")["choices"][0]["token_ids"]
        assert all(row.logprob is None and row.rank == 1 for row in rows)
        assert all(one.logprob is None for row in rows for one in row.candidates)
        stop_is_seen_by_the_server(client)


def test_processed_logits_and_a_small_context(model: Path, connect: Callable[..., Client]) -> None:
    flags = ("--logprobs-mode", "processed_logits", "--enable-scale-out", "--max-logprobs", "3")
    with serving(model, *flags, context=64) as server:
        client = connect(server.address)
        found = client.engine.capabilities
        assert (found.mode, found.context_limit, found.max_logprobs) == (Mode.PROCESSED_LOGITS, 64, 3)
        rows, finished = client.ask(Sampling(temperature=1.0, top_k=2, seed=1, ignore_eos=True))
        assert (finished.reason, len(rows)) == ("context", 64 - finished.prompt_tokens)
        assert all(row.logprob is None and row.kept_count in (None, 1, 2) for row in rows)
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=list(range(100, 200)))
        assert caught.value.code == "server.refused" and "maximum model length" in caught.value.detail


def test_a_server_started_again_with_other_flags(model: Path, connect: Callable[..., Client]) -> None:
    """Killed: a clear message; another one on the port: never its numbers as those of the first."""
    with serving(model) as server:
        client = connect(server.address)
        client.ask(GREEDY)
        port = server.port
    with pytest.raises(EngineError) as caught:
        client.ask(GREEDY)
    assert caught.value.code == "server.unreachable"
    with serving(model, "--logprobs-mode", "raw_logits", port=port):
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY)
        assert (caught.value.code, caught.value.params["what"]) == ("server.changed", "settings")
        client.run(client.engine.connect())
        rows, _ = client.ask(GREEDY)
        assert client.engine.capabilities.mode is Mode.RAW_LOGITS
        assert all(row.logprob is None for row in rows)
