"""Docker stops, hangs and comes back: noticed by itself, and what it did meanwhile is looked at anew."""

from __future__ import annotations

import pytest

from core.errors import DockerError
from core.server.access import LABEL_LAUNCH
from core.server.state import ServerPhase
from tests.fakes.scripted_docker import Box
from tests.fakes.server_room import Room, phase_of, run

P = ServerPhase
SLOW = DockerError("docker.slow", command="unix:///docker.sock", seconds=40)


def by_hand(room: Room) -> Box:
    """Somebody starts one with Compose."""
    box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18400)
    box.serves = ("tiny",)
    room.docker.tell("start", box)
    return box


def test_what_was_started_while_docker_was_away_is_found_when_it_is_back() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.look())
        await room.time.pass_(2)
        room.docker.leave()
        await room.time.pass_(120)
        assert phase_of(program) is P.ABSENT
        box = by_hand(room)  # nobody hears of it
        room.docker.gone = False
        await room.time.until(lambda: phase_of(program) is P.READY, within=35)
        assert program.state.container == box.value.id and program.state.by == "hand"

    run(body)


def test_a_stream_that_only_breaks_off_is_opened_again_at_once() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.fail("events", DockerError(detail="unexpected EOF"))
        await room.does(program.look())
        await room.time.pass_(3)
        by_hand(room)
        await room.time.until(lambda: phase_of(program) is P.READY, within=2)

    run(body)


def test_docker_that_runs_only_later_is_noticed_and_not_asked_all_the_time() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.gone = True
        await room.does(program.look())
        room.docker.calls.clear()
        await room.time.pass_(300)
        assert 5 < len(room.docker.calls) < 20
        by_hand(room)
        room.docker.gone = False
        await room.time.until(lambda: phase_of(program) is P.READY, within=35)

    run(body)


def test_the_doctor_that_finds_docker_ends_the_waiting() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.gone = True
        await room.does(program.look())
        await room.time.pass_(60)
        by_hand(room)
        room.docker.gone = False
        await room.does(program.doctor())
        await room.time.until(lambda: phase_of(program) is P.READY, within=2)

    run(body)


def test_no_docker_at_all_is_asked_once() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        missing = DockerError("docker.missing", places="/usr/bin")
        room.docker.fail("events", missing)
        room.docker.fail("containers", missing)
        await room.does(program.look())
        await room.time.pass_(300)
        assert room.docker.calls.count("events") == 1 and "info" not in room.docker.calls

    run(body)


def test_a_server_that_answers_is_not_lost_because_docker_hangs() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        box = room.docker.box
        release = room.docker.hold("container")
        room.docker.fail("container", *[SLOW] * 4)
        release()
        await room.time.until(lambda: program.state.finding is not None, within=60)
        assert program.state.finding is not None and program.state.finding.code == "docker_slow"
        assert phase_of(program) is P.READY and box.running
        await room.time.until(lambda: program.state.finding is None, within=60)
        assert phase_of(program) is P.READY
        box.end(0)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=2)

    run(body)


def test_a_server_that_dies_while_docker_hangs_is_lost() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        room.docker.fail("container", *[SLOW] * 1000)
        room.docker.box.serves = None
        await room.time.until(lambda: phase_of(program) is P.LOST, within=60)

    run(body)


@pytest.mark.parametrize("call", ["compose down", "containers"])
def test_what_cannot_be_removed_in_time_is_offered_by_the_next_start(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docker stands still while the program quits: D14."""
    monkeypatch.setattr("core.server.controller.CLOSE_SECONDS", 0.05)
    monkeypatch.setattr("core.server.controller.KILL_SECONDS", 0.05)

    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        box = room.docker.box
        releases = [room.docker.hold(name) for name in (call, "kill")]
        await room.does(program.close(), within=1e6)  # its limits are real time
        assert box.running, "it could not be removed"
        for release in releases:
            release()
        after = room.program()
        found = await room.does(after.look())
        assert found.phase is P.READY and found.container == box.value.id and found.spec == room.spec
        assert not found.ours, "it is offered: joined, or stopped by one click"
        await room.does(after.stop())
        assert not room.docker.boxes

    run(body)
