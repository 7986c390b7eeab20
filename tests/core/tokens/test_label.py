"""Tokens that stand alone, and the text that all of them make."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens.decode import AnswerDecoder
from core.tokens.label import Sort, characters, label, matches
from core.tokens.vocabulary import Flag, Kind, Vocabulary


def made(*pieces: bytes, special: tuple[bytes, ...] = ()) -> Vocabulary:
    flags = [Flag.SPECIAL if piece in special else Flag.NONE for piece in pieces]
    return Vocabulary.from_pieces(list(pieces), flags)


@pytest.mark.parametrize(
    ("piece", "text", "sort"),
    [
        (b" the", "·the", Sort.TEXT),
        (b"\n\n", "↵↵", Sort.BLANK),
        (b"\t", "→", Sort.BLANK),
        (b" ", "·", Sort.BLANK),
        (b"a\x00b", "aU+0000b", Sort.TEXT),
        ("\u0301".encode(), "\u25cc\u0301", Sort.TEXT),
        ("\ufe0f".encode(), "U+FE0F", Sort.TEXT),
        ("\u200d".encode(), "U+200D", Sort.TEXT),
        ("\u202e".encode(), "U+202E", Sort.TEXT),
        ("مرحبا".encode(), "مرحبا", Sort.TEXT),
        ("峯".encode()[:2], "E5 B3", Sort.BYTES),
        (b" \xe5", "20 E5", Sort.BYTES),
        (b"", "<id 0>", Sort.ABSENT),
    ],
)
def test_a_token_alone_is_never_invisible(piece: bytes, text: str, sort: Sort) -> None:
    found = label(made(piece), 0)
    assert (found.text, found.sort, found.size) == (text, sort, len(piece))


def test_a_special_token_is_one_whatever_is_in_its_name() -> None:
    assert label(made(b"<| end |>", special=(b"<| end |>",)), 0).sort is Sort.SPECIAL


def test_a_part_of_a_character_whose_bytes_nobody_told_has_no_size() -> None:
    vocabulary = Vocabulary.from_pieces(["\ufffd".encode()], [Flag.PART])
    found = label(vocabulary, 0)
    assert (found.text, found.sort, found.size) == ("\ufffd", Sort.BYTES, 0)


def test_an_id_beyond_the_vocabulary_is_named_by_its_number() -> None:
    assert label(made(b"a"), 70_000).text == "<id 70000>"


@pytest.mark.parametrize("words", ["capital", "CAPITAL", " cap", "·cap", "0"])
def test_a_search_finds_text_as_it_is_or_as_it_is_shown_or_the_id(words: str) -> None:
    assert matches(made(b" Capital", b"b"), 0, words)
    assert not matches(made(b" Capital", b"b"), 1, words)


def test_a_part_of_a_number_is_no_id() -> None:
    vocabulary = made(*(bytes([97 + at]) for at in range(20)))
    assert [token for token in range(20) if matches(vocabulary, token, "1")] == [1]


@given(st.lists(st.binary(min_size=1, max_size=5), max_size=12))
def test_joined_characters_are_the_text_whatever_the_bytes(pieces: list[bytes]) -> None:
    vocabulary = made(*pieces) if pieces else made(b"a")
    ids = list(range(len(pieces)))
    parts = [characters(vocabulary, ids, at) for at in ids]
    assert "".join(parts) == b"".join(pieces).decode("utf-8", "replace")


@given(st.text(max_size=20), st.lists(st.integers(0, 80), max_size=10))
def test_a_character_stands_with_the_token_it_begins_in(text: str, cuts: list[int]) -> None:
    raw = text.encode("utf-8", "replace")
    edges = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    pieces = [raw[first:last] for first, last in pairwise(edges)]
    vocabulary = made(*(pieces or [b"a"]))
    parts = [characters(vocabulary, list(range(len(pieces))), at) for at in range(len(pieces))]
    starts = {len(text[:at].encode("utf-8", "replace")) for at in range(len(text))}
    for part, (first, last) in zip(parts, pairwise(edges), strict=True):
        assert len(part) == sum(first <= start < last for start in starts)


def test_byte_tokens_of_a_fallback_vocabulary_join_too() -> None:
    raw = "é".encode()
    flags = [Flag.BYTE, Flag.BYTE, Flag.NONE]
    vocabulary = Vocabulary.from_pieces([raw[:1], raw[1:], b"x"], flags, Kind.BYTE_FALLBACK)
    decoder = AnswerDecoder(vocabulary)
    whole = "".join(piece.text for token in (0, 1, 2) for piece in decoder.feed(token))
    assert [characters(vocabulary, [0, 1, 2], at) for at in range(3)] == ["é", "", "x"]
    assert whole == "éx"
