"""Whether files are what a listing says, byte for byte: sha256 for large ones, git's blob id for others."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from core.models.manifest import Manifest, read_manifest, write_manifest
from core.models.partial import ListedFile

_BLOCK = 1 << 20
Read = Callable[[int], None]  # is told the bytes read since the last call; raises to end early


class Hashes:
    """Of one file, fed in order."""

    def __init__(self, one: ListedFile) -> None:
        self._one = one
        self._sha256 = hashlib.sha256()
        self._blob = None if one.sha256 else hashlib.sha1(b"blob %d\0" % one.size)

    def update(self, block: bytes | memoryview[int]) -> None:
        self._sha256.update(block)
        if self._blob is not None:
            self._blob.update(block)

    @property
    def sha256(self) -> str:
        return self._sha256.hexdigest()

    @property
    def expected(self) -> str:
        return self._one.sha256 or self._one.blob

    @property
    def got(self) -> str:
        return self._blob.hexdigest() if self._blob is not None else self.sha256


def read_into(hashes: Hashes, path: Path, read: Read) -> int:
    """Bytes of the file, all fed to `hashes`. Raises OSError and what `read` raises."""
    size = 0
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            hashes.update(block)
            size += len(block)
            read(len(block))
    return size


def sha256_of(folder: Path, one: ListedFile, read: Read) -> str:
    """The file's sha256 if it is what is listed, "" if not or if it is a link."""
    path = folder / one.path
    try:
        if path.is_symlink() or path.stat().st_size != one.size:
            return ""
        hashes = Hashes(one)
        read_into(hashes, path, read)
    except OSError:
        return ""
    return hashes.sha256 if hashes.got == hashes.expected else ""


def damaged(folder: Path, manifest: Manifest, read: Read) -> tuple[str, ...]:
    """Names of the files whose content is not the manifest's; every byte is read, nothing is written."""
    listed = (ListedFile(one.name, one.size, one.sha256) for one in manifest.files)
    return tuple(one.path for one in listed if not sha256_of(folder, one, read))


def links_out(folder: Path) -> tuple[str, ...]:
    """Files and folders in it that are links to a place outside of it."""
    root = os.path.realpath(folder)
    return tuple(
        sorted(
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*")
            if path.is_symlink() and os.path.commonpath([root, os.path.realpath(path)]) != root
        )
    )


def note_damaged(folder: Path, bad: tuple[str, ...]) -> None:
    """Kept in the manifest, so that nobody starts it; a folder that cannot be written stays as it is."""
    manifest = read_manifest(folder)
    if manifest is None or manifest.damaged == bad:
        return
    with contextlib.suppress(OSError):
        write_manifest(folder, msgspec.structs.replace(manifest, damaged=bad))
