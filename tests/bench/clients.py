"""Other ways to read the same streamed answers: each gives the seconds of CPU that TOKENS tokens cost it."""

from __future__ import annotations

import json
import socket
import time
import urllib.parse
from typing import Any

import httpx
import orjson
from openai import AsyncOpenAI

TOKENS = 4000
PROMPT = [11, 12, 13]
_VALUES = {"temperature": 0, "logprobs": 6, "max_tokens": TOKENS}
_ASKED = {"token_ids": PROMPT, "sampling_params": _VALUES, "stream": True}


def bare(address: str) -> float:
    """The floor: a blocking socket, chunks taken apart by hand, the standard library's JSON."""
    parts = urllib.parse.urlsplit(address)
    content = json.dumps(_ASKED).encode()
    head = f"POST /inference/v1/generate HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
    begun, rows, buffer, done = time.process_time(), list[Any](), b"", False
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        connection.sendall(head.encode() + content)
        while not done:
            buffer += connection.recv(65536)
            *whole, buffer = buffer.split(b"\r\n")  # sizes of pieces and pieces, one event each
            for line in whole:
                for one in line.split(b"\n\n"):
                    if one.startswith(b"data: {"):
                        rows += json.loads(one[6:])["choices"]
                done = done or b"[DONE]" in line
    return _spent(begun, rows)


async def httpx_orjson(address: str) -> float:
    """The usual way with fast parts: httpx' lines and orjson."""
    begun, rows = time.process_time(), list[Any]()
    async with (
        httpx.AsyncClient(trust_env=False, timeout=None) as client,
        client.stream("POST", f"{address}/inference/v1/generate", json=_ASKED) as response,
    ):
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                rows += orjson.loads(line[6:])["choices"]
    return _spent(begun, rows)


async def openai_package(address: str) -> float:
    """The `openai` package, which knows /v1/completions only."""
    begun, rows = time.process_time(), list[Any]()
    async with AsyncOpenAI(
        base_url=f"{address}/v1", api_key="x", http_client=httpx.AsyncClient(trust_env=False)
    ) as client:
        stream = await client.completions.create(
            model="tiny", prompt=PROMPT, stream=True, logprobs=5, max_tokens=TOKENS, temperature=0
        )
        async for chunk in stream:
            rows += chunk.choices
    return _spent(begun, rows)


def _spent(begun: float, rows: list[Any]) -> float:
    spent = time.process_time() - begun
    assert len(rows) == TOKENS
    return spent
