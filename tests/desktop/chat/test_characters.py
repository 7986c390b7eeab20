"""One painted unit for each unit of the text, and slices that never break a character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.tokens.decode import utf16
from desktop.chat.characters import BREAK, cut16, first_direction, flat, last_direction, shown

ODD = (
    "\0\t\r\n\x1b\x7f\x85\u2028\u2029\u200d\u202e\u2066\ufffc\ufffd\u00a0\u00ad\U0001f469\u05d0\u0627e\u0301"
)
texts = st.text(st.sampled_from(ODD) | st.characters(codec="utf-8"))


@given(texts)
def test_what_is_painted_has_a_unit_for_each_unit(text: str) -> None:
    for ends in (False, True):
        assert utf16(shown(text, ends=ends)) == utf16(text)
    assert len(flat(text)) == utf16(text)


@given(st.text(st.sampled_from(ODD)))
def test_nothing_that_acts_on_its_neighbours_is_painted(text: str) -> None:
    painted = shown(text)
    assert not set(painted) & set("\0\x1b\x7f\x85\u202e\u2066\ufffc")
    assert "\r" not in painted


def test_controls_are_shown_by_their_pictures() -> None:
    assert shown("a\0b\x1b") == "a\u2400b\u241b"
    assert shown("line\r", ends=True) == "line\u200b"
    assert shown("line\r") == "line\u240d"
    assert shown("a\tb\u00a0c") == "a\tb\u00a0c"


@given(texts, st.integers(0, 40), st.integers(0, 40))
def test_cut16_joins_to_the_whole(text: str, one: int, other: int) -> None:
    size = utf16(text)
    first, last = sorted((min(one, size), min(other, size)))
    piece = cut16(text, first, last)
    assert piece in text
    assert 0 <= utf16(piece) - (last - first) <= 2
    edges = {utf16(text[:n]) for n in range(len(text) + 1)}
    if first in edges and last in edges:
        assert cut16(text, 0, first) + piece + cut16(text, last, size) == text


def test_cut16_takes_a_whole_character_at_an_edge_within_it() -> None:
    assert cut16("a👩b", 2, 3) == "👩"
    assert cut16("a👩b", 0, 2) == "a👩"
    assert cut16("a👩b", 3, 4) == "b"


def test_paragraphs_end_at_line_feeds_and_both_separators() -> None:
    assert BREAK.split("a\nb\u2028c\u2029d\re") == ["a", "b", "c", "d\re"]


def test_direction_of_the_first_and_last_strong_character() -> None:
    assert first_direction("12, שלום abc") == "R"
    assert last_direction("12, שלום abc 3") == "L"
    assert first_direction("123 …") == ""
    assert first_direction("مرحبا") == "AL"
