"""The hub service: the small files of a model on the hub, without weights and without any program code."""

from __future__ import annotations

import errno
import logging
import shutil
from pathlib import Path

from core.errors import ModelError
from core.models.manifest import hub_folder, put_in_place, seal
from core.models.partial import ETAGS, ListedFile, Listing
from core.worker.download_values import Contacted
from core.worker.file_fetch import FileFetch
from core.worker.hub import Hub, use_proxy
from core.worker.job import Job
from core.worker.model_files import listed, small
from core.worker.protocol import Fetched, FetchFiles

TRIES = 3
PAUSE = 0.2  # seconds before the second try
STEPS = 100  # of progress, more or less
log = logging.getLogger(__name__)


def fetch(job: Job, request: FetchFiles) -> None:
    """Fetch, check, put in place. Raises ModelError, Cancelled; nothing partial stays in any case."""
    partial = Path(request.partial)
    try:
        _Work(job, request).run(partial)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError("model.disk_full", folder=request.into) from error
        raise ModelError("hub.failed", repo=request.repo, detail=str(error)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


class _Work:
    """It is its files' desk, too (see file_fetch.Desk)."""

    def __init__(self, job: Job, request: FetchFiles) -> None:
        self._job, self._request = job, request
        self._done = self._told = self._total = 0  # bytes; `told` at the last word of progress
        self._hosts: set[str] = set()

    def run(self, partial: Path) -> None:
        job, request = self._job, self._request
        use_proxy(request.proxy)
        hub = Hub(
            request.endpoint,
            request.token,
            offline=request.offline,
            seconds=request.seconds,
            told=self._contact,
        )
        found = hub.look_up(request.repo, request.revision, job.check)
        commit = str(found.sha)
        files = small(request.repo, listed(found.siblings or (), hub.endpoint))
        listing = Listing(request.repo, commit, hub.endpoint, files, tokenizer_only=True)
        log.info("fetching %d small files of %s at %s", len(files), request.repo, commit)
        self._total = listing.bytes
        job.progress("files", 0, self._total)
        for one in files:
            FileFetch(hub, listing, partial, one, self, tries=TRIES, pause=PAUSE).run()
        (partial / ETAGS).unlink(missing_ok=True)
        seal(partial, revision=commit, repo=request.repo, check=job.check)
        folder = Path(request.into) / hub_folder(request.repo, commit)
        put_in_place(partial, folder)
        job.send(Fetched(job.number, str(folder)))

    def came(self, one: ListedFile, there: int, count: int, *, fetched: bool = True) -> None:
        self._done += count
        if self._done == self._total or self._done - self._told >= self._total / STEPS:
            self._told = self._done
            self._job.progress("files", self._done, self._total)

    def wait(self, seconds: float, tries: int, problem: ModelError) -> None:
        log.info("%s: again in %.1f s (try %d): %s", self._request.repo, seconds, tries, problem)
        self._job.cancelled.wait(seconds)
        self.check()

    def check(self) -> None:
        self._job.check()

    def _contact(self, host: str, why: str) -> None:
        if host not in self._hosts:
            self._hosts.add(host)
            self._job.send(Contacted(self._job.number, host, f"files of {self._request.repo}"))
