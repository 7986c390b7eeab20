"""The line under the chips that says what their looks mean."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from core.tokens.label import Sort
from desktop.context import words
from desktop.context.faces import ChipFonts, Face
from desktop.context.model import Form
from desktop.context.paint import ChipPainter
from desktop.kit import fonts
from desktop.kit.theme import SPACE_8, SPACE_24, Theme

_ROW = 26
_PAD = 8


@dataclass(frozen=True, slots=True)
class _Entry:
    face: Face
    words: str
    x: float
    row: int


class Legend:
    """As many rows as its width asks for."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self.height = 0

    def lay(self, wide: float, chip_fonts: ChipFonts, form: Form) -> None:
        px, x, row = fonts.px, 0.0, 0
        self._entries = []
        for text, mark, sort, meaning in _meanings(form):
            face = _face(text, mark, sort, chip_fonts)
            own = face.width + px(SPACE_8) + chip_fonts.of_small.horizontalAdvance(meaning)
            if x and x + own > wide:
                x, row = 0.0, row + 1
            self._entries.append(_Entry(face, meaning, x, row))
            x += own + px(SPACE_24)
        self.height = 2 * px(_PAD) + (row + 1) * px(_ROW)

    def paint(self, painter: QPainter, chips: ChipPainter, left: float, top: float, theme: Theme) -> None:
        px = fonts.px
        high = px(18)
        for entry in self._entries:
            y = top + px(_PAD) + entry.row * px(_ROW) + (px(_ROW) - high) / 2
            box = QRectF(left + entry.x, y, entry.face.width, high)
            chips.draw(painter, entry.face, box, Form.TOKENS)
            painter.setFont(chips.fonts.small)
            painter.setPen(QColor(theme.text2))
            area = QRectF(box.right() + px(SPACE_8), y, 2000, high)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), entry.words)


def _face(text: str, mark: str, sort: Sort, chip_fonts: ChipFonts) -> Face:
    pad = fonts.px(7 if sort is Sort.SPECIAL else 4)
    width = chip_fonts.of_mono.horizontalAdvance(text) + 2 * pad
    if not mark:
        return Face(text, sort, width, pad)
    return Face(text, sort, width + chip_fonts.of_small.horizontalAdvance(mark) + pad, pad, mark, width)


def _meanings(form: Form) -> list[tuple[str, str, Sort, str]]:
    special = QCoreApplication.translate("Context", "special")
    found = [
        (special, "", Sort.SPECIAL, QCoreApplication.translate("Context", "a marker of the template")),
        (
            special,
            words.typed(),
            Sort.SPECIAL,
            QCoreApplication.translate("Context", "typed text that equals one"),
        ),
    ]
    if form is Form.TOKENS:
        found += [
            ("↵", "", Sort.BLANK, QCoreApplication.translate("Context", "line break")),
            ("→", "", Sort.BLANK, QCoreApplication.translate("Context", "tab")),
            ("·", "", Sort.BLANK, QCoreApplication.translate("Context", "space")),
            ("E5 B3", "", Sort.BYTES, QCoreApplication.translate("Context", "bytes of a split character")),
        ]
    return found
