"""One token as an engine reports it: ids and numbers, no text yet."""

from __future__ import annotations

import msgspec


class Candidate(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An alternative at one position. `logprob` is of the kind of the answer's evidence: the model's, what
    was drawn from ("sampling"), or a score that is no probability ("logit"). `kept` None = not known."""

    id: int
    logprob: float | None
    rank: int | None = None
    kept: bool | None = None


class TokenRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is known of one generated token; None means not sent or not computed.

    `t_ms`: milliseconds from the start of the request. `logprob`: natural log of the model's own
    probability, before penalties. `rank`: 1 + the number of tokens strictly more likely. `entropy`: of the
    model's distribution, in bits. `candidates`: most likely first, the chosen one always among them.
    `others`: probability of everything not listed. `kept_count`: tokens left after penalties,
    temperature, min-p, top-k and top-p. `sampling_logprob`: of the chosen token among those.
    `guess`: True if this token was guessed ahead and kept.
    """

    id: int
    t_ms: float
    logprob: float | None = None
    rank: int | None = None
    entropy: float | None = None
    candidates: tuple[Candidate, ...] = ()
    others: float | None = None
    kept_count: int | None = None
    sampling_logprob: float | None = None
    guess: bool | None = None
