"""Which server `tokenloupe ask` finds by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from core.cli_server import ready_server
from core.engines.vllm.choice import ServerChoice
from core.server.state import ServerPhase
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.scripted_docker import Killed
from tests.fakes.server_room import Room, begin, die, loading, phase_of, run

P = ServerPhase


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda fake: None, True),
        (lambda fake: setattr(fake, "key", "another"), True),
        (lambda fake: setattr(fake, "model", "other"), False),
    ],
)
def test_ask_finds_the_server_that_is_ready(change: Callable[[FakeVllm], None], found: bool) -> None:
    async def body(room: Room) -> None:
        fake = FakeVllm(root="/models/tiny")
        change(fake)
        assert await ready_server(room.paths, "") is None
        async with fake.serve():
            port = int(fake.address.rpartition(":")[2])
            room.spec = msgspec.structs.replace(room.spec, model="tiny", port=port)
            program = room.program()
            await room.does(program.start(room.spec))
            expected = ServerChoice(fake.address, "tiny", room.spec.folder)
            assert await ready_server(room.paths, "") == (expected if found else None)
            await room.does(program.stop())
            assert await ready_server(room.paths, "") is None

    run(body)


def test_ask_finds_a_server_that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else another engine would answer in its place."""
    monkeypatch.setattr("core.server.knock.SECONDS", 0.2)

    async def never(*_: object) -> bool:
        return await asyncio.Event().wait()

    async def body(room: Room) -> None:
        fake = FakeVllm()
        fake._answer = never  # type: ignore[method-assign]
        async with fake.serve():
            spec = msgspec.structs.replace(room.spec, port=int(fake.address.rpartition(":")[2]))
            await room.does(room.program().start(spec))
            assert await ready_server(room.paths, "") == ServerChoice(fake.address, spec.model, spec.folder)

    run(body)


@pytest.mark.parametrize("killed", [False, True])
def test_ask_finds_the_server_of_a_start_that_nobody_has_waited_for(killed: bool) -> None:
    """`up` without --wait has gone, or a program was killed: nobody ever says that it is ready."""

    async def body(room: Room) -> None:
        fake = FakeVllm(root="/models/tiny")
        async with fake.serve():
            port = int(fake.address.rpartition(":")[2])
            room.spec = msgspec.structs.replace(room.spec, model="tiny", port=port)
            room.docker.on_up = loading
            program = room.program("cli")
            start = begin(program.start(room.spec))
            await room.time.until(lambda: phase_of(program) is P.LOADING)
            assert await ready_server(room.paths, "") is None, "it may end the one that answers there"
            if killed:
                room.docker.killed_at = 0
                room.docker.box.up("tiny")
                await room.time.until(start.done)
                assert isinstance(start.exception(), Killed)
                await die(room, program)
            else:
                await room.does(program.close(leave=True))
            expected = ServerChoice(fake.address, "tiny", room.spec.folder)
            assert await ready_server(room.paths, "") == expected
        assert await ready_server(room.paths, "") is None

    run(body)
