"""One computer with a Docker in memory, two models, and as many programs as are wanted."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from core.models.ledger import Permit
from core.models.manifest import hub_folder
from core.models.orders import DownloadState
from core.paths import Paths
from core.server.access import DockerInfo, Endpoint
from core.server.controller import ServerController
from core.server.finding import Finding
from core.server.source import Told
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase, ServerState
from core.server.tools import Check
from tests.fakes.hub.server import COMMIT
from tests.fakes.scripted_docker import UNTIL_LOADING, Box, ScriptedDocker, image_names

T = TypeVar("T")


def make_model(paths: Paths, name: str = "tiny") -> LaunchSpec:
    folder = paths.models / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"model_type": "llama"}')
    (folder / "model.safetensors").write_bytes(b"0123456789")
    return LaunchSpec(model=name, folder=str(folder), port=18400)


class ScriptedSource:
    """A hub with one model, whose files come when a test says so. `told`: how a download tells of itself.
    `cut`: it was ended before it was whole."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.spec = LaunchSpec(
            model="org/new",
            folder=str(paths.models / hub_folder("org/new", COMMIT)),
            revision=COMMIT,
            port=18400,
        )
        self.weights = 10
        self.weighed = self.cut = 0
        self.refuses: Exception | None = None
        self.told: Told | None = None
        self._here = asyncio.Event()

    def lacks(self, spec: LaunchSpec) -> bool:
        return not Path(spec.folder).is_dir()

    async def weigh(self, spec: LaunchSpec) -> int:
        self.weighed += 1
        if self.refuses is not None:
            raise self.refuses
        return self.weights

    async def fetch(self, spec: LaunchSpec, told: Told) -> LaunchSpec:
        self.told = told
        try:
            await self._here.wait()
        except asyncio.CancelledError:
            self.cut += 1
            raise
        return spec

    def tell(self, **state: Any) -> None:
        assert self.told is not None
        self.told(DownloadState("org/new", COMMIT, commit=COMMIT, **state))

    def arrive(self) -> None:
        make_model(self._paths, Path(self.spec.folder).name)
        self._here.set()


class Room:
    def __init__(self) -> None:
        root = Path(tempfile.mkdtemp(dir=os.environ["TOKENLOUPE_HOME"]))
        self.paths = Paths(root / "data", root / "cache", root / "config")
        self.docker = ScriptedDocker()
        self.docker.images.update(image_names())
        self.spec = make_model(self.paths)
        self.other = make_model(self.paths, "other")
        self.source = ScriptedSource(self.paths)
        self.permit = Permit()
        self.checked: Finding | None = None
        self.asked: list[str] = []
        self.ask_errors: list[Exception] = []
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

    async def check(
        self, spec: LaunchSpec, info: DockerInfo, endpoint: Endpoint, coming: int
    ) -> Finding | None:
        return self.checked

    def program(self, by: str = "window", *, check: Check | None = None) -> ServerController:
        time = self.time
        made = ServerController(
            self.docker,
            self.paths,
            self.ask,
            by=by,
            check=check or self.check,
            source=self.source,
            permit=self.permit,
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

    @staticmethod
    def lose_weights(spec: LaunchSpec) -> None:
        """Of a model on disk."""
        Path(spec.folder, "model.safetensors").unlink()

    async def close(self) -> None:
        for program in self.programs:
            await self.does(program.close())


async def die(room: Room, program: ServerController) -> None:
    """What the system does when a process ends: its tasks are no more, its lock is free."""
    for part in (program._observer, program._attendance, program._scope):
        await part.close()
    program._others.lock.free()
    program._others.holders.close()
    room.programs.remove(program)
    room.docker.killed_at = None


def phase_of(program: ServerController) -> ServerPhase:
    """Now; a type checker takes a state that was looked at once for one that stays."""
    return program.state.phase


def phases(program: ServerController) -> list[ServerPhase]:
    """Every phase that it goes through from now on."""
    seen: list[ServerPhase] = [program.state.phase]

    def note(state: ServerState) -> None:
        if state.phase is not seen[-1]:
            seen.append(state.phase)

    program.state_changed.connect(note)
    return seen


def begin(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    return asyncio.get_running_loop().create_task(work)


def loading(box: Box) -> None:
    """A container's log up to the loading of the model, and no further."""
    box.say(*UNTIL_LOADING)


Test = Callable[[Room], Coroutine[Any, Any, None]]


class _AtOnce(ThreadPoolExecutor):
    """Threads would take real time, in which the scripted one goes on."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def run(test: Test) -> None:
    async def body() -> None:
        asyncio.get_running_loop().set_default_executor(_AtOnce())
        room = Room()
        try:
            await test(room)
        finally:
            await room.close()

    asyncio.run(body())
