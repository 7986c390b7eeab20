"""Streamed answers on both ways to a server: direct, and through a proxy (which the fake server plays)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import pytest

from core.engines.vllm import http
from core.engines.vllm.http import Refused, Reply, Server
from core.errors import EngineError
from tests.core.engines.vllm.replay import CASES
from tests.fakes.fake_vllm import FakeVllm, error

BODY = (CASES / "cjk.sse").read_bytes()
FIRST = BODY.split(b"\n\n")[0] + b"\n\n"
ELSEWHERE = "http://gpu.example:8000"
EVENTS = [part.removeprefix(b"data: ") for part in BODY.split(b"\n\n") if part][:-1]


@pytest.fixture(params=["direct", "through a proxy"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`run(fake, use)`: `use(server)` while `fake` answers, on either way."""

    def go(fake: FakeVllm, use: Callable[[Server], Awaitable[None]]) -> None:
        async def main() -> None:
            async with fake.serve():
                address = fake.address
                if request.param != "direct":
                    monkeypatch.setenv("http_proxy", fake.address)
                    monkeypatch.delenv("no_proxy", raising=False)
                    monkeypatch.delenv("NO_PROXY", raising=False)
                    fake.prefix = address = ELSEWHERE  # a proxy is asked for the whole address
                async with Server(address) as server:
                    assert (server.proxy is None) == (request.param == "direct")
                    await use(server)

        asyncio.run(asyncio.wait_for(main(), 60))

    return go


async def heard(server: Server, into: list[bytes], stall: float | None = 60) -> bool:
    """Whether the answer came to its end; the events are in `into`."""
    done = False
    body = b'{"stream": true, "logprobs": 1, "temperature": 1, "top_k": 2}'
    async with aclosing(server.stream("/v1/completions", body, stall=stall)) as arrivals:
        async for arrival in arrivals:
            into += arrival.events
            done = arrival.done
    return done


@pytest.mark.parametrize("chunk", [1, 7, 0])
def test_events_at_any_size_of_pieces(chunk: int, run: Callable[..., None]) -> None:
    async def use(server: Server) -> None:
        events: list[bytes] = []
        assert await heard(server, events) and events == EVENTS

    run(FakeVllm(stream=BODY, chunk=chunk), use)


def test_a_connection_that_breaks(run: Callable[..., None]) -> None:
    """S12."""

    async def use(server: Server) -> None:
        events: list[bytes] = []
        with pytest.raises(EngineError) as caught:
            await heard(server, events)
        assert (caught.value.code, events) == ("server.cut", EVENTS[:2])

    run(FakeVllm(stream=BODY, cut=1000), use)


def test_silence_between_events(run: Callable[..., None]) -> None:
    async def use(server: Server) -> None:
        events: list[bytes] = []
        with pytest.raises(EngineError) as caught:
            await heard(server, events, stall=0.05)
        assert (caught.value.code, events) == ("server.stalled", EVENTS[:1])

    run(FakeVllm(stream=FIRST, hold=True), use)


def test_the_end_does_not_wait_for_the_connection(run: Callable[..., None]) -> None:
    async def use(server: Server) -> None:
        assert await heard(server, [])

    run(FakeVllm(stream=BODY, hold=True), use)


def test_leaving_closes_the_connection(run: Callable[..., None]) -> None:
    """S15."""
    fake = FakeVllm(stream=FIRST, hold=True)

    async def use(server: Server) -> None:
        async with aclosing(server.stream("/v1/completions", b'{"stream": true}')) as arrivals:
            async for _ in arrivals:
                break
        await fake.closed_by_client.wait()

    run(fake, use)


def test_a_refusal_has_the_servers_words(run: Callable[..., None]) -> None:
    async def use(server: Server) -> None:
        with pytest.raises(Refused) as caught:
            await heard(server, [])
        assert (caught.value.status, caught.value.detail) == (400, "too long")

    run(FakeVllm(stream_status=(400, error("too long", 400))), use)


def test_words_without_end_are_not_kept() -> None:
    body = b'{"error": {"message": "%s"}}' % (b"no " * 1_000_000)
    assert Reply(400, body).message == ("no " * 2000)[:4000]


@pytest.mark.parametrize(("idle", "connections"), [(60.0, 1), (0.0, 2)])
def test_an_idle_connection_is_used_again_only_for_a_while(
    idle: float, connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """vLLM closes one after 5 s: what is sent in that moment is lost."""
    assert http.IDLE_SECONDS <= 2.5
    monkeypatch.setattr(http, "IDLE_SECONDS", idle)
    accepted = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        writer.close()

    async def main() -> None:
        listening = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with listening, Server(f"http://127.0.0.1:{port}") as server:
            assert [(await server.get("/health")).status for _ in range(2)] == [200, 200]
        assert accepted == connections

    asyncio.run(asyncio.wait_for(main(), 60))


def test_nobody_there(run: Callable[..., None]) -> None:
    fake = FakeVllm()

    async def use(server: Server) -> None:
        await fake.end()
        with pytest.raises(EngineError) as caught:
            await heard(server, [])
        assert caught.value.code == "server.unreachable"
        await fake.begin()

    run(fake, use)


@pytest.mark.chatty_asyncio  # in debug mode a server tells of every handshake that failed
def test_secure_servers_are_trusted_by_the_systems_own_list(monkeypatch: pytest.MonkeyPatch) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate = CASES.parent / "tls" / "localhost.pem"
    tls.load_cert_chain(certificate)

    async def main() -> None:
        async with FakeVllm(stream=BODY, chunk=7, tls=tls).serve() as fake:
            async with Server(fake.address) as server:
                for refused in (heard(server, []), server.get("/version")):
                    with pytest.raises(EngineError) as caught:
                        await refused
                    assert caught.value.code == "server.unreachable"
                    assert "certificate" in caught.value.detail
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            async with Server(fake.address) as server:
                assert (await server.get("/version")).status == 200
                events: list[bytes] = []
                assert await heard(server, events) and events == EVENTS

    asyncio.run(asyncio.wait_for(main(), 60))


def test_closing_ends_what_waits_for_an_answer() -> None:
    """Before its first byte, and while it connects: nothing goes on, and no bug of a library is told."""

    async def main() -> None:
        async with FakeVllm(stream=BODY, release=asyncio.Event()).serve() as fake:
            for asleep in (0, 1):
                server = Server(fake.address)
                waiting = [
                    asyncio.create_task(heard(server, [])),
                    asyncio.create_task(server.post("/v1/completions", b'{"stream": true}')),
                ]
                if asleep:
                    await fake.streaming.wait()
                else:
                    await server.open()
                await server.close()
                ends = await asyncio.gather(*waiting, server.get("/version"), return_exceptions=True)
                assert [getattr(end, "code", end) for end in ends] == ["engine.no_model"] * 3

    asyncio.run(asyncio.wait_for(main(), 60))


def test_the_system_notices_a_network_that_has_gone() -> None:
    """Even before the first token, where there is no limit."""

    async def main() -> None:
        async with FakeVllm().serve() as fake, Server(fake.address) as server:
            response = await server._head("GET", "/version", b"")
            own = response.extensions["network_stream"].get_extra_info("socket")
            assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0
            await response.aclose()

    asyncio.run(main())


_COLD = """
import asyncio, sys
from core.engines.vllm.http import Server

async def main():
    turns, server = 0, Server("http://127.0.0.1:9")
    async def turn():
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += "httpx" in sys.modules
    turning = asyncio.create_task(turn())
    await server.open()
    turning.cancel()
    before = set(sys.modules)
    try:
        await server.get("/version")
    except Exception as error:
        print(error.code, turns > 1, sorted(set(sys.modules) - before))
    await server.close()

print("httpx" in sys.modules)
asyncio.run(main())
"""


def test_the_loop_turns_while_the_libraries_load() -> None:
    """A window must not stand still for a third of a second when it first connects."""
    done = subprocess.run([sys.executable, "-c", _COLD], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["False", "server.unreachable True []"]
