"""Of a server that another program has started as much is told when it ends as of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from core.errors import DockerError
from core.server.access import LABEL_LAUNCH
from core.server.finding import Finding
from core.server.finding_words import sentence
from core.server.spec import GIB
from core.server.state import ServerPhase
from tests.fakes.scripted_docker import START_LOG
from tests.fakes.server_room import Room, begin, phase_of, run

P = ServerPhase
WEIGHTS = 4 << 20  # bytes


def write_weights(folder: str) -> None:
    tensor = {"dtype": "BF16", "shape": [WEIGHTS // 2], "data_offsets": [0, WEIGHTS]}
    header = json.dumps({"a": tensor}).encode()
    content = len(header).to_bytes(8, "little") + header + bytes(WEIGHTS)
    Path(folder, "model.safetensors").write_bytes(content)


async def end_of_ones_own(room: Room, code: int) -> Finding:
    program = room.program()
    await room.does(program.start(room.spec))
    room.docker.box.end(code, oom=code == 137)
    await room.time.until(lambda: phase_of(program) is P.LOST, within=5)
    found = program.state.finding
    await room.does(program.stop())
    assert found is not None
    return found


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("code", [137, 139])
def test_of_a_server_that_another_program_started(code: int, seen: bool) -> None:
    """`seen`: it was joined and then ended; else only what is left of it is found."""

    async def body(room: Room) -> None:
        room.docker.memory = 3 * GIB
        room.docker.images.add("some/image:1")
        room.spec = msgspec.structs.replace(room.spec, kv_bytes=4 * GIB)
        write_weights(room.spec.folder)
        own = await end_of_ones_own(room, code)
        before = room.program()
        await room.does(before.start(room.spec))
        await room.does(before.close(leave=True))
        program = room.program()
        if seen:
            await room.does(program.look())
            await room.does(program.join())
        room.docker.box.end(code, oom=code == 137)
        if not seen:
            begin(program.look())
        await room.time.until(lambda: phase_of(program) is P.LOST, within=5)
        found = program.state.finding
        assert found == own and "…" not in sentence(own)
        codes = {fix.code for fix in own.fixes}
        assert "kv_less" in codes if code == 137 else "other_version" in codes
        if code == 137:
            assert own.collision is not None
            assert (own.collision.asked, own.collision.free) == (4 * GIB + WEIGHTS, 2.5 * GIB)

    run(body)


@pytest.mark.parametrize(("limit", "free"), [(6 * GIB, 6), (0, 16)])
def test_the_limit_of_a_server_by_hand_is_the_one_that_it_has(limit: int, free: int) -> None:
    async def body(room: Room) -> None:
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18401, memory=limit)
        box.say(*START_LOG)
        program = room.program()
        await room.does(program.look())
        box.end(137, oom=True)
        await room.time.until(lambda: phase_of(program) is P.FAILED, within=5)
        assert program.state.finding is not None and program.state.finding.params["free"] == free

    run(body)


def test_where_docker_says_nothing_more_the_cause_is_told_all_the_same() -> None:
    async def body(room: Room) -> None:
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18401, memory=6 * GIB)
        program = room.program()
        await room.does(program.look())
        room.docker.fail("info", DockerError("docker.slow", command="info", seconds=20))
        box.end(137, oom=True)
        await room.time.until(lambda: phase_of(program) is P.FAILED)
        assert program.state.finding is not None and program.state.finding.code == "oom"

    run(body)
