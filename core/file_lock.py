"""An open file's lock, free at its process's death: whatever the program locks, it locks by this."""

from __future__ import annotations

import sys
from typing import IO

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def lock(file: IO[bytes], at: int = 0) -> bool:
        """Never waits. False: another process has it. `at`: the byte that is locked, and cannot be read then.
        Raises OSError where nothing can be locked."""
        try:
            file.seek(at)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def lock(file: IO[bytes], at: int = 0) -> bool:
        """The same; `at` has no meaning here."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # all else is no word about another process
            return False
        return True
