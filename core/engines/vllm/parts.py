"""Bytes of tokens that are parts of characters: from how a server's tokenizer cuts texts full of rare ones.

/detokenize gives U+FFFD for a part, but /tokenize can send its raw names, which stand for exact bytes. They
are believed only where the bytes of all tokens together are the text that was sent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from core.worker.pieces import byte_alphabet

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_ALPHABET = byte_alphabet()
# first, after the last, every how many characters: letters, signs, kana, Chinese, Korean, emoji
_BLOCKS = (
    (0x00A1, 0x0590, 1),
    (0x0590, 0x2000, 3),
    (0x2010, 0x2E00, 2),
    (0x3001, 0x3200, 1),
    (0x3400, 0x4E00, 8),
    (0x4E00, 0xA000, 1),
    (0xA000, 0xAC00, 8),
    (0xAC00, 0xD7A4, 1),
    (0xE000, 0xE040, 1),
    (0xF900, 0x10000, 2),
    (0x10000, 0x1F000, 64),
    (0x1F000, 0x1FB00, 1),
    (0x20000, 0x30000, 256),
)
_AT_ONCE = 1000


def texts() -> Iterator[str]:
    """Short ones, so that none takes long to read. Some characters come a second time, after a blank."""
    for first, end, step in _BLOCKS:
        characters = "".join(filter(_stable, map(chr, range(first, end, step))))
        for at in range(0, len(characters), _AT_ONCE):
            some = characters[at : at + _AT_ONCE]
            yield f"{some} {' '.join(some[::3])}"


def _stable(character: str) -> bool:
    """False for what a tokenizer may write otherwise: blanks, controls, signs that join the one before."""
    kind = unicodedata.category(character)
    return unicodedata.normalize("NFKC", character) == character and (kind[0] not in "ZCM" or kind == "Co")


def exact(names: Sequence[str | None], text: str) -> list[bytes] | None:
    """The bytes of each of the tokens a text was cut into; None unless all together are the text."""
    for read in (_byte_level, _fallback):
        found = [read(name or "") for name in names]
        whole = b"".join(found)
        if whole in (text.encode(), b" " + text.encode()):
            return found
    return None


def _byte_level(name: str) -> bytes:
    """In GPT-2's alphabet every character stands for a byte."""
    return bytes(_ALPHABET.get(character, 0) for character in name)


def _fallback(name: str) -> bytes:
    byte = _BYTE.fullmatch(name)
    return bytes([int(byte[1], 16)]) if byte else name.replace("▁", " ").encode()
