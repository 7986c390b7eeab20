"""Whether a model fits a computer, as a range with every summand, before anything of it is fetched.

Weights and KV cache are arithmetic (headers.py, kv.py). The rest is measured with vLLM 0.32's CPU build on
models of several sizes, and said with each number.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal

import msgspec

from core.models.headers import Weights
from core.models.kv import Device, Kv, Unknown, kv_of, text_of
from core.models.room import Room
from core.worker.download_values import FLOOR

MIB: Final = 1 << 20
GIB: Final = 1 << 30
NEAR: Final = 1.1  # of the upper estimate: with less than that it is tight
LEAST: Final = 256  # tokens; with less no chat is possible
Code = Literal["weights", "kv", "processes", "working", "media", "compiling", "loading"]
Reason = Literal[
    "", "memory", "memory_maybe", "share", "disk", "image", "kv_space", "context", "room", "weights", "config"
]


class Verdict(Enum):
    FITS = "fits"
    TIGHT = "tight"
    TOO_BIG = "too_big"
    UNKNOWN = "unknown"


class Part(msgspec.Struct, frozen=True):
    """One summand, in bytes. `loading`: what loading takes beyond all the others, while it lasts."""

    code: Code
    low: int
    high: int


class Fit(msgspec.Struct, frozen=True):
    """`reason`: what decided a verdict other than FITS; with FITS "kv_space": if the launch gives the KV
    cache as much as is said here, more than was asked about. "memory_maybe": only the lower estimate fits.
    `detail`: for "config" what is not known. `context`: the tokens it was reckoned for, 0 = not known.
    `kv_space`: what the launch gives to the KV cache. `kv_per_token`: at that context. `largest`: the longest
    context for which there is room, at most the model's own, 0 = none; None = not known. `disk`: bytes that
    are still to come to the disk of the models, `spare`: what must stay free there beside them."""

    verdict: Verdict
    room: Room
    parts: tuple[Part, ...] = ()
    reason: Reason = ""
    detail: str = ""
    context: int = 0
    kv_space: int = 0
    kv_per_token: float = 0.0
    largest: int | None = None
    disk: int = 0
    spare: int = 0

    @property
    def low(self) -> int:
        return sum(part.low for part in self.parts)

    @property
    def high(self) -> int:
        return sum(part.high for part in self.parts)

    @property
    def left(self) -> int | None:
        """Of the room, by the upper estimate; less than nothing where it does not fit."""
        return None if self.room.usable is None else self.room.usable - self.high


def fit(
    config: Mapping[str, Any],
    weights: Weights | None,
    room: Room,
    context: int | None = None,
    *,
    kv_space: int | None = None,
    download: int = 0,
    guesses: int = 0,
    eager: bool = False,
    drafter: Weights | None = None,
    alone: bool = False,
) -> Fit:
    """`config`: the contents of its config.json. `context`: in tokens, None = the model's own. `kv_space`:
    what the launch sets aside for the KV cache, None = what that context needs. `download`: bytes of it that
    are not on disk yet. `guesses`: it makes ahead on a layer of its own. `drafter`: of another model that
    guesses for it. `alone`: one question at once, read in one step, as the built-in engine does. Raises
    nothing."""
    limit = _limit(config)
    tokens = context or limit or 0
    kv, unknown = _kv(config, room.device, guesses)
    needed = kv.bytes(tokens) if kv is not None else 0
    space = _step(max(needed, kv_space or 0), room.device)
    served = weights.served(config) if weights is not None else 0
    served += drafter.served({}) if drafter is not None else 0
    others = _others(config, room.device, tokens, eager, alone)
    parts = (
        Part("weights", served, served),
        Part("kv", _least(kv, tokens, kv_space, space, room.device), space),
        *others,
        *_loading(served, space, others, room.device),
    )
    found = Fit(
        Verdict.UNKNOWN,
        room,
        parts,
        context=tokens,
        kv_space=space,
        kv_per_token=kv.per_token(tokens) if kv is not None and kv.groups and tokens else 0.0,
        largest=_largest(kv, limit or tokens, _kv_room(room, parts, kv_space)),
        disk=download + ((room.image or 0) if room.one_disk else 0),
        spare=FLOOR if download else 0,
    )
    verdict, reason = _verdict(found, weights, unknown, kv_space)
    return msgspec.structs.replace(
        found, verdict=verdict, reason=reason, detail=unknown if reason == "config" else ""
    )


def _kv_room(room: Room, parts: tuple[Part, ...], kv_space: int | None) -> int | None:
    """What is left for the KV cache beside all that stays, by the upper estimates; of that not more than the
    launch sets aside."""
    if room.usable is None:
        return None
    left = room.usable - sum(part.high for part in parts if part.code not in ("kv", "loading"))
    left = left // GIB * GIB if room.device == "cpu" else left
    return left if kv_space is None else min(left, _step(kv_space, room.device))


def _verdict(
    found: Fit, weights: Weights | None, unknown: str, kv_space: int | None
) -> tuple[Verdict, Reason]:
    room, usable = found.room, found.room.usable
    if room.disk is not None and found.disk + found.spare > room.disk:
        return Verdict.TOO_BIG, "disk"
    if room.image and room.image_disk is not None and room.image > room.image_disk:
        return Verdict.TOO_BIG, "image"
    if weights is None or not weights.bytes:
        return Verdict.UNKNOWN, "weights"
    if usable is None:
        return Verdict.UNKNOWN, "room"
    if found.low > usable:
        return Verdict.TOO_BIG, "memory"
    if unknown:
        return Verdict.UNKNOWN, "config"
    if not found.context:
        return Verdict.UNKNOWN, "context"
    if room.share and room.memory is not None and room.memory * room.share > usable:
        return Verdict.TOO_BIG, "share"
    if found.high > usable:
        return Verdict.TOO_BIG, "memory_maybe"
    if found.high * NEAR > usable:
        return Verdict.TIGHT, "memory"
    if kv_space is not None and found.kv_space > _step(kv_space, room.device):
        return Verdict.FITS, "kv_space"
    return Verdict.FITS, ""


# --- the summands -----------------------------------------------------------------------------------------


def _kv(config: Mapping[str, Any], device: Device, guesses: int) -> tuple[Kv | None, str]:
    try:
        return kv_of(config, device, guesses=guesses), ""
    except Unknown as unknown:
        return None, str(unknown)


def _least(kv: Kv | None, tokens: int, kv_space: int | None, space: int, device: Device) -> int:
    """The space is taken at once and as a whole. Only what a GPU needs is not known to the block: how its
    layers are arranged depends on the card."""
    if device == "cpu" or kv is None:
        return space
    return min(space, max(kv.exact(tokens), kv_space or 0))


def _step(size: int, device: Device) -> int:
    """The CPU image takes whole GiB alone."""
    return max(1, -(-size // GIB)) * GIB if device == "cpu" else size


def _largest(kv: Kv | None, limit: int, space: int | None) -> int | None:
    if kv is None or space is None or not limit:
        return None
    longest = kv.largest(max(space, 0), limit)
    return longest if longest >= LEAST else 0


# On a processor: four processes with their Python and libraries, eager, without weights and KV cache.
# Proportional set sizes, on three machines: 1370 to 1390 MiB with tiny models of three architectures, 1710 to
# 1790 MiB with the built-in one (180 of them for its tokenizer, in two processes; 210 since its weights are
# put into another order), 1100 MiB with one of 1.9 GB. Resident sets are larger, but count libraries once for
# each process; Docker counts them once.
# On a GPU: its context and libraries. Not measured, so a wide range.
_PROCESSES: Final[Mapping[Device, tuple[int, int]]] = {
    "cpu": (1450 * MIB, 1750 * MIB),
    "gpu": (256 * MIB, GIB),
}
# What only the first answers need: compilers beside the server on a processor, the graphs of a GPU. A range
# from nothing, since a cache may have it all.
_COMPILING: Final = GIB
# Encoders and the preparing of files, beyond the weights: what is left of the 9 GB that Qwen3.5 0.8B takes of
# Docker's memory on a processor after all other summands. Not measured apart, so from nothing.
_MEDIA: Final = 7 * GIB // 4
_SEQUENCES: Final[Mapping[Device, int]] = {"cpu": 128, "gpu": 256}  # at most at once, as vLLM sets it
_STEP: Final = 2048  # tokens that are computed at once, as vLLM sets it


def _others(
    config: Mapping[str, Any], device: Device, tokens: int, eager: bool, alone: bool
) -> tuple[Part, ...]:
    working = _working(config, device, tokens, alone)
    found = [Part("processes", *_PROCESSES[device]), Part("working", *working)]
    if any(isinstance(config.get(f"{kind}_config"), Mapping) for kind in ("vision", "audio")):
        found.append(Part("media", 0, _MEDIA))
    if not eager:
        found.append(Part("compiling", 0, _COMPILING))
    return tuple(found)


def _working(config: Mapping[str, Any], device: Device, tokens: int, alone: bool) -> tuple[int, int]:
    """Of one step, as arithmetic: what goes through a layer in 16 bits, and all logits in float32 for every
    sequence. At most both of it twice, and the logits sorted for the sampler as well. `alone`: there is one
    sequence, and at most all of its tokens are one step."""
    text = text_of(config)
    sizes = [text.get(name) for name in ("hidden_size", "intermediate_size", "vocab_size")]
    wide, inner, words = (size if isinstance(size, int) and size > 0 else 0 for size in sizes)
    step = min(_STEP, tokens) if tokens else _STEP
    most = max(step, tokens) if alone else step
    through = (4 * wide + 2 * inner) * 2  # of one token
    logits = (1 if alone else _SEQUENCES[device]) * words * 4
    return step * through, 2 * most * through + 3 * logits


def _loading(served: int, space: int, others: tuple[Part, ...], device: Device) -> tuple[Part, ...]:
    """For a while up to two of the weights on a processor, before there is a KV cache: they are put into
    another order once they are read, and the allocator of the image keeps what it is given back. As seen with
    Gemma 4 E2B: killed while it loads into 16 GB, not into 24. Without that allocator nothing of it was
    measured (1.9 GB of weights: at the highest 1.1 GiB beside them and the KV cache), so from nothing."""
    if device == "gpu":
        return ()
    beside = space + sum(part.high for part in others if part.code != "processes")
    extra = max(0, served - beside)
    return (Part("loading", 0, extra),) if extra else ()


def _limit(config: Mapping[str, Any]) -> int | None:
    limit = text_of(config).get("max_position_embeddings")
    return limit if isinstance(limit, int) and not isinstance(limit, bool) and limit > 0 else None
