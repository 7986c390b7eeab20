"""A switch to a server that cannot start leaves the one that runs; what can start takes its place."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import DockerError, LoupeError, ModelError
from core.server.access import LABEL_LAUNCH, Container, Ended
from core.server.findings import make
from core.server.key_mark import LABEL_KEY, has_key, mark
from core.server.state import ServerPhase
from core.server.tools import NotStarted
from tests.fakes.scripted_docker import Box, spec_in
from tests.fakes.server_room import Room, begin, loading, phase_of, phases, run

P = ServerPhase


async def ready(room: Room) -> Box:
    await room.does(room.program().start(room.spec))
    return room.docker.box


async def is_refused(room: Room) -> LoupeError:
    """The switch to the other model."""
    with pytest.raises(LoupeError) as raised:
        await room.does(room.programs[0].start(room.other))
    return raised.value


def refuse(room: Room) -> None:
    room.checked = make("memory_small", {"asked": 30.0, "free": 16.0})


def damage(room: Room) -> None:
    Path(room.other.folder, "model.safetensors").unlink()


def lose_the_image(room: Room) -> None:
    room.docker.images.clear()
    room.docker.pulls = [Ended(1, err="manifest for some/image:1 not found: manifest unknown")]


def no_answer(room: Room) -> None:
    room.docker.fail("info", DockerError("docker.slow", command="…", seconds=40))


@pytest.mark.parametrize("trouble", [refuse, damage, lose_the_image, no_answer])
def test_what_cannot_start_leaves_the_server_that_runs(trouble: object) -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        before = program.state
        assert callable(trouble)
        trouble(room)
        seen = phases(program)
        error = await is_refused(room)
        assert isinstance(error, NotStarted | ModelError | DockerError)
        assert P.FAILED not in seen and P.STOPPED not in seen
        assert program.state == before, "as if nothing had been wanted"
        assert list(room.docker.boxes.values()) == [box] and box.running
        box.end(137)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=2)

    run(body)


def test_its_record_says_why_and_that_of_the_server_goes_on() -> None:
    async def body(room: Room) -> None:
        await ready(room)
        program = room.programs[0]
        launches = program._tools.launches
        refuse(room)
        await is_refused(room)
        (refused,) = [one for one in launches.all() if one.spec == room.other]
        assert refused.result == "failed" and refused.finding is not None
        room.docker.box.say("one more line")
        await room.time.pass_(1)
        await room.does(program.stop())
        (kept,) = [one for one in launches.all() if one.spec == room.spec]
        assert kept.result == "stopped"
        lines = list(launches.log(kept.id))
        assert lines[-1] == "one more line" and lines.count("one more line") == 1

    run(body)


def test_the_image_and_the_weights_are_there_before_the_old_one_goes() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        room.docker.images.clear()
        release = room.docker.hold("compose pull")
        task = begin(program.start(room.other))
        await room.time.until(lambda: phase_of(program) is P.IMAGE)
        assert box.running
        release()
        await room.time.until(task.done)
        assert not box.running and phase_of(program) is P.READY and program.state.spec == room.other

    run(body)


def test_a_switch_that_is_cancelled_in_time_leaves_the_server_that_runs() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        room.docker.images.clear()
        room.docker.hold("compose pull")
        task = begin(program.start(room.other))
        await room.time.until(lambda: phase_of(program) is P.IMAGE)
        task.cancel()
        await room.time.until(task.done)
        assert phase_of(program) is P.READY and program.state.spec == room.spec and box.running
        await room.does(program.close())
        assert not room.docker.boxes, "it is still this program's to stop"

    run(body)


@pytest.mark.parametrize("in_time", [True, False])
def test_the_end_of_the_program_during_a_switch_stops_both(
    in_time: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not in_time:
        monkeypatch.setattr("core.server.controller.CLOSE_SECONDS", 0.05)

    async def body(room: Room) -> None:
        await ready(room)
        program = room.programs[0]
        release = room.docker.hold("image")
        begin(program.start(room.other))
        await room.time.until(lambda: "image" in room.docker.calls[-3:])
        if not in_time:
            room.docker.hold("compose down")
        await room.does(program.close())
        assert not room.docker.boxes
        release()

    run(body)


def test_a_server_that_the_command_line_has_found_stays_and_windows_see_it_again() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        window = room.programs[0]
        line = room.program("cli")
        refuse(room)
        with pytest.raises(NotStarted):
            await room.does(line.start(room.other))
        assert box.running and line.state.spec == room.spec
        await room.does(line.close(leave=True))
        await room.time.until(lambda: phase_of(window) is P.READY, within=5)
        assert window.state.spec == room.spec and box.running

    run(body)


def test_one_started_by_hand_stays() -> None:
    async def body(room: Room) -> None:
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18400)
        box.serves = ("tiny",)
        program = room.program()
        refuse(room)
        with pytest.raises(NotStarted):
            await room.does(program.start(room.other))
        assert box.running and phase_of(program) is P.READY and program.state.by == "hand"
        await room.does(program.close())
        assert box.running

    run(body)


@pytest.mark.parametrize(("now", "then"), [("", "sesame"), ("sesame", ""), ("sesame", "another")])
def test_the_same_server_with_another_key_is_another_one(now: str, then: str) -> None:
    async def body(room: Room) -> None:
        one, other = room.program("cli"), room.program()
        await room.does(one.start(room.spec, key=now))
        box = room.docker.box
        await room.does(one.start(room.spec, key=now))
        await room.does(other.start(room.spec, key=now))  # it has never looked
        assert list(room.docker.boxes.values()) == [box] and phase_of(other) is P.READY
        await room.does(one.start(room.spec, key=then))
        assert room.docker.box is not box and len(room.docker.boxes) == 1 and phase_of(one) is P.READY
        assert await has_key(room.docker.box.value, then) and not await has_key(room.docker.box.value, now)
        assert now not in str(box.value.labels) or not now

    run(body)


def test_a_start_with_another_key_is_not_joined() -> None:
    async def body(room: Room) -> None:
        room.docker.on_up = loading
        one, other = room.program("cli"), room.program()
        first = begin(one.start(room.spec, key="sesame"))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        box = room.docker.box
        second = begin(other.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.LOADING)
        box.up("tiny")
        await room.time.until(first.done)
        await room.time.until(lambda: room.docker.box is not box)
        room.docker.box.up("tiny")
        await room.time.until(second.done)
        assert len(room.docker.boxes) == 1 and await has_key(room.docker.box.value, "")
        newer = begin(other.start(room.other))
        await room.time.until(lambda: len(room.docker.boxes) == 1 and spec_in(room.docker.box) == room.other)
        room.docker.on_up = lambda box: box.up("other")
        newest = begin(other.start(room.other, key="sesame"))
        await room.time.until(lambda: newer.done() and newest.done())
        assert newer.cancelled() and await has_key(room.docker.box.value, "sesame")

    run(body)


def test_whether_one_without_a_label_has_the_key_is_not_known() -> None:
    container = Container("1", "n", "i", "running", {LABEL_LAUNCH: "by-hand", LABEL_KEY: ""})
    assert asyncio.run(has_key(container, "sesame"))
    assert mark("sesame") != mark("sesame") and "sesame" not in mark("sesame")


def test_one_that_was_given_up_is_not_kept() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        box.health = 503
        await room.time.until(lambda: phase_of(program) is P.LOST, within=25)
        refuse(room)
        await is_refused(room)
        assert phase_of(program) is P.FAILED and not room.docker.boxes

    run(body)


def test_what_comes_to_light_only_then_is_told_too() -> None:
    """The memory that the old one held is known only when it is gone."""

    async def body(room: Room) -> None:
        box = await ready(room)
        looks: list[bool] = []

        async def check(*_: object) -> object:
            looks.append(box.running)
            return None if box.running else make("memory_small", {"asked": 30.0, "free": 16.0})

        program = room.program(check=check)  # type: ignore[arg-type]
        with pytest.raises(NotStarted):
            await room.does(program.start(room.other))
        assert looks == [True, False] and phase_of(program) is P.FAILED and not room.docker.boxes

    run(body)
