"""One token as it stands alone: its label, the characters that begin in it, and whether a search finds it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import Enum

import msgspec

from core.tokens.visible import visible
from core.tokens.vocabulary import Vocabulary

_LONGEST = 4  # bytes of a character


class Sort(Enum):
    """How a token is shown."""

    TEXT = "text"
    BLANK = "blank"  # only blanks, line breaks, tabs
    SPECIAL = "special"
    BYTES = "bytes"  # not whole characters
    ABSENT = "absent"  # the vocabulary has no such id


class Label(msgspec.Struct, frozen=True):
    """`text`: never empty, all of it to be seen. `size`: bytes, 0 where they are not known."""

    text: str
    sort: Sort
    size: int


def label(vocabulary: Vocabulary, token: int) -> Label:
    """Blanks and controls as signs, what is no whole character as hex."""
    raw = vocabulary.bytes_of(token)
    if not raw:
        return Label(f"<id {token}>", Sort.ABSENT, 0)
    if vocabulary.is_part(token):
        return Label("\ufffd", Sort.BYTES, 0)
    if vocabulary.is_special(token):
        return Label(visible(raw.decode("utf-8", "replace")), Sort.SPECIAL, len(raw))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return Label(raw.hex(" ").upper(), Sort.BYTES, len(raw))
    sort = Sort.BLANK if text.isspace() else Sort.TEXT
    return Label(_standing(text), sort, len(raw))


def _standing(text: str) -> str:
    """A mark that sits on the character before it is given one to sit on; a selector, which shows nothing
    alone, is named."""
    first, shown = text[0], visible(text)
    if unicodedata.category(first)[0] != "M":
        return shown
    if "\ufe00" <= first <= "\ufe0f" or "\U000e0100" <= first <= "\U000e01ef":
        return f"U+{ord(first):04X}" + shown[1:]
    return "\u25cc" + shown


def matches(vocabulary: Vocabulary, token: int, words: str) -> bool:
    """`words` is the token's id, or is in its text as it is or as it is shown."""
    if words == str(token):
        return True
    wanted = words.casefold()
    raw = vocabulary.bytes_of(token).decode("utf-8", "replace").casefold()
    return wanted in raw or wanted in label(vocabulary, token).text.casefold()


def characters(vocabulary: Vocabulary, ids: Sequence[int], index: int) -> str:
    """The characters that begin in token `index`, with what later tokens bring of the last one: joined over
    all tokens they are the text. O(1)."""
    raw = vocabulary.bytes_of(ids[index])
    if raw.isascii():
        return raw.decode("ascii")
    own = raw[_continuing(vocabulary, ids, index) :]
    missing, after = _missing(own), index + 1
    while missing and after < len(ids):
        more = vocabulary.bytes_of(ids[after])
        joining = more[: min(_leading(more), missing)]
        own += joining
        missing -= len(joining)
        if len(joining) < len(more):
            break
        after += 1
    return own.decode("utf-8", "replace")


def _continuing(vocabulary: Vocabulary, ids: Sequence[int], index: int) -> int:
    """How many bytes of token `index` belong to a character that began before it."""
    leading = _leading(vocabulary.bytes_of(ids[index]))
    before, at = b"", index - 1
    while leading and at >= 0 and len(before) < _LONGEST:
        before = vocabulary.bytes_of(ids[at])[-_LONGEST:] + before
        at -= 1
    return min(leading, _missing(before))


def _leading(raw: bytes) -> int:
    """How many bytes at the start continue a character."""
    return next((at for at, byte in enumerate(raw) if byte & 0xC0 != 0x80), len(raw))


def _missing(raw: bytes) -> int:
    """How many bytes the last character still needs."""
    for back in range(1, min(_LONGEST, len(raw)) + 1):
        byte = raw[-back]
        if byte & 0xC0 != 0x80:
            size = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
            return max(0, size - back)
    return 0
