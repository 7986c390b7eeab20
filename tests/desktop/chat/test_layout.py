"""Frozen chunks are what one fresh layout of the whole paragraph would be, and cost only what is new."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from desktop.chat.characters import shown
from desktop.chat.laid import Laid
from desktop.chat.layout import FlowLayout
from desktop.chat.metrics import Metrics, measure
from desktop.chat.transcript import LIMIT, Chunk, Start, TextFlow

ENGLISH = (
    "The capital of Australia is Canberra, chosen in 1908 as a compromise (between Sydney and Melbourne). "
)
CHINESE = "台灣最高的山是玉山，主峯海拔 3,952 公尺。名字據說來自冬天山頂的積雪，遠看像一塊白玉。"
HEBREW = "ירושלים היא בירת ישראל, ובה כ-950,000 תושבים (2020). "
ARABIC = "عاصمة أستراليا هي كانبرا، وقد اختيرت عام 1908، لا سيدني. "
MIXED = "The word שלום (peace) and مرحبا 12, 34 mean “hello” in two languages: שלום עולם, 99! "
EMOJI = "Family 👩‍👩‍👧‍👦 and flags 🇹🇼🇦🇺, accents e\u0301a\u0308o\u0302 and ½ ﬁ Å. "
CODE = "for name in names:  print(f'{name}=')  # a comment that goes on and on "
ALL = {
    "english": ENGLISH,
    "chinese": CHINESE,
    "hebrew": HEBREW,
    "arabic": ARABIC,
    "mixed": MIXED,
    "emoji": EMOJI,
}


@pytest.fixture(scope="module")
def metrics(qapp_session: QApplication) -> Metrics:
    return measure()


@pytest.fixture(scope="module")
def qapp_session() -> QApplication:
    app = QApplication.instance()
    return app if isinstance(app, QApplication) else QApplication([])


Line = tuple[int, int, float, float]


def fresh(flow: TextFlow, metrics: Metrics, width: int) -> list[Line]:
    """All lines of the flow, each paragraph laid out whole: (first unit, units, left, width)."""
    found: list[Line] = []
    index = 0
    while index < len(flow.chunks):
        head = flow.chunks[index]
        whole = Chunk(head.start, first=True, box=head.box, rtl=head.rtl)
        while True:
            whole.text += flow.chunks[index].text
            whole.size += flow.chunks[index].size
            whole.ending = flow.chunks[index].ending
            index += 1
            if index == len(flow.chunks) or flow.chunks[index].first:
                break
        code = bool(head.box)
        laid = Laid(
            whole,
            metrics.code_font if code else metrics.font,
            [],
            width=width - 2 * metrics.gap_large if code else width,
            x=metrics.gap_large if code else 0,
            top=0,
            line=metrics.code_line if code else metrics.line,
            tab=metrics.tab,
        )
        found += lines_of(laid)
    return found


def lines_of(laid: Laid) -> list[Line]:
    """Extents without blanks at the line's end, which take no room."""
    found: list[Line] = []
    for number in range(len(laid.lines)):
        start, stop = laid.starts[number], laid.line_stop(number)
        text = laid.flat[start - laid.start : stop - laid.start].rstrip(" ")
        # Qt lets a tab that does not fit end where it likes
        spans = laid.segments(number, start, start + len(text)) if text and "\t" not in text else []
        left = min((span[0] for span in spans), default=0.0)
        right = max((span[1] for span in spans), default=left)
        found.append((start, stop - start, left, right - left))
    return found


def frozen(layout: FlowLayout) -> list[Line]:
    """The lines as the chunks have them; a chunk with nothing in it has none."""
    found: list[Line] = []
    for index, chunk in enumerate(layout.flow.chunks):
        if chunk.size or chunk.first:
            found += lines_of(layout.lay(index))
    return found


def assert_same(one: list[Line], other: list[Line]) -> None:
    assert [line[:2] for line in one] == [line[:2] for line in other]
    for a, b in zip(one, other, strict=True):
        # kerning over a cut may move a line by a fraction of a pixel
        assert a[2] == pytest.approx(b[2], abs=1.5)
        assert a[3] == pytest.approx(b[3], abs=1.5)


def stream(text: str, metrics: Metrics, width: int, seed: int = 1, longest: int = 9) -> FlowLayout:
    """Grow a live flow by small pieces."""
    layout = FlowLayout(TextFlow(), metrics)
    layout.live = True
    layout.set_width(width)
    chance = random.Random(seed)
    at = 0
    while at < len(text):
        step = chance.randint(1, longest)
        layout.flow.append(text[at : at + step])
        layout.grow()
        at += step
    return layout


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [240, 684])
def test_streamed_chunks_equal_a_fresh_layout(name: str, width: int, metrics: Metrics) -> None:
    layout = stream(ALL[name] * 40, metrics, width)
    chunks = layout.flow.chunks
    assert len(chunks) > 4
    assert all(chunk.level is Start.EXACT for chunk in chunks)
    assert all(chunk.size <= 2 * LIMIT for chunk in chunks)
    assert_same(frozen(layout), fresh(layout.flow, metrics, width))


def test_streamed_code_equals_a_fresh_layout(metrics: Metrics) -> None:
    text = f"Look:\n```py\n{CODE * 20}\n\n\tdef x(): pass\n```\n{ENGLISH * 9}\n"
    layout = stream(text, metrics, 400)
    assert_same(frozen(layout), fresh(layout.flow, metrics, 400))
    boxed = [chunk.box for chunk in layout.flow.chunks]
    assert set(boxed) == {0, 1}


PIECES = st.lists(
    st.sampled_from([*ALL.values(), "word ", "字，", "ש", "12.5", "\n", "\t", "👩‍💻", "e\u0301", "—", "'s "]),
    min_size=5,
    max_size=60,
)


@settings(max_examples=25)
@given(pieces=PIECES, seed=st.integers(0, 99), width=st.integers(150, 700))
def test_any_stream_equals_a_fresh_layout(pieces: list[str], seed: int, width: int, metrics: Metrics) -> None:
    layout = stream("".join(pieces), metrics, width, seed)
    assert_same(frozen(layout), fresh(layout.flow, metrics, width))


@pytest.mark.parametrize("name", ALL)
def test_after_a_new_width_lines_become_those_of_a_fresh_layout(name: str, metrics: Metrics) -> None:
    layout = stream(ALL[name] * 60, metrics, 684)
    sizes = []
    for width in (301, 502, 333, 660):
        layout.set_width(width)
        layout.settle(0, 0)
        start = layout.loose(0, len(layout.flow.chunks) - 1)
        while start is not None:
            start = layout.tighten(start, 2000)
        assert layout.loose(0, len(layout.flow.chunks) - 1) is None
        assert_same(frozen(layout), fresh(layout.flow, metrics, width))
        sizes.append(max(chunk.size for chunk in layout.flow.chunks))
    assert max(sizes) <= 3 * LIMIT  # text does not gather in one chunk


def test_a_text_loaded_at_once_becomes_exact_where_it_is_looked_at(metrics: Metrics) -> None:
    flow = TextFlow()
    flow.append(ENGLISH * 100)
    layout = FlowLayout(flow, metrics)
    layout.grow()
    layout.set_width(500)
    assert layout.laid_characters == 0
    layout.settle(3, 5)
    assert layout.loose(3, 5) is None
    assert_same(
        [line for index in range(5) for line in lines_of(layout.lay(index))],
        fresh(flow, metrics, 500)[: sum(len(layout.lay(index).lines) for index in range(5))],
    )


def test_a_far_place_of_a_long_paragraph_is_shown_at_once_and_put_right_in_slices(metrics: Metrics) -> None:
    flow = TextFlow()
    flow.append(ENGLISH * 1200)
    layout = FlowLayout(flow, metrics)
    layout.grow()
    layout.set_width(500)
    far = len(flow.chunks) - 10
    layout.settle(far, far + 3)
    assert layout.laid_characters < 12 * LIMIT  # not the 200 chunks before
    start = layout.loose(far, far + 3)
    assert start == 0
    turns = 0
    while start is not None:
        before = layout.laid_characters
        start = layout.tighten(start, 4000)
        assert layout.laid_characters - before < 16_000
        turns += 1
    assert turns > 10
    assert_same(frozen(layout), fresh(flow, metrics, 500))


def test_one_paragraph_of_20000_tokens_costs_the_same_a_token_from_first_to_last(metrics: Metrics) -> None:
    layout = FlowLayout(TextFlow(), metrics)
    layout.live = True
    layout.set_width(684)
    costs = []
    for _ in range(5000):  # frames of four tokens
        before = layout.laid_characters
        layout.flow.append(" word and more")
        layout.grow()
        costs.append(layout.laid_characters - before)
    assert len(layout.flow.chunks) > 150
    # the last chunk, and once in a while what it froze
    assert max(costs) <= 3 * LIMIT
    first, last = sum(costs[500:1000]), sum(costs[-500:])
    assert abs(last - first) < 0.1 * first
    assert len(layout._laid) < len(layout.flow.chunks) + 1
    layout.keep_only(len(layout.flow.chunks) - 5, len(layout.flow.chunks))
    assert len(layout._laid) <= 5


def test_many_paragraphs_do_not_lay_out_old_ones(metrics: Metrics) -> None:
    layout = stream((ENGLISH + "\n\n") * 30, metrics, 684, longest=6)
    before = layout.laid_characters
    layout.flow.append("one more")
    layout.grow()
    assert layout.laid_characters - before <= LIMIT


def test_heights_add_up_and_blank_lines_are_low(metrics: Metrics) -> None:
    layout = stream("\n\nOne\n\nTwo\n", metrics, 500)
    heights = [layout.heights[index] for index in range(len(layout.heights))]
    assert heights == [0, 0, metrics.line, metrics.blank, metrics.line, 0]
    assert layout.height == sum(heights)


def test_a_code_block_has_space_at_its_ends_only(metrics: Metrics) -> None:
    layout = stream("a\n```\nx\n```\nb", metrics, 500)
    edge = metrics.gap_small + metrics.gap
    heights = [layout.heights[index] for index in range(len(layout.heights))]
    code = metrics.code_line
    assert heights == [metrics.line, edge + code, code, code + edge, metrics.line]


def test_right_to_left_text_stands_right_in_every_chunk(metrics: Metrics) -> None:
    layout = stream(HEBREW * 40, metrics, 500)
    assert len(layout.flow.chunks) > 3
    for index in range(len(layout.flow.chunks)):
        for line in layout.lay(index).lines:
            assert line.naturalTextRect().right() == pytest.approx(500, abs=1)


def test_drawing_a_chunk_draws_only_its_own_lines(metrics: Metrics) -> None:
    layout = stream(MIXED * 30, metrics, 300)
    for index in range(len(layout.flow.chunks) - 1):
        laid = layout.lay(index)
        assert laid.layout.lineCount() == len(laid.lines)
        assert laid.layout.boundingRect().height() <= laid.height + metrics.line
        assert shown(layout.chunk(index).text) in laid.layout.text()
        assert laid.layout.position() == QPointF(0, 0)
