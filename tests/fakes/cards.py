"""One answer for each state of the token card."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from core.chat.messages import Answer as Record
from core.engines.base import NOTHING, EngineInfo, Extras, Finished, Sampling, Speculation, Structured
from core.engines.vllm.rows import EVIDENCE, Mode, Reading, row
from core.engines.vllm.step import Token, token
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import TokenTable
from desktop.inspector.answers import facts_of
from desktop.inspector.model import card_model
from desktop.inspector.values import AnswerFacts, CardModel
from tests.fakes.answers import Answer

COOL = Sampling(temperature=0.95, top_k=40, top_p=0.9)
PENALTIES = Sampling(temperature=0.95, top_k=40, top_p=0.9, repetition_penalty=1.1, presence_penalty=0.5)
EVERYTHING = AnswerFacts(COOL)
REFUSED = "Out of range float values are not JSON compliant: -inf"
RAW = AnswerFacts(Sampling(), ("model",), "vllm", "generate", Mode.RAW_LOGPROBS)
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


def made_up(made: Answer, listed: Listed) -> TokenRow:
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
    made.row(made_up(made, listed)).finish()
    return card_model(made.table, 0, made.vocabulary, facts)


def split(facts: AnswerFacts = EVERYTHING, piece: int = 0) -> CardModel:
    """峯 in two tokens."""
    shares = [("峰".encode(), 0.482), (b"\xe5\xb3", 0.341), ("要".encode(), 0.06)]
    first = Listed(b"\xe5\xb3", shares, 0.117, 2, 40, 0.362, 1.71)
    second = Listed(b"\xaf", [(b"\xaf", 0.998)], 0.002, 1, 1, 1.0, 0.02)
    names = [piece for listed in (first, second) for piece, _ in listed.shares]
    made = Answer(names)
    made.row(made_up(made, first)).row(made_up(made, second)).finish()
    return card_model(made.table, piece, made.vocabulary, facts)


@dataclass(frozen=True)
class Sent:
    """One token as a vLLM server sends it: shares (or scores) of the listed, ids at −9999 after them."""

    chosen: bytes
    listed: list[tuple[bytes, float]]
    own: float | None = None  # of a chosen one that is not listed
    rank: int | None = None
    fillers: int = 0
    mask: int | None = None  # how many ids the sampling mask holds

    def pieces(self) -> list[bytes]:
        fillers = [b"filler %d" % number for number in range(max(self.fillers, self.mask or 0))]
        return [*dict.fromkeys([*(piece for piece, _ in self.listed), self.chosen]), *fillers]

    def token(self, ids: dict[bytes, int], scores: bool) -> Token:
        number = (lambda value: value) if scores else math.log
        entries = [(ids[piece], number(value)) for piece, value in self.listed]
        entries += [(ids[b"filler %d" % number], -9999.0) for number in range(self.fillers)]
        own = dict(self.listed).get(self.chosen, self.own)
        mask = None
        if self.mask is not None:
            known = [
                ids[piece] for piece in dict.fromkeys([*(piece for piece, _ in self.listed), self.chosen])
            ]
            mask = [*known, *(ids[b"filler %d" % number] for number in range(self.mask - len(known)))]
        return token(ids[self.chosen], None if own is None else number(own), self.rank, entries, mask)


def server(
    numbers: Mode = Mode.RAW_LOGPROBS,
    route: str = "generate",
    sampling: Sampling = COOL,
    extras: Extras = NOTHING,
    **finished: Any,
) -> Record:
    """An answer of a server on record, without its tokens."""
    info = EngineInfo(
        "vllm", "m", version="0.32.0", route=route, numbers=numbers.value, evidence=EVIDENCE[numbers]
    )
    end = Finished("stop", None, 1, 3, 9, None, 120.0, 50.0, **finished)
    return Record(TokenTable(), "", sampling, info, 0.0, finished=end, extras=extras)


def served(sent: Sent, record: Record, *, before: int = 0, guesses: int = 0) -> CardModel:
    """The card of a token of a server, made as the program makes it; `before` tokens of the model's own come
    first, then `guesses` with it as the last of them."""
    facts = facts_of(record)
    assert facts.mode is not None
    made = Answer(sent.pieces(), more=[b"x"])
    reading = Reading(facts.mode, record.sampling.greedy, 5, record.info.route == "generate")
    made.add([b"x"] * (before + max(guesses - 1, 0)), None)
    made.row(row(sent.token(made.ids, facts.mode.logits), 120.0, reading)).finish()
    if record.finished is not None and record.finished.speculation is not None:
        made.table.mark_guesses(record.finished.speculation.guesses or ())
    return card_model(made.table, len(made.table) - 1, made.vocabulary, facts)


def cards() -> dict[str, CardModel]:
    """All states, by the names of the design, and what each may become beside it."""
    everything = Listed(b"8", DIGITS, kept=3, drawn=0.696, entropy=1.8, survive=3)
    greedy = Listed(b"8", DIGITS, kept=1, drawn=1.0, entropy=1.8, survive=1)
    digits = Sent(b"8", DIGITS, rank=1)
    scores = Sent(b"8", [(b"8", 18.42), (b"1", 17.25), (b"9", 16.59), (b"3", 15.72), (b"4", 15.37)])
    drawn = Sent(b"8", [(b"8", 0.696), (b"1", 0.203), (b"9", 0.101)], rank=1, fillers=2)
    guess = Sent(b" Melbourne", [(b" Melbourne", 0.994), (b" Brisbane", 0.003), (b" Adelaide", 0.001)])
    alone = Sent(b" Canberra", [])
    steps = Speculation(1, 2, 2, (1, 2), (2, 2))
    form = Extras(Structured("choice", ["8", "9"]))
    return {
        "everything": one(everything, EVERYTHING),
        "raw": served(digits, server()),
        "processed": served(drawn, server(Mode.PROCESSED_LOGPROBS)),
        "logits": served(scores, server(Mode.RAW_LOGITS)),
        "no_rank": served(Sent(b" gum", NOUNS, 0.0004), server(route="completions")),
        "greedy": one(greedy, AnswerFacts(Sampling(temperature=0.0))),
        "not_listed": served(Sent(b" gum", NOUNS, 0.0004, 212), server()),
        "split": split(),
        "guess": served(guess, server(speculation=steps), before=1, guesses=2),
        "nothing": served(alone, server(refused=(400, REFUSED))),
        # variants
        "greedy_server": served(digits, server(sampling=Sampling(temperature=0.0))),
        "greedy_processed": served(
            digits, server(Mode.PROCESSED_LOGPROBS, sampling=Sampling(temperature=0.0))
        ),
        "processed_more": served(Sent(b"8", DIGITS, rank=1), server(Mode.PROCESSED_LOGPROBS)),
        "mask": served(
            Sent(b"8", DIGITS, rank=1, mask=40), server(Mode.PROCESSED_LOGPROBS, sampling=PENALTIES)
        ),
        "processed_logits": served(scores, server(Mode.PROCESSED_LOGITS)),
        "form": served(digits, server(extras=form)),
        "unknown": served(digits, server(Mode.UNKNOWN)),
        "none": served(alone, server(Mode.NONE)),
        "bare": served(alone, server(extras=Extras(numbers=False))),
        "no_number": served(alone, server()),
    }
