"""Asks a server on this computer whether it answers and what it serves: two plain GETs, no more.

The probe that finds out what a server can show has an HTTP client of its own; this is for the wait before it
and for the watch after it, where neither cookies, proxies nor long answers exist.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

SECONDS = 5.0
_LIMIT = 1 << 20  # bytes of an answer


class Answer(msgspec.Struct, frozen=True):
    """`status`: of HTTP; 0: nobody answers; -1: somebody took the connection and said nothing in time."""

    status: int
    models: tuple[str, ...] = ()

    def lists(self, model: str) -> bool:
        """True also where a key is wanted first: the probe says so then."""
        return self.status in (401, 403) or (self.status == 200 and model in self.models)


Knock = Callable[[int, str, str], Awaitable[Answer]]  # port, path, key


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model]


async def knock(port: int, path: str, key: str = "") -> Answer:
    """GET 127.0.0.1:port/path. Raises nothing."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _get(port, path, key)
    except TimeoutError:
        return Answer(-1)
    except (OSError, ValueError, asyncio.IncompleteReadError):
        return Answer(0)


async def _get(port: int, path: str, key: str) -> Answer:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        lines = [f"GET {path} HTTP/1.0", f"Host: 127.0.0.1:{port}", "Connection: close"]
        if key:
            lines.append(f"Authorization: Bearer {key}")
        writer.write("\r\n".join([*lines, "", ""]).encode())
        await writer.drain()
        whole = b""
        while len(whole) < _LIMIT and (piece := await reader.read(1 << 16)):
            whole += piece
    finally:
        writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    words = head.split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/"):
        return Answer(0)  # Docker's proxy takes a connection before the server listens, and drops it
    try:
        models = tuple(one.id for one in msgspec.json.decode(body, type=_Models).data)
    except msgspec.MsgspecError:
        models = ()
    return Answer(int(words[1]), models)
