"""Who may write into a folder that is being made: one process at a time, known by a lock."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import IO

from core.file_lock import lock

# a file system that cannot lock at all
NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})


class FolderLock:
    """A file beside the folder, free at its process's death. Never waits.

    The file is removed by who has it; who opened the one that was removed tries the new one.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder.with_name(folder.name + ".lock")
        self._file: IO[bytes] | None = None

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def take(self) -> bool:
        """False: another process has it. Raises OSError where it cannot be made, or nothing can be locked."""
        while self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                file = self._path.open("a+b")
            except FileNotFoundError:
                continue  # the empty folder was removed just now
            try:
                taken = lock(file)
            except OSError:
                file.close()
                raise
            if taken and _is_same(file, self._path):
                self._file = file
                continue
            file.close()
            if not taken:
                return False
        return True

    def free(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):  # Windows removes no open file: the next one does
                self._path.unlink(missing_ok=True)
            file.close()
            with contextlib.suppress(OSError):
                self._path.parent.rmdir()  # if it is empty


def is_locked(folder: Path) -> bool:
    """Whether some process is known to write there now."""
    path = folder.with_name(folder.name + ".lock")
    try:
        with path.open("r+b") as file:
            return not lock(file)
    except OSError:
        return False


def _is_same(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False
