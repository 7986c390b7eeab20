"""The small file in which windows and the command line see what one of them does with the server."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec

from core.errors import LoupeError
from core.log_text import hidden
from core.server.finding import Finding, Value
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, Step

SECONDS = 1.0  # between two looks at the file


class Told(msgspec.Struct, frozen=True):
    """A LoupeError in the file: its code, and what is plain of its params. `detail` without what must be
    hidden."""

    code: str
    detail: str = ""
    params: dict[str, Value] = {}

    @classmethod
    def of(cls, error: LoupeError) -> Told:
        plain = {name: value for name, value in error.params.items() if isinstance(value, str | int | float)}
        return cls(error.code, hidden(error.detail), plain)

    def error(self) -> LoupeError:
        return LoupeError(self.code, detail=self.detail, **self.params)


class Announced(msgspec.Struct, frozen=True):
    """What was done last, and by whom: `owner` is one run of one program, `pid` its process.

    `begin`: seconds since the epoch. `by`: "window" or "cli". `container`: its id, "" if there is none (yet).
    `left`: whoever began this start has gone on purpose, and the server goes on. `removed`: the containers
    that its owner has removed.
    """

    phase: ServerPhase
    launch: str = ""
    owner: str = ""
    pid: int = 0
    by: str = "window"
    begin: float = 0.0
    spec: LaunchSpec | None = None
    container: str = ""
    steps: tuple[Step, ...] = ()
    earlier: int = 0
    finding: Finding | None = None
    error: Told | None = None
    left: bool = False
    removed: tuple[str, ...] = ()

    @property
    def ready(self) -> float:
        """When its last step was done, in seconds since the epoch; of one that was only found: its begin."""
        return self.begin + max(
            ((one.began or 0.0) + (one.seconds or 0.0) for one in self.steps), default=0.0
        )

    @property
    def starting(self) -> bool:
        return self.phase in STARTING and not self.left

    @property
    def busy(self) -> bool:
        """Somebody is starting or stopping, as far as the file says."""
        return self.starting or (self.phase is ServerPhase.STOPPING and not self.left)


class AnnouncedFile:
    """Written as a whole or not at all; without a sync, since after a power cut no container runs either."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._mark()

    def read(self) -> Announced | None:
        """None if there is none, or none that this version can read."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Announced)
        except (OSError, msgspec.MsgspecError):
            return None

    def write(self, value: Announced) -> None:
        """A folder that cannot be written keeps the choice in this process alone."""
        temporary = ""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(value))
            Path(temporary).replace(self._path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True) if temporary else None
        self._seen = self._mark()

    def changed(self) -> bool:
        """Somebody else has written since this was last asked, or since this one wrote."""
        before, self._seen = self._seen, self._mark()
        return self._seen != before

    def _mark(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino
