"""Owns the words of errors in the window: code and parameters in, translated sentences out."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from core.errors import LoupeError
from core.paths import resources

CONTEXT: Final = "Errors"


@dataclass(frozen=True, slots=True)
class ErrorText:
    """`what` failed, `why`, what to do `next`; `detail` is foreign text: plain, in mono, untranslated."""

    what: str
    why: str
    next: str
    detail: str

    @property
    def line(self) -> str:
        """What and why in one line, for narrow places."""
        return f"{self.what} {self.why}".strip()


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


_fill = _Filler()


def _entry(code: str) -> Mapping[str, str]:
    """The words of a code, or of its family ("model.failed"), or of "internal"."""
    table = words()
    family = f"{code.split('.')[0]}.failed"
    return table.get(code) or table.get(family) or table["internal"]


def describe(error: LoupeError) -> ErrorText:
    """The error in the present language. Never raises: an unknown code has its family's words."""
    entry = _entry(error.code)

    def sentence(part: str) -> str:
        english = entry.get(part, "")
        if not english:
            return ""
        translated = QCoreApplication.translate(CONTEXT, english)
        return str(_fill.vformat(translated, (), error.params))

    detail = error.detail if error.code in words() else ": ".join(filter(None, (error.code, error.detail)))
    return ErrorText(sentence("what"), sentence("why"), sentence("next"), detail)


def report(error: LoupeError, about: str) -> str:
    """Plain text for "Copy report": code, parameters and foreign text, in English, with `about` first."""
    entry = _entry(error.code)
    parameters = [f"{name}: {value}" for name, value in error.params.items()]
    lines = [about, f"code: {error.code}", entry.get("what", ""), *parameters, error.detail]
    return "\n".join(line for line in lines if line)
