"""What one piece of a streamed answer says, the same for both routes, before any meaning is given to it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from core.engines.vllm.wire import Metrics, PlaceholderRange, Usage

FILLER = -9999.0  # stands for minus infinity and NaN on every route
_MAX_ID = 0xFFFFFFFE


class Listed(msgspec.Struct, frozen=True, gc=False):
    """An alternative as it came. `value`: the server's number, of whatever kind its mode makes it."""

    id: int
    value: float


class Token(msgspec.Struct, frozen=True):
    """One generated token as it came. `value` and `rank` None: not sent. `listed`: most likely first, each
    id once, without fillers and without the token itself. `fillers`: how many of those asked for were
    none. `gaps`: some of the list could not be told apart, so it is not the whole top. `mask`: ids that were
    left to draw from."""

    id: int
    value: float | None = None
    rank: int | None = None
    listed: tuple[Listed, ...] = ()
    fillers: int = 0
    gaps: bool = False
    mask: frozenset[int] | None = None


class Step(msgspec.Struct, frozen=True):
    """What one event says. `placeholders`: what stands for files in `prompt_ids`. `unknown_text`: text that
    came without ids, so nothing is known of its tokens. `error`: the server's words inside the stream;
    `status`: what it would have been as a status."""

    tokens: tuple[Token, ...] = ()
    finish_reason: str | None = None
    stop_reason: int | str | None = None
    usage: Usage | None = None
    metrics: Metrics | None = None
    prompt_ids: tuple[int, ...] | None = None
    placeholders: dict[str, list[PlaceholderRange]] | None = None
    unknown_text: str = ""
    error: str | None = None
    status: int = 200


def usable_id(value: int) -> bool:
    return 0 <= value <= _MAX_ID


def id_of(text: str | None) -> int | None:
    """The id in "token_id:N"; None for anything else."""
    if text is None or not text.startswith("token_id:"):
        return None
    digits = text[9:]
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 10:
        return None
    value = int(digits)
    return value if usable_id(value) else None


def known(value: float | None) -> float | None:
    """A number that says something: no NaN, no infinity, no filler."""
    return value if value is not None and FILLER < value < math.inf else None


def token(
    id: int,
    value: float | None,
    rank: int | None,
    entries: Iterable[tuple[int | None, float | None]],
    mask: list[int] | None = None,
) -> Token:
    """Put one token together from entries as they came: each id once, fillers counted, the token's own
    taken out."""
    own = known(value)
    fillers, gaps, ordered, last = 0, False, True, math.inf
    seen = {id}
    listed: list[Listed] = []
    for other, number in entries:
        if other is None or not 0 <= other <= _MAX_ID:
            gaps = True
        elif other == id:
            if value is None and own is None:
                own = known(number)
        elif other not in seen:
            seen.add(other)
            if number is not None and FILLER < number < math.inf:
                listed.append(Listed(other, number))
                ordered = ordered and number <= last
                last = number
            elif number is not None and number <= FILLER:
                fillers += 1
            else:
                gaps = True  # null or NaN: it may stand anywhere
    if not ordered:
        listed.sort(key=_by_value)
    usable = rank if rank is not None and rank >= 1 else None
    return Token(id, own, usable, tuple(listed), fillers, gaps, None if mask is None else frozenset(mask))


def _by_value(one: Listed) -> float:
    return -one.value
