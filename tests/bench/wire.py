"""Figures of the vLLM engine's client side, on a loopback socket: CPU a token beside a bare socket, Stop, and
what it adds to the first token. `python -m tests.bench.wire RUNS` prints one JSON object a run.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import statistics
import sys
import time
import urllib.parse
from contextlib import aclosing
from multiprocessing.connection import Connection
from typing import Any

import httpx

from core.engines.base import Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.tokens.decode import AnswerDecoder
from core.tokens.row import TokenRow
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary
from tests.fakes.fake_vllm import FakeVllm

TOKENS = 4000
SIZE = 4096  # ids of the vocabulary
PROMPT = [11, 12, 13]
SAMPLING = Sampling(temperature=0.0, max_tokens=TOKENS)


def event(index: int) -> bytes:
    top = [
        {
            "token_id": 1000 + (index * 7 + at * 131) % 3000,
            "logprob": -0.1234567 - 1.0123456 * at,
            "rank": at + 1,
        }
        for at in range(6)
    ]
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
    chunk = {"request_id": "generate-tokens-0123456789abcdef", "usage": None, "choices": [choice]}
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def body() -> bytes:
    usage = {"prompt_tokens": len(PROMPT), "completion_tokens": TOKENS, "total_tokens": TOKENS + len(PROMPT)}
    last = b"data: " + json.dumps({"choices": [], "usage": usage}).encode() + b"\n\ndata: [DONE]\n\n"
    # one event has the length of every other: the server cuts its pieces by it
    return b"".join(event(index) for index in range(TOKENS)) + last


def serve(pipe: Connection) -> None:
    """A process of its own, so that its work does not count: one event in each piece, until told to end."""

    async def main() -> None:
        fake = FakeVllm(scale_out=True, stream=body(), chunk=len(event(0)), max_model_len=100_000)
        async with fake.serve():
            pipe.send(fake.address)
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


def request(address: str) -> tuple[tuple[str, int], bytes]:
    parts = urllib.parse.urlsplit(address)
    assert parts.hostname is not None and parts.port is not None
    values = {"temperature": 0, "logprobs": 6, "max_tokens": TOKENS}
    content = json.dumps({"token_ids": PROMPT, "sampling_params": values, "stream": True}).encode()
    head = f"POST /inference/v1/generate HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
    return (parts.hostname, parts.port), head.encode() + content


def take(event: bytes, rows: list[Any]) -> None:
    if event.startswith(b"data: {"):
        rows += json.loads(event[6:])["choices"]


def bare(address: str) -> float:
    """The floor: a blocking socket, chunks taken apart by hand, the standard library's JSON."""
    place, content = request(address)
    begun, rows, buffer, done = time.process_time(), list[Any](), b"", False
    with socket.create_connection(place) as connection:
        connection.sendall(content)
        while not done:
            buffer += connection.recv(65536)
            *whole, buffer = buffer.split(b"\r\n")  # sizes of pieces and pieces, one event each
            for line in whole:
                for one in line.split(b"\n\n"):
                    take(one, rows)
                done = done or b"[DONE]" in line
    spent = time.process_time() - begun
    assert len(rows) == TOKENS
    return spent


async def plain_httpx(address: str) -> float:
    """The usual way: httpx' lines and the standard library's JSON."""
    begun, rows = time.process_time(), list[Any]()
    values = {"temperature": 0, "logprobs": 6, "max_tokens": TOKENS}
    asked = {"token_ids": PROMPT, "sampling_params": values, "stream": True}
    async with (
        httpx.AsyncClient(trust_env=False, timeout=None) as client,
        client.stream("POST", f"{address}/inference/v1/generate", json=asked) as response,
    ):
        async for line in response.aiter_lines():
            take(line.encode(), rows)
    spent = time.process_time() - begun
    assert len(rows) == TOKENS
    return spent


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
        address = here.recv()
        for _ in range(runs):
            first, stop = asyncio.run(latencies())
            own = asyncio.run(engine(address, vocabulary)) / TOKENS * 1e6
            floor = bare(address) / TOKENS * 1e6
            found = {
                "client_us_per_token": own,
                "bare_us_per_token": floor,
                "client_ratio": own / floor,
                "httpx_us_per_token": asyncio.run(plain_httpx(address)) / TOKENS * 1e6,
                "first_token_added_ms": first,
                "stop_ms": stop,
            }
            print(json.dumps(found), flush=True)
    finally:
        here.send(None)
        process.join()


if __name__ == "__main__":
    main(int(sys.argv[1]))
