"""Blanks and controls of a token that stands alone are seen."""

from __future__ import annotations

import pytest

from core.tokens.visible import visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("word", "word"),
        (" probably", "·probably"),
        ("\n\n\t", "↵↵→"),
        ("a\u00a0b", "a⍽b"),
        ("\0\x1b", "U+0000U+001B"),
        ("\u200d", "U+200D"),
        ("\u202eabc", "U+202Eabc"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\u2028", "U+2028"),
        ("峯", "峯"),
        ("\ufffd", "\ufffd"),
    ],
)
def test_visible(text: str, seen: str) -> None:
    assert visible(text) == seen
