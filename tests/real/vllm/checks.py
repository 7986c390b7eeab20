"""What must hold on every start of the real server."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from core.engines.base import Sampling, TokenBatch
from core.engines.vllm.metrics import read_metrics
from tests.real.vllm.conftest import PROMPT, Client
from tests.real.vllm.server import RealServer

GREEDY = Sampling(temperature=0.0, max_tokens=16)
_WHOLE: dict[str, Any] = {"temperature": 0, "max_tokens": 16, "logprobs": 6}


def whole(server: RealServer, route: str, key: str = "", prompt: list[int] = PROMPT) -> dict[str, Any]:
    """The server's own answer in one piece."""
    if route == "generate":
        return server.post("/inference/v1/generate", {"token_ids": prompt, "sampling_params": _WHOLE})
    body = {"model": "tiny", "prompt": prompt, "return_token_ids": True, "return_tokens_as_token_ids": True}
    return server.post("/v1/completions", {**body, **_WHOLE}, key)


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
    assert (finished.completion_tokens, finished.notes) == (answer["usage"]["completion_tokens"], ())
    for row, sent in zip(rows, wire_numbers(answer), strict=True):
        assert row.logprob == sent[row.id]
        assert all(one.logprob == sent[one.id] for one in row.candidates)
        assert len(row.candidates) >= 5
        assert row.rank == 1 + sum(value > sent[row.id] for value in sent.values())


def stop_is_seen_by_the_server(client: Client, prompt: list[int] = PROMPT) -> None:
    """The running-requests gauge goes up with the answer and back to nothing after Stop."""
    server = client.engine._server

    async def running() -> int | None:
        return read_metrics((await server.get("/metrics")).body).running

    async def main() -> None:
        endless = Sampling(temperature=1.0, max_tokens=400, ignore_eos=True, seed=1)
        async with aclosing(client.engine.generate(prompt, endless, top_candidates=5)) as events:
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
