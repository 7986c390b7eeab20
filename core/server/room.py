"""What a start may really use at this moment: memory, memory of a GPU, and room on the disks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from core.errors import LoupeError
from core.models.room import Room
from core.server import machine as computer
from core.server.access import Docker, Gpus
from core.server.doctor import Sight
from core.server.environment import memory_limit
from core.server.machine import Machine
from core.server.spec import Device
from core.server.versions import version_or_default

IsIn = Callable[[int, str], bool]  # a process of this computer, a container's id
_DOCKER: Final = "docker"  # Room.why: it cannot be asked


async def room_for(
    docker: Docker,
    models: Path,
    device: Device,
    *,
    version: str,
    share: float,
    look: Callable[[], Machine] = computer.look,
    is_in: IsIn = computer.is_in,
) -> Room:
    """A few seconds at most; what cannot be told is not known, with its reason. `share`: of a GPU's memory
    that a start wants free. `models`: the program's models folder. Raises nothing but cancellation."""
    here, disk = await asyncio.gather(asyncio.to_thread(look), asyncio.to_thread(computer.free_of, models))
    image = version_or_default(version).on(device)
    room = Room(device=device, why=_DOCKER, share=share if device == "gpu" else 0.0, disk=disk)
    try:
        endpoint, info = await docker.find(), await docker.info()
        present = await docker.image(image.image) is not None
        ours = [one.id for one in await docker.containers() if one.status == "running"]
        held = sum([await docker.memory(id_) for id_ in ours])
    except LoupeError:
        return room
    if endpoint.remote:
        return replace(room, why="remote")
    sight = Sight(endpoint, info, here)
    root = Path(info.root) if sight.native and info.root else None
    room = replace(
        room,
        image_disk=root and await asyncio.to_thread(computer.free_of, root),
        one_disk=root is not None and await asyncio.to_thread(_one_disk, models, root),
        image=0 if present else image.bytes,
    )
    if device == "gpu":
        return _with_gpu(room, await docker.gpus(), ours, is_in)
    free = None
    if sight.native and here.free:  # a virtual machine does not tell what is free in it
        free = min(here.free + held, here.memory)
    return replace(room, memory=memory_limit(info.memory) or info.memory or None, free=free, why="")


def _with_gpu(room: Room, gpus: Gpus, ours: list[str], is_in: IsIn) -> Room:
    """Of the GPU that a server takes. What a server of ours holds, it gives back."""
    gpu = gpus.first
    if gpu is None or gpus.unknown:
        return replace(room, why=gpus.unknown, name=gpu.name if gpu is not None else "")
    held = sum(one.memory or 0 for one in gpu.holders if any(is_in(one.pid, id_) for id_ in ours))
    return replace(room, memory=gpu.total, free=(gpu.free or 0) + held, name=gpu.name, why="")


def _one_disk(first: Path, second: Path) -> bool:
    try:
        near = computer.near(first), computer.near(second)
        return len({one and one.stat().st_dev for one in near} - {None}) == 1
    except OSError:
        return False
