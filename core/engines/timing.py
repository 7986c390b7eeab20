"""From when tokens came to how fast they were made; nothing where they were held back on the way."""

from __future__ import annotations

# Faster than anything decodes one answer: such tokens were collected somewhere and came at once.
_TOO_FAST = 10_000.0


def timing(first: float, last: float, tokens: int, later: int) -> tuple[float | None, float | None]:
    """(time to the first token, tokens a second after it). `first`, `last`: milliseconds from the request;
    `later`: how many came after the first piece. Several that came in one burst tell neither."""
    if tokens < 2:
        return first, None
    if last <= first or later * 1000 / (last - first) > _TOO_FAST:
        return None, None
    return first, later * 1000 / (last - first)
