"""Figures of one answer, taken from a table that grows."""

from __future__ import annotations

import math

import pytest

from core.tokens.decode import Piece
from core.tokens.row import TokenRow
from core.tokens.table import MARK_AFTER_STOP, TokenTable
from core.tokens.vocabulary import Vocabulary
from desktop.sampling.summary import AnswerSummary
from tests.fakes.answers import answer

VOCABULARY = Vocabulary.from_pieces([f" w{index}".encode() for index in range(50)], [0] * 50)


def append(
    table: TokenTable, token: int, probability: float | None, t_ms: float | None = None, mark: int = 0
) -> None:
    text = f" w{token}"
    start = table.length
    stop = start + len(text)
    row = TokenRow(
        id=token,
        t_ms=len(table) * 10.0 if t_ms is None else t_ms,
        logprob=None if probability is None else math.log(probability),
    )
    table.append(row, Piece(text=text, start=start, end=stop, stop=stop, split=False), mark)


def test_perplexity_and_the_least_likely_tokens_grow_with_the_table() -> None:
    table = TokenTable()
    summary = AnswerSummary("a", table, VOCABULARY)
    assert summary.figures(live=True).perplexity is None
    probabilities = [0.9, 0.2, 0.5, 0.1, 0.8, 0.3, 0.05, 0.7, 0.1]
    for index, probability in enumerate(probabilities):
        append(table, index, probability)
        figures = summary.figures(live=True)
        mean = sum(math.log(p) for p in probabilities[: index + 1]) / (index + 1)
        assert figures.tokens == index + 1
        assert figures.perplexity == pytest.approx(math.exp(-mean))
    # ties: the earlier token first
    assert [token.index for token in figures.least] == [6, 3, 8, 1, 5]
    assert figures.least[0].text == " w6"
    assert figures.least[0].probability == pytest.approx(0.05)


def test_perplexity_is_unknown_when_one_number_is_missing() -> None:
    table = TokenTable()
    summary = AnswerSummary("a", table, VOCABULARY)
    append(table, 1, 0.5)
    append(table, 2, None)
    figures = summary.figures(live=False)
    assert figures.tokens == 2
    assert figures.perplexity is None
    assert [token.index for token in figures.least] == [0]


def test_tokens_after_the_stop_are_not_pointed_at() -> None:
    table = TokenTable()
    summary = AnswerSummary("a", table, VOCABULARY)
    append(table, 1, 0.5)
    append(table, 2, 0.01, mark=MARK_AFTER_STOP)
    assert [token.index for token in summary.figures(live=False).least] == [0]


def test_live_speed_is_that_of_the_last_two_seconds() -> None:
    table = TokenTable()
    summary = AnswerSummary("a", table, VOCABULARY)
    append(table, 0, 0.5, 0)
    assert summary.figures(live=True).speed is None
    for index in range(1, 11):
        append(table, index, 0.5, index * 1000.0)  # one a second
    assert summary.figures(live=True).speed == pytest.approx(1.0)
    for index in range(11, 40):
        append(table, index, 0.5, 10_000.0 + (index - 10) * 100.0)  # ten a second
    assert summary.figures(live=True).speed == pytest.approx(10.0)
    assert summary.figures(live=False, speed=7.5).speed == 7.5
    assert summary.figures(live=False).speed is None


def test_bytes_that_are_no_character_are_told_from_text() -> None:
    vocabulary = Vocabulary.from_pieces([b"\xf0\x9f", b" a"], [0, 0])
    table = TokenTable()
    append(table, 0, 0.1)
    append(table, 1, 0.2)
    least = AnswerSummary("a", table, vocabulary).figures(live=True).least
    assert [(token.text, token.plain) for token in least] == [("F0 9F", False), (" a", True)]


def test_a_long_table_taken_at_once_is_as_one_taken_token_by_token() -> None:
    table, whole = TokenTable(), TokenTable()
    step = AnswerSummary("a", table, VOCABULARY)
    for index in range(2_000):
        probability = None if index == 1_500 else ((index * 7_919) % 1_009 + 1) / 1_010
        mark = MARK_AFTER_STOP if index % 97 == 0 else 0
        for one in (table, whole):
            append(one, index % 50, probability, mark=mark)
        step.figures(live=True)
    at_once = AnswerSummary("a", whole, VOCABULARY)
    assert at_once.figures(live=False).least == step.figures(live=False).least
    assert (at_once._known, at_once._seen) == (step._known, step._seen) == (1_999, 2_000)
    assert at_once._sum == pytest.approx(step._sum)


def test_T14_values_that_are_all_certain_make_no_perplexity() -> None:
    made = answer([b"a"] * 3, 1.0)
    assert AnswerSummary("a", made.table, made.vocabulary).figures(live=False).perplexity is None
    alone = answer([b"a"], 1.0)
    assert AnswerSummary("a", alone.table, alone.vocabulary).figures(live=False).perplexity == 1.0
