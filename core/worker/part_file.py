"""The part of a file that is on disk, and grows: written at once, hashed and synced behind the writing.

What `write` was given is the system's when it returns: a kill of this process takes none of it. Hashing and
syncing have a thread each, so that the next block is read meanwhile; neither can fall far behind.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from core.models.verify import Hashes

BLOCK = 1 << 20  # bytes at most that are read, written and hashed at a time
_WAITING = 8  # blocks that are written and not yet hashed
_SYNC = 1 << 25  # bytes between two syncs
_AT_ONCE = 8  # files that are synced
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def sync_all(paths: Iterable[Path]) -> None:
    """Several at a time: what the disk does for one of them it does for all that wait. Raises OSError."""

    def sync(path: Path) -> None:
        with path.open("rb") as file:
            os.fsync(file.fileno())

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for _ in pool.map(sync, paths):
            pass


class PartFile:
    """A context: at its end every block is in `hashes`, whatever ended it. Raises OSError."""

    def __init__(self, path: Path, hashes: Hashes) -> None:
        self._hashes = hashes
        self._descriptor = os.open(path, _FLAGS, 0o644)
        self._blocks: queue.Queue[bytes | memoryview[int] | None] = queue.Queue(_WAITING)
        self._free: queue.SimpleQueue[bytearray] = queue.SimpleQueue()
        self._buffers = 0  # that were made
        self._hashing = threading.Thread(target=self._hash, name="hash", daemon=True)
        self._syncs: _Syncs | None = None
        self._unsynced = 0  # bytes

    def __enter__(self) -> PartFile:
        self._hashing.start()
        return self

    def buffer(self) -> bytearray:
        """Free to be filled; its part that `write` gets comes back when it is hashed."""
        if self._free.empty() and self._buffers < _WAITING + 2:
            self._buffers += 1
            return bytearray(BLOCK)
        return self._free.get()

    def write(self, block: bytes | memoryview[int]) -> None:
        rest = memoryview(block)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        self._blocks.put(block)
        self._unsynced += len(block)
        if self._unsynced >= _SYNC:
            self._unsynced = 0
            self._syncs = self._syncs or _Syncs(self._descriptor)
            self._syncs.asked.put(True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blocks.put(None)
        self._hashing.join()
        os.close(self._descriptor)
        if self._syncs is not None:
            self._syncs.asked.put(False)
            if error is None:  # who was cancelled does not wait for a slow disk
                self._syncs.join()
                if self._syncs.failed is not None:
                    raise self._syncs.failed

    def _hash(self) -> None:
        while (block := self._blocks.get()) is not None:
            self._hashes.update(block)
            if isinstance(block, memoryview) and isinstance(block.obj, bytearray):
                self._free.put(block.obj)


class _Syncs(threading.Thread):
    """Syncs when it is asked to (and ends when not), so that little is left to be synced at the end."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(name="sync", daemon=True)
        self._descriptor = os.dup(descriptor)
        self.asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.failed: OSError | None = None  # the system tells it once, and to nobody who opens the file later
        self.start()

    def run(self) -> None:
        try:
            while self.asked.get():
                os.fsync(self._descriptor)
        except OSError as error:
            self.failed = error
        finally:
            os.close(self._descriptor)
