"""Real servers that change while they are used: killed in mid-answer, started otherwise, two at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from core.tokens.row import TokenRow
from tests.real.vllm.checks import ENDLESS, GREEDY, matrix, whole
from tests.real.vllm.conftest import PROMPT, Client, made
from tests.real.vllm.server import RealServer, serving

OTHER = [256, 257, 258, 259, 270, 271, 272]  # a prompt of the tiny model


def test_servers_that_come_and_go(model: Path, tmp_path: Path, connect: Callable[..., Client]) -> None:
    other = made("llama", tmp_path)
    with serving(model) as first:
        client = connect(first.address)
        with_key = connect(first.address, "new")  # which this start does not ask for
        expected = [row.id for row in client.ask(GREEDY)[0]]
        with serving(other, "--logprobs-mode", "raw_logits", context=512) as second:
            beside = connect(second.address)
            two_at_once(client, first, beside, second)
            killed_in_mid_answer(client, first, beside)
    for one in (client, with_key):
        assert failure(one) == ("server.unreachable", None)
    with serving(model, "--logprobs-mode", "raw_logits", "--api-key", "new", port=first.port) as again:
        assert failure(client) == ("server.key", None)
        assert failure(with_key) == ("server.changed", "settings")
        with_key.run(with_key.engine.connect())
        matrix(with_key, again, mode=Mode.RAW_LOGITS)
        assert [row.id for row in with_key.ask(GREEDY)[0]] == expected
        assert failure(client) == ("server.key", None)
    with serving(other, port=first.port, context=512) as again:
        assert failure(client) == ("server.changed", "model folder")
        client.run(client.engine.connect())
        matrix(client, again, context_limit=512)
        assert client.ask(GREEDY, prompt=OTHER)[0]


def failure(client: Client) -> tuple[str, object]:
    with pytest.raises(EngineError) as caught:
        client.ask(GREEDY)
    return caught.value.code, caught.value.params.get("what")


def two_at_once(one: Client, first: RealServer, other: Client, second: RealServer) -> None:
    """Each answer has the ids and the kind of numbers of its own server."""
    rows, others = one.ask(GREEDY)[0], other.ask(GREEDY, prompt=OTHER)[0]
    assert [row.id for row in rows] == whole(first, "completions")["choices"][0]["token_ids"]
    answer = whole(second, "completions", prompt=OTHER)
    assert [row.id for row in others] == answer["choices"][0]["token_ids"]
    assert all(row.logprob is not None for row in rows) and all(row.logprob is None for row in others)


def killed_in_mid_answer(client: Client, server: RealServer, beside: Client) -> None:
    """What came is kept, and the answer of another server goes on."""
    rows: list[TokenRow] = []

    async def broken() -> EngineError:
        with pytest.raises(EngineError) as caught:
            async with aclosing(client.engine.generate(PROMPT, ENDLESS, top_candidates=5)) as events:
                async for event in events:
                    if isinstance(event, TokenBatch):
                        if not rows:
                            server.crash()
                        rows.extend(event.rows)
        return caught.value

    assert client.run(asyncio.wait_for(broken(), 60)).code == "server.cut"
    assert rows and rows[0].logprob is not None
    _, finished = beside.ask(Sampling(temperature=0.0, max_tokens=40, ignore_eos=True), prompt=OTHER)
    assert isinstance(finished, Finished) and finished.completion_tokens == 40
