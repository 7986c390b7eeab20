"""UTF-16 slicing and what each character is painted as, one unit for one unit. No Qt."""

from __future__ import annotations

import re
import unicodedata

# What ends a paragraph. One UTF-16 unit each; "\r" before "\n" stays in the paragraph, without width.
BREAK = re.compile("[\n\u2028\u2029]")

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
# Hebrew, Arabic and their neighbours, presentation forms, RLM and ALM
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u061c\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
ZERO_WIDTH = "\u200b"
_JOINER = 0x2060

# Controls are shown by their pictures; what would reorder or replace foreign text has no effect here, so
# that what is on the screen is what is in the tokens.
_SHOWN: dict[int, int] = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_SHOWN[0x7F] = 0x2421
_SHOWN |= dict.fromkeys(range(0x80, 0xA0), 0x2426)
_SHOWN[0x85] = 0x2424
_SHOWN[0xFFFC] = 0x25A1
_SHOWN |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), _JOINER)
_ODD = re.compile("[" + "".join(re.escape(chr(code)) for code in _SHOWN) + "]")


def flat(text: str) -> str:
    """The text with two placeholders for each character of two units: indexed by UTF-16 unit."""
    return text if text.isascii() else _ASTRAL.sub("\ue000\ue000", text)


def cut16(text: str, first: int, last: int) -> str:
    """The characters of units [first, last); an edge inside a character takes the whole character."""
    first = max(first, 0)
    if text.isascii() or not _ASTRAL.search(text):
        return text[first:last]
    raw = text.encode("utf-16-le", "surrogatepass")
    size = len(raw) // 2
    first, last = min(first, size), min(last, size)
    if first < size and _trails(raw, first):
        first -= 1
    if 0 < last < size and _trails(raw, last):
        last += 1
    return raw[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")


def _trails(raw: bytes, unit: int) -> bool:
    return 0xDC <= raw[2 * unit + 1] <= 0xDF and unit > 0 and 0xD8 <= raw[2 * unit - 1] <= 0xDB


def shown(text: str, *, ends: bool = False) -> str:
    """The text as it is painted: the same number of UTF-16 units. `ends`: a line end follows."""
    if ends and text.endswith("\r"):
        text = text[:-1] + ZERO_WIDTH
    return text.translate(_SHOWN) if _ODD.search(text) else text


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def first_direction(text: str) -> str:
    """Bidi class of the first strong character: "L", "R", "AL", or "" if there is none."""
    for character in text:
        found = unicodedata.bidirectional(character)
        if found in ("L", "R", "AL"):
            return found
    return ""


def last_direction(text: str) -> str:
    """Bidi class of the last strong character, "" if there is none."""
    return first_direction(text[::-1])


# An invisible character of each strong class: carries the context of a paragraph over a cut.
CONTEXT = {"L": "\u200e", "R": "\u200f", "AL": "\u061c", "": ""}
