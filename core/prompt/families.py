"""Model families from resources/families.toml: what a model's own files do not say."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from core.paths import resources
from core.prompt.base import MediaKind

Quirk = Literal["two_prompt_tokens", "gpu_speculation"]


class Placeholder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a template writes for one medium, and the token of it that a server replaces by the medium's."""

    text: str
    token: str


class Pinned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model whose commit is known. `speculative`: JSON for vLLM's --speculative-config, "" = none.
    `guesses`: as many in a start by this program, 0 = as many as that says."""

    model: str
    revision: str
    speculative: str = ""
    guesses: int = 0


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`name_contains`: only models named so. `thinking`: the markers around a thinking part. `stops`: the
    tokens that end an answer. `quirks`: see the file."""

    name: str
    model_types: tuple[str, ...]
    stops: tuple[str, ...]
    name_contains: tuple[str, ...] = ()
    thinking: tuple[str, str] | None = None
    media: dict[MediaKind, Placeholder] = {}
    pinned: tuple[Pinned, ...] = ()
    quirks: tuple[Quirk, ...] = ()


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


def pinned(model: str) -> Pinned | None:
    """The known commit of a hub model, None for others. The hub's names do not depend on capitals."""
    pins = (pin for family in families() for pin in family.pinned)
    return next((pin for pin in pins if pin.model.lower() == model.lower()), None)
