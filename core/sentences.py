"""Files of English sentences in resources: tables of them by code, and parameters filled into them."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from core.paths import resources

Words = Mapping[str, str]


@cache
def tables(name: str) -> Mapping[str, Any]:
    """A file of resources as it is. `name`: "errors.toml"."""
    with (resources() / name).open("rb") as file:
        return tomllib.load(file)


@cache
def words(name: str) -> Mapping[str, Words]:
    """Dotted code -> its English sentences, those of a table's values that are text."""
    return dict(_flat("", tables(name)))


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, Words]]:
    sentences: Words = {key: value for key, value in table.items() if isinstance(value, str)}
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
        if isinstance(value, str) or not format_spec:
            grouped = isinstance(value, int) and not isinstance(value, bool)
            return f"{value:,}" if grouped else str(value)
        return format(value, format_spec)


_filler = _Filler()


def fill(sentence: str, params: Mapping[str, object]) -> str:
    """The sentence with the parameters in it. A format (`{free:.2f}`) is for numbers; text stays as it is."""
    return str(_filler.vformat(sentence, (), params))
