"""The vocabulary as a memory-mapped blob: id → bytes, without loading a tokenizer.

The worker writes the blob once (`write_vocabulary`), everybody else maps it (`Vocabulary.open`).

Layout, little endian: 8 bytes magic, then a header of 8 uint32 (count, kind, strip_left, blob bytes, 4
spare), count + 1 uint32 offsets, count flag bytes, the blob. The file is named by the sha256 of its content;
a learned one, which grows, has a name of its own.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import tempfile
from collections.abc import Sequence
from enum import IntEnum, IntFlag
from pathlib import Path

MAGIC = b"TLVOCAB1"
HEADER = struct.Struct("<8s8I")


class Kind(IntEnum):
    """How token bytes join to text.

    BYTE_LEVEL: all bytes are one UTF-8 stream. BYTE_FALLBACK: ordinary tokens are whole text; a run of byte
    tokens is text only if the whole run is valid UTF-8, else every byte is U+FFFD (as Hugging Face
    tokenizers' ByteFallback decoder does).
    """

    BYTE_LEVEL = 0
    BYTE_FALLBACK = 1


class Flag(IntFlag):
    NONE = 0
    SPECIAL = 1  # a control token: shown as a pill, never copied
    BYTE = 2  # a byte token of a byte-fallback vocabulary
    ADDED = 4  # added after training; in byte-fallback decoding a token like any other
    UNUSED = 8  # the id exists in the model but has no token
    PART = 16  # part of a character whose bytes are not known: reads U+FFFD


def write_vocabulary(
    folder: Path, pieces: Sequence[bytes], flags: Sequence[int], kind: Kind, strip_left: int = 0
) -> Path:
    """Write the blob below `folder` unless it is there; returns its path. Atomic."""
    offsets = [0]
    for piece in pieces:
        offsets.append(offsets[-1] + len(piece))
    blob = b"".join(pieces)
    body = b"".join(
        (
            HEADER.pack(MAGIC, len(pieces), int(kind), strip_left, len(blob), 0, 0, 0, 0),
            struct.pack(f"<{len(offsets)}I", *offsets),
            bytes(flags),
            blob,
        )
    )
    target = folder / f"{hashlib.sha256(body).hexdigest()}.vocab"
    if target.is_file() and target.stat().st_size == len(body):
        return target
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return target


class Vocabulary:
    """Read-only map from token id to bytes and flags. Opening costs microseconds; look-ups are O(1)."""

    def __init__(self, data: memoryview | bytes) -> None:
        view = memoryview(data)
        if len(view) < HEADER.size:
            raise ValueError("the vocabulary file is cut short")
        magic, count, kind, strip_left, blob_size, *_ = HEADER.unpack_from(view)
        if magic != MAGIC:
            raise ValueError("not a vocabulary file")
        start = HEADER.size
        end = start + 4 * (count + 1)
        if len(view) != end + count + blob_size:
            raise ValueError("the vocabulary file is cut short")
        self.count: int = count
        self.kind = Kind(kind)
        self.strip_left: int = strip_left
        self._offsets = view[start:end].cast("I")
        self._flags = view[end : end + count]
        self._blob = view[end + count :]

    @classmethod
    def open(cls, path: Path) -> Vocabulary:
        """Map the file. Raises OSError or ValueError if it cannot be used."""
        with path.open("rb") as file:
            return cls(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))

    @classmethod
    def from_pieces(
        cls, pieces: Sequence[bytes], flags: Sequence[int], kind: Kind = Kind.BYTE_LEVEL, strip_left: int = 0
    ) -> Vocabulary:
        """A vocabulary in memory, for tests and synthetic engines."""
        with tempfile.TemporaryDirectory() as folder:
            return cls(write_vocabulary(Path(folder), pieces, flags, kind, strip_left).read_bytes())

    def __len__(self) -> int:
        return self.count

    def bytes_of(self, token: int) -> bytes:
        """The token's own bytes; b"" for an id without a token."""
        if not 0 <= token < self.count:
            return b""
        return bytes(self._blob[self._offsets[token] : self._offsets[token + 1]])

    def flags_of(self, token: int) -> Flag:
        return Flag(self._flags[token]) if 0 <= token < self.count else Flag.UNUSED

    def is_special(self, token: int) -> bool:
        return 0 <= token < self.count and bool(self._flags[token] & Flag.SPECIAL)

    def is_byte(self, token: int) -> bool:
        return 0 <= token < self.count and bool(self._flags[token] & Flag.BYTE)

    def is_unused(self, token: int) -> bool:
        """True for an id that has no token."""
        return not 0 <= token < self.count or bool(self._flags[token] & Flag.UNUSED)

    def is_part(self, token: int) -> bool:
        """True for a token whose bytes are not known, only that they are no whole characters."""
        return bool(self.flags_of(token) & Flag.PART)

    def label(self, token: int) -> str:
        """Text of one token on its own, for candidate lists: never empty.

        Bytes that are no whole characters come as hex ("E5 B3"); an id without a token as "<id 123>".
        """
        raw = self.bytes_of(token)
        if not raw:
            return f"<id {token}>"
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.hex(" ").upper()

    def is_whole(self, token: int) -> bool:
        """True if the token's bytes are whole characters by themselves."""
        if self.is_part(token):
            return False
        raw = self.bytes_of(token)
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return bool(raw)
