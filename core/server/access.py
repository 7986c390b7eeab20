"""What controller and doctor need of Docker: its values, and the protocol of the access to it."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Literal, Protocol
from urllib.parse import urlsplit

import msgspec

# labels of our containers; what has none of them is not ours and never touched
LABEL_LAUNCH = "io.tokenloupe.launch"  # id of the launch record, "by-hand" where Compose was told by hand
LABEL_SPEC = "io.tokenloupe.spec"  # the LaunchSpec as JSON, "" by hand
PROJECT = "tokenloupe"  # of Compose
SERVICE = "vllm"
LABEL_PROJECT = "com.docker.compose.project"  # Compose's own
LABEL_SERVICE = "com.docker.compose.service"
BY_HAND = "by-hand"  # LABEL_LAUNCH of all that Compose was told to start by hand
ALL_GPUS = "nvidia.com/gpu=all"  # what NVIDIA's toolkit calls all of them as one CDI device
LOG_LINES = 100_000  # of a log that is there already: what the log dock holds; more is never loaded


class Endpoint(msgspec.Struct, frozen=True):
    """Which Docker is spoken to. `context`: its name in the person's docker configuration, "" where
    DOCKER_HOST says it. `host`: "unix:///…", "tcp://…", "ssh://…". `cli`: path of the docker program, `path`:
    the PATH its children get. `compose`: version of the Compose plugin."""

    host: str
    cli: str
    path: str
    context: str = ""
    compose: str = ""

    @property
    def remote(self) -> bool:
        """Its files are another computer's: a folder of this one cannot be mounted. A loopback address
        counts as this one's, as Docker Desktop and rootless engines have it."""
        # a tunnel may begin there: then the start fails, as the other end has no such folder to mount; over
        # ssh even this computer's own name is mostly a virtual machine
        try:
            parts = urlsplit(self.host)
            name = parts.hostname or ""
        except ValueError:
            return True
        return parts.scheme == "ssh" or (parts.scheme in ("tcp", "http", "https") and not _is_loopback(name))


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


class DockerInfo(msgspec.Struct, frozen=True):
    """Of the engine. `arch`: "amd64" | "arm64" | as it says. `memory`, `cpus`: what containers may have.
    `root`: where images lie. `cdi`: names of the devices that it can hand in by the Container Device
    Interface. `security`: its options ("name=selinux", …). `system`: "Docker Desktop", "Debian GNU/Linux
    12", …"""

    version: str
    api: str
    arch: str
    cpus: int
    memory: int
    system: str = ""
    root: str = ""
    runtimes: tuple[str, ...] = ()
    cdi: tuple[str, ...] = ()
    security: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def selinux(self) -> bool:
        return any("name=selinux" in option for option in self.security)

    @property
    def nvidia(self) -> bool:
        """Containers can have NVIDIA GPUs."""
        return "nvidia" in self.runtimes or self.by_cdi

    @property
    def by_cdi(self) -> bool:
        """They get them by CDI (compose.cdi.yaml), as there is no runtime of NVIDIA's, which goes first."""
        return "nvidia" not in self.runtimes and ALL_GPUS in self.cdi


class Container(msgspec.Struct, frozen=True):
    """`status`: as Docker says: created, running, paused, restarting, removing, exited, dead. `ports`: what
    is published: (host address, host port, port inside). `started`, `finished`: seconds since the epoch, 0 =
    never. `mounts`: (source on the engine's machine, path inside). `memory`: the most it may use in bytes, 0
    = no limit. `error`: the daemon's own words."""

    id: str
    name: str
    image: str
    status: str
    labels: Mapping[str, str] = {}
    exit_code: int | None = None
    oom_killed: bool = False
    error: str = ""
    ports: tuple[tuple[str, int, int], ...] = ()
    mounts: tuple[tuple[str, str], ...] = ()
    arguments: tuple[str, ...] = ()
    image_id: str = ""
    started: float = 0.0
    finished: float = 0.0
    memory: int = 0

    @property
    def ours(self) -> bool:
        return LABEL_LAUNCH in self.labels


class Image(msgspec.Struct, frozen=True):
    """`digest`: of the registry, or of the image itself where it was built here."""

    id: str
    digest: str
    size: int
    arch: str

    def is_for(self, arch: str) -> bool:
        """Made for this kind of processor, as far as both are told."""
        return self.arch == arch or "" in (self.arch, arch)


class Holder(msgspec.Struct, frozen=True):
    """A process that computes on a GPU. `name`: as the driver says, "" = it does not. `memory`: bytes of the
    GPU that it holds, None = not told."""

    pid: int
    name: str = ""
    memory: int | None = None


class Gpu(msgspec.Struct, frozen=True):
    """`index`: by the place on the bus, as the server counts too. `total`, `free`: bytes, None = not told.
    `parted`: it is cut into parts (MIG), and its numbers say nothing of one part. `holders`: the largest
    first."""

    index: int
    name: str
    driver: str = ""
    total: int | None = None
    free: int | None = None
    parted: bool = False
    holders: tuple[Holder, ...] = ()

    @property
    def holder(self) -> Holder | None:
        """Who holds most of it, of those whose name and share are told."""
        return next((one for one in self.holders if one.name and one.memory), None)


NoGpus = Literal["", "remote", "absent", "slow", "failed", "none", "parted", "untold"]


class Gpus(msgspec.Struct, frozen=True):
    """What nvidia-smi says. `why` nothing is known: "remote" (Docker's machine is another), "absent" (there
    is no nvidia-smi), "slow", "failed" (its words in `detail`), "none" (it finds no GPU)."""

    all: tuple[Gpu, ...] = ()
    why: NoGpus = ""
    detail: str = ""

    @property
    def first(self) -> Gpu | None:
        """The one that a server takes."""
        return self.all[0] if self.all else None

    def at(self, device: str) -> Gpu | None:
        """The one that a server calls "cuda:1" or "GPU 1"; the first one where it names none."""
        number = device.replace(":", " ").rpartition(" ")[2]
        if not number.isdecimal():
            return self.first
        return next((gpu for gpu in self.all if gpu.index == int(number)), None)

    @property
    def unknown(self) -> NoGpus:
        """Why the memory of the first one is not known, "" if it is: as `why`, or "parted", "untold"."""
        gpu = self.first
        if gpu is None:
            return self.why or "none"
        return "parted" if gpu.parted else "untold" if gpu.total is None or gpu.free is None else ""


class ContainerEvent(msgspec.Struct, frozen=True):
    """`action`: create, start, die, oom, kill, stop, destroy, … `time`: seconds since the epoch."""

    action: str
    container: str
    labels: Mapping[str, str] = {}
    exit_code: int | None = None
    time: float = 0.0


class LogPiece(msgspec.Struct, frozen=True):
    """What a container wrote, up to a line's end or to what came so far. `time`: seconds since the epoch by
    the engine's clock. `text`: without the line feed and escapes, and with nothing in it that must be hidden
    (core/log_text.py); carriage returns as they came."""

    time: float
    text: str
    error: bool = False  # from stderr


class Progress(msgspec.Struct, frozen=True):
    """One line of Compose's progress, whatever its version. `id`: "Container …", "Image …", a layer's hash.
    `parent`: whose part it is. `status`: lower case: "pulling", "downloading", "extracting", "creating",
    "created", "starting", "started", "healthy", "done", "error" … `current`, `total`: bytes."""

    id: str
    status: str
    text: str = ""
    parent: str = ""
    current: int = 0
    total: int = 0


class Ended(msgspec.Struct, frozen=True):
    """A command that has ended. `out`, `err`: their last 64 KiB as text, never a decoding error."""

    code: int
    out: str = ""
    err: str = ""


class Docker(Protocol):
    """All of it can be cancelled at any time and leaves no process. Raises DockerError: docker.missing,
    docker.stopped, docker.forbidden, docker.other_socket (both of them, where another engine is there),
    docker.no_compose, docker.starting (answers, but not in full), docker.context, docker.host_value,
    docker.slow (no answer in time), docker.failed (its own words in `detail`)."""

    async def find(self) -> Endpoint:
        """The docker program, the person's context and Compose, asked anew at each call; the engine itself
        is not asked."""
        ...

    async def info(self) -> DockerInfo: ...

    async def containers(self, *, ours: bool = True) -> tuple[Container, ...]:
        """Running or not; of all owners with ours=False, and then without exit code, times, arguments."""
        ...

    async def container(self, id_: str) -> Container | None: ...

    async def image(self, name: str) -> Image | None: ...

    async def memory(self, id_: str) -> int:
        """Bytes that a running container holds, without what the system can take back; 0 = not told."""
        ...

    async def gpus(self) -> Gpus:
        """The NVIDIA GPUs that containers can have. A few seconds at most; raises nothing but
        cancellation."""
        ...

    async def disk(self) -> str:
        """The table of `docker system df`."""
        ...

    async def compose(
        self,
        files: Sequence[str],
        arguments: Sequence[str],
        environment: Mapping[str, str],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Ended:
        """`docker compose` with these files in our project. Values of `environment` are never logged. A code
        other than 0 is no exception. `err` of the answer is plain words. Cancelled, it returns only when the
        command has ended."""
        ...

    def events(self) -> AsyncGenerator[ContainerEvent, None]:
        """Of our containers, from now on, until closed. Raises when the engine goes away."""
        ...

    def logs(
        self, id_: str, *, since: float = 0.0, follow: bool = True
    ) -> AsyncGenerator[tuple[LogPiece, ...], None]:
        """What it wrote, the newest LOG_LINES of it, in batches; with `follow` what it writes, too, until it
        has ended."""
        ...

    async def kill(self, id_: str) -> None:
        """End and remove a container of ours at once. Raises docker.not_ours for one that is not."""
        ...


Severity = Literal["ok", "warn", "err", "unknown"]


class Check(msgspec.Struct, frozen=True):
    """One line of the doctor. `code`: "docker", "compose", "engine", "gpu", "gpu_memory", "memory", "disk",
    "port", "architecture", "processor", "security", "sharing". `note`: code of findings.toml under `checks.`.
    """

    code: str
    severity: Severity
    note: str = ""
    params: Mapping[str, str | int | float] = {}
