"""A filter is named as the one that cut only where it is sure."""

from __future__ import annotations

import pytest

from core.engines.base import Sampling
from core.tokens.row import TokenRow
from desktop.inspector import words
from desktop.inspector.cuts import cut_note
from desktop.inspector.values import AnswerFacts, Name, Note, Row, Shape
from tests.fakes.cards import DIGITS, Listed, one

ONE_OF, SURE = Note.CUT_BY_ONE_OF, Note.CUT_BY


def grey(rank: int | None) -> Row:
    return Row(rank or 0, Name("a", Shape.TEXT), rank, "1 %", 0.01, False, True)


@pytest.mark.parametrize(
    ("sampling", "kept", "ranks", "note", "named"),
    [
        # one filter alone did it
        (Sampling(top_k=4), 4, [5, 6], SURE, ("top-k 4",)),
        (Sampling(top_p=0.9), 4, [5, 6], SURE, ("top-p 0.9",)),
        (Sampling(min_p=0.1), 4, [5], SURE, ("min-p 0.1",)),
        # just as many left as top-k lets through: what comes after it cut nothing
        (Sampling(top_k=4, top_p=0.9), 4, [5, 6], SURE, ("top-k 4",)),
        (Sampling(top_k=4, top_p=0.9, repetition_penalty=1.1), 4, [3, 5], SURE, ("top-k 4",)),
        # fewer left: those that top-k let through fell to what comes after it
        (Sampling(top_k=4, top_p=0.9), 2, [3, 4], SURE, ("top-p 0.9",)),
        (Sampling(top_k=4, top_p=0.9), 2, [3, 5], SURE, ("top-k 4", "top-p 0.9")),
        # it may have been the one or the other
        (Sampling(top_k=4, top_p=0.9, repetition_penalty=1.1), 2, [3, 5], ONE_OF, ("top-k 4", "top-p 0.9")),
        (Sampling(min_p=0.1, top_p=0.9), 2, [3], ONE_OF, ("min-p 0.1", "top-p 0.9")),
        (Sampling(min_p=0.1, top_k=4), 4, [5], ONE_OF, ("min-p 0.1", "top-k 4")),
        (Sampling(top_k=4, top_p=0.9), 2, [None], ONE_OF, ("top-k 4", "top-p 0.9")),
        # nothing here cuts: the engine's own doing
        (Sampling(), 2, [3], SURE, ()),
    ],
)
def test_what_is_named(
    sampling: Sampling, kept: int, ranks: list[int | None], note: Note, named: tuple[str, ...]
) -> None:
    row = TokenRow(id=1, t_ms=0.0, kept_count=kept)
    assert cut_note(row, tuple(map(grey, ranks)), sampling) == (note, named)


def test_the_sentence_says_that_it_cannot_tell() -> None:
    facts = AnswerFacts(Sampling(min_p=0.05, top_k=4, top_p=0.9, repetition_penalty=1.2))
    card = one(Listed(b"8", DIGITS, kept=3, drawn=0.7, entropy=1.8, survive=3), facts)
    text = words.as_text(card)
    assert "Grey: cut by the sampler (min-p 0.05, top-k 4 or top-p 0.9)." in text
