"""Several windows, the command line, somebody by hand: one server, and everybody sees what becomes of it."""

from __future__ import annotations

import asyncio
import os

import pytest

from core.errors import DockerError, LoupeError, ModelError
from core.server.access import LABEL_LAUNCH
from core.server.announced import Announced, AnnouncedFile
from core.server.knock import Answer
from core.server.lock import Lock
from core.server.state import ServerPhase
from core.server.tools import NotStarted
from tests.fakes.server_room import Room, begin, loading, phase_of, run

P = ServerPhase
POLL = 2.0  # seconds within which the others see it


def test_a_start_in_one_shows_in_the_other_with_its_steps_and_log() -> None:
    async def body(room: Room) -> None:
        one, other = room.program("cli"), room.program()
        await room.does(other.look())
        lines: list[str] = []
        other.log.connect(lambda pieces: lines.extend(piece.text for piece in pieces))
        room.docker.on_up = loading
        task = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        await room.time.until(lambda: phase_of(other) is P.LOADING, within=POLL)
        state = other.state
        assert not state.ours and state.by == "cli" and state.spec == room.spec
        assert state.running is not None and state.running.phase is P.LOADING
        assert state.launch == one.state.launch
        await room.time.until(lambda: "Starting to load model /models/tiny..." in lines, within=POLL)
        room.docker.box.up("tiny")
        await room.time.until(task.done)
        await room.time.until(lambda: phase_of(other) is P.READY, within=POLL)
        assert len(lines) == len(room.docker.box.log)
        assert room.asked == ["tiny"], "it is looked at, not joined"
        await room.does(other.join())
        assert room.asked == ["tiny", "tiny"]

    run(body)


def test_a_stop_and_a_switch_in_one_show_in_the_other() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program("cli")
        await room.does(one.start(room.spec))
        await room.does(other.start(room.other))
        await room.time.until(lambda: one.state.spec == room.other, within=POLL)
        await room.time.until(lambda: phase_of(one) is P.READY, within=POLL)
        assert not one.state.ours and one.state.by == "cli" and one.state.finding is None
        await room.does(one.stop())
        await room.time.until(lambda: phase_of(other) is P.STOPPED, within=POLL)
        assert other.state.by == "window" and other.state.finding is None
        assert not room.docker.boxes

    run(body)


def test_a_start_that_fails_in_one_shows_its_finding_in_the_other() -> None:
    async def body(room: Room) -> None:
        one, other = room.program("cli"), room.program()
        await room.does(other.look())
        room.docker.on_up = lambda box: box.end(137, oom=True)
        with pytest.raises(NotStarted):
            await room.does(one.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.FAILED, within=POLL)
        assert other.state.finding == one.state.finding is not None

    run(body)


def test_a_start_that_fails_for_its_model_says_so_in_the_other() -> None:
    async def body(room: Room) -> None:
        one, other = room.program("cli"), room.program()
        await room.does(other.look())
        room.lose_weights(room.spec)
        with pytest.raises(ModelError):
            await room.does(one.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.FAILED, within=POLL)
        error = other.state.error
        assert error is not None and error.code == "model.no_safetensors"
        assert error.params == {"folder": room.spec.folder} and other.state.finding is None

    run(body)


@pytest.mark.parametrize("before", [True, False])
def test_a_joined_server_that_dies_is_lost_whatever_was_stopped_before(before: bool) -> None:
    async def body(room: Room) -> None:
        if before:  # its last word stays in the file
            old = room.program()
            await room.does(old.start(room.spec))
            await room.does(old.close())
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18401)
        box.up("tiny")
        if before:
            old = room.program()
            await room.does(old.look())
            await room.does(old.join())
            await room.does(old.stop())
            box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18401)
            box.up("tiny")
        program = room.program()
        await room.does(program.look())
        await room.does(program.join())
        box.end(137, oom=True)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=5)
        assert program.state.finding is not None and program.state.finding.code == "oom"

    run(body)


def test_a_stop_in_one_ends_the_start_of_the_other() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program("cli")
        room.docker.on_up = loading
        task = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        await room.does(other.stop())
        assert task.cancelled() and not room.docker.boxes
        await room.time.until(lambda: phase_of(one) is P.STOPPED, within=POLL)
        assert phase_of(other) is P.STOPPED

    run(body)


def test_the_same_start_in_both_is_one() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program("cli")
        room.docker.on_up = loading
        first = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        second = begin(other.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.LOADING, within=POLL)
        room.docker.box.up("tiny")
        await room.time.until(lambda: first.done() and second.done())
        first.result()
        second.result()
        assert room.docker.calls.count("compose up") == 1 and room.asked == ["tiny", "tiny"]
        assert one.state.ours and not other.state.ours

    run(body)


def test_another_start_says_who_is_at_it() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program("cli")
        room.docker.on_up = loading
        task = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        with pytest.raises(DockerError) as caught:
            await room.does(other.start(room.other))
        assert caught.value.code == "docker.busy" and caught.value.params["by"] == "window"
        assert phase_of(one) is P.LOADING and phase_of(other) is P.LOADING
        assert not task.done()

    run(body)


def test_letting_go_of_a_start_of_another_leaves_it_alone() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program("cli")
        room.docker.on_up = loading
        task = begin(one.start(room.spec))
        await room.time.until(lambda: phase_of(one) is P.LOADING)
        second = begin(other.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.LOADING, within=POLL)
        second.cancel()
        await room.time.until(second.done)
        assert not task.done() and room.docker.box.running
        room.docker.box.up("tiny")
        await room.time.until(task.done)
        await room.time.until(lambda: phase_of(other) is P.READY, within=POLL)

    run(body)


def test_a_running_server_of_the_same_kind_is_joined_by_a_start() -> None:
    async def body(room: Room) -> None:
        one = room.program("cli")
        await room.does(one.start(room.spec))
        await room.does(one.close(leave=True))
        other = room.program()
        await room.does(other.start(room.spec))
        assert room.docker.calls.count("compose up") == 1
        assert phase_of(other) is P.READY and room.asked == ["tiny", "tiny"]

    run(body)


def test_nothing_is_left_of_a_joined_server_that_ends_in_the_start() -> None:
    async def body(room: Room) -> None:
        one, other = room.program(), room.program()
        await room.does(one.start(room.spec))
        await room.does(one.close(leave=True))
        room.ask_waits = asyncio.Event()
        task = begin(other.start(room.spec))
        await room.time.until(lambda: phase_of(other) is P.ASKING)
        room.docker.box.end(137, oom=True)
        await room.time.until(task.done)
        assert isinstance(task.exception(), NotStarted) and phase_of(other) is P.FAILED
        assert not room.docker.boxes

    run(body)


@pytest.mark.parametrize("left", [True, False])
def test_how_long_it_is_up_is_not_counted_from_the_look(left: bool) -> None:
    async def body(room: Room) -> None:
        one = room.program("cli")
        await room.does(one.start(room.spec))
        ready = one.state.ready_at
        if left:
            await room.does(one.close(leave=True))
        await room.time.pass_(600)
        other = room.program()
        await room.does(other.look())
        if left:
            await room.does(other.join())
        assert phase_of(other) is P.READY and ready is not None
        assert other.state.ready_at == pytest.approx(ready, abs=1)

    run(body)


def test_a_server_started_by_hand_is_found_joined_and_stopped() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.look())
        box = room.docker.add(
            {LABEL_LAUNCH: "by-hand"}, port=18401, arguments=("", "a/b", "c", "--served-model-name=a/b")
        )
        room.docker.tell("start", box)
        await room.time.until(lambda: program.state.starting, within=POLL)
        assert program.state.by == "hand" and program.state.spec is not None
        assert (program.state.spec.model, program.state.spec.port) == ("a/b", 18401)
        box.up("a/b")
        await room.does(program.join())
        assert phase_of(program) is P.READY and room.asked == ["a/b"]
        await room.does(program.stop())
        assert not room.docker.boxes

    run(body)


def test_a_join_that_finds_nothing_any_more_says_so() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.look())
        with pytest.raises(DockerError) as caught:
            await room.does(program.join())
        assert caught.value.code == "docker.nothing"

    run(body)


def test_letting_go_of_a_join_leaves_the_server() -> None:
    async def body(room: Room) -> None:
        box = room.docker.add(
            {LABEL_LAUNCH: "by-hand"}, port=18401, arguments=("", "a/b", "c", "--served-model-name=a/b")
        )
        program = room.program()
        await room.does(program.look())
        task = begin(program.join())
        await room.time.pass_(3)
        task.cancel()
        await room.time.until(task.done)
        assert box.running and program.state.starting
        box.up("a/b")
        await room.time.until(lambda: phase_of(program) is P.READY, within=3)

    run(body)


def test_a_join_whose_server_ends_fails_with_its_finding() -> None:
    async def body(room: Room) -> None:
        box = room.docker.add(
            {LABEL_LAUNCH: "by-hand"}, port=18401, arguments=("", "a/b", "c", "--served-model-name=a/b")
        )
        program = room.program()
        await room.does(program.look())
        task = begin(program.join())
        await room.time.pass_(3)
        box.end(137, oom=True)
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and error.finding.code == "oom"
        assert phase_of(program) is P.FAILED
        assert program.state.container and room.docker.boxes, "whoever wants to know more finds it there"
        await room.does(program.close())
        assert not room.docker.boxes

    run(body)


def test_foreign_containers_are_no_servers_of_ours() -> None:
    async def body(room: Room) -> None:
        room.docker.add({"com.docker.compose.project": "other"}, port=18400).serves = ("tiny",)
        program = room.program()
        await room.does(program.look())
        assert phase_of(program) is P.ABSENT
        with pytest.raises(DockerError):
            await room.does(program.join())

    run(body)


def test_without_docker_nothing_is_found_and_nothing_raised() -> None:
    async def body(room: Room) -> None:
        room.docker.gone = True
        program = room.program()
        await room.does(program.look())
        assert phase_of(program) is P.ABSENT
        room.docker.gone = False

    run(body)


def test_a_lock_that_is_held_without_a_word_is_named() -> None:
    async def body(room: Room) -> None:
        lock = Lock(room.paths.runtime / "server.lock")
        assert lock.take()
        program = room.program()
        with pytest.raises(DockerError) as caught:
            await room.does(program.start(room.spec))
        assert caught.value.code == "docker.busy" and caught.value.params["pid"] == os.getpid()
        lock.free()
        await room.does(program.start(room.spec))
        assert phase_of(program) is P.READY

    run(body)


def test_the_same_start_of_another_that_is_killed_after_minutes_is_done_anew() -> None:
    async def body(room: Room) -> None:
        lock, file = Lock(room.paths.runtime / "server.lock"), room.paths.runtime / "server.json"
        assert lock.take()
        theirs = Announced(P.LOADING, launch="theirs", owner="another", pid=1, spec=room.spec)
        AnnouncedFile(file).write(theirs)
        program = room.program()
        start = begin(program.start(room.spec))
        await room.time.pass_(100)
        assert phase_of(program) is P.LOADING and not program.state.ours
        lock.free()
        await room.time.until(start.done)
        start.result()
        assert phase_of(program) is P.READY and program.state.ours

    run(body)


def test_a_fault_of_the_program_itself_leaves_no_state_that_waits_for_nothing() -> None:
    async def body(room: Room) -> None:
        room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18400).up("tiny")
        program = room.program()
        await room.does(program.look())
        room.ask_errors.append(ValueError("odd"))
        with pytest.raises(LoupeError, match="odd"):
            await room.does(program.join())
        assert phase_of(program) is P.FAILED and len(room.docker.boxes) == 1

    run(body)


def test_docker_that_comes_later_is_heard_once_the_doctor_has_seen_it() -> None:
    async def body(room: Room) -> None:
        room.docker.gone = True
        program = room.program()
        await room.does(program.look())
        room.docker.gone = False
        await room.does(program.doctor())
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18401)
        room.docker.tell("start", box)
        await room.time.until(lambda: program.state.starting, within=POLL)

    run(body)


@pytest.mark.parametrize(("told", "phase"), [(True, P.READY), (False, P.ASKING)])
def test_a_server_that_answers_late_is_what_whoever_started_it_says(told: bool, phase: ServerPhase) -> None:
    async def body(room: Room) -> None:
        await room.does(room.program().start(room.spec))
        if not told:
            room.docker.box.change(labels={LABEL_LAUNCH: "by-hand"})

        async def late(port: int, path: str, key: str) -> Answer:
            return Answer(-1)

        room.docker.knock = late  # type: ignore[method-assign]
        assert (await room.does(room.program().look())).phase is phase

    run(body)
