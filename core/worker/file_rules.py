"""resources/downloads.toml: patterns of the files that are fetched, of code, and of unsafe weights."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import msgspec

from core.paths import resources

# files that can name code of the model's own; of the first one is its type
TELLING = ("config.json", "tokenizer_config.json", "processor_config.json")


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wanted: tuple[str, ...]
    skipped: tuple[str, ...]
    code: tuple[str, ...]
    unsafe: tuple[str, ...]


@cache
def rules() -> Rules:
    return msgspec.toml.decode((resources() / "downloads.toml").read_bytes(), type=Rules)


def matches(path: str, patterns: Iterable[str]) -> bool:
    """A pattern with a "/" is for the whole path, one without for the name alone."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in one else name, one) for one in patterns)


def is_fetched(path: str) -> bool:
    """Weights and what belongs to them; no code, and no unsafe weights under another's name."""
    known = rules()
    refused = (*known.skipped, *known.code, *known.unsafe)
    return matches(path, known.wanted) and not matches(path, refused)


def is_code(path: str) -> bool:
    """Program code that comes with a model; fetched only for who agreed to it."""
    return matches(path, rules().code) and not matches(path, (".*/*",))


def needs_code(config: Mapping[str, Any], plain: Collection[str], *others: Mapping[str, Any]) -> bool:
    """`config`: of config.json; `others`: of the rest of TELLING. `plain`: the model types that need none,
    whatever an auto_map says."""
    return any("auto_map" in one for one in (config, *others)) and config.get("model_type") not in plain


def is_unsafe(path: str) -> bool:
    """Weights in a format that can hide program code; never fetched."""
    return matches(path, rules().unsafe)
