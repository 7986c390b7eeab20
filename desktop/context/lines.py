"""A row of tokens as running text: shaped as one, so that scripts join and run in their own direction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextLayout, QTextOption

from core.tokens.decode import utf16
from core.tokens.label import Sort
from desktop.context.faces import Face

Box = tuple[int, QRectF]
_FAR = 1e6  # wider than any line


@dataclass(frozen=True, slots=True)
class Run:
    """Text between two pills, and where it is drawn."""

    layout: QTextLayout
    at: QPointF


def is_text(face: Face) -> bool:
    return face.sort in (Sort.TEXT, Sort.BLANK)


def text_row(
    row: Iterable[tuple[int, Face]], top: float, high: float, font: QFont, faint: QColor | None = None
) -> tuple[list[Box], list[Run]]:
    """Boxes of all cells, and the runs that are drawn in them; signs of line ends in the faint colour."""
    boxes: list[Box] = []
    runs: list[Run] = []
    x = 0.0
    for text, part in groupby(row, key=lambda pair: is_text(pair[1])):
        cells = list(part)
        if not text:
            for cell, face in cells:
                boxes.append((cell, QRectF(x, top, face.width, high)))
                x += face.width
            continue
        formats = _faint(cells, faint) if faint is not None else []
        layout, wide = _shaped("".join(face.text for _, face in cells), font, formats)
        line = layout.lineAt(0)
        runs.append(Run(layout, QPointF(x, top + (high - line.height()) / 2)))
        at = 0
        for cell, face in cells:
            end = at + utf16(face.text)
            one, other = (float(line.cursorToX(unit)[0]) for unit in (at, end))  # type: ignore[index]
            boxes.append((cell, QRectF(x + min(one, other), top, abs(other - one), high)))
            at = end
        x += wide
    return boxes, runs


def _shaped(text: str, font: QFont, formats: list[QTextLayout.FormatRange]) -> tuple[QTextLayout, float]:
    """One line, its left edge at 0 whatever its direction."""
    layout = QTextLayout(text, font)
    layout.setFormats(formats)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setFlags(QTextOption.Flag.IncludeTrailingSpaces)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_FAR)
    wide = line.naturalTextWidth()
    line.setLineWidth(wide)
    layout.endLayout()
    return layout, wide


def _faint(cells: list[tuple[int, Face]], colour: QColor) -> list[QTextLayout.FormatRange]:
    form = QTextCharFormat()
    form.setForeground(colour)
    found, at = [], 0
    for _, face in cells:
        for place, character in enumerate(face.text if face.ends else ""):
            if character == "↵":
                one = QTextLayout.FormatRange()
                one.start, one.length, one.format = at + utf16(face.text[:place]), 1, form
                found.append(one)
        at += utf16(face.text)
    return found
