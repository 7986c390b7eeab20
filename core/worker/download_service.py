"""A model of the hub onto the disk: listed, fetched from the bytes that are there, checked, put in its place.

The listing of one commit is saved first; a manifest is written last. Files that this run did not fetch are
read once more before that, so that nothing becomes ready by its size alone.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from core.errors import ModelError
from core.models.lock import NO_LOCKS, FolderLock
from core.models.manifest import NAME as MANIFEST
from core.models.manifest import (
    Manifest,
    ManifestFile,
    hub_folder,
    is_name,
    is_there,
    need_ours,
    read_manifest,
    write_manifest,
)
from core.models.partial import (
    ETAGS,
    LISTING,
    ListedFile,
    Listing,
    bytes_there,
    discard,
    partial_place,
    read_listing,
    set_wanted,
    write_listing,
)
from core.models.verify import links_out, sha256_of
from core.worker.download_values import FINAL, Contacted, Download, Downloaded, Downloading
from core.worker.file_fetch import FileFetch, patiently
from core.worker.file_rules import TELLING
from core.worker.hub import COMMIT, Hub
from core.worker.job import Cancelled, Job
from core.worker.meter import Meter
from core.worker.model_card import licence_of
from core.worker.model_files import code, listed, names_code, need_apart, small, told_by, whole
from core.worker.part_file import sync_all

_LOOK = 0.5  # seconds between two looks at the room and at what the person wants
log = logging.getLogger(__name__)


def download(job: Job, request: Download) -> None:
    """Raises ModelError, Cancelled. What is on disk stays there in every case."""
    work = _Work(job, request)
    try:
        work.run()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            with contextlib.suppress(OSError):
                work.need_room()
            raise ModelError("model.disk_full", folder=request.models) from error
        raise ModelError("hub.failed", repo=request.repo, detail=str(error)) from error


class _Work:
    """One download; it is its files' desk, too (see file_fetch.Desk)."""

    def __init__(self, job: Job, request: Download) -> None:
        self._job, self._request = job, request
        self._models = Path(request.models)
        self._told: set[tuple[str, str]] = set()
        self._hub = Hub(
            request.endpoint,
            request.token,
            offline=request.offline,
            seconds=request.seconds,
            told=self._contact,
        )
        self._folder = self._models  # the partial one, once it is known
        self._listing = Listing(request.repo, "", "", ())
        self._meter = Meter(0)
        self._step = Downloading(job.number, "resolving")
        self._looked = 0.0
        self._stamp = 0  # of the listing when it was last read

    def run(self) -> None:
        request, listing = self._request, None
        if COMMIT.fullmatch(request.revision):
            place = self._place(request.repo, request.revision)
            if is_there(place, tokenizer_only=request.tokenizer_only):
                return self._done(place, request.repo, request.revision)
            listing = read_listing(self._partial(request.repo, request.revision))
        self._job.send(self._step)
        agreed = listing is not None and request.consent == listing.commit and not listing.consent
        if listing is None or agreed:
            listing = self._look_up()
        self._step = msgspec.structs.replace(
            self._step, commit=listing.commit, total=listing.bytes, repo=listing.repo
        )
        self._job.send(self._step)
        place = self._place(listing.repo, listing.commit)
        if is_there(place, tokenizer_only=listing.tokenizer_only):
            return self._done(place, listing.repo, listing.commit)
        need_ours(place)
        self._folder = self._partial(listing.repo, listing.commit)
        with self._locked(listing.repo):
            try:
                self._fetch_all(place, self._begin(place, listing))
            except ModelError as error:
                if error.code in FINAL:  # while it is locked: nobody goes on with it unasked
                    set_wanted(self._folder, "paused")
                raise
        # without the lock: who is told may end this process at once
        return self._done(place, listing.repo, listing.commit)

    def _place(self, repo: str, commit: str) -> Path:
        return self._models / hub_folder(repo, commit)

    def _partial(self, repo: str, commit: str) -> Path:
        return partial_place(self._models, repo, commit, tokenizer_only=self._request.tokenizer_only)

    def _locked(self, repo: str) -> FolderLock:
        lock = FolderLock(self._folder)
        try:
            taken = lock.take()
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            raise ModelError("store.no_lock", folder=str(self._models), detail=str(error)) from error
        if not taken:
            raise ModelError("store.busy", model=repo)
        return lock

    def _done(self, place: Path, repo: str, commit: str) -> None:
        for name in (LISTING, ETAGS):  # of a run that was killed after its last step but one
            with contextlib.suppress(OSError):
                (place / name).unlink(missing_ok=True)
        self._job.send(Downloaded(self._job.number, str(place), commit, repo))

    # --- what is to be fetched -----------------------------------------------------------------------

    def _look_up(self) -> Listing:
        request = self._request
        found = self._retried(lambda: self._hub.look_up(request.repo, request.revision))
        repo = found.id if is_name(str(found.id)) else request.repo
        everything = listed(found.siblings or (), self._hub.endpoint)
        choose = small if request.tokenizer_only else whole
        files = choose(repo, everything)
        consent = request.consent == found.sha and not request.tokenizer_only
        files = (*files, *(code(everything) if consent else ()))
        need_apart(files)
        return Listing(
            repo=repo,
            commit=found.sha,
            endpoint=self._hub.endpoint,
            files=tuple(sorted(files, key=lambda one: one.size)),
            gated=bool(found.gated),
            licence=licence_of(found.card_data or {}, found.tags),
            tokenizer_only=request.tokenizer_only,
            asked=request.revision,
            consent=consent,
            began=time.time(),
            named="" if repo == request.repo else request.repo,
        )

    def _retried(self, ask: Any) -> Any:
        """What is asked before any file: as patient as with files."""
        request = self._request
        return patiently(ask, lambda error: error, self, tries=request.tries, pause=request.pause)

    def _begin(self, place: Path, listing: Listing) -> Listing:
        """The partial folder with its listing. What lies in the model's own place is taken up: the files of a
        damaged model that are whole, or those of one that was wanted without its weights."""
        there = read_listing(self._folder)
        if there is not None and there.commit == listing.commit and self._folder.is_dir():
            since = self._request.given < there.decided <= time.time()  # a clock may have been set back
            if there.wanted != "fetch" and since:
                raise Cancelled  # by another window or command, since this was asked for
            listing = msgspec.structs.replace(
                listing, wanted="fetch", began=there.began, decided=there.decided
            )
        elif (manifest := read_manifest(place)) is not None:
            if listing.tokenizer_only and not manifest.tokenizer_only:
                raise ModelError("store.damaged", model=listing.repo)  # what it lacks is more than was asked
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            if self._folder.exists():
                discard(self._models, self._folder)
            if manifest.tokenizer_only:
                _copy(place, self._folder)  # who has it open finds it there until all of it is here
            else:
                write_listing(place, listing)
                place.replace(self._folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        if listing != there:
            write_listing(self._folder, listing)
        (self._folder / MANIFEST).unlink(missing_ok=True)
        return listing

    def need_room(self) -> None:
        """Raises ModelError("hub.room"), with its figures."""
        left = self._listing.bytes - sum(bytes_there(self._folder, one) for one in self._listing.files)
        free = shutil.disk_usage(self._folder).free
        if left and free < left + self._request.floor:
            needed = left + self._request.floor
            raise ModelError(
                "hub.room",
                repo=self._listing.repo,
                needed=round(needed / 1e9, 2),
                free=round(free / 1e9, 2),
                folder=str(self._models),
            )

    # --- all of it ---------------------------------------------------------------------------------------

    def _fetch_all(self, place: Path, listing: Listing) -> None:
        self._listing = listing
        files = listing.files
        self.need_room()
        self._meter = Meter(listing.bytes, sum(bytes_there(self._folder, one) for one in files))
        log.info(
            "fetching %s at %s: %d files, %d bytes", listing.repo, listing.commit, len(files), listing.bytes
        )
        hashes: dict[str, str] = {}
        missing = [one for one in files if not self._has(one)]
        if missing:
            largest = max(missing, key=lambda one: one.size)
            self._retried(
                lambda: self._probe(largest)
            )  # before anything is fetched that is of no use without
        # what it wants to run is known before anything else is fetched
        for one in sorted(files, key=lambda one: (told_by(one.path), one.size)):
            if one in missing:
                hashes[one.path] = self._fetch(one)
            elif one.path in TELLING:
                hashes[one.path] = self._check(one)
            if one.path in TELLING:
                self._refuse_code(hashes)
        for one in files:
            if one.path not in hashes:
                hashes[one.path] = self._check(one)
        self._put_in_place(place, hashes)

    def _probe(self, one: ListedFile) -> None:
        self._hub.check(
            self._hub.head(self._listing.repo, self._listing.commit, one.path), self._listing.commit
        )

    def _has(self, one: ListedFile) -> bool:
        path = self._folder / one.path
        try:
            return not path.is_symlink() and path.stat().st_size == one.size
        except OSError:
            return False

    def _fetch(self, one: ListedFile) -> str:
        self._tell("fetching", one, bytes_there(self._folder, one), now=True)
        request = self._request
        fetch = FileFetch(
            self._hub, self._listing, self._folder, one, self, tries=request.tries, pause=request.pause
        )
        return fetch.run()

    def _check(self, one: ListedFile) -> str:
        """A file of an earlier run; one that is not what is listed is fetched again."""
        read = 0

        def more(count: int) -> None:
            nonlocal read
            read += count
            self._job.check()
            if self._meter.add(0):
                self._tell("checking", one, read)

        self._tell("checking", one, 0, now=True)
        sha256 = sha256_of(self._folder, one, more)
        if sha256:
            return sha256
        log.warning("%s of %s is damaged and fetched again", one.path, self._listing.repo)
        (self._folder / one.path).unlink(missing_ok=True)
        self._meter.add(-one.size)
        return self._fetch(one)

    def _refuse_code(self, known: Collection[str]) -> None:
        """By those of TELLING that are `known` to be what is listed."""
        listing = self._listing
        if listing.tokenizer_only or listing.consent or TELLING[0] not in known:
            return
        if names_code(self._folder, known, self._request.plain):
            raise ModelError("hub.code", repo=listing.repo, commit=listing.commit)

    def _put_in_place(self, place: Path, hashes: dict[str, str]) -> None:
        listing = self._listing
        if bad := links_out(self._folder):
            raise ModelError("hub.path", file=bad[0])
        self._remove_others()
        sync_all([self._folder / one.path for one in listing.files])
        files = tuple(ManifestFile(one.path, one.size, hashes[one.path]) for one in listing.files)
        write_manifest(
            self._folder,
            Manifest(listing.commit, files, listing.repo, licence=listing.licence, gated=listing.gated),
        )
        _sync(self._folder)
        if is_there(place, tokenizer_only=listing.tokenizer_only):  # made meanwhile by somebody else
            discard(self._models, self._folder)
            return
        need_ours(place)
        if place.exists():
            discard(self._models, place)
        self._folder.replace(place)
        _sync(place.parent)

    def _remove_others(self) -> None:
        """What an earlier listing of the same commit asked for."""
        known = {one.path for one in self._listing.files} | {LISTING, ETAGS}
        for path in [*self._folder.rglob("*")]:
            if not path.is_dir() and path.relative_to(self._folder).as_posix() not in known:
                path.unlink()

    # --- the files' desk ---------------------------------------------------------------------------------

    def check(self) -> None:
        self._job.check()
        now = time.monotonic()
        if now - self._looked < _LOOK or self._folder == self._models:  # nothing of it is on disk yet
            return
        self._looked = now
        with contextlib.suppress(OSError):
            stamp = (self._folder / LISTING).stat().st_mtime_ns
            if stamp != self._stamp:
                self._stamp = stamp
                listing = read_listing(self._folder)
                if listing is not None and listing.wanted != "fetch":
                    raise Cancelled  # by another window or command
        if shutil.disk_usage(self._folder).free < self._request.floor:
            self.need_room()

    def came(self, one: ListedFile, there: int, count: int, *, fetched: bool = True) -> None:
        if self._meter.add(count, fetched=fetched):
            self._tell("fetching", one, there)

    def wait(self, seconds: float, tries: int, problem: ModelError) -> None:
        log.info("%s: again in %.1f s (try %d): %s", self._request.repo, seconds, tries, problem)
        self._job.send(
            msgspec.structs.replace(
                self._step, step="waiting", tries=tries, wait=seconds, problem=problem.code
            )
        )
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._job.cancelled.wait(min(left, _LOOK))
            self.check()

    def _tell(self, step: Any, one: ListedFile, there: int, *, now: bool = False) -> None:
        meter = self._meter
        self._step = Downloading(
            self._job.number, step, self._listing.commit, one.path, there, one.size,
            meter.done, meter.total, meter.speed, meter.left, repo=self._listing.repo,
        )  # fmt: skip
        if now:
            self._job.check()
        self._job.send(self._step)

    def _contact(self, host: str, why: str) -> None:
        if (host, why) not in self._told:
            self._told.add((host, why))
            self._job.send(Contacted(self._job.number, host, why))


def _copy(place: Path, folder: Path) -> None:
    """The few small files of a model without its weights. Not the manifest: it would keep them for ever, were
    this killed before there is a listing."""
    folder.mkdir()
    for path in place.iterdir():
        if path.is_file() and not path.is_symlink() and path.name != MANIFEST:
            shutil.copyfile(path, folder / path.name)


def _sync(folder: Path) -> None:
    """The names in it, where a folder can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
