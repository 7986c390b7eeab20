"""The manifest of a model folder that this program made: sizes and sha256 of its files, written last.

A folder is made beside its place under a name with this program's process id and with a lock, sealed with a
manifest, and renamed: nothing half-done looks ready, and what a killed program left is known and removed.
A folder without a manifest is none of ours: it is never replaced, nor written into.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from core.errors import ModelError
from core.models.lock import FolderLock

NAME = "tokenloupe-manifest.json"
_LEFT_OVER = re.compile(r"\.(?:part|fetch)-(\d+)-.+")
_REPO = re.compile(r"(?:[A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BLOCK = 1 << 20


class ManifestFile(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """`repo`: of the hub, "" for others; then `revision` is its commit. `damaged`: names of files whose
    content was found to be another; the folder is not ready until they are there again."""

    revision: str
    files: tuple[ManifestFile, ...]
    repo: str = ""
    format: int = 1
    licence: str = ""
    gated: bool = False
    damaged: tuple[str, ...] = ()

    @property
    def tokenizer_only(self) -> bool:
        return bool(self.repo) and not any(one.name.endswith(".safetensors") for one in self.files)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write and sync. A folder without a manifest is never taken for ready."""
    temporary = folder / (NAME + ".part")
    with temporary.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest)))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / NAME)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest, or None if there is none that can be read."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError):
        return None


def need_ours(folder: Path) -> None:
    """Before something else takes its place. Raises ModelError("store.in_the_way") for what the person put
    there."""
    if os.path.lexists(folder) and not (folder / NAME).is_file():
        raise ModelError("store.in_the_way", folder=str(folder))


def is_ready(folder: Path) -> bool:
    """A manifest, and all its files in their size."""
    manifest = read_manifest(folder)
    return manifest is not None and not damaged_files(folder, manifest)


def is_there(folder: Path, *, tokenizer_only: bool) -> bool:
    """Ready, and all that is wanted of a model of the hub."""
    manifest = read_manifest(folder)
    return (
        manifest is not None
        and (tokenizer_only or not manifest.tokenizer_only)
        and not damaged_files(folder, manifest)
    )


def damaged_files(folder: Path, manifest: Manifest, *, content: bool = False) -> list[str]:
    """Names of files that are missing, of another size, known to be damaged or, with `content`, of another
    sha256 (slow)."""
    bad = []
    for entry in manifest.files:
        path = folder / entry.name
        try:
            good = path.stat().st_size == entry.size and (content or entry.name not in manifest.damaged)
            if good and content:
                with path.open("rb") as file:
                    good = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
        except OSError:
            good = False
        if not good:
            bad.append(entry.name)
    return bad


def seal(folder: Path, *, revision: str, repo: str = "", check: Callable[[], None]) -> None:
    """Sync all files and write the manifest last. `check` raises when it is to end early."""
    files: list[ManifestFile] = []
    for path in sorted(p for p in folder.iterdir() if p.is_file()):
        path.chmod(0o644)
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                check()
                digest.update(block)
            os.fsync(file.fileno())
        files.append(ManifestFile(path.name, path.stat().st_size, digest.hexdigest()))
    write_manifest(folder, Manifest(revision=revision, files=tuple(files), repo=repo))


def partial_folder(folder: Path) -> Path:
    """Where `folder` is made; not created here."""
    return folder.parent / f".part-{os.getpid()}-{folder.name}"


def is_name(repo: str) -> bool:
    """A name that a model on the hub can have; it becomes part of a path."""
    return _REPO.fullmatch(repo) is not None and ".." not in repo and "--" not in repo


def hub_folder(repo: str, commit: str) -> str:
    """Name of the folder that holds files of a hub model at one commit."""
    return f"{repo.replace('/', '--')}@{commit}"


def hub_model(folder: Path) -> tuple[str, str] | None:
    """Repository and commit by the name of a folder, which need not be there. None: it is none of the hub."""
    name, _, commit = folder.name.partition("@")
    known = _COMMIT.fullmatch(commit) is not None and name and not name.startswith(".")
    return (name.replace("--", "/", 1), commit) if known else None


def shown_name(folder: Path) -> str:
    """What to call a model by its folder: "org/name" of one from the hub, else the folder's own name."""
    name, _, commit = folder.name.partition("@")
    return name.replace("--", "/", 1) if len(commit) == 40 and "--" in name else folder.name


def put_in_place(partial: Path, folder: Path) -> None:
    """The last step. A folder that another program has finished meanwhile is left as it is. Raises OSError,
    ModelError("store.in_the_way")."""
    need_ours(folder)
    if folder.exists() and not is_ready(folder):
        if any(folder.glob("*.safetensors")) and not any(partial.glob("*.safetensors")):
            _mend(folder, partial)  # gigabytes are not removed for want of a small file
            return
        aside = partial.with_name(partial.name + "-old")
        folder.replace(aside)
        shutil.rmtree(aside, ignore_errors=True)
    try:
        partial.replace(folder)
    except OSError:
        if not is_ready(folder):
            raise


def _mend(folder: Path, partial: Path) -> None:
    for path in [*partial.iterdir()]:
        if path.name != NAME:
            path.replace(folder / path.name)


@contextlib.contextmanager
def being_made(partial: Path) -> Iterator[None]:
    """Inside, nobody takes it for a left-over, on whatever machine. Where the file system has no locks, the
    process id in its name says so on this one."""
    with FolderLock(partial) as lock:
        with contextlib.suppress(OSError):
            lock.take()
        yield


def remove_left_overs(parent: Path) -> None:
    """Folders that were being made (`.part-PID-NAME`) by programs that no longer run."""
    for path in parent.glob(".*-*-*"):
        known = _LEFT_OVER.fullmatch(path.name.removesuffix(".lock"))
        if known is None or _running(int(known[1])):
            continue
        folder = path.with_name(known[0])
        with contextlib.suppress(OSError), FolderLock(folder) as lock:
            if lock.take():
                shutil.rmtree(folder, ignore_errors=True)


def _running(pid: int) -> bool:
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
