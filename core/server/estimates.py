"""How long each step will take, going by earlier starts here of the same model, engine and flags."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from statistics import median
from typing import Final

import msgspec

from core.server.launch_record import LaunchRecord
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase

COUNTED: Final = 5  # of the newest starts
# What a start's time depends on. Not the port, the size of the KV cache or the share of the GPU's memory.
_SAME: Final = ("folder", "revision", "device", "version", "context", "speculative", "drafter", "eager")


class Estimates(msgspec.Struct, frozen=True):
    """`seconds`: of each step that was done before. `earlier`: on how many starts they rest, 0 = none."""

    seconds: dict[ServerPhase, float] = {}
    earlier: int = 0


def estimates(records: Iterable[LaunchRecord], spec: LaunchSpec) -> Estimates:
    """Medians of the newest starts that became ready. `records`: the newest first."""
    like = list(islice((record for record in records if _is_like(record, spec)), COUNTED))
    known: dict[ServerPhase, float] = {}
    for phase in STARTING:
        times = [
            step.seconds
            for record in like
            for step in record.phases
            if step.phase is phase and step.seconds is not None and not step.once
        ]
        if times:
            known[phase] = median(times)
    return Estimates(known, len(like))


def _is_like(record: LaunchRecord, spec: LaunchSpec) -> bool:
    return bool(record.ready) and all(getattr(record.spec, name) == getattr(spec, name) for name in _SAME)
