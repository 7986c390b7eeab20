"""One answer for each state of the token card."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.engines.base import Sampling
from core.tokens.row import Candidate, TokenRow
from desktop.inspector.model import card_model
from desktop.inspector.values import AnswerFacts, CardModel
from tests.fakes.answers import Answer

EVERYTHING = AnswerFacts(Sampling(temperature=0.95, top_k=40, top_p=0.9))
RAW = AnswerFacts(Sampling(), ("model",), "vllm")
DIGITS = [(b"8", 0.613), (b"1", 0.19), (b"9", 0.098), (b"3", 0.041), (b"4", 0.029)]
NOUNS = [(b" word", 0.581), (b" term", 0.126), (b" name", 0.059), (b" place", 0.034), (b" phrase", 0.012)]


@dataclass(frozen=True)
class Listed:
    """The numbers of one made-up token."""

    chosen: bytes
    shares: list[tuple[bytes, float]]
    others: float | None = 0.029
    rank: int | None = 1
    kept: int | None = None
    drawn: float | None = None
    entropy: float | None = None
    guess: bool | None = None
    survive: int = 99  # how many of the listed the sampler kept


def token(made: Answer, listed: Listed) -> TokenRow:
    own = dict(listed.shares).get(listed.chosen)
    candidates = tuple(
        Candidate(
            made.ids[piece],
            math.log(share),
            (listed.rank if piece == listed.chosen else place),
            None if listed.kept is None else place <= listed.survive,
        )
        for place, (piece, share) in enumerate(listed.shares, 1)
    )
    return TokenRow(
        id=made.ids[listed.chosen],
        t_ms=1.0,
        logprob=None if own is None else math.log(own),
        rank=listed.rank,
        entropy=listed.entropy,
        candidates=candidates,
        others=listed.others,
        kept_count=listed.kept,
        sampling_logprob=None if listed.drawn is None else math.log(listed.drawn),
        guess=listed.guess,
    )


def one(listed: Listed, facts: AnswerFacts) -> CardModel:
    """The card of a single token."""
    made = Answer([piece for piece, _ in listed.shares] or [listed.chosen], more=[listed.chosen])
    made.row(token(made, listed)).finish()
    return card_model(made.table, 0, made.vocabulary, facts)


def split(facts: AnswerFacts = EVERYTHING, piece: int = 0) -> CardModel:
    """峯 in two tokens."""
    shares = [("峰".encode(), 0.482), (b"\xe5\xb3", 0.341), ("要".encode(), 0.06)]
    first = Listed(b"\xe5\xb3", shares, 0.117, 2, 40, 0.362, 1.71)
    second = Listed(b"\xaf", [(b"\xaf", 0.998)], 0.002, 1, 1, 1.0, 0.02)
    names = [piece for listed in (first, second) for piece, _ in listed.shares]
    made = Answer(names)
    made.row(token(made, first)).row(token(made, second)).finish()
    return card_model(made.table, piece, made.vocabulary, facts)


def cards() -> dict[str, CardModel]:
    """All states, by the names of the design."""
    everything = Listed(b"8", DIGITS, kept=3, drawn=0.696, entropy=1.8, survive=3)
    greedy = Listed(b"8", DIGITS, kept=1, drawn=1.0, entropy=1.8, survive=1)
    unlisted = [*NOUNS, (b" gum", 0.0004)]
    guess = [(b" Melbourne", 0.994), (b" Brisbane", 0.003), (b" Adelaide", 0.001)]
    logits = [(b"8", math.exp(18.42)), (b"1", math.exp(17.25)), (b"9", math.exp(16.59))]
    server = "It refused log probabilities with status 400, so the answer came without them."
    scores = AnswerFacts(Sampling(), ("logit",), "vllm", flag="--logprobs-mode raw_logprobs")
    processed = AnswerFacts(Sampling(temperature=0.95, top_k=40, top_p=0.9), ("sampling",), "vllm")
    no_rank = AnswerFacts(Sampling(), ("model",), "vllm", flag="--enable-scale-out")
    return {
        "everything": one(everything, EVERYTHING),
        "raw": one(Listed(b"8", DIGITS), RAW),
        "processed": one(
            Listed(b"8", [(b"8", 0.696), (b"1", 0.203), (b"9", 0.101)], None, 1, 3, 0.696), processed
        ),
        "logits": one(Listed(b"8", logits, None), scores),
        "no_rank": one(Listed(b" gum", unlisted, 0.1876, None), no_rank),
        "greedy": one(greedy, AnswerFacts(Sampling(temperature=0.0))),
        "not_listed": one(Listed(b" gum", unlisted, 0.1876, 212, 40, 0.0004, 2.9, survive=5), EVERYTHING),
        "split": split(),
        "guess": one(Listed(b" Melbourne", guess, 0.002, 1, guess=True), RAW),
        "nothing": one(
            Listed(b" Canberra", [], None, None),
            AnswerFacts(Sampling(), ("absent",), "vllm", server),
        ),
    }
