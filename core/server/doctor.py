"""Looks at Docker and this computer: can a server start here, on which device, and what is to do first."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from core.errors import LoupeError, ModelError
from core.server import machine as computer
from core.server.access import Check, Container, Docker, DockerInfo, Endpoint, Gpus, Severity
from core.server.cause import of_docker
from core.server.contexts import version_numbers
from core.server.evidence import Evidence
from core.server.finding import Finding, Value
from core.server.findings import NEEDED, make, of_error
from core.server.fixes import RUNTIME_BYTES
from core.server.launcher import Doctor
from core.server.machine import Machine, Owner
from core.server.mounts import mount_of
from core.server.spec import GIB, KV_BYTES, PORT, Device, LaunchSpec
from core.server.versions import VllmImage, oldest_compose, version_or_default

SMALL_MODEL: Final = KV_BYTES + RUNTIME_BYTES + GIB  # bytes of memory: half a billion weights, and the rest
ROOM: Final[Mapping[Device, float]] = {
    "cpu": 8e9,
    "gpu": 30e9,
}  # bytes of disk: with less a person is warned; how large an image is, nobody tells before it comes
_SHARED: Final = ("/Users", "/Volumes", "/private", "/tmp", "/var/folders")  # by Docker Desktop on macOS
_EVERYWHERE: Final = ("", "0.0.0.0", "::", "127.0.0.1", "::1")


class Sight(msgspec.Struct, frozen=True):
    """All that was looked at: of Docker, of this computer, and the port that is wanted."""

    endpoint: Endpoint
    info: DockerInfo
    machine: Machine
    containers: tuple[Container, ...] = ()
    port: int = PORT
    owner: Owner | None = None
    room: int | None = None  # bytes free where Docker keeps images, None = cannot be seen
    gpus: Gpus = Gpus(why="absent")

    @property
    def native(self) -> bool:
        """Docker's machine is this one: no virtual machine in between, which has a memory of its own."""
        if self.machine.platform != "linux" or not self.endpoint.host.startswith("unix://"):
            return False
        return "Desktop" not in self.info.system and self.info.memory > self.machine.memory * 0.95


async def examine(
    docker: Docker,
    *,
    models: Path,
    port: int = PORT,
    version: str = "",
    look: Callable[[], Machine] = computer.look,
    owner: Callable[[int], Owner | None] = computer.port_owner,
) -> Doctor:
    """Takes as long as Docker and the GPU's driver take to answer, each with a limit. Raises nothing but
    cancellation. `models`: the program's models folder."""
    machine = await asyncio.to_thread(look)
    endpoint: Endpoint | None = None
    try:
        endpoint = await docker.find()
        info = await docker.info()
        containers = await docker.containers(ours=False)
    except LoupeError as error:
        evidence = Evidence(platform=machine.platform)
        finding = of_error(error, evidence) or make("docker_failed", {}, error.detail, evidence)
        if endpoint is not None and endpoint.remote:  # of no use, reached or not
            finding = make("docker_remote", {"host": endpoint.host}, evidence=evidence)
        gpus = await docker.gpus()
        checks = (_absent(finding), *_without_docker(told_by(gpus, machine)), *_gpu_memory(gpus))
        return Doctor(checks, finding, endpoint=endpoint)
    gpus = await docker.gpus()
    sight = Sight(
        endpoint,
        info,
        told_by(gpus, machine),
        containers,
        port,
        await asyncio.to_thread(owner, port),
        await asyncio.to_thread(room_of, info.root),
        gpus,
    )
    known = version_or_default(version)
    no_gpu, gpu = on_gpu(sight, known.gpu)
    no_cpu, processor = on_cpu(sight, known.cpu)
    checks = (
        Check("docker", "ok", "docker", {"version": info.version, "system": info.system}),
        _engine(endpoint),
        _compose(endpoint),
        gpu,
        *(_gpu_memory(gpus) if info.nvidia or (sight.native and sight.machine.gpus) else ()),
        *processor,
        _memory(sight),
        _disk(sight, "gpu" if no_gpu is None else "cpu"),
        port_check(sight),
        _security(info),
        await asyncio.to_thread(_sharing, sight, models),
    )
    return Doctor(
        checks,
        blocked(sight, no_gpu, no_cpu),
        no_gpu,
        no_cpu,
        "gpu" if no_gpu is None else "cpu",
        endpoint,
        info,
    )


def room_of(root: str) -> int | None:
    try:
        return shutil.disk_usage(root).free if root else None
    except OSError:
        return None


# --- Docker itself -----------------------------------------------------------------------------------------


def _absent(finding: Finding) -> Check:
    return Check("docker", "err", finding.code, finding.params)


def _without_docker(machine: Machine) -> tuple[Check, ...]:
    """What can be said of this computer before there is a Docker."""
    if not (machine.driver or machine.gpus):
        return ()
    return (
        Check("gpu", "unknown", "gpu_here", {"name": _gpu_name(machine), "driver": machine.driver or "…"}),
    )


def blocked(sight: Sight, no_gpu: Finding | None, no_cpu: Finding | None) -> Finding | None:
    """What keeps a server from starting on any device."""
    evidence = Evidence(info=sight.info, platform=sight.machine.platform)
    endpoint = sight.endpoint
    if endpoint.remote:
        return make("docker_remote", {"host": endpoint.host}, evidence=evidence)
    if not endpoint.compose:
        return make("docker_no_compose", {}, evidence=evidence)
    if version_numbers(endpoint.compose) < version_numbers(oldest_compose()):
        return make("compose_old", _compose_versions(endpoint), evidence=evidence)
    return no_cpu if no_gpu is not None else None


def _engine(endpoint: Endpoint) -> Check:
    note = "endpoint" if endpoint.context else "endpoint_variable"
    return Check("engine", "ok", note, {"host": endpoint.host, "context": endpoint.context})


def _compose_versions(endpoint: Endpoint) -> dict[str, Value]:
    return {"version": endpoint.compose, "needed": oldest_compose()}


def _compose(endpoint: Endpoint) -> Check:
    if not endpoint.compose:
        return Check("compose", "err", "compose_missing")
    if version_numbers(endpoint.compose) < version_numbers(oldest_compose()):
        return Check("compose", "err", "compose_old", _compose_versions(endpoint))
    return Check("compose", "ok", "compose", {"version": endpoint.compose})


# --- the devices -------------------------------------------------------------------------------------------


def told_by(gpus: Gpus, machine: Machine) -> Machine:
    """With what nvidia-smi says of GPUs and driver where the system does not tell it, as on WSL."""
    names = machine.gpus or tuple(gpu.name for gpu in gpus.all)
    driver = machine.driver or (gpus.first.driver if gpus.first is not None else "")
    return msgspec.structs.replace(machine, gpus=names, driver=driver)


def _gpu_name(machine: Machine) -> str:
    return machine.gpus[0] if machine.gpus else "NVIDIA"


def _gpu_memory(gpus: Gpus) -> tuple[Check, ...]:
    """Of the GPU that a server takes, and who holds most of it."""
    unknown, gpu = gpus.unknown, gpus.first
    if unknown in ("none", "remote"):
        return ()
    if unknown or gpu is None or gpu.free is None or gpu.total is None:
        return (Check("gpu_memory", "unknown", f"gpu_memory_{unknown}", {"said": gpus.detail}),)
    params: dict[str, Value] = {
        "gpu": f"GPU {gpu.index}: " if len(gpus.all) > 1 else "",
        "free": gpu.free / GIB,
        "total": gpu.total / GIB,
    }
    holder = gpu.holder
    if holder is None or not holder.memory:
        return (Check("gpu_memory", "ok", "gpu_memory", params),)
    params |= {"name": holder.name, "pid": holder.pid, "held": holder.memory / GIB}
    return (Check("gpu_memory", "ok", "gpu_memory_held", params),)


def on_gpu(sight: Sight, image: VllmImage) -> tuple[Finding | None, Check]:
    """Why a server cannot run on the GPU, None if it can; and the line that says so."""
    info, machine = sight.info, sight.machine
    here = sight.native  # what this computer says of its driver is true of Docker's machine
    params: dict[str, Value] = {
        "name": _gpu_name(machine),
        "driver": machine.driver or "…",
        "arch": info.arch,
    }
    evidence = Evidence(info=info, image=image.image, platform=machine.platform)
    if not info.nvidia:
        if here and (machine.driver or machine.gpus):
            return make("no_nvidia", params, evidence=evidence), Check(
                "gpu", "warn", "gpu_no_runtime", params
            )
        return make("no_gpu", params, evidence=evidence), Check("gpu", "ok", "gpu_none", params)
    if info.arch not in image.platforms:
        platform = {"image": image.image, "platform": f"linux/{info.arch}", **params}
        return make("no_platform", platform, evidence=evidence), Check("gpu", "warn", "gpu_platform", params)
    said = of_docker(sight.gpus.detail)
    broken = said is not None and said.code == "nvidia_broken"
    if here and (broken or not (machine.driver or machine.gpus)):
        found = make("nvidia_broken", params, sight.gpus.detail if broken else "", evidence)
        return found, Check("gpu", "warn", "gpu_driver_broken", params)
    needed = image.driver
    if here and machine.driver and needed and version_numbers(machine.driver)[:1] < (needed,):
        needs: dict[str, Value] = {**params, "needed": needed, "cuda": image.cuda}
        found = make("driver_old", {**needs, "needed": image.cuda}, evidence=evidence)
        return found, Check("gpu", "warn", "gpu_driver_old", needs)
    note = "gpu" if here and machine.driver else "gpu_docker"
    return None, Check("gpu", "ok", f"{note}_cdi" if info.by_cdi else note, params)


def on_cpu(sight: Sight, image: VllmImage) -> tuple[Finding | None, tuple[Check, ...]]:
    """As `on_gpu`; known before gigabytes are pulled."""
    info, machine = sight.info, sight.machine
    evidence = Evidence(info=info, image=image.image, platform=machine.platform)
    if info.arch not in image.platforms:
        params: dict[str, Value] = {"image": image.image, "platform": f"linux/{info.arch}"}
        missing = Check("architecture", "err", "architecture_missing", {"arch": info.arch})
        return make("no_platform", params, evidence=evidence), (missing,)
    architecture = Check("architecture", "ok", "architecture", {"arch": info.arch})
    if info.arch != "amd64":
        return None, (architecture, Check("processor", "ok", "processor_arm", {"needed": NEEDED["arm64"]}))
    # a virtual machine shows the processor that is below it
    features = machine.features if machine.platform == "linux" and not sight.endpoint.remote else None
    if features is None:
        return None, (architecture, Check("processor", "unknown", "processor_unknown"))
    if "avx2" not in features:
        lacks = {"needed": "AVX2"}
        return (
            make("processor_old", lacks, evidence=evidence),
            (architecture, Check("processor", "err", "processor_missing", lacks)),
        )
    if "avx512f" not in features:
        return None, (architecture, Check("processor", "warn", "processor_slow"))
    return None, (architecture, Check("processor", "ok", "processor", {"features": "AVX2, AVX-512"}))


# --- memory, disk, port ----------------------------------------------------------------------------------


def _memory(sight: Sight) -> Check:
    total, free = sight.info.memory, sight.machine.free
    severity: Severity = "ok"
    params = {"total": total / GIB, "needed": SMALL_MODEL / GIB}
    if total < SMALL_MODEL or not sight.native or not free:
        low = total < SMALL_MODEL
        return Check("memory", "warn" if low else severity, "memory_low" if low else "memory", params)
    low = free < SMALL_MODEL
    note = "memory_free_low" if low else "memory_free"
    return Check("memory", "warn" if low else severity, note, {**params, "free": free / GIB})


def _disk(sight: Sight, device: Device) -> Check:
    if not sight.native or sight.room is None:
        return Check("disk", "unknown", "disk_unknown")
    low = sight.room < ROOM[device]
    params = {"free": sight.room / 1e9, "needed": ROOM[device] / 1e9}
    return Check("disk", "warn" if low else "ok", "disk_low" if low else "disk", params)


def _publisher(sight: Sight) -> Container | None:
    """The container whose port it is."""
    for one in sight.containers:
        if any(at == sight.port and address in _EVERYWHERE for address, at, _ in one.ports):
            return one
    return None


def port_check(sight: Sight) -> Check:
    params: dict[str, Value] = {"port": sight.port}
    container = _publisher(sight)
    if container is not None and container.ours:
        return Check("port", "ok", "port_ours", params)
    if container is not None:
        return Check("port", "warn", "port_container", {**params, "name": container.name})
    if sight.owner is None:
        return Check("port", "ok", "port", params)
    if sight.owner.pid:
        return Check(
            "port", "warn", "port_process", {**params, "name": sight.owner.name, "pid": sight.owner.pid}
        )
    return Check("port", "warn", "port_taken", params)


# --- files -----------------------------------------------------------------------------------------------


def _security(info: DockerInfo) -> Check:
    if info.selinux:
        return Check("security", "ok", "selinux")
    if any("name=rootless" in option for option in info.security):
        return Check("security", "ok", "rootless")
    return Check("security", "ok", "security_none")


def shared(folder: Path, sight: Sight) -> bool:
    """Whether Docker's machine sees a folder of this one, as far as its defaults go."""
    if sight.native or sight.machine.platform != "darwin":
        return True
    home = Path.home()
    return any(folder.is_relative_to(place) for place in (home, *_SHARED))


def _sharing(sight: Sight, models: Path) -> Check:
    if sight.endpoint.remote:
        return Check("sharing", "err", "sharing_remote")
    if not shared(models, sight):
        return Check("sharing", "warn", "sharing_not", {"path": str(models)})
    for folder in sorted(models.iterdir()) if models.is_dir() else ():
        if not (folder / "config.json").is_file():
            continue
        try:
            mount_of(LaunchSpec(model=folder.name, folder=str(folder)), models)
        except ModelError as error:
            if error.code == "model.links":
                params = {
                    "path": f"{folder.name}/{error.params['file']}",
                    "target": str(error.params["target"]),
                }
                return Check("sharing", "warn", "sharing_link", params)
        except OSError:
            continue
    return Check("sharing", "ok", "sharing")
