"""The token table: rows come back as they were, spans are found, and a token costs at most 150 bytes."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens.decode import AnswerDecoder, Piece, utf16
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import MARK_GUESS, MARK_GUESS_KNOWN, MARK_SPECIAL, MARK_SPLIT, TokenTable
from core.tokens.vocabulary import Vocabulary

VOCABULARY = Vocabulary.from_pieces([bytes([value]) for value in range(256)], [0] * 256)

single = st.one_of(st.none(), st.floats(-(2.0**100), 2.0**100, width=32))
double = st.one_of(st.none(), st.floats(allow_nan=False))
counts = st.one_of(st.none(), st.integers(0, 2**32 - 2))
flags = st.one_of(st.none(), st.booleans())


@st.composite
def token_rows(draw: st.DrawFn) -> TokenRow:
    token, logprob = draw(st.integers(0, 2**32 - 1)), draw(double)
    others = draw(
        st.lists(st.builds(Candidate, st.integers(0, 2**32 - 1), single, counts, flags), max_size=5)
    )
    listed = [one for one in others if one.id != token]
    if draw(st.booleans()):  # as engines do: the chosen one is among them, with its own number
        listed.insert(draw(st.integers(0, len(listed))), Candidate(token, logprob, draw(counts), draw(flags)))
    return TokenRow(
        token, draw(st.floats(0, 2.0**40, width=32)), logprob, draw(counts), draw(single), tuple(listed),
        draw(single), draw(counts), draw(single), draw(flags),
    )  # fmt: skip


def filled(rows: list[TokenRow], text: str = "a👩") -> TokenTable:
    table, at = TokenTable(), 0
    for row in rows:
        table.append(row, Piece(text, at, at + utf16(text), at + utf16(text)))
        at += utf16(text)
    return table


def written(text: str) -> TokenTable:
    """One token for each byte."""
    table, decoder = TokenTable(), AnswerDecoder(VOCABULARY)
    raw = text.encode()
    pieces = [piece for value in raw for piece in decoder.feed(value)] + decoder.finish()
    for value, piece in zip(raw, pieces, strict=True):
        table.append(TokenRow(value, 0.0), piece)
    return table


@given(st.lists(token_rows(), max_size=8))
def test_rows_come_back_as_they_were(rows: list[TokenRow]) -> None:
    table = filled(rows)
    assert len(table) == len(rows)
    assert [table.row(index) for index in range(len(rows))] == rows
    for index, row in enumerate(rows):
        assert table.id(index) == row.id and table.logprob(index) == row.logprob


@given(st.lists(token_rows(), max_size=8), st.data())
def test_packed_in_pieces_it_is_the_same_table(rows: list[TokenRow], data: st.DataObject) -> None:
    table = filled(rows)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(rows)), max_size=3)) | {0})
    whole = TokenTable()
    for first, last in zip(cuts, [*cuts[1:], len(rows)], strict=True):
        part = filled(rows[:last])
        whole.extend_packed(part.pack(first), part.text_from(first))
    assert whole.text == table.text and whole.length == table.length
    for name, column in table.columns.items():
        assert whole.columns[name].tobytes() == column.tobytes(), name
    whole.append(TokenRow(7, 0.0), Piece("z", whole.length, whole.length + 1, whole.length + 1))
    assert whole.text == table.text + "z"
    assert whole.row(len(rows)).id == 7


def test_a_chosen_tokens_number_keeps_double_precision_among_the_candidates() -> None:
    exact = -0.1234567890123456
    table = filled([TokenRow(5, 1.0, exact, 1, candidates=(Candidate(5, exact, 1), Candidate(6, -2.5, 2)))])
    assert table.row(0).candidates[0].logprob == exact
    assert table.row(0).candidates[1].logprob == -2.5


def test_a_chosen_tokens_candidate_keeps_a_number_that_is_not_the_models() -> None:
    """Processed log probabilities: no model probability, but what it was drawn with among the listed."""
    row = TokenRow(5, 1.0, None, 1, candidates=(Candidate(5, -0.5, 1), Candidate(6, -2.5, 2)))
    assert filled([row]).row(0) == row


def test_what_is_not_known_is_none_and_never_a_number() -> None:
    row = TokenRow(1, 0.0, candidates=(Candidate(2, None, None, None),))
    back = filled([row]).row(0)
    assert back == row
    assert back.logprob is back.rank is back.entropy is back.others is back.kept_count is back.guess is None
    assert filled([TokenRow(1, 0.0, float("nan"))]).logprob(0) is None
    assert filled([TokenRow(1, 0.0, -math.inf)]).logprob(0) == -math.inf  # is a number: impossible


def test_marks() -> None:
    table = TokenTable()
    table.append(TokenRow(1, 0.0, guess=True), Piece("", 0, 0, 1, split=True), MARK_SPECIAL)
    table.append(TokenRow(1, 0.0, guess=False), Piece("x", 0, 1, 1))
    assert table.mark(0) == MARK_SPECIAL | MARK_SPLIT | MARK_GUESS | MARK_GUESS_KNOWN
    assert table.mark(1) == MARK_GUESS_KNOWN
    assert (table.row(0).guess, table.row(1).guess) == (True, False)


@given(st.text(max_size=15))
def test_every_unit_of_the_text_finds_the_tokens_of_its_character(text: str) -> None:
    table = written(text)
    assert table.text == text and table.length == utf16(text)
    token = unit = 0
    for sign in text:
        size = len(sign.encode())
        mine = range(token, token + size)
        for at in range(unit, unit + utf16(sign)):
            assert table.tokens_at(at) == mine
        for index in mine:
            assert table.group(index) == mine
            assert table.span(index) == (unit, unit + utf16(sign))
        assert table.text_start(mine[-1]) == unit and table.text_end(mine[-1]) == unit + utf16(sign)
        token, unit = token + size, unit + utf16(sign)


def test_tokens_without_text_beside_a_character_are_not_found_at_it() -> None:
    table = TokenTable()
    for piece in (Piece("", 0, 0, 0), Piece("a", 0, 1, 1), Piece("", 1, 1, 1), Piece("b", 1, 2, 2)):
        table.append(TokenRow(0, 0.0), piece)
    assert table.tokens_at(0) == range(1, 2)
    assert table.tokens_at(1) == range(3, 4)
    assert table.group(0) == range(1) and table.group(2) == range(2, 3)


def test_a_long_text_is_whole_over_its_chunks() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(700))
    table = filled([])
    for at, sign in enumerate(text):
        table.append(TokenRow(at, 0.0), Piece(sign, at, at + 1, at + 1))
    assert table.text == text
    for first in (0, 1, 255, 256, 257, 511, 512, 699, 700):
        assert table.text_from(first) == text[first:]


@given(st.data())
def test_damaged_bytes_are_refused_and_leave_the_table_as_it_was(data: st.DataObject) -> None:
    table = filled([TokenRow(1, 0.0, -1.0, 1), TokenRow(2, 1.0)])
    packed = bytearray(table.pack())
    place = data.draw(st.integers(0, len(packed) - 1))
    change = data.draw(st.sampled_from(["cut", "flip"]))
    if change == "cut":
        del packed[place:]
    else:
        packed[place] ^= data.draw(st.integers(1, 255))
    other = filled([TokenRow(9, 0.0)])
    try:
        other.extend_packed(bytes(packed), table.text)
    except ValueError:
        assert len(other) == 1 and other.text == "a👩"
    else:  # a bit that does not matter to zlib
        assert other.row(1) == table.row(0)


@pytest.mark.parametrize("text", ["", "a👩a", "a👩a👩x"])
def test_a_text_that_does_not_belong_to_the_rows_is_refused(text: str) -> None:
    table = filled([TokenRow(1, 0.0), TokenRow(2, 0.0)])
    with pytest.raises(ValueError):
        TokenTable().extend_packed(table.pack(), text)


def test_a_token_with_five_candidates_and_the_chosen_one_costs_at_most_150_bytes() -> None:
    table = TokenTable()
    count = 20_000
    listed = tuple(Candidate(number, -1.5, number, True) for number in range(6))
    for index in range(count):
        row = TokenRow(9, float(index), -1.0, 7, 2.0, listed, 0.1, 40, -0.5, None)
        table.append(row, Piece(" word", 5 * index, 5 * index + 5, 5 * index + 5))
    size = sum(sys.getsizeof(column) for column in table.columns.values())
    size += sum(sys.getsizeof(part) for part in (*table._chunks, *table._tail))
    size += sys.getsizeof(table._chunks) + sys.getsizeof(table._tail)
    assert size / count <= 150
