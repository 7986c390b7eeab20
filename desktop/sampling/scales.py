"""How each sampling value lies on its slider, and its allowed range. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from core.engines.limits import Range

STEPS = 1000  # positions of every slider


@dataclass(frozen=True, slots=True)
class Scale:
    """`low`..`high` may be typed; the slider covers `start`..`end`, finer near `start` if `power` > 1."""

    name: str
    low: float
    high: float
    start: float
    end: float
    decimals: int
    power: float = 1.0

    def position(self, value: float) -> int:
        """Slider position of a value; values beyond the slider sit at its ends."""
        share = (value - self.start) / (self.end - self.start)
        return round(math.pow(min(max(share, 0.0), 1.0), 1 / self.power) * STEPS)

    def value(self, position: int) -> float:
        """Value of a slider position, rounded as it is shown."""
        share = math.pow(position / STEPS, self.power)
        return round(self.start + share * (self.end - self.start), self.decimals)

    def clamp(self, value: float) -> float:
        return round(min(max(value, self.low), self.high), self.decimals)


SCALES: tuple[Scale, ...] = (
    Scale("temperature", 0.0, 10.0, 0.0, 2.0, 2),
    Scale("top_k", 0, 1_000_000, 0, 400, 0, power=2.0),
    Scale("top_p", 0.01, 1.0, 0.01, 1.0, 2),
    Scale("min_p", 0.0, 1.0, 0.0, 1.0, 2, power=2.0),
    Scale("repetition_penalty", 0.1, 10.0, 0.5, 2.0, 2),
)


def narrowed(scale: Scale, allowed: Range) -> Scale:
    """The same scale within what an engine takes."""
    low = max(scale.low, 0.0 if allowed.zero else allowed.low)
    high = min(scale.high, allowed.high)
    end = min(scale.end, high if allowed.end is None else allowed.end)
    return replace(scale, low=low, high=high, start=max(scale.start, low), end=end)


_UNSIGNED_64 = 2**64


def seed_from(text: str) -> int | None:
    """The seed in an input, None if it is empty. Raises ValueError if it is not one."""
    stripped = text.strip().replace(",", "")
    if not stripped:
        return None
    seed = int(stripped)
    if not 0 <= seed < _UNSIGNED_64 // 2:
        raise ValueError(text)
    return seed


def tokens_from(text: str) -> int | None:
    """The limit of new tokens in an input, None if it is empty. Raises ValueError if it is not one."""
    stripped = text.strip().replace(",", "")
    if not stripped:
        return None
    limit = int(stripped)
    if not 1 <= limit <= 10_000_000:
        raise ValueError(text)
    return limit
