"""What is removed at the end: all of it, even in a hurry; and what cannot be is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import DockerError
from core.paths import compose_files
from core.server.access import LABEL_LAUNCH, Ended, Progress
from core.server.environment import BLANK
from core.server.state import ServerPhase
from tests.core.server.composing import CPU, config, whole_paths
from tests.fakes.server_room import Room, begin, phase_of, phases, run

P = ServerPhase


class Compose:
    """The scripted one's `compose`, whose verbs can be replaced. `given`: their environments."""

    def __init__(self, room: Room) -> None:
        self._real = room.docker.compose
        self.instead: dict[str, Callable[[Mapping[str, str]], Ended]] = {}
        self.given: dict[str, Mapping[str, str]] = {}
        room.docker.compose = self  # type: ignore[method-assign]

    async def __call__(
        self,
        files: Sequence[str],
        arguments: Sequence[str],
        environment: Mapping[str, str],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Ended:
        self.given[arguments[0]] = environment
        if arguments[0] in self.instead:
            return self.instead[arguments[0]](environment)
        return await self._real(files, arguments, environment, on_progress)


def refuses(environment: Mapping[str, str]) -> Ended:
    return Ended(1, err="invalid size: 'abc'")


def test_the_end_kills_what_compose_makes_although_its_id_is_not_known_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.server.controller.CLOSE_SECONDS", 0.05)

    async def body(room: Room) -> None:
        program = room.program()
        docker, up = room.docker, asyncio.Event()

        async def compose(
            files: Sequence[str],
            arguments: Sequence[str],
            environment: Mapping[str, str],
            on_progress: Callable[[Progress], None] | None = None,
        ) -> Ended:
            """Docker goes on with what it was told, and Compose waits for it."""
            with suppress(asyncio.CancelledError):
                up.set()
                await asyncio.Event().wait()
            docker.add({LABEL_LAUNCH: environment["TOKENLOUPE_LAUNCH"]})
            docker.compose = stuck  # type: ignore[method-assign]
            await asyncio.Event().wait()
            raise AssertionError

        async def stuck(
            files: Sequence[str],
            arguments: Sequence[str],
            environment: Mapping[str, str],
            on_progress: Callable[[Progress], None] | None = None,
        ) -> Ended:
            await asyncio.Event().wait()
            raise AssertionError

        docker.compose = compose  # type: ignore[method-assign]
        foreign = docker.add({"com.docker.compose.project": "web"})
        begin(program.start(room.spec))
        await room.time.until(up.is_set)
        await program.close()  # in real time
        assert list(docker.boxes.values()) == [foreign]
        assert phase_of(program) is P.STOPPED

    run(body)


def test_a_stop_that_compose_refuses_is_no_stop() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        compose = Compose(room)
        compose.instead["down"] = refuses
        with pytest.raises(DockerError, match="abc"):
            await room.does(program.stop())
        assert phase_of(program) is P.FAILED and not room.docker.running
        compose.instead.clear()
        await room.does(program.stop())
        assert phase_of(program) is P.STOPPED and not room.docker.networks

    run(body)


@pytest.mark.parametrize(("code", "asked"), [("docker.slow", 1), ("docker.no_compose", 3)])
def test_a_stop_without_compose_removes_the_container_all_the_same(code: str, asked: int) -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        compose, calls = Compose(room), []

        def cannot(environment: Mapping[str, str]) -> Ended:
            calls.append(code)
            raise DockerError(code, command="docker compose", seconds=60)

        compose.instead["down"] = cannot
        with pytest.raises(DockerError) as caught:
            await room.does(program.stop())
        assert caught.value.code == code and phase_of(program) is P.FAILED
        assert not room.docker.boxes and len(calls) == asked, "what hung is not asked again"
        assert not program.state.container, "nothing of it is left to stop"
        compose.instead.clear()

    run(body)


def test_a_container_that_stays_is_told() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        Compose(room).instead["down"] = refuses
        kill = room.docker.kill

        async def nothing(id_: str) -> None:
            """Somebody else is removing it, says Docker."""

        room.docker.kill = nothing  # type: ignore[method-assign]
        with pytest.raises(DockerError) as caught:
            await room.does(program.stop())
        assert caught.value.code == "docker.left" and caught.value.params["status"] == "running"
        assert phase_of(program) is P.FAILED and program.state.finding is not None
        assert program.state.finding.code == "docker_left"
        room.docker.kill = kill  # type: ignore[method-assign]

    run(body)


def test_a_cancelled_start_that_leaves_something_says_so() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        release = room.docker.hold("compose up, network made")
        task = begin(program.start(room.spec))
        await room.time.until(lambda: "compose up, network made" in room.docker.calls)
        compose = Compose(room)
        compose.instead["down"] = refuses
        task.cancel()
        release()
        await room.time.until(task.done)
        assert task.cancelled() and phase_of(program) is P.FAILED and room.docker.networks
        compose.instead.clear()

    run(body)


def test_compose_takes_down_without_the_persons_values(plugin: Path) -> None:
    """One that it cannot read would keep it from reading its file at all."""

    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        compose = Compose(room)
        await room.does(program.stop())
        persons = {"VLLM_SHM_SIZE": "abc", "VLLM_PORT": "tcp://10.0.0.1:8000"}
        assert config(plugin, whole_paths(CPU), {**persons, **compose.given["down"]})["services"]

    run(body)


def test_every_variable_of_the_files_can_be_blank() -> None:
    known = set()
    for path in compose_files().glob("*.yaml"):
        known |= set(re.findall(r"(?<!\$)\$\{(\w+)", path.read_text("utf-8")))
    assert known - {"HOME", "XDG_DATA_HOME"} <= set(BLANK)


def test_a_server_that_was_replaced_is_recorded_as_stopped_and_no_more() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        first = program.state.launch
        before = program._tools.launches.read(first)
        await room.time.pass_(3600)
        await room.does(program.start(room.other))
        after = program._tools.launches.read(first)
        assert before is not None and after is not None and after.phases == before.phases
        assert after.result == "stopped" and after.ended > after.ready

    run(body)


def test_a_server_that_was_not_replaced_after_all_is_recorded_on() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        first = program.state.launch
        seen = phases(program)
        room.lose_weights(room.other)
        with pytest.raises(Exception, match="no_safetensors"):
            await room.does(program.start(room.other))
        assert seen[-1] is P.READY
        record = program._tools.launches.read(first)
        assert record is not None and record.result == "ready" and not record.ended
        await room.does(program.stop())
        record = program._tools.launches.read(first)
        assert record is not None and record.result == "stopped" and record.ended

    run(body)


def test_a_server_that_is_killed_as_soon_as_it_is_ready_goes_with_this_program() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        await room.does(program.start(room.spec))
        room.docker.box.end(137)
        await room.time.until(lambda: phase_of(program) is P.LOST)
        assert program.state.ours
        await room.does(program.close())
        assert not room.docker.boxes

    run(body)
