"""Builds what a token card says from the table. Nothing is made up: what is missing stays missing."""

from __future__ import annotations

import math
from dataclasses import replace

from core.tokens import figures
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import MARK_AFTER_STOP, MARK_SPECIAL, TokenTable
from core.tokens.vocabulary import Vocabulary
from desktop.inspector.cuts import cut_note, filters
from desktop.inspector.values import (
    AnswerFacts,
    CardModel,
    Fact,
    Figure,
    Kind,
    Label,
    Name,
    Note,
    Piece,
    Row,
    Shape,
)
from desktop.kit.theme import heat_step

__all__ = ["AnswerFacts", "CardModel", "byte_boxes", "card_model", "limited", "token_name"]

FILLER = -9999.0  # servers write this for what is no candidate; it is never a number of the model
_BYTES_SHOWN = 16
_PIECES_AS_FIGURES = 3


def card_model(
    table: TokenTable,
    index: int,
    vocabulary: Vocabulary,
    facts: AnswerFacts,
    group: range | None = None,
    sign: str = "",
) -> CardModel:
    """The card of token `index`.

    `group`: the tokens that share its characters, `sign`: what they make (by default by the table alone).
    Raises IndexError for a token that is not there.
    """
    if not 0 <= index < len(table):
        raise IndexError(index)
    row = table.row(index)
    group = table.group(index) if group is None else group
    pieces = tuple(_piece(table, vocabulary, token) for token in group) if len(group) > 1 else ()
    kind = _kind(row, facts)
    rows, between = _rows(row, kind, vocabulary, facts)
    listed = any(one.chosen for one in rows)
    chosen = next((n for n, one in enumerate(rows) if one.chosen), None)
    last = chosen is not None and chosen == len(rows) - 1 and len(rows) > 1
    apart = last and (between > 0 or (row.rank is None and len(rows) > 2))
    whole = kind is not Kind.NOTHING
    return CardModel(
        index=index,
        total=len(table),
        id=row.id,
        name=token_name(vocabulary, row.id),
        bytes_count=len(vocabulary.bytes_of(row.id)),
        step=_step(table, index, row, pieces, kind),
        kind=kind,
        greedy=whole and facts.sampling.greedy,
        listed=listed and not apart,
        ranked=row.rank is not None,
        guess=row.guess,
        figures=_figures(row, kind, pieces, index),
        rows=rows,
        between=between,
        others=_others(row, kind, vocabulary),
        facts=_facts(row, kind, facts),
        notes=tuple(_notes(row, kind, facts, rows, pieces, table.mark(index))),
        pieces=pieces,
        sign=sign or (_sign(table, group) if pieces else ""),
        data=vocabulary.bytes_of(row.id),
        flag=facts.flag,
        absent_reason=facts.absent_reason,
        engine=facts.engine,
    )


def token_name(vocabulary: Vocabulary, token: int) -> Name:
    """How to write a token: never empty, two tokens of one look are told apart by what calls this (id)."""
    if vocabulary.is_special(token):
        return Name(vocabulary.label(token), Shape.SPECIAL)
    if not vocabulary.bytes_of(token):
        return Name(f"<id {token}>" if token >= len(vocabulary) else "", Shape.EMPTY)
    shape = Shape.TEXT if vocabulary.is_whole(token) else Shape.BYTES
    return Name(vocabulary.label(token), shape)


def _piece(table: TokenTable, vocabulary: Vocabulary, token: int) -> Piece:
    number = table.id(token)
    return Piece(token, number, vocabulary.bytes_of(number), table.logprob(token))


def _sign(table: TokenTable, group: range) -> str:
    text = table.text_from(group.start)
    size = table.text_end(group.stop - 1) - table.text_start(group.start)
    raw = text.encode("utf-16-le", "surrogatepass")[: 2 * size]
    return raw.decode("utf-16-le", "replace")


def _kind(row: TokenRow, facts: AnswerFacts) -> Kind:
    if "logit" in facts.evidence:
        known = _usable(row.logprob) or any(_usable(c.logprob) for c in row.candidates)
        return Kind.LOGITS if known else Kind.NOTHING
    if "model" in facts.evidence and _usable(row.logprob):
        sampled = row.sampling_logprob is not None or row.kept_count is not None
        return Kind.EVERYTHING if sampled else Kind.RAW
    if "sampling" in facts.evidence and row.sampling_logprob is not None:
        return Kind.PROCESSED
    return Kind.NOTHING


def _usable(value: float | None) -> bool:
    """A number of the model: no NaN, no filler."""
    return value is not None and value == value and value > FILLER


def _step(table: TokenTable, index: int, row: TokenRow, pieces: tuple[Piece, ...], kind: Kind) -> int | None:
    """As the transcript paints it: the least likely piece counts."""
    if kind not in (Kind.EVERYTHING, Kind.RAW) or table.mark(index) & (MARK_SPECIAL | MARK_AFTER_STOP):
        return None
    logprobs = [piece.logprob for piece in pieces] or [row.logprob]
    return max((heat_step(value) for value in logprobs if value is not None), default=None)


def _figures(row: TokenRow, kind: Kind, pieces: tuple[Piece, ...], index: int) -> tuple[Figure, ...]:
    if kind in (Kind.EVERYTHING, Kind.RAW):
        return _piece_figures(pieces, index) if pieces else _model_figures(row)
    if kind is Kind.PROCESSED:
        drawn = row.sampling_logprob
        return (
            Figure(Label.DRAWN_WITH, figures.DASH if drawn is None else figures.percent_of(drawn)),
            Figure(Label.RANK, _rank_text(row)),
            Figure(Label.LEFT, figures.DASH if row.kept_count is None else figures.count(row.kept_count)),
        )
    if kind is Kind.LOGITS:
        score = figures.DASH if row.logprob is None else figures.score(row.logprob)
        return (
            Figure(Label.SCORE, score),
            Figure(Label.RANK, _rank_text(row)),
            Figure(Label.PROBABILITY, figures.DASH),
        )
    return ()


def _model_figures(row: TokenRow) -> tuple[Figure, ...]:
    assert row.logprob is not None  # its kind says so
    return (
        Figure(Label.PROBABILITY, figures.percent_of(row.logprob)),
        Figure(Label.RANK, _rank_text(row)),
        Figure(Label.SURPRISE, figures.bits(figures.surprise(row.logprob)), "bits"),
    )


def _piece_figures(pieces: tuple[Piece, ...], index: int) -> tuple[Figure, ...]:
    """Each piece's probability, and the surprise of the whole; of many pieces this one and all together."""

    def of(number: int, piece: Piece) -> Figure:
        known = piece.logprob
        value = figures.DASH if known is None else figures.percent_of(known)
        return Figure(Label.PIECE, value, number=number)

    logprobs = [piece.logprob for piece in pieces if piece.logprob is not None]
    complete = len(logprobs) == len(pieces)
    total = sum(logprobs)
    bits = figures.bits(figures.surprise(total)) if complete else figures.DASH
    surprise = Figure(Label.SURPRISE, bits, "bits" if complete else "")
    if len(pieces) < _PIECES_AS_FIGURES:
        return (*(of(number, piece) for number, piece in enumerate(pieces, 1)), surprise)
    here = next(n for n, piece in enumerate(pieces, 1) if piece.index == index)
    whole = Figure(Label.ALL_PIECES, figures.percent_of(total) if complete else figures.DASH)
    return (of(here, pieces[here - 1]), whole, surprise)


def _rank_text(row: TokenRow) -> str:
    """The exact rank, or more than the number of listed tokens that are strictly likelier."""
    if row.rank is not None:
        return figures.rank(row.rank)
    own = row.logprob
    likelier = [c for c in row.candidates if c.id != row.id and _usable(c.logprob)]
    if own is None or not likelier:
        return figures.DASH
    above = sum(1 for c in likelier if c.logprob is not None and c.logprob > own)
    return f"> {figures.rank(above)}" if above == len(likelier) else figures.rank(above + 1)


def _rows(
    row: TokenRow, kind: Kind, vocabulary: Vocabulary, facts: AnswerFacts
) -> tuple[tuple[Row, ...], int]:
    """The listed tokens, likeliest first, each id once; and how many stand between the last two."""
    if kind is Kind.NOTHING:
        return (), 0
    seen: dict[int, Candidate] = {}
    for candidate in row.candidates:
        if _usable(candidate.logprob) or candidate.id == row.id:
            seen.setdefault(candidate.id, candidate)
    ordered = sorted(seen.values(), key=_likeliness, reverse=True)
    greedy = facts.sampling.greedy
    rows = tuple(_row(one, place, row, kind, vocabulary, greedy) for place, one in enumerate(ordered, 1))
    between = 0
    if row.rank is not None and len(rows) > 1 and rows[-1].chosen:
        own = -math.inf if row.logprob is None else row.logprob
        above = sum(1 for one in ordered if one.id != row.id and _likeliness(one) > own)
        between = max(row.rank - 1 - above, 0)
    return rows, between


def _likeliness(candidate: Candidate) -> float:
    known = candidate.logprob
    return known if known is not None and _usable(known) else -math.inf


def _row(
    candidate: Candidate, place: int, row: TokenRow, kind: Kind, vocabulary: Vocabulary, greedy: bool
) -> Row:
    chosen = candidate.id == row.id
    known = candidate.logprob if _usable(candidate.logprob) else None
    if kind is Kind.LOGITS:
        value, share = (figures.DASH if known is None else figures.score(known)), None
    else:
        value = figures.DASH if known is None else figures.percent_of(known)
        share = None if known is None else math.exp(min(known, 0.0))
    rank = candidate.rank
    if chosen and rank is None:
        rank = row.rank
    if rank is None and not chosen:
        rank = place
    # at temperature 0 only the chosen one had a chance, whether that was sent or not
    cut = not chosen and (candidate.kept is False or (greedy and kind in (Kind.EVERYTHING, Kind.RAW)))
    return Row(candidate.id, token_name(vocabulary, candidate.id), rank, value, share, chosen, cut)


def _others(row: TokenRow, kind: Kind, vocabulary: Vocabulary) -> Row | None:
    """What the engine said of all the rest: never worked out from the listed ones."""
    if row.others is None or kind not in (Kind.EVERYTHING, Kind.RAW):
        return None
    if not any(_usable(c.logprob) for c in row.candidates):
        return None
    share = min(max(row.others, 0.0), 1.0)
    return Row(-1, Name("", Shape.EMPTY), None, figures.percent(share), share, False, False)


def _facts(row: TokenRow, kind: Kind, facts: AnswerFacts) -> tuple[Fact, ...]:
    left = None if row.kept_count is None else figures.count(row.kept_count)
    drawn = None if row.sampling_logprob is None else figures.percent_of(row.sampling_logprob)
    if kind in (Kind.EVERYTHING, Kind.RAW):
        if facts.sampling.greedy:  # at temperature 0 there is nothing to draw: true without being sent
            left, drawn = left or figures.count(1), drawn or figures.percent(1.0)
        found = [Fact(Label.LEFT, left), Fact(Label.DRAWN_WITH, drawn)]
        if row.entropy is not None:
            found.append(Fact(Label.ENTROPY, figures.bits(row.entropy), "bits"))
        elif kind is Kind.EVERYTHING:
            found.append(Fact(Label.ENTROPY, None))
        return tuple(found)
    if kind is Kind.PROCESSED:
        return (Fact(Label.MODEL_PROBABILITY, None),)
    return ()


def _notes(
    row: TokenRow,
    kind: Kind,
    facts: AnswerFacts,
    rows: tuple[Row, ...],
    pieces: tuple[Piece, ...],
    mark: int,
) -> list[tuple[Note, tuple[str, ...]]]:
    found: list[tuple[Note, tuple[str, ...]]] = []
    if mark & MARK_AFTER_STOP:
        found.append((Note.AFTER_STOP, ()))
    if kind is Kind.NOTHING:
        found.append((Note.NOTHING_SENT, ()))
        return found
    if kind is Kind.LOGITS:
        found.append((Note.SCORES_ONLY, ()))
    elif kind is Kind.PROCESSED:
        settings = (f"temperature {facts.sampling.temperature:g}", *filters(facts.sampling).values())
        found.append((Note.PROCESSED_BY, settings))
    elif kind is Kind.RAW and not facts.sampling.greedy and facts.engine != "local":
        found.append((Note.SAMPLER_NOT_SENT, ()))
    if any(one.cut for one in rows):
        greedy = facts.sampling.greedy
        found.append((Note.CUT_GREEDY, ()) if greedy else cut_note(row, rows, facts.sampling))
    if row.rank is None and kind is Kind.RAW and facts.engine != "local":
        found.append((Note.RANK_NOT_SENT, ()))
    known = (row.rank, row.entropy, row.others, row.kept_count, row.sampling_logprob)
    if facts.engine == "local" and None in known:
        found.append((Note.MISSING, ()))
    if pieces:
        found.append((Note.STEP_PIECES, ()))
    return found


def limited(model: CardModel, rows: int) -> CardModel:
    """The same card with at most so many candidates, the chosen one among them. The shares of those left out
    are known, so they are added to the rest exactly; without a rest they are left out with no total."""
    if len(model.rows) <= rows:
        return model
    chosen = next((row for row in model.rows if row.chosen), None)
    kept = list(model.rows[: max(rows, 1)])
    if chosen is not None and chosen not in kept:
        kept[-1] = chosen
    dropped = [row for row in model.rows if row not in kept]
    others = model.others
    if others is not None and others.share is not None:
        share = others.share + sum(row.share or 0.0 for row in dropped)
        others = replace(others, share=share, value=figures.percent(min(share, 1.0)))
    between = model.between
    if chosen is not None and kept[-1] is chosen and chosen.rank is not None:
        between = max(chosen.rank - len(kept), 0)
    return replace(model, rows=tuple(kept), others=others, between=between)


def byte_boxes(model: CardModel) -> tuple[tuple[str, int], ...]:
    """(hex, piece from 1 or 0) for the bytes to show; an empty hex stands for what is left out."""
    pieces = model.pieces or (Piece(model.index, model.id, model.data, None),)
    found = [
        (f"{byte:02X}", number if model.pieces else 0)
        for number, piece in enumerate(pieces, 1)
        for byte in piece.data
    ]
    if len(found) > _BYTES_SHOWN:
        return (*found[: _BYTES_SHOWN - 1], ("", 0))
    return tuple(found)
