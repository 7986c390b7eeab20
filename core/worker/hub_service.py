"""The hub service: the small files of a model on the hub, without its weights and without any program code.

The only importer of huggingface_hub. Its HTTP client, headers, errors and answers are used, not its download
function: that reads in pieces of 10 MB, so it can neither be stopped at once nor held to a size.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import shutil
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from huggingface_hub import HfApi, close_session, constants, get_session, hf_hub_url, hf_raise_for_status
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoSibling
from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]  # public, says its manual

from core.errors import ModelError
from core.models.manifest import hub_folder, put_in_place, seal
from core.worker.download_values import Contacted
from core.worker.job import Cancelled, Job
from core.worker.protocol import Fetched, FetchFiles

SMALL, LARGE = 8_000_000, 100_000_000  # bytes
# exact names in the model's own folder: neither weights, nor code, nor a path that leads elsewhere
WANTED = {
    "config.json": SMALL,
    "generation_config.json": SMALL,
    "chat_template.jinja": SMALL,
    "chat_template.json": SMALL,
    "preprocessor_config.json": SMALL,
    "video_preprocessor_config.json": SMALL,
    "processor_config.json": SMALL,
    "special_tokens_map.json": SMALL,
    "tokenizer_config.json": LARGE,
    "added_tokens.json": LARGE,
    "tokenizer.json": LARGE,
    "tokenizer.model": LARGE,
    "vocab.json": LARGE,
    "vocab.txt": LARGE,
    "merges.txt": LARGE,
}
VOCABULARIES = ("tokenizer.json", "tokenizer.model", "vocab.json")
TRIES = 3
SECONDS = 10.0  # without a byte
STEPS = 100  # of progress, more or less
# the base of all that goes wrong on the way, in whatever HTTP library this release of huggingface_hub has
HTTPError: type[Exception] = HfHubHTTPError.__mro__[1]
COMMIT = re.compile(r"[0-9a-f]{40}")
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|\[?::1\]?")
_PROXIES = ("https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY")
for _noisy in ("httpx", "httpx2"):  # addresses that it is sent on to are signed
    logging.getLogger(_noisy).setLevel(logging.WARNING)
log = logging.getLogger(__name__)
_given = {name: os.environ.get(name) for name in _PROXIES}
_session_lock = threading.Lock()


def use_proxy(proxy: str) -> None:
    """For all that this process asks of the hub from now on; "" = as its environment said at first."""
    with _session_lock:
        wanted = {name: proxy or _given[name] for name in _PROXIES}
        if wanted == {name: os.environ.get(name) for name in _PROXIES}:
            return
        for name, value in wanted.items():
            if value:
                os.environ[name] = value
            else:
                os.environ.pop(name, None)
        close_session()  # the next one reads the environment anew


def host_allowed(address: str, *, offline: bool) -> str:
    """The host of an address. Raises ModelError("hub.switched_off") for another computer's."""
    host = urlsplit(address).hostname or address
    if offline and not _LOOPBACK.fullmatch(host):
        raise ModelError("hub.switched_off", host=host)
    return host


def fetch(job: Job, request: FetchFiles) -> None:
    """Fetch, check, put in place. Raises ModelError; the partial folder is removed in every case."""
    partial = Path(request.partial)
    try:
        _fetch(job, request, partial)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError("model.disk_full", folder=request.into) from error
        raise ModelError("hub.failed", repo=request.repo, detail=str(error)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _fetch(job: Job, request: FetchFiles, partial: Path) -> None:
    # what the library finds by itself is for its own hub
    token = request.token or (False if request.endpoint else None)
    use_proxy(request.proxy)
    host = host_allowed(request.endpoint or constants.ENDPOINT, offline=request.offline)
    job.send(Contacted(job.number, host, f"files of {request.repo}"))
    api = HfApi(endpoint=request.endpoint or None, token=token)
    found = _look_up(api, request.repo, request.revision or None)
    commit = str(found.sha)
    if not COMMIT.fullmatch(commit):  # it becomes part of a path
        raise ModelError("hub.failed", repo=request.repo, detail=f"the commit is {commit!r}")
    job.check()
    wanted = _choose(request.repo, found.siblings or [])
    log.info("fetching %d small files of %s at %s", len(wanted), request.repo, commit)
    total, done = sum(one.size or 0 for one in wanted), 0
    job.progress("files", 0, total)
    for one in wanted:
        download = _Download(job, api, request.repo, commit, one, done, total)
        done += download.into(partial / one.rfilename)
    seal(partial, revision=commit, repo=request.repo, check=job.check)
    folder = Path(request.into) / hub_folder(request.repo, commit)
    put_in_place(partial, folder)
    job.send(Fetched(job.number, str(folder)))


def _look_up(api: HfApi, repo: str, revision: str | None) -> Any:
    try:
        return api.model_info(repo, revision=revision, files_metadata=True, timeout=SECONDS)
    except Exception as error:
        raise _explained(error, api, repo, revision or "") from error


def _explained(error: Exception, api: HfApi, repo: str, revision: str) -> Exception:
    """What the hub or the way to it says, in our words; errors of the disk as they are."""
    detail = str(error).strip()
    status = getattr(getattr(error, "response", None), "status_code", 0)
    if isinstance(error, HFValidationError):
        return ModelError("hub.name", repo=repo)
    if isinstance(error, GatedRepoError):
        return ModelError("hub.gated", repo=repo)
    if isinstance(error, RevisionNotFoundError):
        return ModelError("hub.no_revision", repo=repo, revision=revision)
    if isinstance(error, RepositoryNotFoundError):
        kind = _other_kind(api, repo)
        return (
            ModelError("hub.not_model", repo=repo, kind=kind)
            if kind
            else ModelError("hub.no_repo", repo=repo)
        )
    if status in (401, 403):
        return ModelError("hub.gated", repo=repo, detail=detail)
    if isinstance(error, HfHubHTTPError):
        return ModelError("hub.failed", repo=repo, detail=detail)
    if isinstance(error, OfflineModeIsEnabled | HTTPError):
        return ModelError("hub.offline", repo=repo, detail=detail or type(error).__name__)
    if isinstance(error, ModelError | Cancelled | OSError):
        return error
    # what answers is no hub: a web page, other fields, an address that is none
    return ModelError("hub.failed", repo=repo, detail=f"{type(error).__name__}: {detail}")


def _other_kind(api: HfApi, repo: str) -> str:
    """ "dataset" or "space" if the hub has one of that name."""
    for kind in ("dataset", "space"):
        try:
            api.repo_info(repo, repo_type=kind, timeout=SECONDS)
        except (HfHubHTTPError, HTTPError):
            continue
        return kind
    return ""


def _choose(repo: str, files: list[RepoSibling]) -> list[RepoSibling]:
    """The wanted files. Raises ModelError: files_missing, too_large."""
    chosen = [one for one in files if one.rfilename in WANTED]
    names = {one.rfilename for one in chosen}
    if "config.json" not in names:
        raise ModelError("hub.files_missing", repo=repo, file="config.json")
    if not names & set(VOCABULARIES):
        raise ModelError("hub.files_missing", repo=repo, file=VOCABULARIES[0])
    for one in chosen:
        if (one.size or 0) > WANTED[one.rfilename]:
            raise ModelError("hub.too_large", repo=repo, file=one.rfilename, limit=WANTED[one.rfilename])
    return chosen


class _Download:
    """One file: tried again when the way breaks, checked against the hash that the hub lists."""

    def __init__(
        self,
        job: Job,
        api: HfApi,
        repo: str,
        commit: str,
        listed: RepoSibling,
        before: int,
        total: int,
    ) -> None:
        self._job, self._api, self._repo, self._commit = job, api, repo, commit
        self._name, self._size = listed.rfilename, listed.size
        self._sha256 = listed.lfs.sha256 if listed.lfs else ""
        self._blob = "" if listed.lfs else listed.blob_id or ""
        self._before, self._total = before, total
        self._told = 0  # bytes of this file at the last word of progress

    def into(self, path: Path) -> int:
        """Bytes written. Raises ModelError, Cancelled, OSError."""
        for left in reversed(range(TRIES)):
            try:
                size = self._read(path)
                if self._is_whole(path, size):
                    return size
            except Exception as error:
                explained = _explained(error, self._api, self._repo, self._commit)
                if left and isinstance(explained, ModelError) and explained.code == "hub.offline":
                    log.info("%s of %s broke off: %s", self._name, self._repo, error)
                    continue
                raise explained from error
        raise ModelError("hub.damaged", repo=self._repo, file=self._name, tries=TRIES)

    def _read(self, path: Path) -> int:
        url = hf_hub_url(self._repo, self._name, revision=self._commit, endpoint=self._api.endpoint)
        headers = build_hf_headers(token=self._api.token)
        done, limit, self._told = 0, WANTED[self._name], 0
        with (
            get_session().stream(
                "GET", url, headers=headers, follow_redirects=True, timeout=SECONDS
            ) as response,
            path.open("wb") as out,
        ):
            if response.is_error:
                response.read()  # the error's words
                hf_raise_for_status(response)
            for block in response.iter_bytes():
                self._job.check()
                done += len(block)
                if done > limit:
                    raise ModelError("hub.too_large", repo=self._repo, file=self._name, limit=limit)
                out.write(block)
                self._tell(done)
        return done

    def _tell(self, done: int) -> None:
        if done == self._size or done - self._told >= self._total / STEPS:
            self._told = done
            self._job.progress("files", self._before + done, self._total)

    def _is_whole(self, path: Path, size: int) -> bool:
        if self._size is not None and size != self._size:
            return False
        content = path.read_bytes()
        if self._sha256:
            return hashlib.sha256(content).hexdigest() == self._sha256
        # git's name of the content
        return not self._blob or hashlib.sha1(b"blob %d\0" % size + content).hexdigest() == self._blob
