"""What must hold on every start of the real server."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from typing import Any

import pytest

from core.engines.base import Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.rows import Mode
from core.errors import EngineError
from core.tokens.row import TokenRow
from tests.real.vllm.conftest import PROMPT, Client
from tests.real.vllm.relay import Relay
from tests.real.vllm.server import RealServer

GREEDY = Sampling(temperature=0.0, max_tokens=16)
ENDLESS = Sampling(temperature=1.0, max_tokens=400, ignore_eos=True, seed=1)
_WHOLE: dict[str, Any] = {"temperature": 0, "max_tokens": 16, "logprobs": 6}


# the matrix of a server without flags
_PLAIN: dict[str, object] = {
    "version": "0.32.0",
    "model": "tiny",
    "served": ("tiny",),
    "context_limit": 1024,
    "route": "completions",
    "mode": Mode.RAW_LOGPROBS,
    "max_logprobs": 20,
    "greedy": True,
    "sampling_mask": False,
    "speculative": False,
    "speculation_metrics": "none",
    "fragile_top_k": False,
}
# field of the matrix → its line, and whether the line says yes for a value
_CELLS: dict[str, str] = {
    "version": "version",
    "context_limit": "context_limit",
    "mode": "logprobs_mode",
    "max_logprobs": "max_logprobs",
    "greedy": "greedy",
    "sampling_mask": "sampling_mask",
    "speculative": "speculation",
}


def matrix(client: Client, server: RealServer, **different: object) -> None:
    """Every field as this start makes it (`different` from one without flags), each with its evidence."""
    found = client.engine.capabilities
    wanted = _PLAIN | different
    assert {name: getattr(found, name) for name in wanted} == wanted
    assert found.root == str(server.model)
    assert found.start is not None
    for name, line in _CELLS.items():
        assert found.cell(line).verdict == ("yes" if wanted[name] else "no"), name
    assert found.cell("scale_out").verdict == ("yes" if found.route == "generate" else "no")
    assert all(cell.evidence for cell in found.cells)


def whole(
    server: RealServer,
    route: str,
    key: str = "",
    prompt: list[int] = PROMPT,
    values: dict[str, Any] = _WHOLE,
) -> dict[str, Any]:
    """The server's own answer in one piece."""
    if route == "generate":
        return server.post("/inference/v1/generate", {"token_ids": prompt, "sampling_params": values}, key)
    body = {"model": "tiny", "prompt": prompt, "return_token_ids": True, "return_tokens_as_token_ids": True}
    return server.post("/v1/completions", {**body, **values}, key)


def wire_numbers(answer: dict[str, Any]) -> list[dict[int, float]]:
    """For each token: id → value, as sent."""
    logprobs = answer["choices"][0]["logprobs"]
    if "content" in logprobs:
        return [
            {one["token_id"]: one["logprob"] for one in entry["top_logprobs"]}
            for entry in logprobs["content"]
        ]
    return [
        {int(name.split(":")[1]): value for name, value in top.items()} for top in logprobs["top_logprobs"]
    ]


def greedy_is_the_servers_own(
    client: Client, server: RealServer, key: str = "", prompt: list[int] = PROMPT
) -> None:
    """The ids of the answer in one piece, and exactly the log probabilities on the wire."""
    rows, finished = client.ask(GREEDY, prompt)
    answer = whole(server, client.engine.capabilities.route, key, prompt)
    choice = answer["choices"][0]
    assert [row.id for row in rows] == choice["token_ids"]
    assert finished.reason == choice["finish_reason"]
    assert finished.completion_tokens == answer["usage"]["completion_tokens"]
    # on a busy machine so few tokens may truly be read at once, and then it is right to say so
    assert set(finished.notes) <= {"burst"}
    for row, sent in zip(rows, wire_numbers(answer), strict=True):
        assert row.logprob == sent[row.id]
        last = min(sent.values())  # of those that tie there, another may be listed
        assert all(one.logprob == sent.get(one.id, last) for one in row.candidates)
        assert len(row.candidates) >= 5
        assert row.rank == 1 + sum(value > sent[row.id] for value in sent.values())


def stop_is_seen_by_the_server(client: Client, prompt: list[int] = PROMPT) -> None:
    """The running-requests gauge goes up with the answer and back to nothing after Stop."""
    server = client.engine._server

    async def running() -> float:
        told = re.findall(rb"^vllm:num_requests_running\S* (\S+)", (await server.get("/metrics")).body, re.M)
        return sum(map(float, told))

    async def main() -> None:
        async with aclosing(client.engine.generate(prompt, ENDLESS, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch) and await running() == 1:
                    break
        for _ in range(2000):
            if await running() == 0:
                return
        raise AssertionError("the server went on generating")

    client.run(main())
    rows, _ = client.ask(Sampling(temperature=0.0, max_tokens=2), prompt)  # nothing is queued before it
    assert len(rows) == 2


def the_network_fails_in_mid_answer(server: RealServer, how: str) -> None:
    """Cut or silent: a clear message, what came is kept, the server stops, and the next question works."""

    async def main() -> None:
        async with Relay(server.port) as relay:
            engine = VllmEngine(relay.address, stall=1.0 if how == "silence" else 60.0)
            try:
                await engine.connect()
                rows: list[TokenRow] = []
                with pytest.raises(EngineError) as caught:
                    async with aclosing(engine.generate(PROMPT, ENDLESS, top_candidates=5)) as events:
                        async for event in events:
                            if isinstance(event, TokenBatch):
                                rows += event.rows
                                getattr(relay, how)()
                assert caught.value.code == {"cut": "server.cut", "silence": "server.stalled"}[how]
                assert rows
                if how == "cut":
                    events = engine.generate(PROMPT, GREEDY, top_candidates=5)
                    assert [event async for event in events if isinstance(event, TokenBatch)]
            finally:
                await engine.close()

    asyncio.run(main())
