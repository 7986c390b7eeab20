"""Tokens, their rectangles and what is under a point agree, for every kind of text."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from desktop.chat.blocks import AnswerBlock
from desktop.chat.brushes import Brushes
from desktop.chat.laid import PILL
from desktop.chat.layout import FlowLayout
from desktop.chat.metrics import measure
from desktop.chat.tokens import TokenMap
from desktop.chat.turns import AnswerTurn
from desktop.chat.view import TokenRef, TranscriptView
from desktop.kit.theme import LIGHT
from tests.fakes.answers import Answer, answer, words
from tests.fakes.transcript import show, turn_of


@pytest.fixture(scope="module", autouse=True)
def app() -> QApplication:
    found = QApplication.instance()
    return found if isinstance(found, QApplication) else QApplication([])


def block_of(made: Answer, width: int = 500, **more: object) -> AnswerBlock:
    turn = AnswerTurn("a", made.table, made.vocabulary, **more)  # type: ignore[arg-type]
    block = AnswerBlock(turn, measure(), Brushes(LIGHT))
    block.set_width(width)
    layout = block.answer.layout
    layout.settle(0, len(layout.flow.chunks) - 1)
    return block


def parts_of(block: AnswerBlock) -> tuple[FlowLayout, TokenMap]:
    assert block.answer.tokens is not None
    return block.answer.layout, block.answer.tokens


def byte_tokens(text: str, seed: int) -> list[bytes]:
    """Cut anywhere, also within characters."""
    raw, chance = text.encode(), random.Random(seed)
    found, at = [], 0
    while at < len(raw):
        step = chance.randint(1, 7)
        found.append(raw[at : at + step])
        at += step
    return found


PARTS = [
    "Hello world ",
    "字據說",
    "שלום עולם ",
    "مرحبا ",
    "👩\u200d👩\u200d👧 ",
    "e\u0301a\u0308",
    "12, 34. ",
    "\n",
]
SAMPLES = st.lists(st.sampled_from([*PARTS, "fi ffl ", "(א) "]), min_size=1, max_size=25).map("".join)


@settings(max_examples=40)
@given(text=SAMPLES, seed=st.integers(0, 50), width=st.integers(160, 600))
def test_every_rectangle_leads_back_to_its_token(text: str, seed: int, width: int) -> None:
    made = answer(byte_tokens(text, seed))
    assert made.table.text == text
    layout, tokens = parts_of(block_of(made, width))
    for token in range(len(made.table)):
        first, last = made.table.span(token)
        assert first < last
        if not layout.heights[layout.flow.chunk_at(first)]:
            continue  # empty lines before the first text have no room
        for rect in tokens.rects(token):
            unit = tokens.unit_at(rect.center().x(), rect.center().y())
            assert unit is not None, (token, rect)
            assert token in tokens.tokens_at(unit) or rect.width() == 4, (token, unit, rect)
            assert rect.left() >= 0 and rect.right() <= width + layout.metrics.em


@settings(max_examples=40)
@given(text=SAMPLES, seed=st.integers(0, 50), data=st.data())
def test_every_point_on_text_leads_to_tokens_that_are_painted_there(
    text: str, seed: int, data: st.DataObject
) -> None:
    made = answer(byte_tokens(text, seed), 0.03)
    layout, tokens = parts_of(block_of(made, 300))
    x = data.draw(st.floats(0, 300))
    y = data.draw(st.integers(0, max(layout.height - 1, 0)))
    unit = tokens.unit_at(x, y)
    if unit is None:
        return
    found = tokens.tokens_at(unit)
    assert found
    # the tokens' units include the one under the point
    assert any(made.table.span(token)[0] <= unit < made.table.span(token)[1] for token in found) or (
        layout.flow.slice(unit, unit + 1) != ""
    )
    # and so do their rectangles, but for blanks, which are only half painted
    if layout.flow.slice(unit, unit + 1).strip():
        spots = [rect.adjusted(-1.5, -9, 1.5, 9) for token in found for rect in tokens.rects(token)]
        assert any(spot.contains(x, y) for spot in spots), (unit, found, x, y, spots)


def test_a_split_character_belongs_to_all_its_tokens() -> None:
    made = answer([b"a ", b"\xe5\xb3", b"\xaf", b" b"])
    _, tokens = parts_of(block_of(made))
    assert list(tokens.tokens_at(2)) == [1, 2]
    assert list(tokens.group(1)) == [1, 2]
    assert list(tokens.group(0)) == [0]
    one, other = tokens.rects(1), tokens.rects(2)
    assert one == other
    assert one[0].width() > 10


def test_a_joined_emoji_belongs_to_the_tokens_of_all_its_signs() -> None:
    made = answer(["👩".encode(), "\u200d".encode(), "💻".encode(), b"!"])
    _, tokens = parts_of(block_of(made))
    for unit in range(5):
        assert list(tokens.tokens_at(unit)) == [0, 1, 2]
    assert list(tokens.group(1)) == [0, 1, 2]
    assert tokens.rects(0) == tokens.rects(2)
    assert list(tokens.tokens_at(5)) == [3]


def test_a_combining_mark_belongs_to_its_base() -> None:
    made = answer([b"cafe", "\u0301".encode(), b" x"])
    _, tokens = parts_of(block_of(made))
    assert list(tokens.tokens_at(4)) == [0, 1]
    assert list(tokens.tokens_at(0)) == [0]
    assert list(tokens.group(1)) == [0, 1]


def test_the_least_likely_piece_gives_the_tint() -> None:
    made = Answer([b"a", b"\xe5\xb3", b"\xaf"])
    made.add([b"a"], 0.95).add([b"\xe5\xb3"], 0.03).add([b"\xaf"], 0.99)
    _, tokens = parts_of(block_of(made.finish()))
    tints = tokens.tints(0)
    assert [tint.step for tint in tints] == [6]


def test_sure_unknown_and_stopped_tokens_have_no_tint() -> None:
    made = Answer([b"sure", b" unknown", b" doubt"])
    made.add([b"sure"], 0.95).add([b" unknown"], None).add([b" doubt"], 0.01)
    _, tokens = parts_of(block_of(made.finish()))
    assert [tint.step for tint in tokens.tints(0)] == [6]


def test_a_tint_begins_half_a_blank_before_the_word_and_stays_inside_the_line() -> None:
    made = answer([b"one", b" two", b"three"], 0.01)
    layout, tokens = parts_of(block_of(made))
    m = layout.metrics
    one, two, three = (tint.rect for tint in tokens.tints(0))
    assert two.left() == pytest.approx(one.right() + m.space / 2, abs=1)
    assert three.left() == pytest.approx(two.right(), abs=1)
    assert (one.top(), one.height()) == (3, m.line - 6)


def test_blanks_at_a_line_end_own_no_rectangle() -> None:
    made = answer(words("word " * 30), 0.01)
    layout, tokens = parts_of(block_of(made, 200))
    laid = layout.lay(0)
    assert len(laid.lines) > 3
    for rect, _ in tokens.tints(0):
        assert rect.right() <= 200.5
    lefts = [rect.left() for rect, _ in tokens.tints(0)]
    assert lefts.count(0) == len(laid.lines)  # no half blank where a line begins


def test_line_end_tokens_have_a_box_only_as_a_mark() -> None:
    made = answer([b"one", b"\n\n", b"two", b".\n"], 0.01)
    _, tokens = parts_of(block_of(made))
    assert len(tokens.tints(0)) == 1  # "one"
    boxes = tokens.rects(1)
    assert len(boxes) == 2
    assert boxes[0].left() >= tokens.rects(0)[0].right()
    for box in boxes:
        unit = tokens.unit_at(box.center().x(), box.center().y())
        assert unit is not None
        assert 1 in tokens.tokens_at(unit)
    assert len(tokens.rects(3)) == 1  # the full stop is all that is painted of it


def test_a_token_without_text_has_a_mark_and_no_hit() -> None:
    made = answer([b"a", b"", b"b"])
    _, tokens = parts_of(block_of(made))
    (rect,) = tokens.rects(1)
    assert 0 < rect.width() < 6
    hit = {token for x in range(30) for token in tokens.tokens_at(tokens.unit_at(x / 2, 14) or 0)}
    assert hit == {0, 2}


def test_beside_text_there_is_no_token() -> None:
    made = answer(words("one two"))
    layout, tokens = parts_of(block_of(made))
    assert tokens.unit_at(300, 14) is None
    assert tokens.unit_at(3, layout.height + 5) is None
    assert tokens.unit_at(-4, 14) is None


def test_special_tokens_are_pills_and_keep_their_units() -> None:
    made = answer([b"Hi.", b"<|im_end|>", b"<|x|>"], 0.01, special=(b"<|im_end|>", b"<|x|>"))
    layout, tokens = parts_of(block_of(made))
    tints = sorted(tokens.tints(0), key=lambda tint: tint.rect.left())
    assert [tint.step for tint in tints] == [6, PILL, PILL]
    for one, other in itertools.pairwise(tints):
        assert one.rect.right() < other.rect.left()  # the space around a pill belongs to nobody
    assert layout.flow.slice(0, layout.flow.end) == "Hi.<|im_end|><|x|>"
    (rect,) = tokens.rects(1)
    unit = tokens.unit_at(rect.center().x(), rect.center().y())
    assert unit is not None and list(tokens.tokens_at(unit)) == [1]


def test_code_is_tinted_too() -> None:
    made = answer([b"```\n", b"x = 1", b"\n```"], 0.01)
    layout, tokens = parts_of(block_of(made))
    assert all(layout.boxed(index) for index in range(len(layout.flow.chunks)))
    rect = tokens.tints(1)[0].rect
    assert rect.left() == layout.metrics.gap_large
    assert rect.top() >= 1 and rect.height() <= layout.metrics.code_line


def test_right_to_left_tints_cover_their_words() -> None:
    made = answer(words("שלום עולם abc טוב"), 0.01)
    _, tokens = parts_of(block_of(made))
    tints = tokens.tints(0)
    assert len(tints) == 4
    assert tints[0].rect.right() == pytest.approx(500, abs=1)
    lefts = [tint.rect.left() for tint in tints]
    assert lefts == sorted(lefts, reverse=True)


@pytest.mark.parametrize("ahead", range(24))
def test_a_special_token_is_never_broken_over_two_lines(view: TranscriptView, ahead: int) -> None:
    """Wherever the line's end falls in it, it goes to the next line whole."""
    mark = b"<|im_end|>"
    show(view, turn_of(answer([b"word " * 12 + b"x" * ahead, mark], special=(mark,))))
    assert len(view._stage.rects(TokenRef("a", 1))) == 1
