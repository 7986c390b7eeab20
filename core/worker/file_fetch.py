"""One file of a model: from the byte that is on disk, again after a break, and only what the listing says.

Blocks are written as they come, so that a kill loses none that was written. What a power cut may take from a
file that is not synced yet the hash finds: no model is ready before all of it is (see download_service).
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from core.errors import ModelError
from core.models.partial import ETAGS, PART, ListedFile, Listing
from core.models.verify import Hashes, read_into
from core.worker.hub import TRANSIENT, Hub, Meta
from core.worker.part_file import PartFile

T = TypeVar("T")
LONGEST = 60.0  # seconds between two tries
PATIENCE = 600  # seconds that a hub may ask for before the person is told instead


class Desk(Protocol):
    """Who follows the download. Each call raises to end it."""

    def came(self, one: ListedFile, there: int, count: int, *, fetched: bool = True) -> None:
        """`there` bytes of the file are on disk now, `count` more than before."""

    def wait(self, seconds: float, tries: int, problem: ModelError) -> None: ...

    def check(self) -> None: ...


class _Wrong(Exception):
    """What is there is not the file: `expected` and `got` in words."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got


def delay(tries: int, pause: float, asked: float, chance: Callable[[], float] = random.random) -> float:
    """Seconds before the next try: doubled each time, scattered, never less than the hub asked for."""
    wait: float = min(LONGEST, pause * 2.0 ** (tries - 1)) * (0.5 + chance() / 2)
    return max(asked, wait)


class FileFetch:
    def __init__(
        self,
        hub: Hub,
        listing: Listing,
        folder: Path,
        one: ListedFile,
        desk: Desk,
        *,
        tries: int,
        pause: float,
    ) -> None:
        self._hub, self._listing, self._one, self._desk = hub, listing, one, desk
        self._tries, self._pause = tries, pause
        self._folder, self._path = folder, folder / one.path
        self._part = folder / (one.path + PART)
        self._hashes = Hashes(one)
        self._size = 0  # of the part on disk, all of it hashed

    def run(self) -> str:
        """The file's sha256; it has its own name then. Raises ModelError, Cancelled, OSError."""
        self._part.parent.mkdir(parents=True, exist_ok=True)
        if not self._part.parent.resolve().is_relative_to(self._folder.resolve()):
            raise ModelError("hub.path", file=self._one.path)
        self._take_up()
        for last in (False, True):
            try:
                self._fetch()
                break
            except _Wrong as wrong:
                if last:
                    self._from_zero()
                    raise ModelError(
                        "hub.mismatch", file=self._one.path, expected=wrong.expected, got=wrong.got
                    ) from wrong
                self._from_zero()
        self._part.replace(self._path)
        return self._hashes.sha256

    def _take_up(self) -> None:
        """What an earlier run has left is hashed; more than the whole is nothing."""
        if self._part.is_symlink():
            self._part.unlink()
        with contextlib.suppress(FileNotFoundError):
            if self._part.stat().st_size > self._one.size:
                self._part.unlink()
                return
            self._size = read_into(self._hashes, self._part, lambda _: self._desk.check())

    def _from_zero(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._part.unlink()
        self._desk.came(self._one, 0, -self._size)
        self._hashes, self._size = Hashes(self._one), 0

    def _fetch(self) -> None:
        """Until every byte is there. Raises _Wrong."""
        listing = self._listing
        while self._size < self._one.size or not self._part.exists():
            patiently(
                self._read,
                lambda error: self._hub.explained(error, listing.repo, listing.commit),
                self._desk,
                tries=self._tries,
                pause=self._pause,
                reached=lambda: self._size,
            )
        if self._hashes.got != self._hashes.expected:
            raise _Wrong(self._hashes.expected, self._hashes.got)

    def _read(self) -> None:
        try:
            self._ask()
        except Exception as error:
            if getattr(getattr(error, "response", None), "status_code", 0) == 416:
                raise _Wrong(f"{self._one.size} bytes", f"no more than {self._size} bytes") from error
            raise

    def _ask(self) -> None:
        one = self._one
        with self._hub.open(self._listing.repo, self._listing.commit, one.path, self._size) as (answer, meta):
            self._hub.check(meta, self._listing.commit)
            if meta.size != one.size:
                raise _Wrong(f"{one.size} bytes", f"{meta.size} bytes")
            changed = not self._is_same(meta)
            if self._size and (answer.status_code != 206 or changed):
                self._from_zero()
                if answer.status_code == 206:
                    return  # asked for anew from its beginning
            if answer.status_code == 206:
                said = answer.headers.get("Content-Range", "")
                if said != f"bytes {self._size}-{one.size - 1}/{one.size}":
                    raise _Wrong(f"bytes from {self._size} of {one.size}", said)
            self._write(answer)
        if self._size < one.size:
            # by who does not say how long it is; of a file that really is short no more can be had
            detail = f"cut {one.size - self._size} bytes before the end"
            raise ModelError("hub.offline", repo=self._listing.repo, detail=detail)

    def _write(self, answer: Any) -> None:
        with PartFile(self._part, self._hashes) as part:
            for block in self._hub.body(answer, self._listing.repo, part.buffer):
                self._desk.check()
                if self._size + len(block) > self._one.size:
                    raise _Wrong(f"{self._one.size} bytes", "more")
                part.write(block)
                self._size += len(block)
                self._desk.came(self._one, self._size, len(block))

    def _is_same(self, meta: Meta) -> bool:
        """Whether the hub's file is the one whose bytes are on disk. An ETag that is the content's own hash
        says it for ever; another one is remembered."""
        one = self._one
        if meta.etag in (one.sha256, one.blob):
            return True
        known = _read_etags(self._folder)
        before = known.get(one.path)
        if before != meta.etag:
            temporary = self._folder / (ETAGS + PART)
            temporary.write_bytes(msgspec.json.encode({**known, one.path: meta.etag}))
            temporary.replace(self._folder / ETAGS)
        return before == meta.etag or not self._size


def patiently(
    ask: Callable[[], T],
    explained: Callable[[Exception], Exception],
    desk: Desk,
    *,
    tries: int,
    pause: float,
    reached: Callable[[], int] = lambda: 0,
) -> T:
    """The answer, asked for again after a break of the way; `reached` bytes more begin the count anew."""
    failed, farthest = 0, -1
    while True:
        try:
            return ask()
        except _Wrong:
            raise
        except Exception as error:
            reason = explained(error)
            if not isinstance(reason, ModelError) or reason.code not in TRANSIENT:
                raise reason from error
            failed = failed + 1 if reached() <= farthest else 1
            farthest = max(farthest, reached())
            limit = reason.code == "hub.rate_limit"
            asked = float(str(reason.params["seconds"])) if limit else 0.0
            if failed >= tries or asked > PATIENCE:
                raise reason from error
            desk.wait(delay(failed, pause, asked), failed, reason)


def _read_etags(folder: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((folder / ETAGS).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}
