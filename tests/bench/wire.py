"""Figures of the vLLM engine's client side, on a loopback socket: CPU a token on both routes beside other
clients, Stop, and what it adds to the first token.

`python -m tests.bench.wire RUNS` prints one JSON object a run.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import aclosing
from multiprocessing.connection import Connection

from core.engines.base import Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.tokens.decode import AnswerDecoder
from core.tokens.row import TokenRow
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary
from tests.bench.clients import PROMPT, TOKENS, bare, httpx_orjson, openai_package
from tests.fakes.fake_vllm import FakeVllm

SIZE = 4096  # ids of the vocabulary
SAMPLING = Sampling(temperature=0.0, max_tokens=TOKENS)


def listed(index: int) -> list[tuple[int, float]]:
    """Six ids and log probabilities, the token itself first."""
    return [(1000 + (index * 7 + at * 131) % 3000, -0.1234567 - 1.0123456 * at) for at in range(6)]


def event(index: int) -> bytes:
    """As /inference/v1/generate writes it."""
    top = [{"token_id": id, "logprob": value, "rank": at} for at, (id, value) in enumerate(listed(index), 1)]
    choice = {
        "index": 0,
        "finish_reason": None,
        "stop_reason": None,
        "token_ids": [top[0]["token_id"]],
        "routed_experts": None,
        "sampling_mask": None,
        "weight_versions": None,
        "logprobs": {"content": [{**top[0], "top_logprobs": top}]},
    }
    return _data({"request_id": "generate-tokens-0123456789abcdef", "usage": None, "choices": [choice]})


def completion(index: int) -> bytes:
    """As /v1/completions writes it."""
    top = {f"token_id:{id}": value for id, value in listed(index)}
    first = next(iter(top))
    choice = {
        "index": 0,
        "text": " word",
        "logprobs": {
            "text_offset": [10_000 + index],
            "token_logprobs": [top[first]],
            "tokens": [first],
            "top_logprobs": [top],
        },
        "finish_reason": None,
        "stop_reason": None,
        "token_ids": [listed(index)[0][0]],
    }
    head = {"id": "cmpl-0123456789abcdef", "object": "text_completion", "created": 1795962272}
    return _data({**head, "model": "tiny", "choices": [choice]})


def _data(chunk: dict[str, object]) -> bytes:
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def fake(made: Callable[[int], bytes], *, scale_out: bool) -> FakeVllm:
    """A server of TOKENS such events."""
    usage = {"prompt_tokens": len(PROMPT), "completion_tokens": TOKENS, "total_tokens": TOKENS + len(PROMPT)}
    last = _data({"id": "x", "object": "text_completion", "created": 1, "model": "tiny", "choices": [],
                  "usage": usage}) + b"data: [DONE]\n\n"  # fmt: skip
    # one event has the length of every other: the server cuts its pieces by it
    body = b"".join(made(index) for index in range(TOKENS)) + last
    return FakeVllm(scale_out=scale_out, stream=body, chunk=len(made(0)), max_model_len=100_000)


def serve(pipe: Connection) -> None:
    """A process of its own, so that its work does not count: one event in each piece, until told to end."""

    async def main() -> None:
        async with (
            fake(event, scale_out=True).serve() as ids,
            fake(completion, scale_out=False).serve() as completions,
        ):
            pipe.send((ids.address, completions.address))
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(main())


async def engine(address: str, vocabulary: Vocabulary) -> float:
    """Seconds of CPU from the request to the last row in a table."""
    one = VllmEngine(address)
    try:
        await one.connect()
        table, decoder, waiting = TokenTable(), AnswerDecoder(vocabulary), list[TokenRow]()
        begun = time.process_time()
        async with aclosing(one.generate(PROMPT, SAMPLING, top_candidates=5)) as events:
            async for came in events:
                if isinstance(came, TokenBatch):
                    for row in came.rows:
                        waiting.append(row)
                        for piece in decoder.feed(row.id):
                            table.append(waiting.pop(0), piece)
        spent = time.process_time() - begun
        assert len(table) == TOKENS
        return spent
    finally:
        await one.close()


async def latencies() -> tuple[float, float]:
    """Milliseconds: a first token that the server sends at once, and from Stop until the server sees it.
    Medians of 20, client and server in one process."""
    first, stops = list[float](), list[float]()
    async with FakeVllm(scale_out=True, stream=event(0), hold=True).serve() as fake:
        one = VllmEngine(fake.address)
        await one.connect()
        for _ in range(20):
            fake.closed_by_client.clear()
            begun = time.perf_counter()
            async with aclosing(one.generate(PROMPT, SAMPLING, top_candidates=5)) as events:
                async for came in events:
                    if isinstance(came, TokenBatch):
                        first.append(time.perf_counter() - begun)
                        break
                begun = time.perf_counter()
            await fake.closed_by_client.wait()
            stops.append(time.perf_counter() - begun)
        await one.close()
    return statistics.median(first) * 1000, statistics.median(stops) * 1000


def main(runs: int) -> None:
    vocabulary = Vocabulary.from_pieces([b" t%d" % at for at in range(SIZE)], [0] * SIZE)
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,))
    process.start()
    try:
        ids, completions = here.recv()
        for _ in range(runs):
            first, stop = asyncio.run(latencies())
            own, floor = asyncio.run(engine(ids, vocabulary)), bare(ids)
            spent = {
                "client_us_per_token": own,
                "completions_us_per_token": asyncio.run(engine(completions, vocabulary)),
                "bare_us_per_token": floor,
                "httpx_orjson_us_per_token": asyncio.run(httpx_orjson(ids)),
                "openai_us_per_token": asyncio.run(openai_package(completions)),
            }
            found = {name: seconds / TOKENS * 1e6 for name, seconds in spent.items()}
            found |= {"client_ratio": own / floor, "first_token_added_ms": first, "stop_ms": stop}
            print(json.dumps(found), flush=True)
    finally:
        here.send(None)
        process.join()


if __name__ == "__main__":
    main(int(sys.argv[1]))
