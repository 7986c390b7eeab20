"""The program is killed at every single call of a start or a stop: the next one explains what it finds, and
one call cleans it or joins it."""

from __future__ import annotations

import pytest

from core.server.state import ServerPhase
from tests.fakes.scripted_docker import Killed
from tests.fakes.server_room import Room, begin, die, phase_of, run

P = ServerPhase


async def killed(room: Room, at: int, verb: str) -> bool:
    """True: it came so far."""
    program = room.program()
    if verb == "stop":
        await room.does(program.start(room.spec))
    room.docker.killed_at = room.docker.points + at
    task = begin(program.start(room.spec) if verb == "start" else program.stop())
    await room.time.until(task.done)
    await die(room, program)
    return isinstance(task.exception(), Killed)


@pytest.mark.parametrize("then", ["stop", "start", "join"])
@pytest.mark.parametrize("verb", ["start", "stop"])
def test_killed_anywhere(verb: str, then: str) -> None:
    """D14."""
    reached: list[bool] = []
    seen: set[ServerPhase] = set()

    def once(at: int) -> None:
        async def body(room: Room) -> None:
            room.docker.images.clear()
            reached.append(await killed(room, at, verb))
            program = room.program()
            await room.does(program.look())
            state = program.state
            seen.add(state.phase)
            there = bool(room.docker.boxes)
            if reached[-1] and state.phase is not P.ABSENT:
                assert state.spec is None or state.spec == room.spec
            if there:
                explained = state.phase in (P.FAILED, P.LOST) and state.finding is not None
                assert explained or state.starting or state.phase is P.READY, state
            elif reached[-1]:
                assert state.phase in (P.ABSENT, P.FAILED)
            if then == "join" and (state.starting or state.phase is P.READY):
                await room.does(program.join())
                assert phase_of(program) is P.READY
            elif then == "start":
                await room.does(program.start(room.spec))
                assert phase_of(program) is P.READY and len(room.docker.boxes) == 1
            else:
                await room.does(program.stop())
                assert phase_of(program) is P.STOPPED
                assert not room.docker.boxes and not room.docker.networks

        run(body)

    at = 1
    while not reached or reached[-1]:
        once(at)
        at += 1
    assert at > (8 if verb == "start" else 5)
    if verb == "start":
        assert {P.FAILED, P.READY} <= seen


def test_a_window_that_looked_on_sees_that_the_other_was_killed() -> None:
    async def body(room: Room) -> None:
        other = room.program()
        await room.does(other.look())
        room.docker.images.clear()
        room.docker.hold("compose pull")
        one = room.program("cli")
        task = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.IMAGE)
        room.docker.killed_at = 0
        task.cancel()
        await room.time.until(task.done)
        await die(room, one)
        await room.time.until(lambda: phase_of(other) is P.FAILED, within=3)
        assert other.state.finding is not None and other.state.finding.code == "interrupted"
        third = room.program()
        await room.does(third.look())
        assert phase_of(third) is P.ABSENT, "it is told once"

    run(body)
