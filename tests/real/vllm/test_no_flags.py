"""A server without flags: /v1/completions, raw log probabilities, ranks only where listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.engines.base import Sampling
from tests.real.vllm.checks import (
    greedy_is_the_servers_own,
    matrix,
    stop_is_seen_by_the_server,
    the_network_fails_in_mid_answer,
    whole,
    wire_numbers,
)
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
    matrix(client, server)
    assert "Scale-out endpoints are disabled" in client.engine.capabilities.cell("scale_out").evidence


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


def test_seeds_stops_and_limits(client: Client, server: RealServer) -> None:
    once = Sampling(temperature=1.0, max_tokens=12, seed=11)
    first, _ = client.ask(once)
    assert [row.id for row in client.ask(once)[0]] == [row.id for row in first]
    ids = [row.id for row in client.ask(Sampling(temperature=0.0, max_tokens=30))[0]]
    text = server.post("/detokenize", {"model": "tiny", "tokens": ids})["prompt"]
    stop = text[9:17]
    rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, stop=(stop,)))
    assert (finished.reason, finished.stop_reason) == ("stop", stop)
    assert [row.id for row in rows] == ids[: len(rows)] != ids
    rows, finished = client.ask(Sampling(temperature=0.0, max_tokens=30, stop_token_ids=(ids[5],)))
    assert (finished.reason, finished.stop_reason) == ("stop", ids[5])
    assert [row.id for row in rows] == ids[: ids.index(ids[5]) + 1]
    _, finished = client.ask(Sampling(temperature=0.0, ignore_eos=True))
    assert (finished.reason, finished.prompt_tokens + finished.completion_tokens) == ("context", 1024)


@pytest.mark.parametrize("how", ["cut", "silence"])
def test_the_network_fails(how: str, server: RealServer) -> None:
    the_network_fails_in_mid_answer(server, how)


def test_asked_from_the_command_line(server: RealServer, built_in_home: Path) -> None:
    """The program itself in a process of its own: rendered here, greedy as the server, numbers as sent."""
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "ask", "What is the capital of France?", "--json",
         *("--url", server.address, "--temperature", "0", "--max-tokens", "16")],
        env={**os.environ, "TOKENLOUPE_HOME": str(built_in_home)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    start, *tokens, end = (json.loads(line) for line in done.stdout.splitlines())
    answer = whole(server, "completions", prompt=start["prompt_ids"])
    assert [token["id"] for token in tokens] == answer["choices"][0]["token_ids"]
    for token, sent in zip(tokens, wire_numbers(answer), strict=True):
        assert token["logprob"] == sent[token["id"]]
        assert {one["id"]: one["logprob"] for one in token["candidates"]}.items() <= sent.items()
    assert end["finish_reason"] == answer["choices"][0]["finish_reason"]
    chat = [{"role": "user", "content": "What is the capital of France?"}]
    told = server.post("/tokenize", {"model": "tiny", "messages": chat, "add_generation_prompt": True})
    assert start["prompt_ids"] == told["tokens"]
