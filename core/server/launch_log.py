"""A launch's log on disk: compressed while it comes, its beginning and its end kept, never a key in it."""

from __future__ import annotations

import contextlib
import logging
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from core.log_text import saved_lines

NAME: Final = "log.gz"
HEAD_BYTES: Final = 1 << 20  # of text, from the beginning
TAIL_BYTES: Final = 4 << 20  # of text, from the end; what lies between is left out
_PART_BYTES: Final = TAIL_BYTES // 8
_SYNC_BYTES: Final = 1 << 16  # a killed program's log ends at most so early
_LEFT_OUT: Final = "log.left-out"  # how many bytes of text
_GZIP: Final = 31  # zlib's name for the format
log = logging.getLogger(__name__)


class LaunchLog:
    """The beginning goes into log.gz, what follows into parts of which the newest are kept; `close` puts
    them together. A disk that is full ends the recording, never the start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: BinaryIO | None = None
        self._packer = zlib.compressobj(wbits=_GZIP)
        self._room = HEAD_BYTES
        self._unsynced = 0
        self._number = 0  # of the part that is written, 0 = the beginning
        self._parts: list[tuple[int, int]] = []  # (number, bytes of text) of those that are whole
        self._dropped = 0  # bytes of text
        self._broken = False

    def add(self, lines: Iterable[str]) -> None:
        if self._broken:
            return
        text = "".join(f"{line}\n" for came in lines for line in saved_lines(came))
        try:
            self._write(text.encode("utf-8", "replace"))
        except OSError as error:
            log.info("the log of the start is recorded no further: %s", error)
            self._broken = True

    def sync(self) -> None:
        """What has come so far can be read from now on, even if this program is killed."""
        if self._file is not None and not self._broken and self._unsynced:
            with contextlib.suppress(OSError):
                self._file.write(self._packer.flush(zlib.Z_SYNC_FLUSH))
                self._file.flush()
            self._unsynced = 0

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._end_part()
            if self._number and not self._broken:
                _join(self._folder)
        self._broken = True

    def _write(self, data: bytes) -> None:
        while data:
            if self._file is None:
                if self._number == 0:  # what another run wrote of this launch is read anew from Docker
                    _remove_parts(self._folder)
                self._file = _part(self._folder, self._number).open("wb")
                self._packer = zlib.compressobj(wbits=_GZIP)
            cut = data[: self._room]
            cut = cut[: cut.rfind(b"\n") + 1] if len(cut) < len(data) else cut
            self._file.write(self._packer.compress(cut))
            self._unsynced += len(cut)
            self._room -= len(cut)
            data = data[len(cut) :]
            if data:
                self._next_part()
        if self._unsynced >= _SYNC_BYTES:
            self.sync()

    def _next_part(self) -> None:
        written = (HEAD_BYTES if self._number == 0 else _PART_BYTES) - self._room
        self._end_part()
        if self._number:
            self._parts.append((self._number, written))
        while len(self._parts) * _PART_BYTES > TAIL_BYTES - _PART_BYTES:
            number, size = self._parts.pop(0)
            _part(self._folder, number).unlink(missing_ok=True)
            self._dropped += size
            (self._folder / _LEFT_OUT).write_text(str(self._dropped), encoding="ascii")
        self._number += 1
        self._room = _PART_BYTES

    def _end_part(self) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        with file:
            file.write(self._packer.flush())
        self._unsynced = 0


def read_log(folder: Path) -> Iterator[str]:
    """The lines that are there, also of a launch whose program was killed. Raises nothing."""
    for data in _members(folder):
        yield from _unpacked(data).decode("utf-8", "replace").splitlines()


def _part(folder: Path, number: int) -> Path:
    return folder / (f"log.{number}.gz" if number else NAME)


def _numbers(folder: Path) -> list[int]:
    found = [path.name.split(".")[1] for path in folder.glob("log.*.gz")]
    return sorted(int(number) for number in found if number.isdecimal())


def _members(folder: Path) -> Iterator[bytes]:
    """Beginning, a line that says what is left out, and the parts."""
    for number in (0, *_numbers(folder)):
        if number and number == _numbers(folder)[0]:
            with contextlib.suppress(OSError, ValueError):
                left_out = int((folder / _LEFT_OUT).read_text(encoding="ascii"))
                packer = zlib.compressobj(wbits=_GZIP)
                said = f"[… {left_out:,} bytes are left out here …]\n".encode()
                yield packer.compress(said) + packer.flush()
        with contextlib.suppress(OSError):
            yield _part(folder, number).read_bytes()


def _join(folder: Path) -> None:
    """One file of gzip members, in the place of several."""
    whole = folder / "log.part"
    with whole.open("wb") as file:
        for data in _members(folder):
            file.write(data)
    whole.replace(folder / NAME)
    _remove_parts(folder)


def _remove_parts(folder: Path) -> None:
    for number in _numbers(folder):
        _part(folder, number).unlink(missing_ok=True)
    (folder / _LEFT_OUT).unlink(missing_ok=True)


def _unpacked(data: bytes) -> bytes:
    """All members of a gzip file, the last as far as it goes."""
    out = bytearray()
    while data:
        unpacker = zlib.decompressobj(wbits=_GZIP)
        try:
            out += unpacker.decompress(data)
        except zlib.error:
            break
        data = unpacker.unused_data
    return bytes(out)
