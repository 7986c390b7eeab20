"""The models known by name, from resources/models.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from core.engines.base import Sampling
from core.paths import resources

BUILT_IN = "built-in"


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Python package that carries the weights; only read, never imported."""

    requirement: str
    wheel_sha256: str
    wheel_bytes: int
    member: str
    member_sha256: str
    room_bytes: int
    digits_split: bool
    context_limit: int
    check_prompt: tuple[int, ...]
    check_ids: tuple[int, ...]


class KnownModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    family: str
    licence: str
    source: str
    small: bool = False
    package: Package | None = None
    sampling: Sampling | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: tuple[KnownModel, ...]


@cache
def known_models() -> tuple[KnownModel, ...]:
    return msgspec.toml.decode((resources() / "models.toml").read_bytes(), type=_File).model


def built_in() -> KnownModel:
    return next(model for model in known_models() if model.id == BUILT_IN)
