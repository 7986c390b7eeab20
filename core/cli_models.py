"""`tokenloupe pull | verify | rm | models`: models of the hub on this computer, on the window's core."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from core import cli_steps
from core.errors import DockerError, ModelError
from core.keys import Keys
from core.models.catalog import BUILT_IN
from core.models.download import Downloads
from core.models.embedded import ensure_builtin
from core.models.hub_address import Way, token_for
from core.models.ledger import Ledger, Permit
from core.models.manifest import read_manifest
from core.models.orders import DownloadState, HubSettings
from core.models.store import OnDisk, Store, StoredModel
from core.paths import Paths, default_paths
from core.prompt.families import pinned
from core.server.docker import DockerCli
from core.server.found import known_spec, runs
from core.server.spec import LaunchSpec
from core.settings import load
from core.worker.client import WorkerClient, library_worker
from core.worker.download_values import Downloading

_EVERY = 1.0  # seconds between two lines where there is no terminal
INCOMPLETE = 3  # exit code: damaged, or not all of it is here


class _Row(msgspec.Struct, frozen=True):
    """One line of `models --json`."""

    id: str
    name: str
    state: str
    folder: str
    bytes: int
    revision: str = ""
    done: int = 0
    damaged: tuple[str, ...] = ()
    licence: str = ""
    gated: bool = False
    tokenizer_only: bool = False
    paused: bool = False
    busy: bool = False


def wanted(model: str) -> tuple[str, str]:
    """(hub id, revision) of `ORG/NAME[@REVISION]`: of a model that is known here, the known commit; "" = what
    the hub's default branch is now."""
    repo, _, revision = model.partition("@")
    pin = pinned(repo)
    return repo, revision or (pin.revision if pin is not None else "")


async def pull(arguments: argparse.Namespace) -> int:
    """Until it is ready. Cut short, what is on disk stays. Raises LoupeError."""
    repo, revision = wanted(arguments.model)
    paths = default_paths()
    if arguments.model == BUILT_IN:
        _told_ready(BUILT_IN, "", str(await prepare(paths)), arguments.json)
        return 0
    downloads = Downloads(paths, settings=lambda: hub_settings(paths), token=lambda: token(paths))
    ended: asyncio.Future[DownloadState] = asyncio.get_running_loop().create_future()
    line = _Lines(arguments.json)

    def look(states: tuple[DownloadState, ...]) -> None:
        state = next((one for one in states if one.is_of(repo, "", arguments.tokenizer_only)), None)
        if state is None or state.phase in ("ready", "failed", "paused"):
            if not ended.done():
                ended.set_result(state or DownloadState(repo))
        else:
            line.progress(state)

    downloads.changed.connect(look)
    try:
        downloads.start(repo, revision, arguments.tokenizer_only)
        state = await ended
    except asyncio.CancelledError:
        await downloads.pause(repo, arguments.tokenizer_only)
        line.end()
        again = _again(arguments.model, tokenizer_only=arguments.tokenizer_only)
        sys.stderr.write(f"tokenloupe: paused; the same command goes on from here: {again}\n")
        raise
    finally:
        await downloads.close()
    line.end()
    if state.error is not None:
        raise state.error
    if state.phase != "ready":
        sys.stderr.write("tokenloupe: another window or command paused or cancelled it\n")
        return INCOMPLETE
    _told_ready(state.repo, state.commit, state.folder, arguments.json)
    return 0


def _told_ready(model: str, revision: str, folder: str, as_json: bool) -> None:
    if as_json:
        _json({"type": "ready", "id": model, "revision": revision, "folder": folder})
    else:
        _print(f"{'@'.join(filter(None, (model, revision)))}  ready  {folder}")


async def prepare(paths: Paths) -> Path:
    """The folder of the built-in model, fetched and converted where it is not there. Raises ModelError."""
    worker = WorkerClient()
    terminal = sys.stderr.isatty()
    if not terminal:
        sys.stderr.write("Preparing the built-in model …\n")
    try:
        told = cli_steps.built_in_progress if terminal else lambda *_: None
        return await ensure_builtin(worker, paths, told, permit(paths))
    finally:
        if terminal:
            sys.stderr.write("\r\x1b[K")
        await worker.close()


def _again(model: str, *, tokenizer_only: bool) -> str:
    return f"pull {model}{' --tokenizer-only' if tokenizer_only else ''}"


def hub_settings(paths: Paths) -> HubSettings:
    """As in the settings file; what is not set there is in the environment."""
    settings, _ = load(paths.settings)
    return HubSettings(
        settings.hub_endpoint, settings.hub_proxy, settings.offline, float(settings.hub_seconds)
    )


def permit(paths: Paths) -> Permit:
    """The offline switch of the settings file; who is asked is noted."""
    return Permit(Ledger(paths.data), lambda: hub_settings(paths).offline)


async def way(paths: Paths) -> Way:
    settings = hub_settings(paths)
    return Way(await token(paths), settings.endpoint, settings.offline, settings.proxy, settings.seconds)


async def token(paths: Paths) -> str:
    """HF_TOKEN, else what the keyring has for this hub; it is not asked for what was never put there."""
    settings, _ = load(paths.settings)

    async def kept(hub: str) -> str:
        library = library_worker()
        try:
            return await Keys(library, wait_seconds=20.0).get(hub) if hub in settings.hub_tokens else ""
        finally:
            await library.close()

    return await token_for(settings.hub_endpoint, kept)


async def verify(arguments: argparse.Namespace) -> int:
    """Every byte of one model, or of all. Exit code 3 if any is damaged."""
    store = Store(default_paths(), load(default_paths().settings)[0].folders)
    rows = store.find(arguments.model) if arguments.model else store.rows()
    rows = tuple(row for row in rows if read_manifest(Path(row.folder)) is not None)
    if arguments.model and not rows:
        raise ModelError("store.unknown", model=arguments.model)
    downloads, bad = Downloads(default_paths()), False
    try:
        for row in rows:
            bad |= not await _verify(downloads, row, arguments.json)
    finally:
        await downloads.close()
    return INCOMPLETE if bad else 0


async def _verify(downloads: Downloads, row: StoredModel, as_json: bool) -> bool:
    line = _Lines(as_json)
    found = await downloads.verify(Path(row.folder), lambda said: line.checking(row.id, said))
    line.end()
    good = not found.damaged and not found.links
    if as_json:
        state = "ready" if good else "damaged"
        _json({"type": "verified", "id": row.id, "revision": row.revision, "state": state,
               "damaged": found.damaged, "links": found.links})  # fmt: skip
    elif good:
        _print(f"{row.id}  ready  {found.files} files, {_size(found.bytes)}")
    else:
        for name in found.damaged:
            _print(f"{row.id}  damaged  {name}")
        for name in found.links:
            _print(f"{row.id}  leads out of the folder  {name}")
        if found.damaged and row.revision and "/" in row.id:
            again = _again(f"{row.id}@{row.revision}", tokenizer_only=row.tokenizer_only)
            _print(f"Only what is damaged is fetched again by: tokenloupe {again}")
    return good


async def remove(arguments: argparse.Namespace) -> int:
    """Raises ModelError for what is not ours, and for what a server has open."""
    store = Store(default_paths(), load(default_paths().settings)[0].folders)
    served = await _served()
    for row in store.find(arguments.model):
        if any(spec.uses(row.folder) for spec in served):
            raise ModelError("store.served", model=row.id)
    removed = store.remove(arguments.model)
    if arguments.json:
        _json({"type": "removed", "ids": removed.ids, "freed": removed.freed, "users": removed.users})
        return 0
    _print(f"removed {', '.join(removed.ids)}: {_size(removed.freed)} freed")
    if removed.users:
        _print(f"  it guessed for {', '.join(removed.users)}, which goes without now")
    return 0


async def _served() -> list[LaunchSpec]:
    """What the containers of ours that run have open; where Docker does not answer none runs."""
    library = library_worker()
    try:
        return [known_spec(one) for one in await DockerCli(library).containers() if runs(one)]
    except DockerError:
        return []
    finally:
        await library.close()


def models(as_json: bool) -> int:
    """What is on this computer, and in which state."""
    paths = default_paths()
    for row in Store(paths, load(paths.settings)[0].folders).rows():
        if as_json:
            _print(msgspec.json.encode(_row(row)).decode())
            continue
        state = row.state.value
        if row.state in (OnDisk.PARTIAL, OnDisk.VERIFYING):
            busy = "fetching" if row.state is OnDisk.PARTIAL else "checking"
            state = "paused" if row.paused else busy if row.busy else "partial"
            state += f", {_size(row.done)} of {_size(row.bytes)}"
        elif row.damaged:
            state = f"damaged ({', '.join(row.damaged)})"
        elif row.tokenizer_only:
            state += " (no weights)"
        name = row.id if row.id == row.name or row.state is OnDisk.FOREIGN else f"{row.id}  {row.name}"
        room = f"{row.done / 1e9:.2f} GB" if row.done else "nothing on disk"
        _print("  ".join(part for part in (name, row.revision[:12], state, room, row.folder) if part))
    return 0


def _row(row: StoredModel) -> _Row:
    return _Row(
        row.id, row.name, row.state.value, row.folder, row.bytes, row.revision, row.done, row.damaged,
        row.licence, row.gated, row.tokenizer_only, row.paused, row.busy,
    )  # fmt: skip


class _Lines:
    """Progress: one line that is written over in a terminal, one a second elsewhere, JSON lines on stdout."""

    def __init__(self, as_json: bool) -> None:
        self._json, self._terminal = as_json, sys.stderr.isatty()
        self._said, self._phase, self._open = 0.0, "", False

    def progress(self, state: DownloadState) -> None:
        if not self._due(state.phase):
            return
        if self._json:
            _json({"type": "progress", "phase": state.phase, "file": state.file, "done": state.done,
                   "total": state.total, "speed": round(state.speed), "left": round(state.left),
                   "problem": state.problem})  # fmt: skip
            return
        words = [state.phase, f"{_size(state.done)} of {_size(state.total)}" if state.total else state.repo]
        if state.phase == "waiting":
            words += [f"again in {state.wait:.0f} s", state.problem]
        elif state.speed:
            words.append(f"{_size(state.speed)}/s")
            words += [f"{state.left:.0f} s left"] if state.left >= 0 else []
        self._write("  ".join([*words, state.file]))

    def checking(self, model: str, said: Downloading) -> None:
        if self._due("checking") and not self._json:
            self._write(f"checking  {_size(said.done)} of {_size(said.total)}  {model}")

    def _due(self, phase: str) -> bool:
        now = time.monotonic()
        if phase == self._phase and now - self._said < (0.1 if self._terminal and not self._json else _EVERY):
            return False
        self._said, self._phase = now, phase
        return True

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody looks
            if self._terminal:  # a line that wraps would leave its beginning behind
                wide = os.get_terminal_size(sys.stderr.fileno()).columns or 80
                text = f"\r\x1b[K{text[: wide - 1]}"
            sys.stderr.write(text if self._terminal else f"{text}\n")
            sys.stderr.flush()
        self._open = self._terminal

    def end(self) -> None:
        if self._open:
            sys.stderr.write("\r\x1b[K")
            self._open = False


def _size(count: float) -> str:
    for unit, power in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= power:
            return f"{count / power:.{2 if unit == 'GB' else 1}f} {unit}"
    return f"{count:.0f} B"


def _json(value: dict[str, Any]) -> None:
    _print(msgspec.json.encode(value).decode())


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
