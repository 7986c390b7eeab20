"""A server without flags: /v1/completions, raw log probabilities, ranks only where listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engines.base import Sampling
from core.engines.vllm.rows import Mode
from tests.real.vllm.checks import greedy_is_the_servers_own, stop_is_seen_by_the_server
from tests.real.vllm.conftest import Client
from tests.real.vllm.server import RealServer, serving


@pytest.fixture(scope="module")
def server(model: Path) -> Iterator[RealServer]:
    with serving(model) as one:
        yield one


@pytest.fixture(scope="module")
def client(server: RealServer, connect: Callable[..., Client]) -> Client:
    return connect(server.address)


def test_what_is_found(client: Client, server: RealServer) -> None:
    found = client.engine.capabilities
    assert (found.version, found.model, found.root) == ("0.32.0", "tiny", str(server.model))
    assert (found.route, found.mode, found.max_logprobs) == ("completions", Mode.RAW_LOGPROBS, 20)
    assert (found.context_limit, found.greedy, found.sampling_mask) == (1024, True, False)
    assert (found.speculative, found.speculation_metrics) == (False, "none")
    assert "Scale-out endpoints are disabled" in found.cell("scale_out").evidence
    assert found.start is not None


def test_greedy(client: Client, server: RealServer) -> None:
    greedy_is_the_servers_own(client, server)


def test_stop(client: Client) -> None:
    stop_is_seen_by_the_server(client)


def test_below_all_listed_there_is_no_rank(client: Client) -> None:
    rows, finished = client.ask(Sampling(temperature=2.0, max_tokens=40, seed=5))
    below = [row for row in rows if row.rank is None]
    assert below and len(rows) == finished.completion_tokens
    for row in below:
        listed = [one.logprob for one in row.candidates if one.id != row.id]
        assert len(listed) == 5 and all(value > row.logprob for value in listed)  # type: ignore[operator]


def test_seeds_stops_and_limits(client: Client) -> None:
    once = Sampling(temperature=1.0, max_tokens=12, seed=11)
    first, _ = client.ask(once)
    assert [row.id for row in client.ask(once)[0]] == [row.id for row in first]
    _, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, stop=("France is P",)))
    assert (finished.reason, finished.stop_reason) == ("stop", "France is P")
    _, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, stop_token_ids=(7042,)))
    assert (finished.reason, finished.stop_reason) == ("stop", 7042)
    _, finished = client.ask(Sampling(temperature=0.0, ignore_eos=True))
    assert (finished.reason, finished.prompt_tokens + finished.completion_tokens) == ("context", 1024)
