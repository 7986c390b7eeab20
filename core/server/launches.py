"""Records of what was started: one folder a launch, with record.json and its log.

A record is written anew at each step, as a whole or not at all, so that a killed program leaves one that
can be read. No key is ever in it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from core.log_text import hidden
from core.logs import HIDDEN, redact
from core.server.access import BY_HAND, LogPiece
from core.server.estimates import estimates
from core.server.finding import Finding
from core.server.launch_log import LaunchLog, read_log
from core.server.launch_record import LaunchRecord, PhaseTime
from core.server.phases import Facts, PhaseReader
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase

KEPT: Final = 40  # launches
KEPT_BYTES: Final = 64 << 20
RECORD: Final = "record.json"
_ID = re.compile(r"\w[\w.-]{0,63}")
_SECRET = re.compile(r"(?i)key|token(?!loupe)|secret|passw")
log = logging.getLogger(__name__)


class Launch:
    """One launch while it runs. Every call but `add` writes the record; a disk that takes none stops no
    server. `reader`: what the log has told, read by whoever follows it."""

    def __init__(self, folder: Path, record: LaunchRecord, clock: Callable[[], float]) -> None:
        self.folder = folder
        self.record = record
        self._clock = clock
        self.reader = PhaseReader()
        self._log = LaunchLog(folder)
        self._write()

    @property
    def id(self) -> str:
        return self.record.id

    def update(self, **changes: Any) -> None:
        """Fields of the record: command, digest, versions, container … without what must be hidden."""
        record = msgspec.structs.replace(self.record, **_shown(changes))
        if record != self.record:
            self.record = record
            self._write()

    def phase(self, phase: ServerPhase, at: float | None = None, *, once: bool = False) -> None:
        """A step of the start has begun and the one before it is done; or the server is READY. `at`: seconds
        since the epoch, None = now. `once`: what was done is not done again at the next start."""
        now = self._clock() if at is None else at
        self._log.sync()
        done = _finished(self.record.phases, now, once)
        if phase in STARTING:
            self.update(phases=(*done, PhaseTime(phase, now)), **self._told())
        elif phase is ServerPhase.READY:
            self.update(phases=done, ready=now, result="ready", **self._told())

    def add(self, pieces: Iterable[LogPiece]) -> None:
        """Of the log, as they came."""
        self._log.add(piece.text for piece in pieces)

    def end(self, result: str, finding: Finding | None = None, error: str = "", **changes: Any) -> None:
        """The server is no more: "stopped", "failed" or "lost"."""
        changes = {**self._told(), **changes}
        self.update(result=result, finding=finding, error=error, ended=self._clock(), **changes)
        self.close()

    def close(self) -> None:
        """Nothing more is recorded, whatever the server does: it is left running."""
        self._log.close()

    def _told(self) -> dict[str, Any]:
        facts = self.reader.facts
        return {"facts": facts, "vllm": facts.version or self.record.vllm} if facts != Facts() else {}

    def _write(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            data = msgspec.json.format(msgspec.json.encode(self.record), indent=2) + b"\n"
            _write_whole(self.folder / RECORD, data)
        except OSError as error:
            log.info("the launch cannot be recorded: %s", error)


class Launches:
    """All records below `folder` (paths.data/launches)."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._clock = clock

    def begin(self, spec: LaunchSpec, *, by: str = "window", **more: Any) -> Launch:
        """A new record, whose `id` is the launch's. `more`: fields of it. Raises nothing, whatever the disk
        does."""
        now = self._clock()
        day = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
        fields = {"id": f"{day}-{secrets.token_hex(3)}", **_shown(more)}
        record = LaunchRecord(began=now, spec=spec, by=by, **fields)
        return Launch(self.folder / record.id, record, self._clock)

    def resume(self, launch: str, spec: LaunchSpec, *, by: str = "window") -> Launch:
        """Go on with the record that another run of the program began; a new one where there is none."""
        known = self.read(launch)
        if known is not None:
            return Launch(self.folder / known.id, known, self._clock)
        if launch == BY_HAND or not _ID.fullmatch(launch):
            return self.begin(spec, by="hand" if launch == BY_HAND else by)
        return self.begin(spec, by=by, id=launch)

    def estimates(self, spec: LaunchSpec) -> tuple[Mapping[ServerPhase, float], int]:
        """Seconds of each step that was done before, and on how many starts they rest."""
        found = estimates(self.all(), spec)
        return found.seconds, found.earlier

    def read(self, launch: str) -> LaunchRecord | None:
        """None if there is none that can be read. Raises nothing."""
        if not _ID.fullmatch(launch):
            return None
        try:
            return msgspec.json.decode((self.folder / launch / RECORD).read_bytes(), type=LaunchRecord)
        except (OSError, ValueError, msgspec.MsgspecError):
            return None

    def all(self) -> Iterator[LaunchRecord]:
        """The newest first."""
        records = [record for name in self._names() if (record := self.read(name)) is not None]
        yield from sorted(records, key=lambda record: record.began, reverse=True)

    def log(self, launch: str) -> Iterator[str]:
        return read_log(self.folder / launch) if _ID.fullmatch(launch) else iter(())

    def prune(self, *, kept: int = KEPT, kept_bytes: int = KEPT_BYTES) -> None:
        """Remove the oldest beyond `kept` records or `kept_bytes` on disk; the newest is always kept."""
        total = 0
        for at, folder in enumerate(
            sorted(map(self.folder.joinpath, self._names()), key=_time, reverse=True)
        ):
            total += sum(size for _, size in _files(folder))
            if at and (at >= kept or total > kept_bytes):
                shutil.rmtree(folder, ignore_errors=True)

    def _names(self) -> list[str]:
        """Folders that are records, whole or not."""
        try:
            return [path.parent.name for path in self.folder.glob(f"*/{RECORD}")]
        except OSError:
            return []


def _shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a record without keys; of foreign text without homes and addresses either."""
    shown = dict(fields)
    if "error" in shown:
        shown["error"] = hidden(shown["error"])
    if shown.get("finding") is not None:
        finding = shown["finding"]
        shown["finding"] = msgspec.structs.replace(finding, line=hidden(finding.line))
    if "environment" in shown:
        items = shown["environment"].items()
        shown["environment"] = {name: redact(value) for name, value in items if not _SECRET.search(name)}
    if "command" in shown:
        before = ("", *shown["command"])
        shown["command"] = tuple(
            HIDDEN
            if option.startswith("-") and "=" not in option and _SECRET.search(option)
            else redact(word)
            for option, word in zip(before, shown["command"], strict=False)
        )
    return shown


def _finished(phases: Sequence[PhaseTime], now: float, once: bool) -> tuple[PhaseTime, ...]:
    if not phases or phases[-1].seconds is not None:
        return tuple(phases)
    last = phases[-1]
    return (*phases[:-1], msgspec.structs.replace(last, seconds=max(0.0, now - last.began), once=once))


def _time(folder: Path) -> float:
    """When something was last written there, 0 if nothing is."""
    return max((time for time, _ in _files(folder)), default=0.0)


def _files(folder: Path) -> list[tuple[float, int]]:
    """(time, bytes) of each."""
    with contextlib.suppress(OSError):
        return [(found.st_mtime, found.st_size) for found in (path.stat() for path in folder.iterdir())]
    return []


def _write_whole(path: Path, data: bytes) -> None:
    """Without a sync, which can hold the window up for long."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink(missing_ok=True)
        raise
