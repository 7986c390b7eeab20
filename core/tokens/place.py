"""A token's place among the listed ones: its exact rank, or as much of it as the listed ones leave sure."""

from __future__ import annotations

import math

from core.tokens import figures
from core.tokens.row import TokenRow

FILLER = -9999.0  # servers write this for what is no candidate; it is never a number of the model


def usable(value: float | None) -> bool:
    """A number of the model: no NaN, no filler."""
    return value is not None and value == value and value > FILLER


def likeliness(known: float | None) -> float:
    """To sort by; what has no number comes last."""
    return known if known is not None and usable(known) else -math.inf


def own(row: TokenRow, *, model: bool) -> float | None:
    """The token's own number, of the kind of the listed ones. `model`: the model's own probabilities."""
    known = row.logprob
    if not model:
        known = next((one.logprob for one in row.candidates if one.id == row.id), None)
    return known if usable(known) else None


def likelier(row: TokenRow, *, model: bool) -> int:
    """How many of the listed are strictly likelier."""
    known = likeliness(own(row, model=model))
    return sum(1 for one in row.candidates if one.id != row.id and likeliness(one.logprob) > known)


def rank_text(row: TokenRow, *, model: bool) -> str:
    """The exact rank, or more than the number of listed tokens that are strictly likelier."""
    if row.rank is not None:
        return figures.rank(row.rank)
    listed = sum(1 for one in row.candidates if one.id != row.id and usable(one.logprob))
    if own(row, model=model) is None or not listed:
        return figures.DASH
    above = likelier(row, model=model)
    return f"> {figures.rank(above)}" if above == listed else figures.rank(above + 1)
