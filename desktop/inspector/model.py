"""Builds what a token card says from the table. Nothing is made up: what is missing stays missing."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace

from core.engines.vllm.rows import Mode
from core.tokens import figures
from core.tokens.place import likelier, likeliness, own, rank_text, usable
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import MARK_AFTER_STOP, MARK_GUESS, MARK_SPECIAL, TokenTable
from core.tokens.vocabulary import Vocabulary
from desktop.inspector.remarks import remarks
from desktop.inspector.values import (
    AnswerFacts,
    CardModel,
    Fact,
    Figure,
    Kind,
    Label,
    Name,
    Piece,
    Row,
    Shape,
)
from desktop.kit.theme import heat_step

__all__ = ["AnswerFacts", "CardModel", "byte_boxes", "card_model", "limited", "token_name"]

_BYTES_SHOWN = 16
_ROUNDED = 1e-4  # numbers of single precision leave no more of 100 % than that in doubt
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
    rows = _rows(row, kind, vocabulary, facts)
    missing = _missing(row, kind) if rows else 0
    between = missing if len(rows) > 1 and rows[-1].chosen else 0
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
        bytes_count=len(_bytes(vocabulary, row.id)),
        step=_step(table, index, row, pieces, kind),
        kind=kind,
        greedy=whole and facts.sampling.greedy,
        listed=listed and not apart,
        ranked=row.rank is not None,
        guess=row.guess,
        kept_guesses=_kept_guesses(table, index, facts) if row.guess else None,
        figures=_figures(row, kind, pieces, index),
        rows=rows,
        between=between,
        others=_others(row, kind, facts),
        facts=_facts(row, kind, facts),
        remarks=tuple(
            remarks(
                row, kind, facts, rows, pieces=bool(pieces), mark=table.mark(index), of_server=missing > 0
            )
        ),
        pieces=pieces,
        sign=sign or (_sign(table, group) if pieces else ""),
        data=_bytes(vocabulary, row.id),
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
    return Piece(token, number, _bytes(vocabulary, number), table.logprob(token))


def _bytes(vocabulary: Vocabulary, token: int) -> bytes:
    """Empty where they are not known, only what the token reads as."""
    return b"" if vocabulary.is_part(token) else vocabulary.bytes_of(token)


def _sign(table: TokenTable, group: range) -> str:
    text = table.text_from(group.start)
    size = table.text_end(group.stop - 1) - table.text_start(group.start)
    raw = text.encode("utf-16-le", "surrogatepass")[: 2 * size]
    return raw.decode("utf-16-le", "replace")


def _kind(row: TokenRow, facts: AnswerFacts) -> Kind:
    if "logit" in facts.evidence:
        if not any(usable(c.logprob) for c in row.candidates):
            return Kind.NOTHING
        return Kind.PROCESSED_LOGITS if facts.mode is Mode.PROCESSED_LOGITS else Kind.LOGITS
    if "model" in facts.evidence and usable(row.logprob):
        sampled = row.sampling_logprob is not None or row.kept_count is not None
        return Kind.EVERYTHING if sampled and not facts.server else Kind.RAW
    if "sampling" in facts.evidence and row.sampling_logprob is not None:
        return Kind.PROCESSED
    return Kind.NOTHING


def _step(table: TokenTable, index: int, row: TokenRow, pieces: tuple[Piece, ...], kind: Kind) -> int | None:
    """As the transcript paints it: the least likely piece counts."""
    if not kind.model or table.mark(index) & (MARK_SPECIAL | MARK_AFTER_STOP):
        return None
    logprobs = [piece.logprob for piece in pieces] or [row.logprob]
    return max((heat_step(value) for value in logprobs if value is not None), default=None)


def _figures(row: TokenRow, kind: Kind, pieces: tuple[Piece, ...], index: int) -> tuple[Figure, ...]:
    if kind.model:
        return _piece_figures(pieces, index) if pieces else _model_figures(row)
    if kind is Kind.PROCESSED:
        drawn = row.sampling_logprob
        return (
            Figure(Label.DRAWN_WITH, figures.DASH if drawn is None else figures.percent_of(drawn)),
            Figure(Label.RANK, rank_text(row, model=kind.model)),
            Figure(Label.LEFT, _left(row)),
        )
    if kind.scores:
        score = own(row, model=kind.model)
        return (
            Figure(Label.SCORE, figures.DASH if score is None else figures.score(score)),
            Figure(Label.RANK, rank_text(row, model=kind.model)),
            Figure(Label.PROBABILITY, figures.DASH),
        )
    return ()


def _left(row: TokenRow) -> str:
    """How many could be drawn; at least as many as are listed."""
    if row.kept_count is not None:
        return figures.count(row.kept_count)
    listed = sum(1 for one in row.candidates if usable(one.logprob))
    return f"≥ {figures.count(listed)}" if listed else figures.DASH


def _missing(row: TokenRow, kind: Kind) -> int:
    """How many likelier ones are not listed; 0 where that is not known."""
    return max(row.rank - 1 - likelier(row, model=kind.model), 0) if row.rank is not None else 0


def _model_figures(row: TokenRow) -> tuple[Figure, ...]:
    assert row.logprob is not None  # its kind says so
    return (
        Figure(Label.PROBABILITY, figures.percent_of(row.logprob)),
        Figure(Label.RANK, rank_text(row, model=True)),
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


def _rows(row: TokenRow, kind: Kind, vocabulary: Vocabulary, facts: AnswerFacts) -> tuple[Row, ...]:
    """The listed tokens, likeliest first, each id once."""
    if kind is Kind.NOTHING:
        return ()
    seen: dict[int, Candidate] = {}
    for candidate in row.candidates:
        if usable(candidate.logprob) or candidate.id == row.id:
            seen.setdefault(candidate.id, candidate)
    ordered = sorted(seen.values(), key=lambda one: likeliness(one.logprob), reverse=True)
    names = [token_name(vocabulary, one.id) for one in ordered]
    greedy = facts.sampling.greedy
    return tuple(
        _row(one, name, row, kind, place, greedy, twin=names.count(name) > 1)
        for place, (one, name) in enumerate(zip(ordered, names, strict=True), 1)
    )


def _row(
    candidate: Candidate, name: Name, row: TokenRow, kind: Kind, place: int, greedy: bool, *, twin: bool
) -> Row:
    chosen = candidate.id == row.id
    known = candidate.logprob if usable(candidate.logprob) else None
    if kind.scores:
        value, share = (figures.DASH if known is None else figures.score(known)), None
    else:
        value = figures.DASH if known is None else figures.percent_of(known)
        share = None if known is None else math.exp(min(known, 0.0))
    rank = candidate.rank
    if chosen and rank is None:
        rank = row.rank
    if rank is None and not chosen and kind is Kind.EVERYTHING:
        rank = place
    # at temperature 0 only the chosen one had a chance, whether that was sent or not
    cut = not chosen and (candidate.kept is False or (greedy and kind.model))
    return Row(candidate.id, name, rank, value, share, chosen, cut, twin)


def _others(row: TokenRow, kind: Kind, facts: AnswerFacts) -> Row | None:
    """All the rest: as the engine said, or what the numbers of a server leave of 100 %."""
    listed = [one.logprob for one in row.candidates]
    if not kind.model or not any(usable(known) for known in listed):
        return None
    rest = row.others
    if rest is None and facts.server and all(usable(known) for known in listed):
        rest = 1.0 - sum(math.exp(known) for known in listed if known is not None)
    if rest is None or not -_ROUNDED < rest < 1.0 + _ROUNDED:  # more than everything: something is wrong
        return None
    share = min(max(rest, 0.0), 1.0)
    fine = row.others is not None or share >= _ROUNDED
    return _rest(share, figures.percent(share) if fine else f"< {figures.percent(_ROUNDED)}")


def _rest(share: float, value: str) -> Row:
    return Row(-1, Name("", Shape.EMPTY), None, value, share, False, False)


def _kept_guesses(table: TokenTable, index: int, facts: AnswerFacts) -> tuple[int, int] | None:
    """(kept, of so many offered) in the step of a kept guess: each step ends with a token of the model's own,
    so the guesses side by side are those of one step."""
    counts = facts.speculation
    if counts is None or counts.guesses is None or counts.offered is None:
        return None
    at = bisect_left(counts.guesses, index)
    if at >= min(len(counts.guesses), len(counts.offered)) or counts.guesses[at] != index:
        return None
    first = last = index
    while first and table.mark(first - 1) & MARK_GUESS:
        first -= 1
    while last + 1 < len(table) and table.mark(last + 1) & MARK_GUESS:
        last += 1
    return last - first + 1, counts.offered[at]


def _facts(row: TokenRow, kind: Kind, facts: AnswerFacts) -> tuple[Fact, ...]:
    left = None if row.kept_count is None else figures.count(row.kept_count)
    drawn = None if row.sampling_logprob is None else figures.percent_of(row.sampling_logprob)
    if kind.model:
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
    if kind.scores:
        return tuple(
            Fact(label, value) for label, value in ((Label.LEFT, left), (Label.DRAWN_WITH, drawn)) if value
        )
    return ()


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
