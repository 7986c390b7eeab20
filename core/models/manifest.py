"""The manifest of a model folder that this program made: sizes and sha256 of its files, written last.

A folder is made beside its place under a name with this program's process id, sealed with a manifest, and
renamed: nothing half-done ever looks ready, and what a killed program left is known and removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

NAME = "tokenloupe-manifest.json"
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


def is_ready(folder: Path) -> bool:
    """A manifest, and all its files in their size."""
    manifest = read_manifest(folder)
    return manifest is not None and not damaged_files(folder, manifest)


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
    """The last step. A folder that another program has finished meanwhile is left as it is."""
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


def remove_left_overs(parent: Path) -> None:
    """Partial folders (`.…-PID-…`) of programs that no longer run."""
    for path in parent.glob(".*-[0-9]*-*"):
        with contextlib.suppress(ValueError, IndexError):
            if not _running(int(path.name.split("-")[1])):
                shutil.rmtree(path, ignore_errors=True)


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
