"""Number hygiene: what a row may say for each kind of number a server sends."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.vllm.rows import Mode, Reading, rank, row
from core.engines.vllm.step import Token, token
from core.tokens.row import TokenRow
from tests.core.engines.vllm.replay import RAW, rows


def read(of: Token, mode: Mode = Mode.RAW_LOGPROBS, **change: object) -> TokenRow:
    return row(of, 1.0, msgspec.structs.replace(RAW, mode=mode, **change))


def ranked(found: TokenRow) -> list[tuple[int, float | None, int | None]]:
    return [(one.id, one.logprob, one.rank) for one in found.candidates]


def test_a_plain_token() -> None:
    found = read(token(5, -0.5, 1, [(5, -0.5), (6, -1.0), (7, -2.0)]))
    assert (found.logprob, found.rank, found.others, found.entropy) == (-0.5, 1, None, None)
    assert (found.sampling_logprob, found.kept_count) == (None, None)
    assert ranked(found) == [(5, -0.5, 1), (6, -1.0, 2), (7, -2.0, 3)]
    assert all(one.kept is None for one in found.candidates)


def test_ties_never_count_against_a_token() -> None:
    tied = token(5, -1.0, 4, [(6, -0.5), (7, -1.0), (8, -1.0), (9, -3.0)])
    assert rank(tied) == 2  # the server said 4: it counts ties
    assert ranked(read(tied)) == [(6, -0.5, 1), (5, -1.0, 2), (7, -1.0, 2), (8, -1.0, 2), (9, -3.0, 5)]
    assert rank(token(5, -1.0, 3, [(6, -1.0), (7, -1.0)])) == 1


def test_below_all_listed_only_the_server_knows() -> None:
    far = token(5, -9.0, 207, [(6, -0.5), (7, -1.0)])
    assert (rank(far), rank(far, server=False)) == (207, None)
    assert ranked(read(far))[-1] == (5, -9.0, 207)
    # one that contradicts the list is not believed (speculation compares other numbers)
    assert rank(token(5, -9.0, 2, [(6, -0.5), (7, -1.0)])) is None


def test_gaps_leave_no_exact_ranks() -> None:
    gappy = token(5, -0.5, None, [(5, -0.5), (None, -0.7), (6, -1.0)])
    assert (gappy.gaps, rank(gappy)) == (True, None)
    assert ranked(read(gappy)) == [(5, -0.5, None), (6, -1.0, None)]


def test_the_chosen_one_is_shown_beside_the_most_likely() -> None:
    wide = token(5, -9.0, 40, [(id, -0.1 * id) for id in range(10, 16)])
    assert [one.id for one in read(wide, shown=5).candidates] == [10, 11, 12, 13, 14, 5]
    assert [one.id for one in read(wide, shown=1).candidates] == [10, 5]


def test_fillers_are_never_listed() -> None:
    """T09, and in a processed mode they say how many were left."""
    cut = token(258, -0.51, 1, [(258, -0.51), (256, -0.92), (46, -9999.0), (33, -9999.0)])
    assert ranked(read(cut)) == [(258, -0.51, 1), (256, -0.92, 2)]
    assert read(cut).kept_count is None
    processed = read(cut, Mode.PROCESSED_LOGPROBS)
    assert (processed.kept_count, processed.sampling_logprob, processed.logprob) == (2, -0.51, None)
    assert [(one.id, one.kept) for one in processed.candidates] == [(258, True), (256, True)]
    whole = token(258, -0.51, 1, [(258, -0.51), (256, -0.92)])
    assert read(whole, Mode.PROCESSED_LOGPROBS).kept_count is None
    assert read(token(1, -9999.0, 7, [(2, -9999.0)])).logprob is None


def test_a_mask_counts_what_was_left() -> None:
    masked = token(5, -0.5, 1, [(5, -0.5), (6, -1.0)], mask=[5, 6, 7])
    found = read(masked, Mode.PROCESSED_LOGPROBS)
    assert (found.kept_count, [one.kept for one in found.candidates]) == (3, [True, True])
    foreign = token(5, -0.5, 1, [(6, -1.0)], mask=[6, 7])
    assert read(foreign, Mode.PROCESSED_LOGPROBS).kept_count is None


def test_greedy_is_certain_in_every_mode() -> None:
    sent = token(5, -0.5, 1, [(5, -0.5), (6, -1.0)])
    for mode in Mode:
        found = read(sent, mode, greedy=True)
        assert (found.kept_count, found.sampling_logprob) == (1, 0.0)
    assert [one.kept for one in read(sent, greedy=True).candidates] == [True, False]
    assert read(sent, Mode.PROCESSED_LOGPROBS, greedy=True).candidates == ()


@pytest.mark.parametrize("mode", [Mode.RAW_LOGITS, Mode.PROCESSED_LOGITS])
def test_logits_are_never_probabilities(mode: Mode) -> None:
    found = read(token(5, 11.25, 9, [(6, 12.0), (7, 10.5)]), mode)
    assert (found.logprob, found.sampling_logprob, found.rank) == (None, None, 2)
    assert ranked(found) == [(6, 12.0, 1), (5, 11.25, 2), (7, 10.5, 3)]  # scores, by their evidence


@pytest.mark.parametrize("mode", [Mode.UNKNOWN, Mode.NONE])
def test_numbers_of_an_unknown_kind_are_left_out(mode: Mode) -> None:
    assert read(token(5, -0.5, 1, [(6, -1.0)]), mode) == TokenRow(5, 1.0)


def test_nothing_above_certain() -> None:
    assert read(token(5, 1e-6, 1, [])).logprob == 0.0
    over = read(token(5, 3.5, 1, [(6, 2.0), (7, -1.0)]))
    assert (over.logprob, [one.id for one in over.candidates]) == (None, [7, 5])


def test_recorded_oddities() -> None:
    """T12: a duplicate is listed once; T14: exact zeros are shown; T19: one row a token."""
    duplicate = rows("duplicate_sampled")[0]
    assert [one.id for one in duplicate.candidates].count(258) == 1
    places = [one.rank for one in duplicate.candidates]
    assert places == sorted(places, key=lambda place: place or 0) and places[0] == 1
    assert [found.logprob for found in rows("all_zero")] == [0.0] * 4
    assert len(rows("multi_token_event")) == 8
    assert all(len(found.candidates) <= 6 for name in ("cjk", "minus_9999") for found in rows(name))


numbers = st.one_of(
    st.none(), st.floats(allow_nan=True), st.sampled_from([-9999.0, 0.0, -0.0, 1e-7, -1.0, -1.0, 11.0])
)
ids = st.one_of(st.none(), st.integers(0, 8))


@given(
    st.integers(0, 8), numbers, st.one_of(st.none(), st.integers(-3, 50)),
    st.lists(st.tuples(ids, numbers), max_size=7),
    st.one_of(st.none(), st.lists(st.integers(0, 8))),
    st.sampled_from(list(Mode)), st.booleans(), st.integers(1, 5),
)  # fmt: skip
def test_no_input_makes_a_row_that_lies(id, value, place, entries, mask, mode, greedy, shown) -> None:  # type: ignore[no-untyped-def]
    found = row(token(id, value, place, entries, mask), 1.0, Reading(mode, greedy, shown, True))
    sent = {number for _, number in entries} | {value, 0.0}
    highest = math.inf if mode.logits else 0.0  # scores are no probabilities
    for number in (found.logprob, found.sampling_logprob, *(one.logprob for one in found.candidates)):
        assert number is None or (math.isfinite(number) and -9999.0 < number <= highest and number in sent)
    assert found.logprob is None or mode is Mode.RAW_LOGPROBS
    listed = [one.id for one in found.candidates]
    assert len(listed) == len(set(listed)) <= shown + 1
    assert not listed or id in listed
    assert found.rank is None or found.rank >= 1
    assert found.kept_count is None or found.kept_count >= 1
