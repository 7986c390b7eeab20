"""Whether models fit the engine in use: core's estimate as the picker shows it. Reads files; no Qt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from core.errors import ModelError
from core.models.fit import GIB, MIB, NEAR, Fit, Verdict, fit
from core.models.headers import Weights, weights_in
from core.models.room import Room
from core.server.machine import free_of, look
from core.settings import Settings
from desktop.models.values import Badge, FitPart, FitView, Machine

_USUAL: Final = 8192  # tokens: the built-in engine takes memory for a context as it grows
# The built-in engine's process beside the weights: with the built-in model on Linux its memory (PSS) was at
# most 388 MB more than they are in bfloat16, 535 MB in float32; other models have the same libraries.
_OWN: Final = (360 * MIB, 600 * MIB)
_NOT_THERE: Final = ("processes", "compiling", "loading")  # summands of vLLM alone
ASKED: Final = "asked"  # Room.why: Docker has not answered yet
Engine = Literal["local", "cpu", "gpu"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model would run. `room`: what there is of it, in bytes. `kv_space`: what a start sets aside for
    the KV cache."""

    engine: Engine
    room: Room
    kv_space: int | None = None

    @property
    def machine(self) -> Machine:
        room = self.room
        device: Literal["gpu", "cpu"] = "gpu" if self.engine == "gpu" else "cpu"
        name = "" if self.engine == "local" else room.name or f"vLLM {device.upper()}"
        free = None if room.free is None else room.usable
        return Machine(name, device, room.usable, free, room.memory, room.disk)


def place_of(engine: Engine, settings: Settings, models: Path, room: Room | None) -> Place:
    """`room`: what a start in Docker may use as it was told last, None = not told yet. For the built-in
    engine looks at this computer's memory and the disk."""
    if engine == "local":
        here = look()
        memory, free = here.memory or None, here.free or None
        return Place(engine, Room(device="gpu", memory=memory, free=free, disk=free_of(models)))
    if room is None or room.device != engine:
        room = Room(device=engine, why=ASKED, disk=free_of(models))
    return Place(engine, room, settings.vllm_kv_gib * GIB)


def fit_view(
    config: Mapping[str, Any], weights: Weights | None, place: Place, *, download: int = 0
) -> FitView:
    """`download`: bytes that are still to come to the disk."""
    if place.engine != "local":
        found = fit(config, weights, place.room, kv_space=place.kv_space, download=download)
        return _view(found, place, tuple(FitPart(part.code, part.low, part.high) for part in found.parts))
    found = fit(config, weights, place.room, download=download, eager=True, alone=True)
    context = min(found.context, _USUAL)
    if context:
        found = fit(config, weights, place.room, context, download=download, eager=True, alone=True)
    parts = tuple(FitPart(one.code, one.low, one.high) for one in found.parts if one.code not in _NOT_THERE)
    return _own_view(found, place, (*parts, FitPart("engine", *_OWN)))


def _view(found: Fit, place: Place, parts: tuple[FitPart, ...]) -> FitView:
    return FitView(
        Badge.TIGHT if found.reason == "kv_space" else _badge(found.verdict, place),
        parts,
        room=found.room.usable,
        device="gpu" if place.engine == "gpu" else "cpu",
        context=found.context,
        largest=found.largest,
        reason=found.reason,
        detail=found.room.why if found.reason == "room" else found.detail,
        disk_needed=found.disk,
        disk_spare=found.spare,
        disk_free=found.room.disk,
        image=0 if found.room.one_disk and found.room.image else found.room.image,  # else it is in `disk`
        image_free=found.room.image_disk,
    )


def _own_view(found: Fit, place: Place, parts: tuple[FitPart, ...]) -> FitView:
    """The verdict again, by the summands of the built-in engine."""
    view = _view(found, place, parts)
    if found.verdict is Verdict.UNKNOWN or found.reason == "disk" or view.room is None:
        return view
    if view.high > view.room:
        reason = "memory" if view.low > view.room else "memory_maybe"
        return replace(view, badge=Badge.TOO_BIG, reason=reason)
    if view.high * NEAR > view.room:
        return replace(view, badge=Badge.TIGHT, reason="memory")
    return replace(view, badge=Badge.FITS, reason="")


def _badge(verdict: Verdict, place: Place) -> Badge:
    fits = {"gpu": Badge.FITS_GPU, "cpu": Badge.FITS_CPU, "local": Badge.FITS}[place.engine]
    return {
        Verdict.FITS: fits,
        Verdict.TIGHT: Badge.TIGHT,
        Verdict.TOO_BIG: Badge.TOO_BIG,
        Verdict.UNKNOWN: Badge.UNKNOWN,
    }[verdict]


def fit_of_folder(folder: Path, place: Place) -> FitView:
    """Of a model on disk, from its config and the headers of its weights."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = weights_in(folder)
    except (OSError, ValueError, RecursionError):
        return FitView(Badge.UNKNOWN, reason="config", detail="config.json")
    except ModelError:
        return FitView(Badge.UNKNOWN, reason="weights")
    return fit_view(config if isinstance(config, dict) else {}, weights, place)
