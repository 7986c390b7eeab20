"""n-gram speculation: counts with summary; with detailed, the guesses where the counts account for all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.errors import EngineError
from tests.real.vllm.checks import greedy_is_the_servers_own, matrix
from tests.real.vllm.conftest import PROMPT, Client
from tests.real.vllm.server import serving

NGRAM = '{"method":"ngram","num_speculative_tokens":3,"prompt_lookup_max":3,"prompt_lookup_min":1}'
AGAIN = [*PROMPT, *PROMPT, *PROMPT]
LONG = Sampling(temperature=0.0, max_tokens=40, ignore_eos=True)


@pytest.mark.parametrize("metrics", ["summary", "detailed"])
def test_ngram(metrics: str, model: Path, connect: Callable[..., Client]) -> None:
    flags = (
        "--speculative-config",
        NGRAM,
        "--per-request-spec-decode-metrics",
        metrics,
        "--enable-scale-out",
    )
    with serving(model, *flags) as server:
        client = connect(server.address)
        matrix(
            client,
            server,
            route="generate",
            speculative=True,
            speculation_metrics=metrics,
            fragile_top_k=True,
        )
        greedy_is_the_servers_own(client, server)
        rows, finished = client.ask(LONG, prompt=AGAIN)
        counts = finished.speculation
        assert counts is not None and counts.steps > 0
        assert counts.accepted <= counts.drafted
        assert len(rows) == finished.completion_tokens == 40
        if metrics == "summary":
            assert counts.guesses is None
        elif counts.guesses is not None:
            assert len(counts.guesses) <= counts.accepted
        drawn, _ = client.ask(Sampling(temperature=1.0, top_p=0.9, seed=1, max_tokens=20), prompt=AGAIN)
        assert drawn
        for refused in (Sampling(min_p=0.1), Sampling(top_k=5)):  # the second would end this engine
            with pytest.raises(EngineError) as caught:
                client.ask(refused)
            assert caught.value.code == "server.limit"
