"""Which models are on this computer, and in which state: read from the disk alone, at every look."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

import msgspec

from core.errors import ModelError
from core.models.catalog import BUILT_IN, built_in
from core.models.embedded import built_in_state
from core.models.folder import built_in_folder, needs_code, unknown_type
from core.models.lock import FolderLock, is_locked
from core.models.manifest import Manifest, damaged_files, read_manifest
from core.models.orders import forget_orders, is_for
from core.models.partial import (
    Listing,
    bytes_there,
    partial_place,
    partial_root,
    partials,
    read_listing,
    remove_tree,
    set_aside,
)
from core.paths import Paths
from core.prompt.families import families, pinned
from core.worker.file_rules import is_code

USED = "models-used.json"


class OnDisk(Enum):
    """VERIFYING: every byte is there, the check is not done. FOREIGN: added by its path, only ever read."""

    ABSENT = "absent"
    PARTIAL = "partial"
    VERIFYING = "verifying"
    READY = "ready"
    DAMAGED = "damaged"
    FOREIGN = "foreign"


class StoredModel(msgspec.Struct, frozen=True):
    """`id`: "built-in", "org/name" or a path. `bytes`: of the whole model, `done`: those on disk. `damaged`:
    names of files. `used`: seconds since the epoch, 0 = never. `paused`: a partial one that waits for the
    person. `busy`: some process fetches it now. `code`: fetched with code of its own, by consent to this
    commit; no engine here runs it. `unknown`: its model_type where no family of ours has it. `listed`: the
    person added its path."""

    id: str
    name: str
    revision: str
    folder: str
    state: OnDisk
    bytes: int = 0
    done: int = 0
    damaged: tuple[str, ...] = ()
    used: float = 0.0
    licence: str = ""
    gated: bool = False
    tokenizer_only: bool = False
    paused: bool = False
    busy: bool = False
    code: bool = False
    unknown: str = ""
    listed: bool = False


class Removed(msgspec.Struct, frozen=True):
    """`freed`: bytes. `users`: ids of the models on disk that need one that is gone now."""

    ids: tuple[str, ...]
    freed: int
    users: tuple[str, ...] = ()


class Store:
    """`foreign`: folders that the person added by their paths. Nothing here is remembered between calls."""

    def __init__(self, paths: Paths, foreign: Iterable[str] = ()) -> None:
        self._paths, self._models = paths, paths.models
        self._foreign = tuple(foreign)

    def rows(self) -> tuple[StoredModel, ...]:
        """Built-in first, then by id. Raises nothing: what cannot be read is not there."""
        used = self._read_used()
        fetching = {_key(row): row for row in self._partials(used)}
        found = list(fetching.values())
        found += [row for row in self._finished(used) if _key(row) not in fetching]
        known = {os.path.realpath(row.folder) for row in found}
        for path in map(Path, self._foreign):
            if os.path.realpath(path) not in known and path.is_dir():
                found.append(_foreign(path, used, listed=True))
        found.sort(key=lambda row: (row.id.lower(), row.revision, not row.tokenizer_only))
        return (self._built_in(used), *found)

    def find(self, name: str) -> tuple[StoredModel, ...]:
        """The rows that "org/name", "org/name@revision" (or its beginning) or a path means."""
        known, _, revision = name.partition("@")
        path = os.path.realpath(Path(name).expanduser())
        return tuple(
            row
            for row in self.rows()
            if (row.id == known and row.revision.startswith(revision))
            or row.id == name
            or os.path.realpath(row.folder) == path
        )

    def users(self, repo: str) -> tuple[str, ...]:
        """Models on disk that are known to be served together with `repo`."""
        known = {pin.model for family in families() for pin in family.pinned if _drafter(pin.model) == repo}
        return tuple(sorted({row.id for row in self.rows() if row.id in known})) if known else ()

    def remove(self, name: str) -> Removed:
        """Raises ModelError: store.unknown, store.foreign, store.busy (it is being fetched right now),
        store.not_removed."""
        rows = [row for row in self.find(name) if row.state is not OnDisk.ABSENT]
        if not rows:
            raise ModelError("store.unknown", model=name)
        if any(row.state is OnDisk.FOREIGN for row in rows):
            raise ModelError("store.foreign", folder=rows[0].folder)
        freed = sum(self._remove(row) for row in rows)
        if "@" not in name:
            forget_orders(self._models, lambda order: order.repo == name)
        ids = tuple(dict.fromkeys(row.id for row in rows))
        return Removed(ids, freed, tuple(user for one in ids for user in self.users(one) if user not in ids))

    def _remove(self, row: StoredModel) -> int:
        """Bytes that are free now; of a link to another place none are."""
        folder = Path(row.folder)
        place = partial_place(self._models, row.id, row.revision, tokenizer_only=row.tokenizer_only)
        begun = folder.parent == partial_root(self._models)
        with FolderLock(folder if begun else place) as lock:
            try:
                if not lock.take():
                    raise ModelError("store.busy", model=row.id)
                freed = 0 if folder.is_symlink() else _size(folder)
                listing = read_listing(folder)
                gone = set_aside(self._models, folder)
                if listing is not None:  # else it would come back at the next start
                    forget_orders(self._models, lambda order: is_for(order, listing))
                remove_tree(gone)
            except OSError as error:
                raise ModelError("store.not_removed", folder=row.folder, detail=str(error)) from error
        return freed

    def touch(self, model: str) -> None:
        """It is used now. Nothing fails where that cannot be written."""
        used = {**self._read_used(), model: time.time()}
        place = self._paths.data / USED
        temporary = place.with_name(f"{USED}.{os.getpid()}.part")
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(msgspec.json.encode(used))
            temporary.replace(place)

    def _read_used(self) -> dict[str, float]:
        try:
            return msgspec.json.decode((self._paths.data / USED).read_bytes(), type=dict[str, float])
        except (OSError, msgspec.MsgspecError):
            return {}

    def _built_in(self, used: dict[str, float]) -> StoredModel:
        known, folder = built_in(), built_in_folder(self._models)
        state = OnDisk(built_in_state(self._models))
        manifest = read_manifest(folder)
        return StoredModel(
            BUILT_IN,
            known.name,
            manifest.revision if manifest else "",
            str(folder),
            state,
            bytes=_listed(manifest) if manifest else 0,
            done=_size(folder),
            damaged=tuple(damaged_files(folder, manifest)) if manifest and state is OnDisk.DAMAGED else (),
            used=used.get(BUILT_IN, 0.0),
            licence=known.licence,
        )

    def _partials(self, used: dict[str, float]) -> list[StoredModel]:
        return [
            _partial(folder, listing, used)
            for folder, listing in partials(self._models)
            if listing.wanted != "cancelled"
        ]

    def _finished(self, used: dict[str, float]) -> list[StoredModel]:
        try:
            folders = [path for path in self._models.iterdir() if not path.name.startswith(".")]
        except OSError:
            return []
        found = []
        for folder in folders:
            if folder.name == built_in_folder(self._models).parent.name or not folder.is_dir():
                continue
            manifest = read_manifest(folder)
            if manifest is not None and manifest.repo:
                found.append(_finished(folder, manifest, used))
            elif (folder / "config.json").is_file():
                found.append(_foreign(folder, used))
        return found


def _key(row: StoredModel) -> tuple[str, str, bool]:
    return row.id, row.revision, row.tokenizer_only


def _finished(folder: Path, manifest: Manifest, used: dict[str, float]) -> StoredModel:
    bad = tuple(damaged_files(folder, manifest))
    return StoredModel(
        manifest.repo,
        manifest.repo,
        manifest.revision,
        str(folder),
        OnDisk.DAMAGED if bad else OnDisk.READY,
        bytes=_listed(manifest),
        done=sum(one.size for one in manifest.files if one.name not in bad),
        damaged=bad,
        used=used.get(manifest.repo, 0.0),
        licence=manifest.licence,
        gated=manifest.gated,
        tokenizer_only=manifest.tokenizer_only,
        code=any(is_code(one.name) for one in manifest.files) and needs_code(folder),
        unknown=unknown_type(folder, manifest.repo),
    )


def _partial(folder: Path, listing: Listing, used: dict[str, float]) -> StoredModel:
    done = sum(bytes_there(folder, one) for one in listing.files)
    checking = all((folder / one.path).is_file() for one in listing.files)
    return StoredModel(
        listing.repo,
        listing.repo,
        listing.commit,
        str(folder),
        OnDisk.VERIFYING if checking else OnDisk.PARTIAL,
        bytes=listing.bytes,
        done=done,
        used=used.get(listing.repo, 0.0),
        licence=listing.licence,
        gated=listing.gated,
        tokenizer_only=listing.tokenizer_only,
        paused=listing.wanted == "paused",
        busy=is_locked(folder),
    )


def _foreign(path: Path, used: dict[str, float], *, listed: bool = False) -> StoredModel:
    size = _size(path, links=True)  # in the hub's own cache every file is one
    return StoredModel(
        str(path),
        path.name,
        "",
        str(path),
        OnDisk.FOREIGN,
        size,
        size,
        used=used.get(str(path), 0.0),
        unknown=unknown_type(path, path.name),
        listed=listed,
    )


def _listed(manifest: Manifest) -> int:
    return sum(one.size for one in manifest.files)


def _size(folder: Path, *, links: bool = False) -> int:
    """Bytes of the files in it; what a link leads to counts only with `links`."""
    total = 0
    with contextlib.suppress(OSError):
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                total += path.stat().st_size if path.is_file() and (links or not path.is_symlink()) else 0
    return total


def _drafter(repo: str) -> str:
    """The model that guesses for `repo` where that is known, "" = none."""
    pin = pinned(repo)
    config = json.loads(pin.speculative) if pin and pin.speculative else {}
    return str(config.get("model", ""))
