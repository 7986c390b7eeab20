"""The lock of whoever is starting or stopping the server: one process at a time, free at its death."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

from core.file_lock import lock

_FAR = 1 << 20  # the byte that is locked on Windows, where a locked one cannot be read


class Lock:
    """Held from a start's beginning until it has ended, and during a stop. Never waits.

    The file stays: removing it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def take(self) -> bool:
        """False: another process has it. Where nothing can be written or locked, nothing is: then True."""
        if self._file is not None:
            return True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = self._path.open("a+b")
        except OSError:
            return True
        try:
            taken = lock(file, _FAR)
        except OSError:
            file.close()
            return True
        if not taken:
            file.close()
            return False
        with contextlib.suppress(OSError):
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
            file.flush()
        self._file = file
        return True

    def owner(self) -> int | None:
        """Process id of who has it or had it last; None if it cannot be told."""
        try:
            return int(self._path.read_bytes())
        except (OSError, ValueError):
            return None

    def free(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()  # which unlocks
