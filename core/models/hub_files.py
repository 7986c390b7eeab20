"""The small files of a model on the hub: config, tokenizer and template, fetched by the library process.

They lie in `<org>--<name>@<commit>`, complete or not at all, with a manifest that names repo and commit.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import shutil
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

from core.errors import ModelError
from core.models.hub_address import Way
from core.models.manifest import being_made, hub_folder, is_name, is_ready, remove_left_overs
from core.worker import protocol
from core.worker.client import WorkerClient
from core.worker.download_values import Contacted

_NO_HUB = frozenset({"hub.offline", "hub.switched_off"})
_COMMIT = re.compile(r"[0-9a-f]{40}")


async def fetch_tokenizer(
    library: WorkerClient,
    repo: str,
    revision: str,
    into: Path,
    told: Callable[[int, int], None],
    way: Way | None = None,
    asked: Callable[[str, str], None] = lambda *_: None,
) -> Path:
    """The folder with the files of `repo` ("org/name") at `revision`, "" = its default branch.

    Of a commit that is already there nothing is asked; without the hub the default branch is what was fetched
    of it last. `told(done, total)`: bytes. `asked(host, why)`: each host before it is asked.

    Raises ModelError (hub.…, model.disk_full) and WorkerLost; cancelled or failed, nothing is left.
    """
    if not is_name(repo):
        raise ModelError("hub.name", repo=repo)
    here = into / hub_folder(repo, revision)
    if _COMMIT.fullmatch(revision) and is_ready(here):
        return here
    try:
        return await _fetch(library, repo, revision, into, told, way or Way(), asked)
    except ModelError as error:
        last = _fetched_last(into, repo) if error.code in _NO_HUB and not revision else None
        if last is None:
            raise
        return last


def fetcher(
    way: Callable[[], Awaitable[Way]], asked: Callable[[str, str], None]
) -> Callable[[WorkerClient, str, str, Path, Callable[[int, int], None]], Awaitable[Path]]:
    """`fetch_tokenizer` by what the settings say when it is called."""

    async def fetch(
        library: WorkerClient, repo: str, revision: str, into: Path, told: Callable[[int, int], None]
    ) -> Path:
        return await fetch_tokenizer(library, repo, revision, into, told, await way(), asked)

    return fetch


async def _fetch(
    library: WorkerClient,
    repo: str,
    revision: str,
    into: Path,
    told: Callable[[int, int], None],
    way: Way,
    asked: Callable[[str, str], None],
) -> Path:
    partial = into / f".part-{os.getpid()}-{uuid.uuid4().hex}"
    with being_made(partial):
        _make(partial, repo)
        try:
            stream = library.stream(
                lambda job: protocol.FetchFiles(
                    job, repo, revision, str(into), str(partial),
                    way.token, way.endpoint, way.offline, way.proxy, way.seconds,
                )
            )  # fmt: skip
            async with contextlib.aclosing(stream) as replies:
                async for reply in replies:
                    if isinstance(reply, Contacted):
                        asked(reply.host, reply.why)
                    elif isinstance(reply, protocol.Progress):
                        told(reply.done, reply.total)
                    elif isinstance(reply, protocol.Fetched):
                        return Path(reply.folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    raise ModelError("hub.failed", repo=repo, detail="no answer from the library process")


def _make(partial: Path, repo: str) -> None:
    into = partial.parent
    try:
        into.mkdir(parents=True, exist_ok=True)
        remove_left_overs(into)
        partial.mkdir()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError("model.disk_full", folder=str(into)) from error
        raise ModelError("hub.failed", repo=repo, detail=str(error)) from error


def _fetched_last(into: Path, repo: str) -> Path | None:
    ready = [folder for folder in into.glob(glob.escape(hub_folder(repo, "")) + "*") if is_ready(folder)]
    return max(ready, key=lambda folder: folder.stat().st_mtime, default=None)
