"""Which of the sampler's filters cut the grey candidates: only what is sure is named alone. No Qt."""

from __future__ import annotations

from core.engines.base import Sampling
from core.tokens.row import TokenRow
from desktop.inspector.values import Note, Row

MIN_P, TOP_K, TOP_P = "min-p", "top-k", "top-p"


def filters(sampling: Sampling) -> dict[str, str]:
    """The settings that take candidates away, in the order they do, in the words of the sampling dock."""
    found = {}
    if sampling.min_p > 0:
        found[MIN_P] = f"{MIN_P} {sampling.min_p:g}"
    if sampling.top_k > 0:
        found[TOP_K] = f"{TOP_K} {sampling.top_k}"
    if sampling.top_p < 1:
        found[TOP_P] = f"{TOP_P} {sampling.top_p:g}"
    return found


def cut_note(row: TokenRow, rows: tuple[Row, ...], sampling: Sampling) -> tuple[Note, tuple[str, ...]]:
    """The sentence on a token's grey candidates, with the filters that it names."""
    active = filters(sampling)
    suspects = [_suspects(row, one, sampling) or set(active) for one in rows if one.cut]
    named = set().union(*suspects)
    words = tuple(text for name, text in active.items() if name in named)
    sure = all(len(one) == 1 for one in suspects)
    return (Note.CUT_BY if sure or not words else Note.CUT_BY_ONE_OF), words


def _suspects(row: TokenRow, cut: Row, sampling: Sampling) -> set[str]:
    """The filters that may have cut this candidate."""
    found = set(filters(sampling))
    top_k, kept = sampling.top_k, row.kept_count
    if top_k > 0 and kept is not None and kept >= top_k:
        found.discard(TOP_P)  # it comes last, and top-k left no more than were kept
    if sampling.repetition_penalty == 1 and cut.rank is not None and top_k > 0:  # else the order is another
        found.discard(TOP_K if cut.rank <= top_k else TOP_P)
    return found
