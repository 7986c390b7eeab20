"""The hand-written HTTP reader: every way a body may come, at any size of the pieces, and what is no HTTP."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

import pytest

from core.engines.vllm import connection
from core.engines.vllm.connection import NotHttp, opened, request

BODY = bytes(range(256)) * 5
CHUNKED = b"".join(
    f"{len(part):X}".encode() + extension + b"\r\n" + part + b"\r\n"
    for part, extension in ((BODY[:1], b""), (BODY[1:700], b";a=b"), (BODY[700:], b""))
)
OK = b"HTTP/1.1 200 OK\r\n"


class Peer:
    """Answers one request with `answer` in pieces of `size` bytes; then closes, unless it is to hold."""

    def __init__(self, answer: bytes, size: int = 0, *, hold: bool = False) -> None:
        self._answer, self._size, self._hold = answer, size or len(answer) or 1, hold
        self.asked = b""
        self.ended = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked = await reader.readuntil(b"\r\n\r\n")
        try:
            for at in range(0, len(self._answer), self._size):
                writer.write(self._answer[at : at + self._size])
                await writer.drain()
            if self._hold:
                await reader.read()
        except ConnectionError:
            pass
        finally:
            self.ended.set()
            writer.close()


def ask(answer: bytes, size: int = 0, *, hold: bool = False) -> tuple[int, bytes]:
    """(status, body)."""

    async def main() -> tuple[int, bytes]:
        peer = Peer(answer, size, hold=hold)
        server = await asyncio.start_server(peer, "127.0.0.1", 0)
        async with server:
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            sent = request(address, "/x", {}, b"")
            async with opened(address, sent, context=None, seconds=5, clock=lambda: 1.0) as one:
                status, parts = await one.head(), list[bytes]()
                while piece := (await one.read())[1]:
                    parts.append(piece)
            await peer.ended.wait()
            return status, b"".join(parts)

    return asyncio.run(asyncio.wait_for(main(), 30))


ANSWERS = {
    "chunked": OK + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKED + b"0\r\nA: b\r\n\r\n",
    "sized": OK + b"content-length: %d\r\n\r\n" % len(BODY) + BODY,
    "to the end": b"HTTP/1.0 200\r\nServer: x\r\n\r\n" + BODY,
    "after 100 Continue": b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 1280\r\n\r\n" + BODY,
    "packed": OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(BODY),
}


@pytest.mark.parametrize("size", [1, 7, 0])
@pytest.mark.parametrize("name", ANSWERS)
def test_any_body_at_any_size_of_pieces(name: str, size: int) -> None:
    assert ask(ANSWERS[name], size) == (200, BODY)


@pytest.mark.parametrize("name", ["chunked", "sized"])
def test_the_end_is_known_before_the_connection_ends(name: str) -> None:
    assert ask(ANSWERS[name] + b"more", hold=True) == (200, BODY)


def test_statuses_without_a_body() -> None:
    assert ask(b"HTTP/1.1 204 No Content\r\n\r\n", hold=True) == (204, b"")
    assert ask(b"HTTP/1.1 503 \r\nContent-Length: 0\r\n\r\n", hold=True) == (503, b"")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 20x\r\n\r\n",
        b"HTTP/1.1 2",
        b"HTTP/1.1 200 OK\r\nA: " + b"x" * 100_000,
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 9\r\n\r\nabc",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc",
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 10_000,
        OK + b"Content-Encoding: gzip\r\n\r\nabcdefghijkl",
    ],
)
@pytest.mark.parametrize("size", [1, 0])
def test_what_is_no_answer_or_half_of_one(answer: bytes, size: int) -> None:
    with pytest.raises(NotHttp):
        ask(answer, size)


def test_what_is_sent() -> None:
    sent = request("http://[::1]:8000/tëam", "/v1/x", {"Authorization": "Bearer k"}, b"{}")
    head, _, body = sent.partition(b"\r\n\r\n")
    assert head.split(b"\r\n") == [
        b"POST /t%C3%ABam/v1/x HTTP/1.1",
        b"Host: [::1]:8000",
        b"Authorization: Bearer k",
        b"Content-Length: 2",
        b"Connection: close",
    ]
    assert body == b"{}"
    assert b"Host: xn--bcher-kva.example\r\n" in request("http://bücher.example", "", {}, b"")
    with pytest.raises(UnicodeError):
        request("http://" + "ü" * 70, "", {}, b"")


def test_nothing_is_read_ahead_of_a_slow_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_AHEAD", 1000)
    held: list[int] = []
    received = connection.Connection.data_received

    def watch(self: connection.Connection, data: bytes) -> None:
        received(self, data)
        held.append(self._size - len(data))

    monkeypatch.setattr(connection.Connection, "data_received", watch)
    body = b"x" * 4_000_000
    assert ask(OK + b"Content-Length: %d\r\n\r\n" % len(body) + body) == (200, body)
    assert max(held) <= 1000  # and never another piece beside more than that


def test_leaving_ends_the_connection_at_once() -> None:
    async def main() -> None:
        peer = Peer(OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", hold=True)
        async with await asyncio.start_server(peer, "127.0.0.1", 0) as server:
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            clock: Callable[[], float] = iter(range(100)).__next__
            sent = request(address, "", {}, b"")
            async with opened(address, sent, context=None, seconds=5, clock=clock) as one:
                assert (await one.head(), (await one.read())[1]) == (200, b"a")
            await peer.ended.wait()

    asyncio.run(asyncio.wait_for(main(), 30))
