"""A Docker in memory, behind the protocol of core/server/access.py.

For what the real one cannot be made to do at a given moment: to fail or hang at any call, to lose a
container between two of them, to go away. tests/real/docker has the rest.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from core.errors import DockerError
from core.log_text import safe
from core.server.access import (
    LABEL_LAUNCH,
    LABEL_PROJECT,
    LABEL_SPEC,
    Container,
    ContainerEvent,
    DockerInfo,
    Ended,
    Endpoint,
    Gpus,
    Image,
    LogPiece,
    Progress,
)
from core.server.key_mark import LABEL_KEY
from core.server.knock import Answer
from core.server.progress import ProgressReader
from core.server.spec import GIB, LaunchSpec
from tests.fakes.scripted_time import Time

START_LOG = (
    "vLLM server version 0.32.0, serving model tiny",
    "Resolved architecture: LlamaForCausalLM",
    "Starting to load model /models/tiny...",
    "Loading weights took 0.10 seconds",
    "Warming up model for the compilation...",
    "Warming up done.",
    "Starting vLLM server on http://0.0.0.0:8000",
    "INFO:     Application startup complete.",
)
UNTIL_LOADING = START_LOG[:3]


class Killed(BaseException):
    """The program was killed here: nothing of it runs any more but what the system does."""


@dataclass
class Box:
    """One container. `serves`: the models that it lists; None: nobody answers at its port."""

    docker: ScriptedDocker
    value: Container
    serves: tuple[str, ...] | None = None
    health: int = 200
    log: list[LogPiece] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def running(self) -> bool:
        return self.value.status == "running"

    def say(self, *lines: str) -> None:
        wall = self.docker.time.wall()
        self.log += [LogPiece(wall, safe(line)) for line in lines]
        self.changed.set()

    def up(self, *models: str) -> None:
        """It has started to the end, and serves these."""
        self.say(*START_LOG)
        self.serves = models

    def end(self, code: int, *lines: str, oom: bool = False) -> None:
        """It ends by itself."""
        self.say(*lines)
        if oom:
            self.docker.tell("oom", self)
        self.serves = None
        self.change(status="exited", exit_code=code, oom_killed=oom, finished=self.docker.time.wall())
        self.docker.tell("die", self)

    def change(self, **changes: object) -> None:
        self.value = msgspec.structs.replace(self.value, **changes)
        self.changed.set()


class ScriptedDocker:
    """`on_up`: what a new container does at once; by default it starts and serves its model.

    `hold` makes a call wait, `fail` makes it raise; calls are named "info", "containers", "compose up", … and
    listed in `calls`. `gone`: nothing answers any more.
    """

    def __init__(self) -> None:
        self.time = Time()
        self.boxes: dict[str, Box] = {}
        self.networks: set[str] = set()
        self.images: set[str] = set()
        self.foreign: set[str] = set()  # of the images, those for another kind of processor
        self.calls: list[str] = []
        self.memory = 16 * GIB
        self.gone = False
        self.on_up: Callable[[Box], None] = lambda box: box.up(spec_in(box).model)
        self.pulls: list[Ended] = []  # how the next pulls and builds end; else well
        self.up_fails: Ended | None = None
        self.table = ""  # of `docker system df`
        self.found_gpus = Gpus(why="absent")
        self._numbers = itertools.count(1)
        self._held: dict[str, asyncio.Event] = {}
        self._failing: dict[str, list[DockerError]] = {}
        self._listeners: set[asyncio.Queue[ContainerEvent | None]] = set()
        self.points = 0  # calls so far
        self.killed_at: int | None = None  # from this one on the program that calls is dead

    # --- for tests -------------------------------------------------------------------------------------

    @property
    def box(self) -> Box:
        """The one container that was made last."""
        return self.boxes[max(self.boxes, key=lambda id_: int(id_[1:]))]

    @property
    def running(self) -> list[Box]:
        return [box for box in self.boxes.values() if box.running]

    def hold(self, call: str) -> Callable[[], None]:
        """Calls of this name wait until what is returned is called."""
        event = self._held[call] = asyncio.Event()

        def release() -> None:
            self._held.pop(call, None)
            event.set()

        return release

    def fail(self, call: str, *errors: DockerError) -> None:
        """The next calls of this name raise these."""
        self._failing.setdefault(call, []).extend(errors)

    def leave(self) -> None:
        """The engine goes away; containers go on in some world that nobody sees."""
        self.gone = True
        for listener in self._listeners:
            listener.put_nowait(None)
        for box in self.boxes.values():
            box.changed.set()

    def add(self, labels: Mapping[str, str], *, port: int = 0, **values: object) -> Box:
        """A container that somebody has made."""
        number = next(self._numbers)
        fields = {
            "id": f"c{number}",
            "name": f"box-{number}",
            "image": "some/image:1",
            "status": "running",
            "labels": dict(labels),
            "ports": (("127.0.0.1", port, 8000),) if port else (),
            "started": self.time.wall(),
            **values,
        }
        box = Box(self, msgspec.convert(fields, Container))
        self.boxes[box.value.id] = box
        return box

    def tell(self, action: str, box: Box) -> None:
        event = ContainerEvent(action, box.value.id, box.value.labels, box.value.exit_code, self.time.wall())
        if box.value.ours:
            for listener in self._listeners:
                listener.put_nowait(event)

    async def knock(self, port: int, path: str, key: str) -> Answer:
        """As core.server.knock."""
        for box in self.running:
            if any(outside == port for _, outside, _ in box.value.ports) and box.serves is not None:
                return Answer(box.health) if path == "/health" else Answer(200, box.serves)
        return Answer(0)

    # --- the protocol ----------------------------------------------------------------------------------

    def point(self) -> None:
        self.points += 1
        if self.killed_at is not None and self.points >= self.killed_at:
            raise Killed

    async def _call(self, name: str) -> None:
        self.calls.append(name)
        self.point()
        await asyncio.sleep(0)
        if name in self._held:
            await self._held[name].wait()
        if self._failing.get(name):
            raise self._failing[name].pop(0)
        if self.gone:
            raise DockerError(
                "docker.stopped", host="unix:///docker.sock", detail="is the docker daemon running?"
            )

    async def find(self) -> Endpoint:
        await self._call("find")
        return Endpoint("unix:///docker.sock", "/usr/bin/docker", "/usr/bin", "default", "5.0.0")

    async def info(self) -> DockerInfo:
        await self._call("info")
        return DockerInfo("28.5.2", "1.51", "amd64", 2, self.memory, system="Scripted")

    async def containers(self, *, ours: bool = True) -> tuple[Container, ...]:
        await self._call("containers")
        return tuple(box.value for box in self.boxes.values() if box.value.ours or not ours)

    async def memory(self, id_: str) -> int:
        return 0

    async def gpus(self) -> Gpus:
        self.calls.append("gpus")
        return self.found_gpus

    async def container(self, id_: str) -> Container | None:
        await self._call("container")
        box = self.boxes.get(id_)
        return None if box is None else box.value

    async def image(self, name: str) -> Image | None:
        await self._call("image")
        arch = "arm64" if name in self.foreign else "amd64"
        return Image("sha256:1", "sha256:2", 5 * GIB, arch) if name in self.images else None

    async def disk(self) -> str:
        await self._call("disk")
        return self.table

    async def compose(
        self,
        files: Sequence[str],
        arguments: Sequence[str],
        environment: Mapping[str, str],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Ended:
        verb = arguments[0]
        if verb == "pull" and on_progress is not None:
            on_progress(Progress("Image some/image", "pulling", current=100, total=1000))
        await self._call(f"compose {verb}")
        if verb in ("pull", "build"):
            return self._bring(environment, on_progress)
        if verb == "up":
            return await self._up(environment)
        assert verb == "down"
        for box in [box for box in self.boxes.values() if self._is_projects(box)]:
            if box.running:
                box.end(143)
            await self._call("compose down, container stopped")
            self._remove(box)
        await self._call("compose down, containers removed")
        self.networks.clear()
        return Ended(0)

    def _bring(self, environment: Mapping[str, str], told: Callable[[Progress], None] | None) -> Ended:
        if self.pulls and (ended := self.pulls.pop(0)).code:
            reader = ProgressReader()
            for line in f"{ended.out}\n{ended.err}".split("\n"):
                for progress in reader.feed(line):
                    assert told is not None
                    told(progress)
            return ended
        if told is not None:
            told(Progress("Image some/image", "pulling", current=1000, total=1000))
        self.images.update(image_names())
        if environment["DOCKER_DEFAULT_PLATFORM"] == "linux/amd64":
            self.foreign.clear()
        return Ended(0)

    async def _up(self, environment: Mapping[str, str]) -> Ended:
        if self.up_fails is not None:
            return self.up_fails
        self.networks.add("tokenloupe_default")
        await self._call("compose up, network made")
        spec = msgspec.json.decode(environment["TOKENLOUPE_SPEC"], type=LaunchSpec)
        labels = {
            LABEL_LAUNCH: environment["TOKENLOUPE_LAUNCH"],
            LABEL_SPEC: environment["TOKENLOUPE_SPEC"],
            LABEL_KEY: environment["TOKENLOUPE_KEY_MARK"],
            LABEL_PROJECT: "tokenloupe",
        }
        limit = int(environment["VLLM_MEMORY_LIMIT"] or 0)
        box = self.add(labels, port=spec.port, status="created", started=0.0, memory=limit)
        self.tell("create", box)
        await self._call("compose up, container made")
        box.change(status="running", started=self.time.wall())
        self.tell("start", box)
        self.on_up(box)
        return Ended(0)

    @staticmethod
    def _is_projects(box: Box) -> bool:
        return box.value.labels.get(LABEL_PROJECT) == "tokenloupe"

    def _remove(self, box: Box) -> None:
        if box.running:
            box.end(143)
        self.boxes.pop(box.value.id, None)
        self.tell("destroy", box)
        box.changed.set()

    async def events(self) -> AsyncGenerator[ContainerEvent, None]:
        await self._call("events")
        queue: asyncio.Queue[ContainerEvent | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            while (event := await queue.get()) is not None:
                yield event
            raise DockerError("docker.stopped", host="unix:///docker.sock")
        finally:
            self._listeners.discard(queue)

    async def logs(
        self, id_: str, *, since: float = 0.0, follow: bool = True
    ) -> AsyncGenerator[tuple[LogPiece, ...], None]:
        await self._call("logs")
        box = self.boxes.get(id_)
        if box is None:
            raise DockerError(detail=f"No such container: {id_}")
        read = 0
        while True:
            box.changed.clear()
            if self.gone:
                raise DockerError("docker.stopped", host="unix:///docker.sock")
            if len(box.log) > read:
                pieces, read = tuple(box.log[read:]), len(box.log)
                yield tuple(piece for piece in pieces if piece.time >= since)
            elif not (box.running and follow):
                return
            else:
                await box.changed.wait()

    async def kill(self, id_: str) -> None:
        await self._call("kill")
        box = self.boxes.get(id_)
        if box is None:
            return
        if not box.value.ours:
            raise DockerError("docker.not_ours")
        self._remove(box)


def spec_in(box: Box) -> LaunchSpec:
    return msgspec.json.decode(box.value.labels[LABEL_SPEC], type=LaunchSpec)


def image_names() -> list[str]:
    """Every image that a start may want."""
    from core.server.versions import versions

    return [name for one in versions() for kind in (one.cpu, one.gpu) for name in (kind.image, kind.download)]
