"""The models known by name, from resources/models.toml, and the line that serves a hub model with vLLM."""

from __future__ import annotations

import json
import shlex
from functools import cache

import msgspec

from core.engines.base import Sampling
from core.paths import resources
from core.prompt.base import MediaKind
from core.prompt.families import families, pinned

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


class Drafter(msgspec.Struct, frozen=True):
    """A model that guesses ahead for another, at the commit that goes with it ("" = not known)."""

    id: str
    revision: str


class KnownModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`id`: of the hub, or "built-in". `licence` "", `gated` None, `languages` (): not known until the hub is
    asked. `suggested`: its place among the suggestions, 0 = none. `sampling`: what it recommends where its
    own files do not say."""

    id: str
    name: str
    family: str
    licence: str = ""
    source: str = ""
    small: bool = False
    gated: bool | None = None
    languages: tuple[str, ...] = ()
    suggested: int = 0
    package: Package | None = None
    sampling: Sampling | None = None

    @property
    def revision(self) -> str:
        """The commit that families.toml pins, "" = none."""
        pin = pinned(self.id)
        return pin.revision if pin else ""

    @property
    def media(self) -> tuple[MediaKind, ...]:
        """Kinds of files that it reads beside text."""
        family = next(one for one in families() if one.name == self.family)
        return tuple(family.media)

    @property
    def drafter(self) -> Drafter | None:
        """Another model that is needed for its speculation; None where there is none, or it has its own."""
        pin = pinned(self.id)
        said = json.loads(pin.speculative) if pin and pin.speculative else {}
        return Drafter(said["model"], said.get("revision", "")) if "model" in said else None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: tuple[KnownModel, ...]


@cache
def known_models() -> tuple[KnownModel, ...]:
    return msgspec.toml.decode((resources() / "models.toml").read_bytes(), type=_File).model


def known_model(id_: str) -> KnownModel | None:
    return next((model for model in known_models() if model.id == id_), None)


def suggested() -> tuple[KnownModel, ...]:
    """Those to suggest, the first first."""
    return tuple(sorted((one for one in known_models() if one.suggested), key=lambda one: one.suggested))


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
