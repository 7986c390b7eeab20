"""Token by token gives the text that the tokenizers library gives for the whole list, and the right spans."""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models

from core.tokens.decode import AnswerDecoder, Piece, utf16
from core.tokens.vocabulary import Flag, Kind, Vocabulary
from core.worker.pieces import byte_alphabet, read_pieces

CASES = Path(__file__).resolve().parents[2] / "cases"
STAND_INS = {byte: sign for sign, byte in byte_alphabet().items()}
SPECIAL = ["<|end|>", "<think>", "中文", "é"]  # stand-ins of bytes, and not
BROKEN = [
    b"\xe4\xb8",
    b"\xad",
    b"\xf0\x9f\x91",
    b"\xa9\xe2",
    b"\x80\x8d",
    b"\xff\xfe",
    b"\xc0\x80",
    b"\xed\xa0\x80",
]
WORDS = [
    "Hello",
    " world",
    "    ",
    "\n\n",
    "é",
    "明",
    "👩\u200d👧",
    "e\u0301",
    " שלום",
    "\u00a0",
    "a\x00b",
    "\r\n",
]


def byte_level() -> tuple[Tokenizer, Vocabulary]:
    raw = [bytes([value]) for value in range(256)] + [word.encode() for word in WORDS] + BROKEN
    pieces = list(dict.fromkeys("".join(STAND_INS[byte] for byte in one) for one in raw))
    tokenizer = Tokenizer(models.BPE({piece: index for index, piece in enumerate(pieces)}, []))
    tokenizer.decoder = decoders.ByteLevel()
    return _with_special(tokenizer)


def byte_fallback(strip: int) -> tuple[Tokenizer, Vocabulary]:
    pieces = [f"<0x{value:02X}>" for value in range(256)]
    words = ["▁", "▁▁▁▁", "▁Hello", "▁▁", "Hello", "明", "👩", "é", ".", "a▁b", "\n", "<0x", "<0xZZ>", "�"]
    tokenizer = Tokenizer(models.BPE({piece: index for index, piece in enumerate(pieces + words)}, []))
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    if strip:
        steps.append(decoders.Strip(" ", strip, 0))
    tokenizer.decoder = decoders.Sequence(steps)
    return _with_special(tokenizer)


def _with_special(tokenizer: Tokenizer) -> tuple[Tokenizer, Vocabulary]:
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    return tokenizer, Vocabulary.from_pieces(*read_pieces(json.loads(tokenizer.to_str())))


def fed(vocabulary: Vocabulary, ids: list[int]) -> list[Piece]:
    decoder = AnswerDecoder(vocabulary)
    pieces: list[Piece] = []
    for count, one in enumerate(ids, 1):
        pieces += decoder.feed(one)
        assert len(pieces) + decoder.held == count
    pieces += decoder.finish()
    assert decoder.held == 0 and len(pieces) == len(ids)
    return pieces


def check(pieces: list[Piece], text: str) -> None:
    """Joined text is the whole; spans are whole characters, in order, and together everything."""
    assert "".join(piece.text for piece in pieces) == text
    ends = list(accumulate(utf16(piece.text) for piece in pieces))
    assert [piece.end for piece in pieces] == ends
    bounds = {0, *accumulate(utf16(sign) for sign in text)}
    covered: set[int] = set()
    for piece in pieces:
        assert piece.start <= piece.end <= piece.stop
        assert {piece.start, piece.end, piece.stop} <= bounds
        covered |= set(range(piece.start, piece.stop))
    assert covered == set(range(utf16(text)))
    for before, after in pairwise(pieces):
        assert before.start <= after.start and before.stop <= after.stop and before.end <= after.end


BYTE_LEVEL = byte_level()
FALLBACK = byte_fallback(0)
STRIPPED = byte_fallback(1)
STRIPPED_TWICE = byte_fallback(2)
PAIRS = {"byte-level": BYTE_LEVEL, "fallback": FALLBACK, "strip": STRIPPED, "strip 2": STRIPPED_TWICE}
FALLBACKS = {name: pair for name, pair in PAIRS.items() if pair is not BYTE_LEVEL}
SPACES = json.loads((CASES / "tokens" / "leading_space_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@given(data=st.data())
def test_joined_text_is_that_of_tokenizers(pair: tuple[Tokenizer, Vocabulary], data: st.DataObject) -> None:
    tokenizer, vocabulary = pair
    spaces = [one for one in range(len(vocabulary)) if not vocabulary.bytes_of(one).strip()]
    any_id = st.integers(0, len(vocabulary) + 2)
    ids = data.draw(st.lists(st.one_of(any_id, any_id, st.sampled_from(spaces)), max_size=24))
    check(fed(vocabulary, ids), tokenizer.decode(ids, skip_special_tokens=False))


@pytest.mark.parametrize("pair", FALLBACKS.values(), ids=FALLBACKS)
@given(text=st.text(max_size=12), words=st.lists(st.integers(256, 273), max_size=4))
def test_runs_of_byte_tokens(pair: tuple[Tokenizer, Vocabulary], text: str, words: list[int]) -> None:
    tokenizer, vocabulary = pair
    for ids in ([*text.encode(), *words], [*words, *text.encode()], [*text.encode()[1:], *words, 0x20, 0x41]):
        check(fed(vocabulary, ids), tokenizer.decode(ids, skip_special_tokens=False))


@given(st.data())
def test_every_token_has_exactly_the_characters_it_has_bytes_of(data: st.DataObject) -> None:
    """Any text cut into tokens anywhere, against plain arithmetic on byte offsets."""
    text = data.draw(st.text(min_size=1, max_size=12))
    raw = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)), max_size=8)) | {0, len(raw)})
    chunks = [raw[left:right] for left, right in pairwise(cuts)]
    vocabulary = Vocabulary.from_pieces(chunks, [Flag.NONE] * len(chunks))
    pieces = fed(vocabulary, list(range(len(chunks))))
    check(pieces, text)
    signs: list[tuple[int, int, int, int]] = []  # bytes from, to, units from, to
    at = units = 0
    for sign in text:
        signs.append((at, at + len(sign.encode()), units, units + utf16(sign)))
        at, units = signs[-1][1], signs[-1][3]
    for (left, right), piece in zip(pairwise(cuts), pieces, strict=True):
        mine = [sign for sign in signs if sign[0] < right and sign[1] > left]
        assert (piece.start, piece.stop) == (mine[0][2], mine[-1][3])
        assert piece.text == "".join(
            sign for sign, place in zip(text, signs, strict=True) if left < place[1] <= right
        )
        assert piece.split == any(sign[0] < left or sign[1] > right for sign in mine)


@pytest.mark.parametrize("case", SPACES, ids=lambda case: str(case["ids"]))
def test_leading_spaces_and_runs_of_spaces(case: dict[str, object]) -> None:
    path = CASES / "models" / "tiny" / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(path))
    vocabulary = Vocabulary.from_pieces(*read_pieces(json.loads(path.read_text(encoding="utf-8"))))
    ids = case["ids"]
    assert isinstance(ids, list)
    pieces = fed(vocabulary, ids)
    check(pieces, str(case["text_lossy"]))
    assert b"".join(vocabulary.bytes_of(one) for one in ids).hex() == case["bytes_hex"]
    assert tokenizer.decode(ids, skip_special_tokens=False) == case["text_lossy"]


def test_each_part_of_a_split_sign_knows_the_whole_of_it() -> None:
    vocabulary = Vocabulary.from_pieces([b"x", b"\xf0", b"\x9f", b"\x91", b"\xa9", b"!"], [0] * 6)
    pieces = fed(vocabulary, [0, 1, 2, 3, 4, 5])
    assert [piece.text for piece in pieces] == ["x", "", "", "", "👩", "!"]
    assert [(piece.start, piece.stop) for piece in pieces[1:5]] == [(1, 3)] * 4
    assert [piece.split for piece in pieces] == [False, True, True, True, True, False]
    assert (pieces[5].start, pieces[5].end) == (3, 4)


def test_ids_without_a_token_have_no_text_and_no_part() -> None:
    vocabulary = Vocabulary.from_pieces([b"a", b""], [Flag.NONE, Flag.UNUSED])
    pieces = fed(vocabulary, [0, 1, 999, -1, 0])
    assert [piece.text for piece in pieces] == ["a", "", "", "", "a"]
    assert [(piece.start, piece.stop) for piece in pieces] == [(0, 1), (1, 1), (1, 1), (1, 1), (1, 2)]


def test_a_byte_run_is_held_until_it_ends_since_one_wrong_byte_makes_all_of_it_wrong() -> None:
    _, vocabulary = FALLBACK
    decoder = AnswerDecoder(vocabulary)
    assert [decoder.feed(one) for one in "é".encode()] == [[], []]
    assert decoder.held == 2
    assert [piece.text for piece in decoder.feed(0xFF)] == []
    assert "".join(piece.text for piece in decoder.finish()) == "\ufffd" * 3
    assert vocabulary.kind is Kind.BYTE_FALLBACK
