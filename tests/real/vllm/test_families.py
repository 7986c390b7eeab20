"""Tiny random models of other families: Qwen3.5, whose engine dies of a one-token prompt, and Gemma 4 with
its drafter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from tests.real.vllm.checks import GREEDY, greedy_is_the_servers_own, stop_is_seen_by_the_server
from tests.real.vllm.conftest import Client
from tests.real.vllm.server import serving

TESTS = Path(__file__).parents[2]
TINY = TESTS / "cases" / "models" / "tiny"
PROMPT = [256, 257, 258, 259, 270, 271, 272]


@pytest.fixture(scope="module")
def made(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    script = str(TESTS / "reference" / "make_model.py")
    for kind in ("qwen3.5-wide", "gemma4", "gemma4-assistant"):
        command = [sys.executable, script, kind, str(TINY), str(root / kind)]
        subprocess.run(command, check=True, capture_output=True)
    return root


def test_qwen35_and_the_death_of_an_engine(made: Path, connect: Callable[..., Client]) -> None:
    with serving(made / "qwen3.5-wide", "--enable-scale-out", context=512) as server:
        client = connect(server.address)  # the probe itself must not kill it
        found = client.engine.capabilities
        assert (found.route, found.mode) == ("generate", Mode.RAW_LOGPROBS)
        greedy_is_the_servers_own(client, server, prompt=PROMPT)
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=[256])
        assert caught.value.code == "server.engine_dead"
        assert "EngineCore" in caught.value.detail
        with pytest.raises(EngineError) as caught:
            client.ask(GREEDY, prompt=PROMPT)
        assert caught.value.code in ("server.engine_dead", "server.unreachable", "server.cut")


@pytest.mark.parametrize("metrics", ["summary", "detailed"])
def test_gemma4_with_its_drafter(metrics: str, made: Path, connect: Callable[..., Client]) -> None:
    speculation = f'{{"method":"mtp","model":"{made / "gemma4-assistant"}","num_speculative_tokens":2}}'
    flags = ("--speculative-config", speculation, "--per-request-spec-decode-metrics", metrics)
    with serving(made / "gemma4", *flags, context=512) as server:
        client = connect(server.address)
        found = client.engine.capabilities
        assert (found.speculative, found.speculation_metrics) == (True, metrics)
        greedy_is_the_servers_own(client, server, prompt=PROMPT)
        rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, ignore_eos=True), prompt=PROMPT)
        counts = finished.speculation
        assert counts is not None and counts.steps > 0 and counts.drafted >= counts.accepted
        if metrics == "detailed":  # every step has guesses here, so the counts account for every token
            assert counts.guesses is not None and all(0 < index < len(rows) for index in counts.guesses)
        stop_is_seen_by_the_server(client, prompt=PROMPT)
