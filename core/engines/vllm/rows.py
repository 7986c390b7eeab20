"""From what a server sent to what the table may hold: every number as the kind it is, none made up."""

from __future__ import annotations

import math
from enum import Enum

import msgspec

from core.engines.base import Evidence
from core.engines.vllm.step import Listed, Token
from core.tokens.row import Candidate, TokenRow

# A log probability of float32 may end a hair above zero; anything further above is none.
_ABOVE_ZERO = 1e-4


class Mode(Enum):
    """What the server's numbers are (`--logprobs-mode`), or that nothing could be found out."""

    RAW_LOGPROBS = "raw_logprobs"
    PROCESSED_LOGPROBS = "processed_logprobs"
    RAW_LOGITS = "raw_logits"
    PROCESSED_LOGITS = "processed_logits"
    UNKNOWN = "unknown"
    NONE = "none"  # no numbers at all

    @property
    def processed(self) -> bool:
        return self in (Mode.PROCESSED_LOGPROBS, Mode.PROCESSED_LOGITS)

    @property
    def logits(self) -> bool:
        return self in (Mode.RAW_LOGITS, Mode.PROCESSED_LOGITS)


EVIDENCE: dict[Mode, tuple[Evidence, ...]] = {
    Mode.RAW_LOGPROBS: ("model",),
    Mode.PROCESSED_LOGPROBS: ("sampling",),
    Mode.RAW_LOGITS: ("logit",),
    Mode.PROCESSED_LOGITS: ("logit",),
    Mode.UNKNOWN: ("absent",),
    Mode.NONE: ("absent",),
}


class Reading(msgspec.Struct, frozen=True):
    """How the tokens of one answer are to be read. `shown`: candidates kept besides the chosen one."""

    mode: Mode
    greedy: bool
    shown: int
    ranks: bool  # the route sends ranks


def row(token: Token, t_ms: float, reading: Reading) -> TokenRow:
    """The row of one token.

    `logprob` only where it is the model's own. The candidates' numbers are of the same kind as the answer's
    evidence: the model's, what was drawn from (processed), or scores (logits), which are no log
    probabilities. `rank` only where it is exact, or the server's for a token below all that are listed (it
    may then count ties the server did not list).
    """
    mode = reading.mode
    kept_count, drawn = _sampler(token, reading)
    if mode in (Mode.UNKNOWN, Mode.NONE):
        return TokenRow(token.id, t_ms, kept_count=kept_count, sampling_logprob=drawn)
    if not mode.logits:
        token = _probabilities(token)
        if mode is Mode.PROCESSED_LOGPROBS and drawn is None:
            drawn = token.value
    place = rank(token, server=reading.ranks)
    return TokenRow(
        id=token.id,
        t_ms=t_ms,
        logprob=token.value if mode is Mode.RAW_LOGPROBS else None,
        rank=place,
        candidates=_candidates(token, reading, place),
        kept_count=kept_count,
        sampling_logprob=drawn,
    )


def rank(token: Token, *, server: bool = True) -> int | None:
    """1 + the number of tokens strictly more likely; None if it cannot be known.

    While a listed token is no likelier than this one, every likelier one is listed too, so they are counted.
    Below all of them only the server's own rank is left, unless it contradicts what is listed.
    """
    if token.value is None:
        return None
    own, above = token.value, 0
    for one in token.listed:  # most likely first
        if one.value <= own:
            break
        above += 1
    if not token.gaps and above < len(token.listed):
        return above + 1
    if not token.gaps and token.fillers:
        return above + 1  # the rest has no chance at all
    return token.rank if server and token.rank is not None and token.rank > above else None


def _probabilities(token: Token) -> Token:
    """What stands above zero is no log probability: left out, never shown as more than certain."""
    value, listed = token.value, token.listed
    gaps = token.gaps
    if not (value is not None and value > 0) and not (listed and listed[0].value > 0):
        return token
    if value is not None and value > 0:
        value = 0.0 if value <= _ABOVE_ZERO else None
    if listed and listed[0].value > 0:
        gaps = gaps or any(one.value > _ABOVE_ZERO for one in listed)
        listed = tuple(Listed(one.id, min(one.value, 0.0)) for one in listed if one.value <= _ABOVE_ZERO)
    return msgspec.structs.replace(token, value=value, listed=listed, gaps=gaps)


def _sampler(token: Token, reading: Reading) -> tuple[int | None, float | None]:
    """(tokens left to draw from, log probability of the chosen one among them), as far as certain."""
    if reading.greedy:
        return 1, 0.0
    if token.mask is not None:
        # a mask without the token that was drawn is no mask of this draw
        return (len(token.mask) if token.id in token.mask else None), None
    if reading.mode.processed and token.fillers and token.value is not None and not token.gaps:
        return len(token.listed) + 1, None
    return None, None


def _candidates(token: Token, reading: Reading, own: int | None) -> tuple[Candidate, ...]:
    """The likeliest ones and the chosen one, most likely first, ties as listed. `own`: its rank."""
    if token.value is None and not token.listed:
        return ()
    mode = reading.mode
    if mode.processed and reading.greedy:
        return ()  # greedy takes a short cut past the sampler: these are not what was drawn from
    mask = token.mask if token.mask is not None and token.id in token.mask else None
    left = True if mode.processed else None  # what was cut is not listed
    exact = not token.gaps
    result: list[Candidate] = []
    place, last = 0, math.inf
    for at, (id, value) in enumerate(_all(token), 1):
        if value != last:
            place, last = at, value
        chosen = id == token.id
        if not chosen and len(result) >= reading.shown:
            continue
        if reading.greedy:
            left = chosen
        elif mask is not None:
            left = id in mask
        known = value if value != -math.inf else None
        result.append(Candidate(id, known, own if chosen else place if exact else None, left))
    return tuple(result)


def _all(token: Token) -> list[tuple[int, float]]:
    """Listed and chosen, most likely first; a chosen one without a number comes last."""
    own = -math.inf if token.value is None else token.value
    entries = [(one.id, one.value) for one in token.listed]
    place = next((at for at, (_, value) in enumerate(entries) if value <= own), len(entries))
    entries.insert(place, (token.id, own))
    return entries
