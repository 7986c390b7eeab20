"""A server that does not start, dies, is killed, loses its engine or its Docker: told, with the reason."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from core.errors import DockerError, EngineError
from core.server.access import LABEL_LAUNCH, Ended
from core.server.machine import Machine
from core.server.spec import GIB
from core.server.start_check import check_start
from core.server.state import ServerPhase, StepStatus
from core.server.tools import NotStarted
from tests.fakes.scripted_docker import Box
from tests.fakes.server_room import Room, begin, loading, phase_of, run

P = ServerPhase
FATAL = "(EngineCore pid=7) ERROR 11-29 14:20:10 [core.py:9] EngineCore encountered a fatal error."


def test_a_server_that_ends_while_it_loads_is_diagnosed_and_removed() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        room.docker.box.end(
            1,
            "(EngineCore pid=7) ERROR 11-29 14:20:10 [core.py:1] RuntimeError: Cannot find any model weights"
            " with `/models/tiny`",
            "RuntimeError: Engine core initialization failed. See root cause above.",
        )
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and error.finding.code == "no_weights"
        state = program.state
        assert state.phase is P.FAILED and state.finding == error.finding
        assert [step.phase for step in state.steps if step.status is StepStatus.FAILED] == [P.LOADING]
        assert not room.docker.boxes and not room.docker.networks

    run(body)


def test_a_server_killed_for_memory_while_it_loads_says_so() -> None:
    """V05."""

    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        room.docker.box.end(137, oom=True)
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and error.finding.code == "oom"

    run(body)


@pytest.mark.parametrize("told", ["event", "container"])
def test_the_mark_of_a_kill_for_memory_may_come_after_the_end(told: str) -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        box = room.docker.box
        box.end(137)
        await room.time.pass_(1)
        if told == "event":
            room.docker.tell("oom", box)
        else:
            box.change(oom_killed=True)
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and error.finding.code == "oom"

    run(body)


def test_what_compose_refuses_is_diagnosed() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.up_fails = Ended(
            1, err='could not select device driver "nvidia" with capabilities: [[gpu]]'
        )
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        assert program.state.finding is not None and program.state.finding.code == "no_nvidia"

    run(body)


def test_a_probe_that_fails_ends_the_start() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.ask_errors = [EngineError("server.model", model="tiny", served="other")]
        with pytest.raises(EngineError):
            await room.does(program.start(room.spec))
        assert program.state.phase is P.FAILED and program.state.finding is None
        assert program.state.error is not None and program.state.error.code == "server.model"
        assert not room.docker.boxes

    run(body)


@pytest.mark.parametrize("code", ["server.cut", "server.refused"])
def test_a_probe_that_kills_the_engine_is_explained_by_the_containers_end(code: str) -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.ask_errors = [EngineError(code, address="…", status=500)]

        def dies(box: Box) -> None:
            box.up("tiny")
            if code != "server.refused":
                box.say(FATAL)

        room.docker.on_up = dies
        task = begin(program.start(room.spec))
        await room.time.until(lambda: not room.ask_errors)
        await room.time.pass_(4)
        assert not task.done()
        room.docker.box.end(0, FATAL)
        await room.time.until(task.done)
        error = task.exception()
        assert isinstance(error, NotStarted) and code not in str(error)

    run(body)


async def ready(room: Room) -> Box:
    await room.does(room.program().start(room.spec))
    return room.docker.box


LOST = {
    "killed for memory": (137, (), True, "oom"),
    "killed": (137, (), False, "killed"),
    "ended by itself": (0, (), False, "ended"),
    "its engine died": (
        0,
        (FATAL,),
        False,
        "engine_died",
    ),
}


@pytest.mark.parametrize("how", LOST)
def test_a_server_that_was_ready_and_ends_is_lost_within_seconds(how: str) -> None:
    code, lines, oom, finding = LOST[how]

    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        box.end(code, *lines, oom=oom)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=2)
        assert program.state.finding is not None and program.state.finding.code == finding
        await room.does(program.stop())
        assert phase_of(program) is P.STOPPED and not room.docker.boxes

    run(body)


def test_a_container_that_is_removed_is_lost() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        await room.docker.kill(box.value.id)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=3)
        assert program.state.finding is not None and program.state.finding.code == "gone"

    run(body)


@pytest.mark.parametrize("says", [True, False])
def test_an_engine_that_is_dead_while_the_server_answers_is_noticed(says: bool) -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        box.health = 503
        if says:
            box.say(FATAL)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=12 if says else 25)
        assert program.state.finding is not None and program.state.finding.code == "engine_died"
        await room.does(program.start(room.spec))
        assert phase_of(program) is P.READY and room.docker.box is not box

    run(body)


def test_a_server_that_is_only_busy_is_not_lost() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        box.health = -1  # nothing said in time
        await room.time.pass_(120)
        assert room.programs[0].state.phase is P.READY

    run(body)


def test_docker_that_goes_away_is_the_reason_and_what_runs_when_it_is_back_is_offered() -> None:
    async def body(room: Room) -> None:
        await ready(room)
        program = room.programs[0]
        room.docker.leave()
        await room.time.until(lambda: phase_of(program) is P.LOST, within=5)
        assert program.state.finding is not None and program.state.finding.code == "docker_stopped"
        room.docker.gone = False
        await room.time.until(lambda: phase_of(program) is P.READY, within=10)
        assert not program.state.ours
        asked = len(room.asked)
        await room.does(program.join())
        assert len(room.asked) == asked + 1 and phase_of(program) is P.READY

    run(body)


def test_docker_that_comes_back_without_the_server_is_the_reason_and_no_more_called_stopped() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        program = room.programs[0]
        room.docker.leave()
        await room.time.until(lambda: phase_of(program) is P.LOST, within=5)
        box.change(status="exited", exit_code=0)
        room.docker.gone = False
        await room.time.pass_(30)
        assert phase_of(program) is P.LOST and program.state.finding is not None
        assert program.state.finding.code == "docker_back"
        assert [fix.code for fix in program.state.finding.fixes] == ["retry"]
        await room.does(program.start(room.spec))
        assert phase_of(program) is P.READY and len(room.docker.boxes) == 1

    run(body)


def test_docker_that_goes_away_during_a_start_ends_it() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        room.docker.leave()
        await room.time.until(task.done)
        assert isinstance(task.exception(), DockerError)
        assert program.state.finding is not None and program.state.finding.code == "docker_stopped"
        room.docker.boxes.clear()
        room.docker.gone = False
        await room.time.pass_(60)
        assert phase_of(program) is P.FAILED and program.state.finding.code == "docker_back"

    run(body)


def test_streams_that_break_off_are_opened_again_and_no_line_comes_twice() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        lines: list[str] = []
        program.log.connect(lambda pieces: lines.extend(piece.text for piece in pieces))
        room.docker.fail("logs", DockerError("docker.slow", command="logs", seconds=20))
        room.docker.fail("events", DockerError("docker.slow", command="events", seconds=20))
        await room.does(program.start(room.spec))
        await room.time.pass_(5)
        assert len(lines) == len(set(lines)) > 3
        room.docker.box.end(137, oom=True)
        await room.time.until(lambda: phase_of(program) is P.LOST, within=3)

    run(body)


def test_a_stop_that_docker_refuses_is_told() -> None:
    async def body(room: Room) -> None:
        await ready(room)
        program = room.programs[0]
        room.docker.fail("containers", DockerError("docker.slow", command="…", seconds=40))
        with pytest.raises(DockerError):
            await room.does(program.stop())
        assert phase_of(program) is P.FAILED and program.state.finding is not None
        await room.does(program.stop())
        assert phase_of(program) is P.STOPPED and not room.docker.boxes

    run(body)


def test_closing_stops_what_this_program_started_and_nothing_else() -> None:
    async def body(room: Room) -> None:
        foreign = room.docker.add({})
        await ready(room)
        await room.does(room.programs[0].close())
        assert list(room.docker.boxes.values()) == [foreign] and foreign.running

    run(body)


def test_closing_may_leave_it_running() -> None:
    async def body(room: Room) -> None:
        box = await ready(room)
        await room.does(room.programs[0].close(leave=True))
        assert box.running

    run(body)


def test_closing_leaves_what_was_only_seen() -> None:
    async def body(room: Room) -> None:
        box = room.docker.add({LABEL_LAUNCH: "by-hand"}, port=18400)
        box.serves = ("tiny",)
        program = room.program()
        await room.does(program.look())
        assert phase_of(program) is P.READY and program.state.by == "hand"
        await room.does(program.close())
        assert box.running

    run(body)


def test_closing_ends_in_time_whatever_docker_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.server.controller.CLOSE_SECONDS", 0.05)

    async def body(room: Room) -> None:
        await ready(room)
        room.docker.hold("compose down")
        await room.does(room.programs[0].close())
        assert not room.docker.boxes, "what cannot be stopped is killed"

    run(body)


def test_nothing_starts_any_more_once_it_closes() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        release = room.docker.hold("compose down")
        closing = begin(program.close())
        await room.time.until(lambda: "compose down" in room.docker.calls)
        late = begin(program.start(room.other))
        await room.time.until(late.done)
        assert late.cancelled()
        release()
        await room.time.until(closing.done)
        assert not room.docker.boxes

    run(body)


def test_closing_ends_a_start_and_what_it_has_made() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        await room.does(program.close())
        assert task.done() and not room.docker.boxes

    run(body)


def test_closing_may_leave_a_start_that_goes_on() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        await room.does(program.close(leave=True))
        assert room.docker.box.running
        after = room.program()
        await room.does(after.look())
        assert after.state.starting and after.state.spec == room.spec
        room.docker.box.up("tiny")
        await room.does(after.join())
        assert phase_of(after) is P.READY
        await room.docker.kill(room.docker.box.value.id)
        last = room.program()
        await room.does(last.look())
        assert phase_of(last) is P.ABSENT, "nothing was cut off: it was left on purpose"

    run(body)


def test_a_foreign_container_on_the_port_is_named_and_left_alone() -> None:
    async def body(room: Room) -> None:
        foreign = room.docker.add({"com.docker.compose.project": "web"}, port=18400, name="web-1")
        machine = Machine("linux", memory=64 * GIB, free=64 * GIB, features=frozenset({"avx2", "avx512f"}))
        check = partial(check_start, room.docker, look=lambda: machine, owner=lambda port: None)
        program = room.program(check=check)
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec))
        finding = program.state.finding
        assert finding is not None and finding.code == "port_container"
        assert finding.params["name"] == "web-1"
        (fix,) = [fix for fix in finding.fixes if fix.code == "port"]
        await room.does(program.start(msgspec.structs.replace(room.spec, **fix.changes)))
        assert phase_of(program) is P.READY
        await room.does(program.stop())
        assert list(room.docker.boxes.values()) == [foreign] and foreign.running

    run(body)
