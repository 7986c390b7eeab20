"""The English words of errors, from resources/errors.toml: what failed, why, what to do next.

The command line prints them as they are; the window translates them first.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from core.errors import LoupeError
from core.paths import resources


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """Code -> its three English sentences, as in resources/errors.toml."""
    with (resources() / "errors.toml").open("rb") as file:
        return dict(_flat("", tomllib.load(file)))


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, Mapping[str, str]]]:
    sentences: Mapping[str, str] = {key: value for key, value in table.items() if isinstance(value, str)}
    found = [(prefix, sentences)]
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(f"{prefix}.{key}" if prefix else key, value)
    return [(code, entry) for code, entry in found if entry]


class _Filler(string.Formatter):
    """Fills `{name}`; whole numbers get thousands separators, an absent parameter shows as an ellipsis."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), "…")

    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, int) and not isinstance(value, bool) and not format_spec:
            return f"{value:,}"
        return format(value, format_spec) if format_spec else str(value)


_filler = _Filler()


def fill(sentence: str, error: LoupeError) -> str:
    """The sentence with the error's parameters in it."""
    return str(_filler.vformat(sentence, (), error.params))


def entry(code: str) -> Mapping[str, str]:
    """The words of a code, or of its family ("model.failed"), or of "internal"."""
    table = words()
    family = f"{code.split('.')[0]}.failed"
    return table.get(code) or table.get(family) or table["internal"]


def sentences(error: LoupeError) -> list[str]:
    """What, why and next in English, those that there are."""
    known = entry(error.code)
    return [fill(known[part], error) for part in ("what", "why", "next") if known.get(part)]
