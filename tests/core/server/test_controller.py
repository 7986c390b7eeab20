"""The controller on a Docker in memory: every way from a wish to a server, and from a server to none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from core.errors import LoupeError
from core.paths import Paths, default_paths
from core.server.access import LogPiece
from core.server.controller import ServerController
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState, StepStatus
from tests.fakes.scripted_docker import UNTIL_LOADING, Box, ScriptedDocker, image_names

P = ServerPhase


def make_model(paths: Paths, name: str = "tiny") -> LaunchSpec:
    folder = paths.models / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"model_type": "llama"}')
    (folder / "model.safetensors").write_bytes(b"0123456789")
    return LaunchSpec(model=name, folder=str(folder), port=18400)


class Room:
    """Docker in memory, two models, and as many programs as are wanted."""

    def __init__(self) -> None:
        self.paths = default_paths()
        self.docker = ScriptedDocker()
        self.docker.images.update(image_names())
        self.spec = make_model(self.paths)
        self.other = make_model(self.paths, "other")
        self.asked: list[str] = []
        self.ask_errors: list[LoupeError] = []
        self.ask_waits: asyncio.Event | None = None
        self.programs: list[ServerController] = []
        self.time = self.docker.time

    async def ask(self, address: str, spec: LaunchSpec, key: str) -> None:
        self.docker.point()
        if self.ask_waits is not None:
            await self.ask_waits.wait()
        if self.ask_errors:
            raise self.ask_errors.pop(0)
        self.asked.append(spec.model)

    def program(self, by: str = "window") -> ServerController:
        time = self.time
        made = ServerController(
            self.docker,
            self.paths,
            self.ask,
            by=by,
            knock=self.docker.knock,
            sleep=time.sleep,
            clock=time.monotonic,
            wall=time.wall,
        )
        self.programs.append(made)
        return made

    async def does(self, work: Coroutine[Any, Any, Any], *, within: float = 600.0) -> Any:
        """The work's end, however long it takes on the scripted clock."""
        task = asyncio.get_running_loop().create_task(work)
        await self.time.until(task.done, within=within)
        return task.result()

    async def close(self) -> None:
        for program in self.programs:
            await self.does(program.close())


def phases(program: ServerController) -> list[ServerPhase]:
    """Every phase that it goes through from now on."""
    seen: list[ServerPhase] = [program.state.phase]

    def note(state: ServerState) -> None:
        if state.phase is not seen[-1]:
            seen.append(state.phase)

    program.state_changed.connect(note)
    return seen


Test = Callable[[Room], Coroutine[Any, Any, None]]


def run(test: Test) -> None:
    async def body() -> None:
        room = Room()
        try:
            await test(room)
        finally:
            await room.close()

    asyncio.run(body())


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


def loading(box: Box) -> None:
    box.say(*UNTIL_LOADING)


def test_a_switch_during_a_load_ends_it_first() -> None:
    async def body(room: Room) -> None:
        program = room.program()
        room.docker.on_up = loading
        first = asyncio.get_running_loop().create_task(program.start(room.spec))
        await room.time.until(lambda: program.state.phase is P.LOADING)
        room.docker.on_up = lambda box: box.up("other")
        await room.does(program.start(room.other))
        assert first.cancelled()
        assert program.state.phase is P.READY and program.state.spec == room.other
        assert len(room.docker.boxes) == 1

    run(body)
