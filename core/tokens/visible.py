"""A token's text with its blanks and controls made visible, for where a token stands alone."""

from __future__ import annotations

import unicodedata

_SIGNS = {" ": "·", "\n": "↵", "\t": "→", "\u00a0": "⍽"}
_UNSEEN = ("C", "Z")  # controls, formats, surrogates, unassigned; separators


def visible(text: str) -> str:
    """`·` blank, `⍽` no-break space, `↵` line feed, `→` tab; other unseen characters as "U+200D".

    A joiner between two signs stays, since it is seen by what it joins.
    """
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    found: list[str] = []
    for at, character in enumerate(text):
        sign = _SIGNS.get(character)
        if sign is None:
            joins = character == "\u200d" and 0 < at < len(text) - 1
            hidden = unicodedata.category(character)[0] in _UNSEEN and not joins
            sign = f"U+{ord(character):04X}" if hidden else character
        found.append(sign)
    return "".join(found)
