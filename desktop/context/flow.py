"""Which chip stands in which row, laid out in parts, so that no frame waits for a long prompt. No Qt."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.prompt.context import Group, Media


class Cells:
    """Chips and their tokens: one each, but all placeholders of a folded medium are one chip."""

    def __init__(
        self, count: int, media: Sequence[Media] = (), unfolded: frozenset[int] = frozenset()
    ) -> None:
        self._media = tuple(media)
        self._folded = [medium for medium in media if medium.first not in unfolded]
        self._firsts = [medium.first for medium in self._folded]
        self._at: list[int] = []  # the cell of each folded medium
        hidden = 0
        for medium in self._folded:
            self._at.append(medium.first - hidden)
            hidden += medium.last - medium.first - 1
        self._count = count - hidden

    def __len__(self) -> int:
        return self._count

    def token(self, cell: int) -> int:
        """The first token of a cell."""
        before = bisect_right(self._at, cell) - 1
        if before < 0:
            return cell
        if self._at[before] == cell:
            return self._firsts[before]
        return self._folded[before].last + cell - self._at[before] - 1

    def cell(self, token: int) -> int:
        """The cell a token is in."""
        before = bisect_right(self._firsts, token) - 1
        if before < 0:
            return token
        return self._at[before] + max(0, token - self._folded[before].last + 1)

    def folded(self, cell: int) -> Media | None:
        """The medium that this cell stands for."""
        before = bisect_right(self._at, cell) - 1
        return self._folded[before] if before >= 0 and self._at[before] == cell else None

    def medium(self, token: int) -> Media | None:
        """The medium that a token is a placeholder of, folded or not."""
        return next((one for one in self._media if one.first <= token < one.last), None)


@dataclass(frozen=True, slots=True)
class Measures:
    """Pixels. `row`: from one row to the next, `chip` of it filled. `above`, `below`: within a group around
    its rows. `least`: a group's height with one row."""

    row: int
    chip: int
    gap: int
    above: int
    below: int
    least: int

    def height(self, rows: int) -> int:
        return max(self.least, self.above + (rows - 1) * self.row + self.chip + self.below)


class Flow:
    """Rows of chips, group under group. `lay` goes on; what is laid is exact, the rest is estimated."""

    def __init__(
        self,
        groups: Sequence[Group],
        cells: Cells,
        wide: float,
        measures: Measures,
        width: Callable[[int], float],
        ends: Callable[[int], bool],
    ) -> None:
        """`width` of a cell; `ends`: after it a new row begins."""
        self.cells, self.measures, self.wide = cells, measures, wide
        self._width, self._ends = width, ends
        self.rows = array("I")  # the first cell of each row
        self.group_rows: list[int] = []  # the first row of each group begun
        self.tops: list[int] = []
        self.laid = 0
        self._x = 0.0
        self._group_end = 0
        self._take(groups)

    def _take(self, groups: Sequence[Group]) -> None:
        cell = self.cells.cell
        self._bounds = [(cell(group.first), cell(group.last - 1) + 1) for group in groups]
        self.count = self._bounds[-1][1] if self._bounds else 0

    def grow(
        self,
        groups: Sequence[Group],
        cells: Cells,
        width: Callable[[int], float],
        ends: Callable[[int], bool],
    ) -> None:
        """The last group is longer, or more groups follow: what is laid stays."""
        self.cells, self._width, self._ends = cells, width, ends
        self._take(groups)
        if self.group_rows:
            self._group_end = self._bounds[len(self.group_rows) - 1][1]

    @property
    def done(self) -> bool:
        return self.laid >= self.count

    def lay(self, most: int) -> None:
        """At most so many cells more."""
        end = min(self.laid + most, self.count)
        width, ends, wide, gap = self._width, self._ends, self.wide, self.measures.gap
        at, x = self.laid, self._x
        while at < end:
            if at == self._group_end:
                self._begin_group()
                x = 0.0
            own = width(at)
            if x and x + own > wide:
                self.rows.append(at)
                x = 0.0
            x = wide + 1 if ends(at) else x + own + gap
            at += 1
        self.laid, self._x = at, x

    def _begin_group(self) -> None:
        number = len(self.group_rows)
        self.tops.append(self._bottom())
        self.group_rows.append(len(self.rows))
        first, self._group_end = self._bounds[number]
        self.rows.append(first)

    def _bottom(self) -> int:
        """Under the last group that was begun."""
        if not self.tops:
            return 0
        return self.tops[-1] + self.measures.height(len(self.rows) - self.group_rows[-1])

    @property
    def height(self) -> int:
        """Of everything; estimated from what is laid as long as not all is."""
        left = self.count - self.laid
        if not left:
            return self._bottom()
        rows = left * len(self.rows) // self.laid if self.laid else left // 8
        more = len(self._bounds) - len(self.group_rows)
        around = self.measures.height(1) - self.measures.row
        return self._bottom() + rows * self.measures.row + more * around

    # where is what, among the rows laid

    def row_of(self, cell: int) -> int:
        return bisect_right(self.rows, cell) - 1

    def in_row(self, row: int) -> range:
        last = self.rows[row + 1] if row + 1 < len(self.rows) else self.laid
        return range(self.rows[row], last)

    def group_of(self, row: int) -> int:
        return bisect_right(self.group_rows, row) - 1

    def top(self, row: int) -> int:
        group = self.group_of(row)
        return self.tops[group] + self.measures.above + (row - self.group_rows[group]) * self.measures.row

    def under(self, group: int) -> int:
        """The bottom of a group, as far as it is laid."""
        return self.tops[group + 1] if group + 1 < len(self.tops) else self._bottom()

    def row_at(self, y: float) -> int:
        """The row at this height or the nearest one, -1 without any."""
        if not self.rows:
            return -1
        group = max(0, bisect_right(self.tops, y) - 1)
        last = self.group_rows[group + 1] if group + 1 < len(self.group_rows) else len(self.rows)
        inside = int(y - self.tops[group] - self.measures.above) // self.measures.row
        return min(self.group_rows[group] + max(0, inside), last - 1)
