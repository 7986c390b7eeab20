"""Asks NVIDIA's own program, nvidia-smi, for the memory of each GPU and for who holds it.

Its tables are read as it prints them: a field that a driver, a part of a GPU or a virtual machine does not
tell is "[N/A]" or another word in brackets, which is no number. A program's name may have commas in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from core.errors import DockerError
from core.server import contexts
from core.server.access import Ended, Gpu, Gpus, Holder

SECONDS: Final = 10.0  # at most, for one answer; with a driver that is not loaded yet it takes two
_MIB: Final = 1 << 20
_GPUS: Final = (
    "--query-gpu=index,uuid,memory.total,memory.free,driver_version,mig.mode.current,name",
    "--format=csv,noheader,nounits",
)
_HOLDERS: Final = (
    "--query-compute-apps=gpu_uuid,pid,used_gpu_memory,process_name",
    "--format=csv,noheader,nounits",
)
_FOLDERS: Final = ("/usr/lib/wsl/lib",)  # beside the known ones
_NONE_FOUND: Final = "No devices were found"

Run = Callable[[Sequence[str], Mapping[str, str], float], Awaitable[Ended]]


async def gpus(run: Run, environment: Mapping[str, str], is_program: Callable[[str], bool]) -> Gpus:
    """Of this computer. Raises nothing but cancellation. `run`: argv, environment, seconds; it raises
    DockerError("docker.slow") for what takes longer."""
    program = contexts.find_program(
        "nvidia-smi", (*contexts.search_folders(environment), *_FOLDERS), is_program
    )
    if not program:
        return Gpus(why="absent")
    about, held = await asyncio.gather(
        _ask(run, (program, *_GPUS), environment), _ask(run, (program, *_HOLDERS), environment)
    )
    if isinstance(about, Gpus):
        return about
    return read(about, "" if isinstance(held, Gpus) else held)


async def _ask(run: Run, argv: Sequence[str], environment: Mapping[str, str]) -> str | Gpus:
    """What it printed, or why it did not."""
    try:
        ended = await run(argv, environment, SECONDS)
    except DockerError as error:
        return Gpus(why="slow" if error.code == "docker.slow" else "failed", detail=error.detail)
    said = (ended.out.strip() or ended.err.strip()).splitlines()
    if _NONE_FOUND in "".join(said[:1]):
        return Gpus(why="none")
    if ended.code:
        return Gpus(why="failed", detail=said[0].strip() if said else f"exit code {ended.code}")
    return ended.out


def read(about: str, held: str = "") -> Gpus:
    """The two tables, in the order of their queries; lines that are none of them are passed over."""
    holders: dict[str, list[Holder]] = {}
    for uuid, pid, memory, name in _rows(held, 4):
        if pid.isdecimal():
            holders.setdefault(uuid, []).append(Holder(int(pid), _name(name), _bytes(memory)))
    found = [
        Gpu(
            int(index),
            name,
            "" if driver.startswith("[") else driver,
            _bytes(total),
            _bytes(free),
            mig == "Enabled",
            tuple(sorted(holders.get(uuid, ()), key=lambda one: -(one.memory or 0))),
        )
        for index, uuid, total, free, driver, mig, name in _rows(about, 7)
        if index.isdecimal()
    ]
    return Gpus(tuple(sorted(found, key=lambda one: one.index)), "" if found else "none")


def _rows(table: str, count: int) -> list[list[str]]:
    """The last field is the rest of its line."""
    rows = [[field.strip() for field in line.split(",", count - 1)] for line in table.splitlines()]
    return [row for row in rows if len(row) == count]


def _bytes(mib: str) -> int | None:
    return int(mib) * _MIB if mib.isdecimal() else None


def _name(path: str) -> str:
    """ "chrome" of "/opt/google/chrome --type=gpu-process"; "" of "[Not Found]"."""
    return "" if path.startswith("[") else path.split(" -")[0].replace("\\", "/").rpartition("/")[2].strip()
