"""Chips laid out at one width, in one form: which rectangle each has, and which one is beside another."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from desktop.context.faces import ChipFonts, Faces
from desktop.context.flow import Cells, Flow
from desktop.context.lines import Box, Run, text_row
from desktop.context.model import Form, Sight

SLICE = 2000  # cells laid out in one go, while their widths are known
MEASURED = 250  # widths found out in one go
STEP = 50


class Laid:
    """A flow with the faces it was measured by. Heights count from the top of the content."""

    def __init__(
        self,
        sight: Sight,
        form: Form,
        unfolded: frozenset[int],
        chip_fonts: ChipFonts,
        wide: float,
        known: Faces | None,
    ) -> None:
        self._fonts, self._unfolded = chip_fonts, unfolded
        self.faces = Faces(sight, form, self._cells(sight), chip_fonts, known)
        faces = self.faces
        measures = chip_fonts.measures(form)
        groups = sight.context.groups
        self.flow = Flow(groups, faces.cells, wide, measures, faces.width, faces.ends)

    def _cells(self, sight: Sight) -> Cells:
        context = sight.context
        return Cells(len(context.ids), context.media, self._unfolded)

    def grow(self, sight: Sight) -> None:
        """The same with more tokens at its end."""
        faces = Faces(sight, self.faces.form, self._cells(sight), self._fonts, self.faces)
        self.faces = faces
        self.flow.grow(sight.context.groups, faces.cells, faces.width, faces.ends)

    def lay(self) -> None:
        """One part more, so small that a frame has room for it."""
        flow, end, made = self.flow, self.flow.laid + SLICE, self.faces.made + MEASURED
        while not flow.done and flow.laid < end and self.faces.made < made:
            flow.lay(STEP)

    def has(self, token: int) -> bool:
        return token >= 0 and self.flow.cells.cell(token) < self.flow.laid

    def row_of(self, token: int) -> int:
        return self.flow.row_of(self.flow.cells.cell(token))

    def first(self, row: int) -> int:
        """The first token of a row."""
        return self.flow.cells.token(self.flow.rows[row])

    def last(self, row: int) -> int:
        return self.flow.cells.token(self.flow.in_row(row)[-1])

    def boxes(self, row: int) -> list[Box]:
        """(cell, rectangle) of a row, its left edge at 0."""
        if self.faces.form is Form.TEXT:
            return self.text(row)[0]
        flow, width = self.flow, self.faces.width
        x, y, found = 0.0, flow.top(row), []
        for cell in flow.in_row(row):
            own = width(cell)
            found.append((cell, QRectF(x, y, min(own, flow.wide - x), flow.measures.chip)))
            x += own + flow.measures.gap
        return found

    def text(self, row: int, faint: QColor | None = None) -> tuple[list[Box], list[Run]]:
        """A row as running text."""
        flow, face = self.flow, self.faces.face
        cells = ((cell, face(cell)) for cell in flow.in_row(row))
        return text_row(cells, flow.top(row), flow.measures.chip, self._fonts.mono, faint)

    def token_at(self, at: QPointF) -> int:
        """-1: beside all chips."""
        row = self.flow.row_at(at.y())
        half = self.flow.measures.gap / 2
        for cell, box in self.boxes(row) if row >= 0 else ():
            if box.width() and box.adjusted(-half, -half, half, half).contains(at):
                return self.flow.cells.token(cell)
        return -1

    def beside(self, token: int, rows: int) -> int:
        """The token so many rows below, nearest to straight below; the last row there is, at the end."""
        flow = self.flow
        cell, row = flow.cells.cell(token), self.row_of(token)
        other = max(0, min(row + rows, len(flow.rows) - 1))
        if other == row:
            return token
        middle = next(box.center().x() for at, box in self.boxes(row) if at == cell)
        nearest = min(self.boxes(other), key=lambda pair: abs(pair[1].center().x() - middle))
        return flow.cells.token(nearest[0])

    def along(self, token: int, step: int) -> int:
        """The next token, or the one before; of a folded medium its first."""
        cells = self.flow.cells
        return cells.token(max(0, min(cells.cell(token) + step, len(cells) - 1)))
