"""Rows of chips: every cell in one row, rows within the width, in parts of any size, and folded media."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.prompt.context import Group, Media, Who
from desktop.context.flow import Cells, Flow, Measures

MEASURES = Measures(row=26, chip=21, gap=4, above=12, below=15, least=62)


def groups_of(sizes: list[int]) -> list[Group]:
    found, at = [], 0
    for size in sizes:
        found.append(Group(Who.USER, at, at + size))
        at += size
    return found


def made(
    sizes: list[int], widths: list[float], wide: float = 100, ends: frozenset[int] = frozenset()
) -> Flow:
    cells = Cells(sum(sizes))
    return Flow(groups_of(sizes), cells, wide, MEASURES, widths.__getitem__, ends.__contains__)


sizes = st.lists(st.integers(1, 12), min_size=1, max_size=5)


@given(sizes, st.data())
def test_every_cell_is_in_one_row_and_no_row_is_wider_than_it_must_be(
    lengths: list[int], data: st.DataObject
) -> None:
    widths = data.draw(st.lists(st.floats(0, 130), min_size=sum(lengths), max_size=sum(lengths)))
    flow = made(lengths, widths)
    while not flow.done:
        flow.lay(data.draw(st.integers(1, 7)))
    rows = [list(flow.in_row(row)) for row in range(len(flow.rows))]
    assert [cell for row in rows for cell in row] == list(range(sum(lengths)))
    for row in rows:
        total = sum(widths[cell] for cell in row) + 4 * (len(row) - 1)
        assert total <= 100 or len([cell for cell in row if widths[cell]]) == 1 or len(row) == 1


@given(sizes, st.data())
def test_parts_of_any_size_give_the_same_rows(lengths: list[int], data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.floats(1, 60), min_size=sum(lengths), max_size=sum(lengths)))
    one, other = made(lengths, widths), made(lengths, widths)
    one.lay(10_000)
    while not other.done:
        other.lay(data.draw(st.integers(1, 5)))
    assert (one.rows, one.tops, one.height) == (other.rows, other.tops, other.height)


@given(sizes, st.integers(1, 20), st.data())
def test_what_grew_is_laid_out_as_if_it_had_been_there(
    lengths: list[int], more: int, data: st.DataObject
) -> None:
    total = sum(lengths) + more
    widths = data.draw(st.lists(st.floats(1, 60), min_size=total, max_size=total))
    flow = made(lengths, widths)
    flow.lay(data.draw(st.integers(0, 60)))
    longer = data.draw(st.sampled_from([[*lengths[:-1], lengths[-1] + more], [*lengths, more]]))
    whole = made(longer, widths)
    flow.grow(groups_of(longer), Cells(total), widths.__getitem__, lambda _: False)
    flow.lay(10_000)
    whole.lay(10_000)
    assert (flow.rows, flow.tops, flow.height) == (whole.rows, whole.tops, whole.height)


def test_a_part_lays_out_no_more_than_it_may() -> None:
    asked: list[int] = []
    cells = Cells(1000)

    def width(cell: int) -> float:
        asked.append(cell)
        return 10

    flow = Flow(groups_of([1000]), cells, 100, MEASURES, width, lambda _: False)
    flow.lay(50)
    assert len(asked) == flow.laid == 50 and not flow.done


def test_places_and_heights() -> None:
    flow = made([8, 3, 9], [30] * 20)  # three in a row
    flow.lay(100)
    assert [list(flow.in_row(row)) for row in range(len(flow.rows))] == [
        [0, 1, 2], [3, 4, 5], [6, 7], [8, 9, 10], [11, 12, 13], [14, 15, 16], [17, 18, 19],
    ]  # fmt: skip
    assert flow.tops == [0, 100, 162] and flow.height == 262
    assert [flow.top(row) for row in range(7)] == [12, 38, 64, 112, 174, 200, 226]
    assert [flow.row_at(y) for y in (-5, 0, 37, 38, 99, 100, 161, 162, 9999)] == [0, 0, 0, 1, 2, 3, 3, 4, 6]
    assert flow.row_of(7) == 2 and flow.group_of(3) == 1 and flow.under(0) == 100


def test_the_height_is_estimated_until_all_is_laid() -> None:
    flow = made([1000], [30] * 1000)
    flow.lay(90)
    assert abs(flow.height - 1000 / 3 * 26) < 100
    flow.lay(1000)
    assert flow.height == 12 + 333 * 26 + 21 + 15


def test_a_line_that_ends_ends_the_row() -> None:
    flow = made([4], [10] * 4, ends=frozenset({1}))
    flow.lay(10)
    assert list(flow.rows) == [0, 2]


def test_nothing_has_no_rows() -> None:
    flow = Flow([], Cells(0), 100, MEASURES, lambda _: 1, lambda _: False)
    assert flow.done and flow.height == 0 and flow.row_at(5) == -1


# --- media --------------------------------------------------------------------------------------------------

IMAGE, SOUND = Media(2, 6, "image"), Media(8, 10, "sound")


@pytest.mark.parametrize("unfolded", [(), (2,), (8,), (2, 8)])
def test_cells_and_tokens_find_each_other(unfolded: tuple[int, ...]) -> None:
    cells = Cells(12, (IMAGE, SOUND), frozenset(unfolded))
    hidden = sum(one.last - one.first - 1 for one in (IMAGE, SOUND) if one.first not in unfolded)
    assert len(cells) == 12 - hidden
    firsts = [cells.token(cell) for cell in range(len(cells))]
    assert firsts == sorted(set(firsts)) and firsts[0] == 0 and firsts[-1] == 11
    for token in range(12):
        cell = cells.cell(token)
        medium = cells.folded(cell)
        assert firsts[cell] == (medium.first if medium else token)


def test_a_folded_medium_is_one_cell_that_knows_its_tokens() -> None:
    cells = Cells(12, (IMAGE, SOUND))
    assert cells.folded(2) is IMAGE and cells.folded(5) is SOUND and cells.folded(3) is None
    assert cells.medium(4) is IMAGE and cells.medium(6) is None
