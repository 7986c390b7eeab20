"""One streamed request on a connection of its own, HTTP/1.1 read by hand.

A general client spends more on every token than all else on its way from the socket to the table together.
Follows RFC 9112; knows no proxies and asks once: closing is how a server is told to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import urllib.parse
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping

Piece = tuple[float, bytes]  # when it came, by the caller's clock, and what; b"" is the end
_AHEAD = 1024 * 1024  # bytes held here before the socket is left alone
_HEAD_LIMIT = 64 * 1024
_LINE_LIMIT = 4096
_PATH_SAFE = "/%:@!$&'()*+,;=~"


class NotHttp(ConnectionError):
    """What came is no answer to a request, or ended inside one."""


def request(address: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """The bytes of a POST. Raises UnicodeError for a host or a header that cannot be sent."""
    parts = urllib.parse.urlsplit(address)
    host = parts.netloc.rpartition("@")[2].encode("ascii" if parts.netloc.isascii() else "idna").decode()
    lines = [
        f"POST {urllib.parse.quote(parts.path + path, safe=_PATH_SAFE)} HTTP/1.1",
        f"Host: {host}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


@contextlib.asynccontextmanager
async def opened(
    address: str,
    request: bytes,
    *,
    context: ssl.SSLContext | None,
    seconds: float,
    clock: Callable[[], float],
) -> AsyncIterator[Connection]:
    """A connection on which `request` was sent; closed on leaving. Raises OSError: it cannot be made."""
    parts = urllib.parse.urlsplit(address)
    secure = parts.scheme == "https"
    async with asyncio.timeout(seconds):
        _, connection = await asyncio.get_running_loop().create_connection(
            lambda: Connection(clock),
            parts.hostname or "",
            parts.port or (443 if secure else 80),
            ssl=context if secure else None,
        )
    try:
        connection.send(request)
        yield connection
    finally:
        await connection.close()


class Connection(asyncio.Protocol):
    """Reads one answer: `head` once, then `read` until the empty piece."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[None] | None = None
        self._closed = asyncio.get_running_loop().create_future()
        self._pieces: deque[Piece] = deque()
        self._size = 0
        self._paused = False
        self._over = False
        self._failure: Exception | None = None
        self._body: _Chunked | _Sized = _Sized(None)
        self._unpack: Callable[[bytes], bytes] | None = None

    # --- called by the loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._pieces.append((self._clock(), data))
        self._size += len(data)
        if self._size > _AHEAD and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def connection_lost(self, failure: Exception | None) -> None:
        self._over, self._failure = True, failure
        if not self._closed.done():
            self._closed.set_result(None)
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # --- called by whoever reads

    def send(self, request: bytes) -> None:
        assert self._transport is not None
        self._transport.write(request)

    async def head(self) -> int:
        """The status. Raises OSError."""
        head = b""
        while True:
            at, piece = await self._received()
            if not piece:
                raise NotHttp("the server closed the connection without an answer")
            head += piece
            while (end := head.find(b"\r\n\r\n")) >= 0:
                status, headers = _head(head[:end])
                head = head[end + 4 :]
                if status >= 200:
                    self._expect(status, headers)
                    if head:
                        self._pieces.appendleft((at, head))
                        self._size += len(head)
                    return status
            if len(head) > _HEAD_LIMIT:
                raise NotHttp("no end of the headers")

    def _expect(self, status: int, headers: Mapping[str, str]) -> None:
        length = headers.get("content-length")
        if status in (204, 304):
            self._body = _Sized(0)
        elif "chunked" in headers.get("transfer-encoding", "").lower():
            self._body = _Chunked()
        elif length is not None:
            if not (length.isascii() and length.isdecimal()):
                raise NotHttp(f"content-length {length[:40]}")
            self._body = _Sized(int(length))
        if headers.get("content-encoding", "identity").lower() in ("gzip", "deflate", "x-gzip"):
            self._unpack = zlib.decompressobj(wbits=47).decompress  # asked for or not

    async def read(self) -> Piece:
        """What came next. Raises OSError where the connection ends inside the body."""
        while not self._body.ended:
            at, raw = await self._received()
            if not raw:
                if not self._body.may_end:
                    raise NotHttp("the connection ended inside the answer")
                break
            piece = self._body.feed(raw)
            if self._unpack is not None:
                piece = self._unpacked(piece)
            if piece:
                return at, piece
        return self._clock(), b""

    def _unpacked(self, piece: bytes) -> bytes:
        assert self._unpack is not None
        try:
            return self._unpack(piece)
        except zlib.error as error:
            raise NotHttp(str(error)) from error

    async def _received(self) -> Piece:
        """Bytes as they came; b"" when no more will. Raises OSError for a connection that broke."""
        while not self._pieces:
            if self._over:
                if self._failure is not None:
                    raise self._failure
                return self._clock(), b""
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        piece = self._pieces.popleft()
        self._size -= len(piece[1])
        if self._paused and not self._size and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return piece

    async def close(self) -> None:
        """At once, with nothing more said: the server sees the connection end."""
        if self._transport is not None:
            self._transport.abort()
            await self._closed


def _head(head: bytes) -> tuple[int, dict[str, str]]:
    """(status, headers by their names in small letters). Raises NotHttp."""
    first, *lines = head.decode("latin-1").split("\r\n")
    protocol, _, rest = first.partition(" ")
    digits = rest[:3]
    if not protocol.startswith("HTTP/1.") or len(digits) < 3 or not (digits.isascii() and digits.isdecimal()):
        raise NotHttp(f"not HTTP: {first[:60]!r}")
    named = (line.partition(":") for line in lines)
    return int(digits), {name.strip().lower(): value.strip() for name, _, value in named}


class _Sized:
    """A body of a known length, or (None) until the connection ends."""

    def __init__(self, length: int | None) -> None:
        self._left = length
        self.ended = length == 0
        self.may_end = length is None

    def feed(self, data: bytes) -> bytes:
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
            self.ended = self._left == 0
        return data


class _Chunked:
    """Takes the chunked coding off. What follows the last chunk is of no interest: nothing else is asked."""

    may_end = False

    def __init__(self) -> None:
        self._rest = b""  # of a line that is not complete
        self._left = 0  # bytes of the chunk that are still to come
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """The body's bytes in it. Raises NotHttp."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        parts: list[bytes] = []
        at, size = 0, len(data)
        while at < size:
            if self._left:
                parts.append(data[at : at + self._left])
                taken = len(parts[-1])
                self._left -= taken
                at += taken
                continue
            end = data.find(b"\n", at)
            if end < 0:
                self._rest = data[at:]
                if len(self._rest) > _LINE_LIMIT:
                    raise NotHttp("no size of a chunk")
                break
            line = data[at : end - 1] if data[end - 1] == 0x0D and end > at else data[at:end]
            at = end + 1
            if line:  # an empty one ends the chunk before it
                self._left = _size(line)
                if not self._left:
                    self.ended = True
                    break
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip() if b";" in line else line
    try:
        size = int(digits, 16)
    except ValueError:
        size = -1
    if size < 0:
        raise NotHttp(f"size of a chunk: {line[:40]!r}")
    return size
