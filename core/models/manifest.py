"""The manifest of a model folder that this program made: sizes and sha256 of its files, written last."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

NAME = "tokenloupe-manifest.json"


class ManifestFile(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    revision: str
    files: tuple[ManifestFile, ...]
    format: int = 1


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
    """Names of files that are missing, of another size or, with `content`, of another sha256 (slow)."""
    bad = []
    for entry in manifest.files:
        path = folder / entry.name
        try:
            good = path.stat().st_size == entry.size
            if good and content:
                with path.open("rb") as file:
                    good = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
        except OSError:
            good = False
        if not good:
            bad.append(entry.name)
    return bad
