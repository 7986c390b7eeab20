"""The text index: heights, paragraphs, code fences, exact slices, whatever way the text came."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tokens.decode import utf16
from desktop.chat.transcript import BULK, LIMIT, Heights, Start, TextFlow


@given(st.lists(st.integers(0, 50), max_size=60), st.data())
def test_heights_agree_with_plain_sums(values: list[int], data: st.DataObject) -> None:
    heights = Heights()
    for value in values:
        heights.append(value)
    for _ in range(5):
        if values:
            index = data.draw(st.integers(0, len(values) - 1))
            values[index] = data.draw(st.integers(0, 50))
            heights.set(index, values[index])
    assert heights.total == sum(values)
    for index in range(len(values)):
        assert heights.top(index) == sum(values[:index])
        assert heights[index] == values[index]
    for position in range(sum(values)):
        found = heights.find(position)
        assert sum(values[:found]) <= position < sum(values[: found + 1])
    assert heights.find(sum(values) + 5) == max(len(values) - 1, 0)


TEXTS = st.text(st.sampled_from("ab \n\u2028\r`~👩e\u0301שع"), max_size=80)


@given(st.lists(TEXTS, max_size=12))
def test_pieces_and_slices_are_the_text(pieces: list[str]) -> None:
    flow = TextFlow(7)
    for piece in pieces:
        flow.append(piece)
    text = "".join(pieces)
    assert flow.end - flow.base == utf16(text)
    assert flow.slice(flow.base, flow.end) == text
    at = 7
    for chunk in flow.chunks:
        assert chunk.start == at
        assert chunk.size == utf16(chunk.text)
        at = chunk.end
    for unit in range(flow.base, flow.end):
        chunk = flow.chunks[flow.chunk_at(unit)]
        assert chunk.start <= unit < chunk.end


@given(st.lists(TEXTS, max_size=8))
def test_paragraphs_do_not_depend_on_how_the_text_came(pieces: list[str]) -> None:
    slow, fast = TextFlow(), TextFlow()
    for character in "".join(pieces):
        slow.append(character)
    fast.append("".join(pieces))

    def shape(flow: TextFlow) -> list[tuple[int, str, bool, int, bool]]:
        return [(chunk.start, chunk.text, chunk.first, chunk.box, chunk.rtl) for chunk in flow.chunks]

    assert shape(slow) == shape(fast)


def boxes(text: str) -> list[int]:
    flow = TextFlow()
    flow.append(text)
    return [chunk.box for chunk in flow.chunks]


def test_code_fences() -> None:
    assert boxes("a\n```py\nx\n```\nb") == [0, 1, 1, 1, 0]
    assert boxes("  ~~~\n```\n~~~~\nb") == [1, 1, 1, 0]
    assert boxes("````\n```\n````\n```\nc\n```") == [1, 1, 1, 2, 2, 2]
    assert boxes("```inline``` text\nb") == [0, 0]
    assert boxes("``` not closed\nx") == [1, 1]


def test_a_fence_is_known_as_soon_as_it_is_one() -> None:
    flow = TextFlow()
    seen = []
    for character in "```a`":
        flow.append(character)
        seen.append(flow.chunks[-1].box)
    assert seen == [0, 0, 1, 1, 0]


def test_base_direction_is_the_first_strong_characters() -> None:
    flow = TextFlow()
    flow.append("12 שלום abc\nabc שלום\n…\n```\nשלום")
    assert [chunk.rtl for chunk in flow.chunks] == [True, False, False, False, False]


@pytest.mark.parametrize("text", ["word " * 3000, "字" * 9000, "e\u0301" * 5000, "👩‍💻" * 3000])
def test_a_long_text_at_once_is_cut_into_bounded_chunks(text: str) -> None:
    flow = TextFlow()
    flow.append(text)
    assert flow.slice(0, flow.end) == text
    assert len(flow.chunks) > 5
    for chunk in flow.chunks:
        assert chunk.size <= 2 * BULK
        # a cut never parts a base from its marks, nor a joined sign
        assert not chunk.text.startswith(("\u0301", "\u200d"))
        assert not chunk.text.endswith("\u200d")
    assert [chunk.level for chunk in flow.chunks[:2]] == [Start.EXACT, Start.GUESSED]


def test_boundaries_move_without_loss() -> None:
    flow = TextFlow()
    text = "word " * 1000
    flow.append(text)
    flow.pull(0, 150)
    assert flow.chunks[0].size == flow.chunks[1].start
    flow.push(0, 300)
    assert flow.chunks[1].start == 300
    assert flow.chunks[1].level is Start.EXACT
    assert flow.slice(0, flow.end) == text
    assert flow.slice(299, 302) == text[299:302]


def test_split_last_keeps_numbers_and_text() -> None:
    flow = TextFlow()
    flow.append("a" * LIMIT + "👩b")
    flow.split_last(LIMIT)
    assert [chunk.text for chunk in flow.chunks] == ["a" * LIMIT, "👩b"]
    assert flow.chunks[1].start == LIMIT
    assert not flow.chunks[1].first
    assert flow.slice(LIMIT, flow.end) == "👩b"
