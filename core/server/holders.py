"""Who holds the server: one locked file for each program that has started or joined it, free at its death."""

from __future__ import annotations

import contextlib
import uuid
from pathlib import Path
from typing import Literal

from core.server.lock import Lock

_TRIES = 10
Why = Literal["job", "server"]  # it is being started or joined; it was


class Holders:
    """The server ends with the last of them. A folder that cannot be written holds nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name()
        self._why: set[Why] = set()
        self._closed = False

    def _name(self) -> None:
        self._path = self._folder / f"{uuid.uuid4().hex}.lock"
        self._lock = Lock(self._path)

    def hold(self, why: Why, on: bool) -> None:
        if on and not self._closed:
            self._why.add(why)
        else:
            self._why.discard(why)
        if self._why:
            self._take()
        else:
            self._free()

    def close(self) -> None:
        """This program holds it no more, whatever it is still at."""
        self._closed = True
        self._why.clear()
        self._free()

    def others(self) -> bool:
        """Another living program holds it, too."""
        return any(self._is_held(path) for path in self._files() if path != self._path)

    def _take(self) -> None:
        for _ in range(_TRIES):
            if self._lock.take() and (not self._lock.held or self._path.exists()):
                return
            # whoever looks for the dead has it at this moment, and removes it
            self._lock.free()
            self._name()

    def _free(self) -> None:
        if self._lock.held:
            with contextlib.suppress(OSError):  # an open file cannot be removed everywhere
                self._path.unlink(missing_ok=True)
            self._lock.free()
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)

    @staticmethod
    def _is_held(path: Path) -> bool:
        """Else its program has died, and the file goes."""
        lock = Lock(path)
        if not lock.take():
            return path.exists()
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        lock.free()
        return False

    def _files(self) -> list[Path]:
        try:
            return list(self._folder.glob("*.lock"))
        except OSError:
            return []
