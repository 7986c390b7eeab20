"""An engine that is there only in part, or never answers."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from core.errors import DockerError
from core.server import docker
from core.server.access import LABEL_LAUNCH
from tests.fakes.failing_docker import Access, World, code_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the program that fails is a shell script")


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


async def with_engine(
    socket: Path, answer: bytes, ask: Callable[[asyncio.Event], Coroutine[Any, Any, Any]]
) -> None:
    """Something listens at the socket and says `answer` to each request, which is told to `ask`. Until the
    connection has ended."""
    asked, ended = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        writer.write(answer)
        if answer:
            writer.write_eof()
        await reader.read()
        ended.set()
        writer.close()

    async with await asyncio.start_unix_server(serve, str(socket)):
        await ask(asked)
        if asked.is_set():  # or its limit was over before
            await ended.wait()


def http(status: str, body: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"", "docker.slow"),
        (http("503 Service Unavailable", '{"message":"not yet"}'), "docker.starting"),
        (http("200 OK", "{}"), "docker.starting"),
        (http("200 OK", "[1]"), "docker.starting"),
        (http("200 OK", "<html>"), "docker.starting"),
        (http("400 Bad Request", '{"message":"client version 1.24 is too old"}'), "docker.failed"),
    ],
)
def test_an_engine_that_is_there_only_in_part(
    use: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, code: str
) -> None:
    socket = tmp_path / "d.sock"

    async def function(access: Access) -> None:
        if code == "docker.slow":
            await access.warm_up()
            monkeypatch.setattr(docker, "ASK_SECONDS", 0.5)

        async def ask(_: asyncio.Event) -> None:
            assert await code_of(access.info()) == code

        await with_engine(socket, answer, ask)

    use(function, FAKE_HOST=f"unix://{socket}")


def test_a_question_that_is_cancelled_closes_its_connection_at_once(
    use: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = tmp_path / "d.sock"

    async def function(access: Access) -> None:
        async def ask(asked: asyncio.Event) -> None:
            task = asyncio.ensure_future(access.info())
            await asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        # nothing but the cancel ends it before the test's own limit
        monkeypatch.setattr(docker, "ASK_SECONDS", 600.0)
        await with_engine(socket, b"", ask)

    use(function, FAKE_HOST=f"unix://{socket}")


@pytest.mark.parametrize("trouble", ["", "the disk is full"])
def test_what_somebody_else_removes_is_gone_when_kill_is_through(
    use: World, tmp_path: Path, trouble: str
) -> None:
    about = {"Id": "x", "Name": "/x", "Config": {"Labels": {LABEL_LAUNCH: "one"}}, "State": {}}
    removed = {"StatusCode": 137, "Error": {"Message": trouble} if trouble else None}
    answers = [
        ("GET /version", "200 OK", {"ApiVersion": "1.51"}),
        ("GET /v1.51/containers/x/json", "200 OK", about),
        ("DELETE /v1.51/containers/x?", "409 Conflict", {"message": "removal is already in progress"}),
        ("POST /v1.51/containers/x/wait?condition=removed", "200 OK", removed),
    ]
    socket = tmp_path / "d.sock"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while answers:
            asked = await reader.readuntil(b"\r\n\r\n")
            words, status, body = answers.pop(0)
            assert asked.decode().startswith(words), asked
            writer.write(http(status, json.dumps(body)))
        writer.close()

    async def function(access: Access) -> None:
        async with await asyncio.start_unix_server(serve, str(socket)):
            if trouble:
                with pytest.raises(DockerError, match=trouble):
                    await access.kill("x")
            else:
                await access.kill("x")
        assert not answers

    use(function, FAKE_HOST=f"unix://{socket}")
