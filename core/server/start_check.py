"""Looks before one start: what keeps it from being or may disturb it, before anything is pulled or made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from core.models.headers import served_in
from core.server import machine as computer
from core.server.access import (
    LABEL_PROJECT,
    LABEL_SERVICE,
    PROJECT,
    SERVICE,
    Docker,
    DockerInfo,
    Endpoint,
    Gpus,
)
from core.server.doctor import ROOM, Sight, blocked, on_cpu, on_gpu, port_check, room_of, told_by
from core.server.environment import memory_of
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.findings import make
from core.server.fixes import RUNTIME_BYTES
from core.server.found import runs
from core.server.machine import Machine, Owner
from core.server.spec import GIB, LaunchSpec
from core.server.versions import version_of, versions


async def check_start(
    docker: Docker,
    spec: LaunchSpec,
    info: DockerInfo,
    endpoint: Endpoint | None = None,
    coming: int = 0,
    *,
    look: Callable[[], Machine] = computer.look,
    owner: Callable[[int], Owner | None] = computer.port_owner,
) -> Finding | None:
    """What keeps this very start from being ("err") or may disturb it ("warn"), the worst first. `coming`:
    bytes, once loaded, of weights that are not on disk yet. Raises DockerError."""
    endpoint = endpoint or await docker.find()
    image = version_of(spec.version).on(spec.device)
    here_already = await docker.image(image.image)
    present = here_already is not None and here_already.is_for(info.arch)
    gpus = await docker.gpus() if spec.device == "gpu" else None
    here = await asyncio.to_thread(look)
    sight = Sight(
        endpoint,
        info,
        here if gpus is None else told_by(gpus, here),
        await docker.containers(ours=False),
        spec.port,
        await asyncio.to_thread(owner, spec.port),
        await asyncio.to_thread(room_of, info.root),
        gpus or Gpus(why="absent"),
    )
    weights = coming or await asyncio.to_thread(served_in, Path(spec.folder))
    evidence = Evidence(
        spec=spec,
        info=info,
        image=image.image,
        weights=weights,
        versions=tuple(one.version for one in versions()),
        platform=sight.machine.platform,
        gpus=gpus,
    )
    device = on_gpu(sight, image)[0] if spec.device == "gpu" else on_cpu(sight, image)[0]
    found = (
        blocked(sight, None, None),
        _project_finding(sight, evidence),
        device and make(device.code, device.params, evidence=evidence, severity=_severity(device, present)),
        _port_finding(sight, evidence),
        None if present else _disk_finding(sight, evidence),
        _memory_finding(sight, evidence),
        _gpu_memory_finding(sight, evidence),
    )
    real = [one for one in found if one is not None]
    return min(real, key=lambda one: one.severity == "warn", default=None)


def _severity(device: Finding, present: bool) -> Literal["err", "warn"]:
    """Whoever chose a GPU may know better: Docker can have one without listing a runtime. It is asked, unless
    gigabytes would be pulled for a GPU of which there is no trace."""
    certain = device.code in ("no_platform", "processor_old") or (device.code == "no_gpu" and not present)
    return "err" if certain else "warn"


def _disk_finding(sight: Sight, evidence: Evidence) -> Finding | None:
    assert evidence.spec is not None
    needed = ROOM[evidence.spec.device]
    if not sight.native or sight.room is None or sight.room >= needed:
        return None
    params = {"free": sight.room / 1e9, "needed": needed / 1e9}
    return make("disk_low", params, evidence=evidence, severity="warn")


def _memory_finding(sight: Sight, evidence: Evidence) -> Finding | None:
    """On a processor the whole model and its KV cache are in memory; with more than there is the whole
    computer stands still before anything is killed."""
    spec = evidence.spec
    assert spec is not None
    if spec.device != "cpu":
        return None
    asked = evidence.weights + spec.kv_bytes + RUNTIME_BYTES
    total = min(memory_of(spec, sight.info.memory) or sight.info.memory, sight.info.memory)
    if asked > total:
        params = {"asked": asked / GIB, "free": total / GIB}
        return make("memory_small", params, evidence=evidence)
    if sight.native and not _replaces(sight) and 0 < sight.machine.free < asked:
        params = {"asked": asked / GIB, "free": sight.machine.free / GIB, "total": sight.machine.memory / GIB}
        return make("memory_low", params, evidence=evidence, severity="warn")
    return None


def _replaces(sight: Sight) -> bool:
    """A server of ours runs, whose memory will be free."""
    return any(one.ours and runs(one) for one in sight.containers)


def _gpu_memory_finding(sight: Sight, evidence: Evidence) -> Finding | None:
    """vLLM refuses to start where less than its share of the whole GPU is free. Its numbers are not those of
    nvidia-smi, which counts what the driver keeps for itself, so it is asked all the same."""
    spec, gpu = evidence.spec, sight.gpus.first
    assert spec is not None
    if spec.device != "gpu" or gpu is None or gpu.total is None or gpu.free is None or gpu.parted:
        return None
    asked = spec.gpu_share * gpu.total
    if gpu.free >= asked or _replaces(sight):
        return None
    params = {"asked": asked / GIB, "free": gpu.free / GIB, "total": gpu.total / GIB}
    percent = round(spec.gpu_share * 100)
    return make("gpu_low", {**params, "percent": percent}, evidence=evidence, severity="warn")


def _project_finding(sight: Sight, evidence: Evidence) -> Finding | None:
    """Compose takes a container of our project and service for the one to be replaced, whoever made it."""
    for one in sight.containers:
        place = (one.labels.get(LABEL_PROJECT), one.labels.get(LABEL_SERVICE))
        if place == (PROJECT, SERVICE) and not one.ours:
            return make("project_taken", {"name": one.name, "project": PROJECT}, evidence=evidence)
    return None


def _port_finding(sight: Sight, evidence: Evidence) -> Finding | None:
    """Who is on the port, unless it is a server of ours, which a start replaces."""
    check = port_check(sight)
    return None if check.severity == "ok" else make(check.note, check.params, evidence=evidence)
