"""What this computer itself says: processor, memory, NVIDIA driver, and who listens on a port.

All of it is read, nothing is started; what the system does not tell is empty, not guessed.
"""

from __future__ import annotations

import re
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

_ROOT = Path("/")
_LISTENS = "0A"  # TCP_LISTEN in /proc/net/tcp
_DRIVER = re.compile(r"Kernel Module(?: for \S+)?\s+([\d.]+)")


class Machine(msgspec.Struct, frozen=True):
    """`features` of the processor, None = not known. `memory`, `free` in bytes, 0 = not known; free is what
    programs can get, caches included. `driver`: of NVIDIA, "" = none is loaded or it does not say. `gpus`:
    names of NVIDIA GPUs, as far as they are told."""

    platform: str = sys.platform
    features: frozenset[str] | None = None
    memory: int = 0
    free: int = 0
    driver: str = ""
    gpus: tuple[str, ...] = ()


class Owner(msgspec.Struct, frozen=True):
    """Who listens on a port; `pid` 0 and `name` "" where the system does not tell."""

    pid: int = 0
    name: str = ""


def look(root: Path = _ROOT) -> Machine:
    memory = _memory(root)
    return Machine(
        features=_features(root),
        memory=memory.get("MemTotal", 0),
        free=memory.get("MemAvailable", 0),
        driver=_driver(root),
        gpus=tuple(_gpus(root)),
    )


def near(folder: Path) -> Path | None:
    """The folder, or where it would be made."""
    return next((one for one in (folder, *folder.parents) if one.is_dir()), None)


def free_of(folder: Path) -> int | None:
    """Bytes free on the disk of a folder that need not be there yet; None = it does not tell."""
    try:
        here = near(folder)
        return None if here is None else shutil.disk_usage(here).free
    except OSError:
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _features(root: Path) -> frozenset[str] | None:
    """Of the first processor: they are all alike."""
    for line in _read(root / "proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return None


def _memory(root: Path) -> dict[str, int]:
    found = {}
    for line in _read(root / "proc/meminfo").splitlines():
        name, _, value = line.partition(":")
        words = value.split()
        if words and words[0].isdecimal():
            found[name] = int(words[0]) * (1024 if words[1:] == ["kB"] else 1)
    return found


def _driver(root: Path) -> str:
    found = _DRIVER.search(_read(root / "proc/driver/nvidia/version"))
    return found[1] if found else ""


def _gpus(root: Path) -> Iterator[str]:
    for place in sorted((root / "proc/driver/nvidia/gpus").glob("*/information")):
        for line in _read(place).splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "Model" and value.strip():
                yield value.strip()


def port_owner(port: int, root: Path = _ROOT) -> Owner | None:
    """None: nobody listens, and it can be had."""
    with socket.socket() as probe:
        try:
            if sys.platform == "linux":  # the last connections of a server that ended do not hold its port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return None
        except PermissionError:
            return None  # a low port, which Docker may have and we may not
        except OSError:
            pass
    return _process(_sockets(port, root), root)


def is_in(pid: int, container: str, root: Path = _ROOT) -> bool:
    """Whether a process of this computer belongs to a container with this id: its control group says so."""
    return bool(container) and container in _read(root / "proc" / str(pid) / "cgroup")


def _sockets(port: int, root: Path) -> frozenset[str]:
    """Inodes of the sockets that listen on it."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in _read(root / "proc/net" / table).splitlines()[1:]:
            fields = line.split()
            if len(fields) > 9 and fields[3] == _LISTENS and fields[1].endswith(f":{port:04X}"):
                found.add(fields[9])
    return frozenset(found)


def _process(sockets: frozenset[str], root: Path) -> Owner:
    """The process that holds one of them, where we may look at it."""
    wanted = {f"socket:[{inode}]" for inode in sockets}
    for process in (root / "proc").iterdir() if wanted and (root / "proc").is_dir() else ():
        if not process.name.isdecimal():
            continue
        try:
            if any(str(handle.readlink()) in wanted for handle in (process / "fd").iterdir()):
                return Owner(int(process.name), _read(process / "comm").strip())
        except OSError:
            continue  # another's, or gone meanwhile
    return Owner()
