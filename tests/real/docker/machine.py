"""What an engine of the tests asks the machine that it runs on."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path


def addresses() -> list[tuple[str, str]]:
    """Of this machine: device and IPv4 address."""
    said = subprocess.run(["ip", "-o", "-4", "addr"], capture_output=True, text=True, check=True).stdout
    return [(words[1], words[3]) for words in map(str.split, said.splitlines())]


def free_memory() -> int:
    """In bytes."""
    said = Path("/proc/meminfo").read_text()
    return int(said.partition("MemAvailable:")[2].split()[0]) * 1024


def processes(words: str) -> list[int]:
    """Processes that have `words` in their command, but for this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if words.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def below(pid: int) -> list[int]:
    """Its children and theirs, the deepest first."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [one for child in children for one in (*below(int(child)), int(child))]
    return []
