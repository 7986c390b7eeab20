"""Which sentences stand below a card's numbers, and which flag of a server would bring what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from core.engines.base import Sampling
from core.engines.vllm.abilities import MASK, RAW, SCALE_OUT
from core.engines.vllm.rows import Mode
from core.tokens.row import TokenRow
from core.tokens.table import MARK_AFTER_STOP
from desktop.inspector.cuts import cut_note, filters
from desktop.inspector.values import AnswerFacts, Kind, Note, Remark, Row


def remarks(
    row: TokenRow,
    kind: Kind,
    facts: AnswerFacts,
    rows: tuple[Row, ...],
    *,
    pieces: bool,
    mark: int,
    of_server: bool,
) -> list[Remark]:
    """`pieces`: several tokens make one character. `of_server`: a server's rank, not one that was counted.
    What has a flag comes last."""
    found = _found(row, kind, facts, rows, pieces=pieces, mark=mark, of_server=of_server)
    return sorted(found, key=lambda remark: bool(remark.flag))


def _found(
    row: TokenRow,
    kind: Kind,
    facts: AnswerFacts,
    rows: tuple[Row, ...],
    *,
    pieces: bool,
    mark: int,
    of_server: bool,
) -> Iterator[Remark]:
    if mark & MARK_AFTER_STOP:
        yield Remark(Note.AFTER_STOP)
    if kind is Kind.NOTHING:
        yield _nothing(facts)
        return
    if facts.server:
        yield from _ranks(row, facts, of_server)
    yield from _kinds(row, kind, facts)
    if any(one.cut for one in rows):
        yield (
            Remark(Note.CUT_GREEDY) if facts.sampling.greedy else Remark(*cut_note(row, rows, facts.sampling))
        )
    if facts.server:
        if facts.masked:
            yield Remark(Note.FORM_MASK)
        if row.guess:
            yield Remark(Note.TURNED_DOWN)
    elif None in (row.rank, row.entropy, row.others, row.kept_count, row.sampling_logprob):
        yield Remark(Note.MISSING)
    if pieces:
        yield Remark(Note.STEP_PIECES)


def _nothing(facts: AnswerFacts) -> Remark:
    if facts.bare:
        return Remark(Note.BARE)
    if facts.refused is not None:
        status, words = facts.refused
        return Remark(Note.REFUSED, (str(status), words))
    if facts.mode is Mode.UNKNOWN:
        return Remark(Note.UNCLEAR)
    if facts.mode is Mode.NONE:
        return Remark(Note.SERVER_HAS_NONE)
    return Remark(Note.NO_NUMBER)


def _kinds(row: TokenRow, kind: Kind, facts: AnswerFacts) -> Iterator[Remark]:
    """What these numbers are not."""
    greedy = facts.sampling.greedy
    if kind.scores:
        flag = f"--logprobs-mode {facts.mode.value}" if facts.mode is not None and facts.mode.logits else ""
        yield Remark(Note.SCORES_ONLY, flag=flag)
    if kind is Kind.PROCESSED and greedy:
        yield Remark(Note.PROCESSED_GREEDY)
    elif kind in (Kind.PROCESSED, Kind.PROCESSED_LOGITS):
        yield Remark(Note.PROCESSED_BY, tuple(_settings(facts.sampling)))
    if kind is Kind.PROCESSED:
        yield Remark(Note.MODEL_NOT_SENT, flag=RAW)
    if kind is Kind.RAW and facts.server and not greedy and None in (row.kept_count, row.sampling_logprob):
        yield Remark(Note.SAMPLER_NOT_SENT, flag=MASK if facts.route == "generate" else f"{SCALE_OUT} {MASK}")


def _settings(sampling: Sampling) -> Iterator[str]:
    """What was applied before the draw, in the order in which it was."""
    for name, value, off in (
        ("repetition", sampling.repetition_penalty, 1.0),
        ("presence", sampling.presence_penalty, 0.0),
        ("frequency", sampling.frequency_penalty, 0.0),
    ):
        if value != off:
            yield f"{name} {value:g}"
    yield f"temperature {sampling.temperature:g}"
    yield from filters(sampling).values()


def _ranks(row: TokenRow, facts: AnswerFacts, of_server: bool) -> Iterator[Remark]:
    if row.rank is not None:
        if of_server:
            yield Remark(Note.RANK_OF_SERVER)
    elif facts.route == "completions":
        yield Remark(Note.RANK_NOT_SENT, flag=SCALE_OUT)
    elif row.candidates:
        yield Remark(Note.RANK_UNCLEAR)
