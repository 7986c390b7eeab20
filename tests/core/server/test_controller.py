"""The controller on a Docker in memory: from a wish to a server, from one to another, and to none."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from core.errors import DockerError
from core.server.access import LogPiece
from core.server.finding import Finding
from core.server.state import STARTING, ServerPhase, StepStatus
from core.server.tools import NotStarted
from tests.fakes.scripted_docker import START_LOG, UNTIL_LOADING, Box
from tests.fakes.server_room import Room, begin, loading, phase_of, phases, run

P = ServerPhase


def test_a_start_goes_through_its_steps_and_stop_leaves_nothing() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        seen = phases(program)
        lines: list[LogPiece] = []
        program.log.connect(lines.extend)
        await room.does(program.start(room.spec))
        assert seen == [P.ABSENT, *STARTING, P.READY]
        state = program.state
        assert all(step.status is StepStatus.DONE for step in state.steps)
        assert state.ours and state.spec == room.spec and state.container == room.docker.box.value.id
        assert room.asked == ["tiny"]
        assert lines[-1].text == "INFO:     Application startup complete."
        await room.does(program.stop())
        assert seen[-2:] == [P.STOPPING, P.STOPPED]
        assert not room.docker.boxes and not room.docker.networks

    run(body)


@pytest.mark.parametrize("told", [True, False])
def test_a_log_that_comes_after_the_first_answer_is_waited_for_a_moment(told: bool) -> None:
    async def body(room: Room) -> None:
        def up(box: Box) -> None:
            box.say(*UNTIL_LOADING)
            box.serves = (room.spec.model,)

        room.docker.on_up = up
        program = room.program()
        task = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        await room.time.pass_(2)
        assert phase_of(program) is P.LOADING
        if told:
            room.docker.box.say(*START_LOG[len(UNTIL_LOADING) :])
        await room.time.until(task.done, within=2)
        assert phase_of(program) is P.READY
        skipped = [step.phase for step in program.state.steps if step.status is StepStatus.SKIPPED]
        assert skipped == ([] if told else [P.COMPILING, P.WARMING])

    run(body)


def test_the_very_same_server_is_not_started_again() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        calls = len(room.docker.calls)
        await room.does(program.start(room.spec))
        assert len(room.docker.calls) == calls

    run(body)


def test_a_switch_replaces_the_container() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        before = room.docker.box.value.id
        await room.does(program.start(room.other))
        assert [box.value.id for box in room.docker.running] != [before]
        assert len(room.docker.boxes) == 1
        assert program.state.phase is P.READY and program.state.spec == room.other
        assert room.asked == ["tiny", "other"]

    run(body)


def test_a_switch_during_a_load_ends_it_first() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        first = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        room.docker.on_up = lambda box: box.up("other")
        await room.does(program.start(room.other))
        assert first.cancelled()
        assert program.state.phase is P.READY and program.state.spec == room.other
        assert len(room.docker.boxes) == 1

    run(body)


@pytest.mark.parametrize(
    ("call", "phase"),
    [
        ("info", P.CHECKING),
        ("compose pull", P.IMAGE),
        ("compose up", P.CREATING),
        ("compose up, network made", P.CREATING),
        ("compose up, container made", P.CREATING),
    ],
)
def test_a_start_can_be_cancelled_while_docker_works(call: str, phase: ServerPhase) -> None:
    async def body(room: Room) -> None:
        if phase is P.IMAGE:
            room.docker.images.clear()
        program = room.program()
        release = room.docker.hold(call)
        task = begin(program.start(room.spec))
        await room.time.until(lambda: call in room.docker.calls)
        assert program.state.phase is phase
        task.cancel()
        release()
        before = room.time.now
        await room.time.until(task.done)
        assert task.cancelled() and room.time.now - before < 5
        assert program.state.phase is P.STOPPED
        assert not room.docker.boxes and not room.docker.networks

    run(body)


@pytest.mark.parametrize("phase", [P.LOADING, P.COMPILING, P.WARMING, P.ASKING])
def test_a_start_can_be_cancelled_while_the_server_loads(phase: ServerPhase) -> None:
    logs = {
        P.LOADING: ("Starting to load model /models/tiny...",),
        P.COMPILING: ("Warming up model for the compilation...",),
        P.WARMING: ("Warming up done.",),
        P.ASKING: ("INFO:     Application startup complete.",),
    }

    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = lambda box: box.say(*logs[phase])
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is phase)
        task.cancel()
        await room.time.until(task.done)
        assert task.cancelled() and program.state.phase is P.STOPPED
        assert not room.docker.boxes and not room.docker.networks

    run(body)


def test_the_same_start_again_while_its_cancel_cleans_up() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        first = begin(program.start(room.spec))
        await room.time.until(lambda: phase_of(program) is P.LOADING)
        release = room.docker.hold("compose down")
        first.cancel()
        await room.time.until(lambda: "compose down" in room.docker.calls)
        room.docker.on_up = lambda box: box.up("tiny")
        second = begin(program.start(room.spec))
        await room.time.pass_(1)
        release()
        await room.time.until(lambda: first.done() and second.done())
        assert first.cancelled() and not second.cancelled()
        second.result()
        assert phase_of(program) is P.READY and len(room.docker.boxes) == 1

    run(body)


def test_the_probe_can_be_cancelled() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.ask_waits = asyncio.Event()
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.ASKING)
        await room.time.pass_(2)
        task.cancel()
        await room.time.until(task.done)
        assert program.state.phase is P.STOPPED and not room.docker.boxes

    run(body)


def test_stop_ends_a_start() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        await room.does(program.stop())
        assert task.cancelled() and program.state.phase is P.STOPPED and not room.docker.boxes

    run(body)


def test_the_last_of_several_wishes_counts() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        first = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        room.docker.on_up = lambda box: box.up("other", "tiny")
        second = begin(program.stop())
        third = begin(program.start(room.other))
        fourth = begin(program.start(msgspec.structs.replace(room.other, port=18500)))
        await room.time.until(fourth.done)
        fourth.result()
        assert first.cancelled() and third.cancelled() and second.done()
        assert program.state.spec is not None and program.state.spec.port == 18500
        assert len(room.docker.boxes) == 1

    run(body)


def test_two_starts_of_the_same_are_one() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        tasks = [begin(program.start(room.spec)) for _ in range(2)]
        await room.time.until(lambda: all(task.done() for task in tasks))
        assert [task.exception() for task in tasks] == [None, None]
        assert room.docker.calls.count("compose up") == 1

    run(body)


def test_there_is_no_limit_of_time_and_silence_is_told() -> None:
    """V17."""

    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        said = room.time.now
        await room.time.pass_(300)
        assert not task.done() and phase_of(program) is P.LOADING
        assert program.state.last_line_at is not None and program.state.last_line_at <= said
        room.docker.box.up("tiny")
        await room.time.until(task.done)
        assert program.state.phase is P.READY

    run(body)


def test_ready_is_our_model_listed_and_a_probe_that_succeeds_whatever_health_says() -> None:
    """V18."""

    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        room.docker.box.serves = ()  # answers early: no model yet
        await room.time.pass_(60)
        assert phase_of(program) is P.LOADING and not room.asked
        room.docker.box.serves = ("tiny",)
        room.docker.box.health = 503  # neither this nor Docker's own mark is waited for
        await room.time.until(task.done)
        assert room.asked == ["tiny"] and program.state.phase is P.READY

    run(body)


def test_what_the_check_finds_ends_the_start_or_only_warns() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.checked = Finding("port_taken", {"port": 18400}, severity="warn")
        await room.does(program.start(room.spec))
        assert phase_of(program) is P.READY
        await room.does(program.stop())
        room.checked = Finding("port_taken", {"port": 18400})
        with pytest.raises(NotStarted):
            await room.does(program.start(room.other))
        assert program.state.phase is P.FAILED and program.state.finding == room.checked
        assert not room.docker.boxes

    run(body)


def test_the_record_says_how_it_went_and_the_next_start_knows_how_long() -> None:
    async def body(room: Room) -> None:
        def slowly(box: Box) -> None:
            loading(box)

        room.docker.on_up = slowly
        program = room.program()
        task = begin(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        await room.time.pass_(40)
        room.docker.box.up("tiny")
        await room.time.until(task.done)
        assert program.state.earlier == 0 and program.state.running is None
        await room.does(program.stop())
        room.docker.on_up = lambda box: box.up("tiny")
        await room.does(program.start(room.spec))
        loaded = next(step for step in program.state.steps if step.phase is P.LOADING)
        assert program.state.earlier == 1 and loaded.estimate is not None and loaded.estimate >= 40

    run(body)


def test_the_report_has_neither_keys_nor_homes() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = lambda box: box.end(
            1, "api_key=sk-abcdefghijklmnopqrst", "/home/someone/x", "ValueError: no"
        )
        with pytest.raises(NotStarted):
            await room.does(program.start(room.spec, key="sk-abcdefghijklmnopqrst"))
        report = program.report()
        assert "sk-abc" not in report and "someone" not in report
        assert "ValueError: no" in report and "creating: failed" in report
        assert "VLLM_MEMORY_LIMIT=" in report
        assert "up -d\nCommand: vllm serve /models/tiny --served-model-name=tiny" in report

    run(body)


def test_a_foreign_project_of_our_name_is_not_taken_down() -> None:
    async def body(room: Room) -> None:
        foreign = room.docker.add({"com.docker.compose.project": "tokenloupe"})
        program = room.program()
        await room.does(program.start(room.spec))
        await room.does(program.stop())
        assert list(room.docker.boxes.values()) == [foreign] and foreign.running

    run(body)


def test_docker_errors_are_findings() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.fail("find", DockerError("docker.missing", places="/usr/bin"))
        with pytest.raises(DockerError):
            await room.does(program.start(room.spec))
        assert program.state.phase is P.FAILED and program.state.finding is not None
        assert program.state.finding.code == "docker_missing"

    run(body)


def test_lines_come_on_the_log_and_a_new_start_begins_a_new_one() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        seen: list[LogPiece | None] = []
        program.log.connect(seen.extend)
        program.log_cleared.connect(lambda _: seen.append(None))
        await room.does(program.start(room.spec))
        await room.does(program.start(room.other))
        assert seen.count(None) == 2 and seen[0] is None

    run(body)
