"""The English words of errors, from resources/errors.toml: what failed, why, what to do next.

The command line prints them as they are; the window translates them first.
"""

from __future__ import annotations

from collections.abc import Mapping

from core import sentences as files
from core.errors import LoupeError
from core.sentences import Words


def words() -> Mapping[str, Words]:
    """Code -> its three English sentences, as in resources/errors.toml."""
    return files.words("errors.toml")


def fill(sentence: str, error: LoupeError) -> str:
    """The sentence with the error's parameters in it."""
    return files.fill(sentence, error.params)


def entry(code: str) -> Words:
    """The words of a code, or of its family ("model.failed"), or of "internal"."""
    table = words()
    family = f"{code.split('.')[0]}.failed"
    return table.get(code) or table.get(family) or table["internal"]


def sentences(error: LoupeError) -> list[str]:
    """What, why and next in English, those that there are."""
    known = entry(error.code)
    return [fill(known[part], error) for part in ("what", "why", "next") if known.get(part)]
