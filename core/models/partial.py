"""A model that is being fetched: its folder in `models/.partial`, the saved listing of one commit, its lock.

`.partial/<org>--<name>@<commit>/` holds files under their own names (their content has been checked), the one
being fetched as `NAME.part`, and `listing.json`. The process that writes there has its lock (see lock.py).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import unicodedata
import uuid
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from core.models.lock import FolderLock
from core.models.manifest import NAME as MANIFEST
from core.models.manifest import hub_folder, read_manifest

LISTING = "listing.json"
ETAGS = "etags.json"  # of files whose ETag is not their content's own hash
PART = ".part"
Wanted = Literal["fetch", "paused", "cancelled"]
_GONE = "gone-"
# whatever their ending; no file of that name can be made on Windows
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10)))
)


class ListedFile(msgspec.Struct, frozen=True):
    """`path`: below the model's folder, with "/". `sha256` for files in the store for large ones, `blob`
    (git's name of the content) for the others; both "" if the hub says neither."""

    path: str
    size: int
    sha256: str = ""
    blob: str = ""


class Listing(msgspec.Struct, frozen=True):
    """What a commit holds of what is wanted. `gated`: permission was needed. `asked`: the revision named by
    the person, "" = the default branch; `named`: the repository, where the hub has another name for it.
    `began`, and `decided` (what is wanted of it): seconds since the epoch."""

    repo: str
    commit: str
    endpoint: str
    files: tuple[ListedFile, ...]
    wanted: Wanted = "fetch"
    gated: bool = False
    licence: str = ""
    tokenizer_only: bool = False
    asked: str = ""
    consent: bool = False
    began: float = 0.0
    decided: float = 0.0
    named: str = ""
    format: int = 1

    @property
    def bytes(self) -> int:
        return sum(one.size for one in self.files)


def partial_root(models: Path) -> Path:
    return models / ".partial"


def partial_place(models: Path, repo: str, commit: str, *, tokenizer_only: bool = False) -> Path:
    return partial_root(models) / (hub_folder(repo, commit) + ("+tokenizer" if tokenizer_only else ""))


def folded(path: str) -> str:
    """The same for all names that some system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def is_safe(path: str) -> bool:
    """A name that stays within the folder on every system, and is none of this program's own."""
    parts, name = PurePosixPath(path).parts, folded(path)
    return (
        bool(parts)
        and "/".join(parts) == path
        and all(part.rstrip(". ") == part for part in parts)  # "." and ".." too; Windows leaves these out
        and not any(folded(part).partition(".")[0].strip() in _DEVICES for part in parts)
        and not any(ord(letter) < 32 or letter in '\\:*?"<>|\x7f' for letter in path)
        and not name.endswith(PART)
        and name not in (LISTING, ETAGS, MANIFEST)
    )


def read_listing(partial: Path) -> Listing | None:
    """None if there is none that can be read."""
    try:
        found = msgspec.json.decode((partial / LISTING).read_bytes(), type=Listing)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if all(is_safe(one.path) for one in found.files) else None


def write_listing(partial: Path, listing: Listing) -> None:
    """Write and sync, in one step. Raises OSError."""
    temporary = partial / f"{LISTING}.{os.getpid()}{PART}"
    try:
        with temporary.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(listing)))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(partial / LISTING)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def set_wanted(partial: Path, wanted: Wanted) -> bool:
    """What is to become of it, for every process. False: nothing is there, or it cannot be written."""
    listing = read_listing(partial)
    if listing is None:
        return False
    if listing.wanted != wanted:
        try:
            write_listing(partial, msgspec.structs.replace(listing, wanted=wanted, decided=time.time()))
        except OSError:
            return False
    return True


def bytes_there(partial: Path, one: ListedFile) -> int:
    """How much of a file is on disk."""
    for name in (one.path, one.path + PART):
        with contextlib.suppress(OSError):
            size = (partial / name).stat().st_size
            if name == one.path and size != one.size:
                continue
            return min(size, one.size)
    return 0


def partials(models: Path) -> list[tuple[Path, Listing]]:
    """Every folder with a listing, the oldest first."""
    root = partial_root(models)
    try:
        folders = [path for path in root.iterdir() if path.is_dir() and not path.name.startswith(_GONE)]
    except OSError:
        return []
    found = [(path, listing) for path in folders if (listing := read_listing(path)) is not None]
    return sorted(found, key=lambda one: (one[1].began, one[0].name))


def set_aside(models: Path, folder: Path) -> Path:
    """Out of sight in one step: where it lies then. Raises OSError."""
    root = partial_root(models)
    root.mkdir(parents=True, exist_ok=True)
    gone = root / f"{_GONE}{uuid.uuid4().hex}"
    folder.replace(gone)
    return gone


def discard(models: Path, folder: Path) -> None:
    """Out of sight, then removed; what a kill leaves over `sweep` removes. Raises OSError."""
    gone = set_aside(models, folder)
    with contextlib.suppress(OSError):
        remove_tree(gone)


def remove_tree(folder: Path) -> None:
    """A link is removed, not what it leads to. Raises OSError."""
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder)


def sweep(models: Path) -> None:
    """Remove what nobody will go on with: discarded and cancelled folders, and those without a listing."""
    root = partial_root(models)
    if not root.is_dir():
        return
    for path in [*root.iterdir()]:
        with contextlib.suppress(OSError):
            if path.name.startswith(_GONE):
                remove_tree(path)
            elif path.is_dir() and path.name != "queue":
                _sweep_folder(models, path)
    for lock in root.glob("*.lock"):
        with contextlib.suppress(OSError), FolderLock(lock.with_suffix("")) as mine:
            mine.take()  # and removed when it is let go
    with contextlib.suppress(OSError):
        (root / "queue").rmdir()
    with contextlib.suppress(OSError):
        root.rmdir()


def _sweep_folder(models: Path, path: Path) -> None:
    listing = read_listing(path)
    # one that was sealed, but not yet put in its place, is only moved
    wanted = listing.wanted != "cancelled" if listing is not None else read_manifest(path) is not None
    if wanted:
        return
    with FolderLock(path) as lock:
        if lock.take():
            discard(models, path)
