"""Which sampling values a server takes, and why not more: one table for the check and for the dock."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from core.engines.base import Sampling

# What a server may refuse. "greedy": temperature 0, and with it a top-k of any size. "min_p": and any
# logit bias. "top_k": unless temperature is 0.
Refusal = Literal["greedy", "min_p", "top_k"]
LOWEST_TEMPERATURE = 0.05  # where greedy is refused
HIGHEST_TOP_K = 128  # and top-k is needed
MAX_STOP_STRINGS = 4


class Range(msgspec.Struct, frozen=True):
    """`low` … `high`, and 0 as well if `zero`. `end`: where a slider ends, None = wherever it likes. `why`:
    what the server refuses that others take."""

    low: float
    high: float = math.inf
    zero: bool = False
    end: float | None = None
    why: Refusal | None = None

    def takes(self, value: float) -> bool:
        return self.low <= value <= self.high or (self.zero and value == 0)

    @property
    def text(self) -> str:
        """As numbers, for whoever asked for something else."""
        zero = "0, or " if self.zero else ""
        if self.low == self.high:
            return f"{self.low:g}"
        low = "> 0" if self.low == _ABOVE_ZERO else f"{self.low:g}"
        return f"{zero}{low} …" + ("" if self.high == math.inf else f" {self.high:g}")


_ABOVE_ZERO = 1e-6


def ranges(refuses: Sequence[str] = (), *, greedy: bool = False) -> Mapping[str, Range]:
    """By name of `Sampling`'s values. `greedy`: for a temperature of 0."""
    found = {
        # below 0.01 vLLM quietly raises it
        "temperature": Range(0.01, 2.0, zero=True),
        "top_k": Range(0),
        "top_p": Range(_ABOVE_ZERO, 1.0),
        "min_p": Range(0.0, 1.0),
        "presence_penalty": Range(-2.0, 2.0),
        "frequency_penalty": Range(-2.0, 2.0),
        "repetition_penalty": Range(_ABOVE_ZERO),
    }
    if "greedy" in refuses:
        found["temperature"] = Range(LOWEST_TEMPERATURE, 2.0, why="greedy")
        found["top_k"] = Range(1, end=HIGHEST_TOP_K, why="greedy")
    if "top_k" in refuses and not greedy:
        found["top_k"] = Range(0, 0, why="top_k")
    if "min_p" in refuses:
        found["min_p"] = Range(0, 0, why="min_p")
    return found


def within(sampling: Sampling, refuses: Sequence[str]) -> Sampling:
    """Recommended values moved to what the server takes."""
    known = ranges(refuses, greedy=sampling.greedy and "greedy" not in refuses)
    moved: dict[str, float] = {}
    for name, allowed in known.items():
        value = getattr(sampling, name)
        if not allowed.takes(value):
            moved[name] = (
                allowed.end if allowed.end is not None else min(max(value, allowed.low), allowed.high)
            )
    return msgspec.structs.replace(sampling, **moved)
