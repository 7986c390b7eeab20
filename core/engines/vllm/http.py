"""The connection to one server: the only importer of httpx. Knows routes and bytes, no tokens."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import socket
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from core.engines.vllm.address import normalise, proxy_for
from core.engines.vllm.attached import Body
from core.engines.vllm.sse import DONE, SseReader
from core.errors import EngineError

if TYPE_CHECKING:  # imported in a thread when a server is first spoken to
    import httpx

S = TypeVar("S")
T = TypeVar("T")
log = logging.getLogger(__name__)
CONNECT_SECONDS = 10.0
STALL_SECONDS = 600.0  # between two tokens; before the first there is no limit
# Only so long an idle connection is used again: vLLM closes one after 5 s, and what is sent in that moment is
# lost.
IDLE_SECONDS = 2.0
BODY_LIMIT = 64 * 1024 * 1024
_WORDS = 4000  # characters of an error that are kept
# A network that has gone says nothing: asked for by the system, it ends even a wait for the first token. Not
# every system has every number.
_KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 6}


class Reply(msgspec.Struct, frozen=True):
    """A whole answer. `json` is None where the body is no JSON."""

    status: int
    body: bytes

    @property
    def json(self) -> object:
        try:
            return msgspec.json.decode(self.body)
        except msgspec.DecodeError:
            return None

    @property
    def message(self) -> str:
        """The server's own words for an error, in every shape that it has."""
        return error_message(self.json) or self.body[:500].decode("utf-8", "replace").strip()


class Arrival(msgspec.Struct, frozen=True, gc=False):
    """Events that came in one piece. `at`: the clock's time of that piece. `done`: [DONE] was among them.
    `last`: the body ended, and this is what it left incomplete."""

    at: float
    events: list[bytes]
    done: bool = False
    last: bool = False


def error_message(value: object) -> str:
    """The message inside `{"error": {"message": …}}`, `{"error": "…"}` or `{"detail": …}`, else "". Its
    beginning, where somebody sends megabytes."""
    if not isinstance(value, dict):
        return ""
    error = value.get("error", value.get("detail"))
    if isinstance(error, dict):
        error = error.get("message")
    return "" if error is None else str(error)[:_WORDS]


async def together(first: Coroutine[Any, Any, S], second: Coroutine[Any, Any, T]) -> tuple[S, T]:
    """Run both at once and wait for both: nothing is left running behind an error."""
    found = await asyncio.gather(first, second, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return cast(tuple[S, T], tuple(found))


class Refused(EngineError):
    """The server answered with an error status, before any token."""

    code = "server.refused"

    def __init__(self, status: int, message: str) -> None:
        super().__init__("server.refused", status=status, detail=message)
        self.status = status


class Server:
    """One client for one address, closed with `close`, which ends what still waits for an answer. Nothing is
    sent before the first call."""

    def __init__(
        self, address: str, *, key: str = "", clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.address = normalise(address)
        self.clock = clock
        self.proxy = proxy_for(self.address)
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if key:
            if not key.isascii() or not key.isprintable():
                raise EngineError("server.key", address=self.address)
            self._headers["Authorization"] = f"Bearer {key}"
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._waiting: set[asyncio.Timeout] = set()
        self._closed = False

    async def open(self) -> httpx.AsyncClient:
        """The first call does this by itself. In a thread: imports and certificates take a third of a
        second, in which a window would stand still."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._make)
            return self._client

    def _make(self) -> httpx.AsyncClient:
        # its command line, which nobody uses here, takes most of the time that the import takes
        sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
        import httpx

        for late in (
            "httpcore._backends.anyio",
            "anyio._backends._asyncio",
        ):  # else the first request does it
            with contextlib.suppress(ImportError):
                importlib.import_module(late)
        options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
        options += [
            (socket.IPPROTO_TCP, getattr(socket, name), value)
            for name, value in _KEEP_ALIVE.items()
            if hasattr(socket, name)
        ]
        # trust_env would read proxies for loopback too, and .netrc; certificates still come from the system's
        # own variables.
        verify = httpx.create_ssl_context() if self.address.startswith("https:") else False
        limits = httpx.Limits(keepalive_expiry=IDLE_SECONDS)
        for proxy in (self.proxy, None):
            try:
                way = httpx.AsyncHTTPTransport(
                    verify=verify, trust_env=False, proxy=proxy, socket_options=options, limits=limits
                )
            except (ValueError, ImportError, httpx.InvalidURL) as error:
                log.warning("the proxy setting cannot be used, going direct: %s", error)
                self.proxy = None
                continue
            timeout = httpx.Timeout(None, connect=CONNECT_SECONDS)
            return httpx.AsyncClient(headers=self._headers, timeout=timeout, trust_env=False, transport=way)
        raise EngineError("server.address", address=self.address)

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        self._closed = True
        for waiting in self._waiting:
            waiting.reschedule(0)
        if self._client is not None:
            await self._client.aclose()

    async def get(self, path: str, *, seconds: float | None = 15.0) -> Reply:
        """Raises EngineError: server.unreachable, server.cut, server.slow."""
        return await self._whole("GET", path, b"", seconds)

    async def post(self, path: str, body: bytes | Body, *, seconds: float | None = None) -> Reply:
        """Without `seconds` it waits as long as the server works. Raises as `get`."""
        return await self._whole("POST", path, body, seconds)

    async def _whole(self, method: str, path: str, body: bytes | Body, seconds: float | None) -> Reply:
        try:
            async with asyncio.timeout(seconds):
                async with self._response(method, path, body) as response:
                    return Reply(response.status_code, await _read(response))
        except TimeoutError as error:
            raise EngineError("server.slow", address=self.address, seconds=seconds) from error

    async def stream(
        self, path: str, body: bytes | Body, *, stall: float | None = STALL_SECONDS
    ) -> AsyncGenerator[Arrival, None]:
        """The events of a streamed answer as they arrive. Closing the generator closes the connection, which
        is how a server is told to stop.

        Raises Refused for an error status; EngineError: server.unreachable, server.cut (the connection
        ended inside the body), server.stalled, server.line_too_long.
        """
        async with self._response("POST", path, body) as response:
            if response.status_code != 200:
                reply = Reply(response.status_code, await _read(response))
                raise Refused(reply.status, reply.message)
            reader = SseReader()
            begun = False
            async with _pieces(response) as pieces, _Watch(stall) as watch:
                while True:
                    piece = await watch.wait(pieces) if begun else await anext(pieces, b"")
                    at = self.clock()
                    events = reader.feed(piece) if piece else reader.close()
                    if DONE in events:
                        yield Arrival(at, events[: events.index(DONE)], done=True)
                        return
                    if events:
                        begun = True
                        yield Arrival(at, events, last=not piece)
                    if not piece:
                        return

    @contextlib.asynccontextmanager
    async def _response(self, method: str, path: str, body: bytes | Body) -> AsyncIterator[httpx.Response]:
        """The response's head has come inside; what goes wrong with the connection comes as EngineError."""
        response: httpx.Response | None = None
        try:
            response = await self._head(method, path, body)
            yield response
        except Exception as error:
            import httpx

            if not isinstance(
                error, httpx.TransportError | httpx.InvalidURL | httpx.DecodingError | UnicodeError
            ):
                raise
            code = "server.unreachable" if response is None else "server.cut"
            detail = str(error) or type(error).__name__
            raise EngineError(code, address=self.address, detail=detail) from error
        finally:
            if response is not None:
                await response.aclose()

    async def _head(self, method: str, path: str, body: bytes | Body) -> httpx.Response:
        """Ended by `close`: httpx would go on with what it is about to connect."""
        length = None if isinstance(body, bytes) else {"Content-Length": str(body.length)}
        try:
            async with asyncio.timeout(None) as waiting:
                self._waiting.add(waiting)
                client = await self.open()
                if self._closed:
                    raise EngineError("engine.no_model")
                request = client.build_request(method, self.address + path, content=body, headers=length)
                return await client.send(request, stream=True)
        except TimeoutError as error:
            raise EngineError("engine.no_model") from error
        finally:
            self._waiting.discard(waiting)


class _Watch:
    """Ends a wait that takes too long. One timer for the whole stream, since setting one for each piece costs
    as much as reading it; between waits it never fires."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._deadline = 0.0
        self._waiting = False
        self._expired = False
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> _Watch:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def wait(self, pieces: AsyncIterator[bytes]) -> bytes:
        """The next piece, b"" at the end. Raises EngineError("server.stalled")."""
        if self._seconds is None:
            return await anext(pieces, b"")
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + self._seconds
        self._task = asyncio.current_task()
        if self._timer is None:
            self._timer = loop.call_at(self._deadline, self._fire, loop)
        self._waiting = True
        try:
            return await anext(pieces, b"")
        except asyncio.CancelledError as error:
            if not self._expired or self._task is None or self._task.uncancel() > 0:
                raise  # somebody else's cancellation too
            raise EngineError("server.stalled", seconds=self._seconds) from error
        finally:
            self._waiting = False

    def _fire(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting and loop.time() >= self._deadline and self._task is not None:
            self._expired = True
            self._task.cancel()
            return
        later = (
            max(self._deadline, loop.time() + 0.01) if self._waiting else loop.time() + (self._seconds or 0)
        )
        self._timer = loop.call_at(later, self._fire, loop)


@contextlib.asynccontextmanager
async def _pieces(response: httpx.Response) -> AsyncIterator[AsyncIterator[bytes]]:
    """The body as it comes; leaving closes the connection unless the body has ended."""
    import httpx

    # a decoder only where something on the way has compressed the body
    encoded = response.headers.get("content-encoding", "identity") != "identity"
    pieces = response.aiter_bytes() if encoded else response.aiter_raw()
    try:
        yield pieces
    finally:
        await response.aclose()
        # Generators inside generators: run to their end, which a closed connection makes an error at once,
        # they leave nothing for the loop to finish later.
        with contextlib.suppress(httpx.HTTPError, httpx.StreamError, RuntimeError):
            async for _ in pieces:
                pass


async def _read(response: httpx.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > BODY_LIMIT:
            raise EngineError("server.line_too_long", limit=BODY_LIMIT)
        parts.append(part)
    return b"".join(parts)
