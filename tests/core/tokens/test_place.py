"""A token's place: exact where it is told or listed, else "more than" and no further."""

from __future__ import annotations

import math

import pytest

from core.tokens.place import FILLER, likelier, rank_text
from core.tokens.row import Candidate, TokenRow


def row(own: float | None, *others: float | None, rank: int | None = None) -> TokenRow:
    listed = tuple(Candidate(id, value) for id, value in enumerate(others, 1))
    return TokenRow(0, 0.0, logprob=own, rank=rank, candidates=(*listed, Candidate(0, own)))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (row(-3.0, -1.0, -2.0, rank=812), "#812"),
        (row(-3.0, -1.0, -2.0), "> #2"),  # it is below all that are listed
        (row(-2.0, -1.0, -2.0), "#2"),  # one that is as likely is listed, so all likelier ones are
        (row(-1.5, -1.0, -2.0), "#2"),
        (row(-3.0, -1.0, FILLER, None, math.nan), "> #1"),  # only real numbers are listed ones
        (row(-3.0), "—"),
        (row(None, -1.0), "—"),
    ],
)
def test_rank_text(found: TokenRow, text: str) -> None:
    assert rank_text(found, model=True) == text


def test_numbers_that_are_not_the_models_stand_with_the_candidates() -> None:
    score = TokenRow(0, 0.0, candidates=(Candidate(1, 18.4), Candidate(0, 11.0)))
    assert (rank_text(score, model=False), likelier(score, model=False)) == ("> #1", 1)
    assert rank_text(score, model=True) == "—"
