"""Model families from resources/families.toml: what a model's own files do not say."""

from __future__ import annotations

from functools import cache

import msgspec

from core.paths import resources


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`thinking`: the markers around a thinking part. `name_contains`: only models named so."""

    name: str
    model_types: tuple[str, ...]
    name_contains: tuple[str, ...] = ()
    thinking: tuple[str, str] | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    family: tuple[Family, ...]


@cache
def families() -> tuple[Family, ...]:
    return msgspec.toml.decode((resources() / "families.toml").read_bytes(), type=_File).family


def family_of(model_type: str, name: str = "") -> Family | None:
    """The family of a model by its config's model_type and its name; None if it is not known."""
    lowered = name.lower()
    for family in families():
        if model_type in family.model_types and (
            not family.name_contains or any(part in lowered for part in family.name_contains)
        ):
            return family
    return None
