"""The models known by name, from resources/models.toml, and the line that serves a hub model with vLLM."""

from __future__ import annotations

import shlex
from functools import cache

import msgspec

from core.engines.base import Sampling
from core.paths import resources
from core.prompt.families import pinned

BUILT_IN = "built-in"
VLLM_PORT = 8000  # what `vllm serve` listens on by itself


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


def serve_line(model: str, *, revision: str = "", port: int = VLLM_PORT, speculative: bool = True) -> str:
    """The shell line that serves `model` ("org/name" or a folder) so that all it can tell is seen.

    Its revision is the known one where none is given, its speculation (MTP) the known one; without, none.
    """
    pin = pinned(model)
    words = ["vllm", "serve", model]
    revision = revision or (pin.revision if pin else "")
    if revision:
        words += ["--revision", revision]
    if port != VLLM_PORT:
        words += ["--port", str(port)]
    lines = [shlex.join([*words, "--enable-scale-out"])]
    if speculative and pin and pin.speculative:
        lines.append(shlex.join(["--speculative-config", pin.speculative]))
        lines.append("--per-request-spec-decode-metrics detailed")
    return " \\\n  ".join(lines)
