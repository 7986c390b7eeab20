"""One picture of all token cards, side by side, at both widths: what no single answer can show."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from desktop.inspector.card import CardBody
from desktop.inspector.sheet import WIDTH, WIDTH_NARROW
from desktop.kit import fonts
from desktop.kit.theme import Theme
from tests.fakes.cards import cards

COLUMNS = 5


def save(folder: Path, theme: Theme, ending: str) -> None:
    """Write cards-WIDTH-ENDING.png for the wide and the narrow card. Raises OSError."""
    for width in (WIDTH, WIDTH_NARROW):
        path = folder / f"cards-{width}-{ending}.png"
        if not _sheet(theme, fonts.px(width)).save(str(path)):
            raise OSError(f"cannot write {path}")


def _sheet(theme: Theme, width: int) -> QPixmap:
    host = QWidget()
    bodies: list[CardBody] = []
    for model in cards().values():
        body = CardBody(host, floating=True)
        body.show_model(model, theme, width)
        bodies.append(body)
    rows = [bodies[at : at + COLUMNS] for at in range(0, len(bodies), COLUMNS)]
    gap, ratio = fonts.px(14), host.devicePixelRatioF()
    heights = [max(body.height() for body in row) + gap for row in rows]
    sheet = QPixmap(round((COLUMNS * (width + gap) + gap) * ratio), round((sum(heights) + gap) * ratio))
    sheet.setDevicePixelRatio(ratio)
    sheet.fill(QColor(theme.raised))
    y = gap
    for row, height in zip(rows, heights, strict=True):
        for at, body in enumerate(row):
            place = QPoint(gap + at * (width + gap), y)
            body.render(sheet, place, QRegion(), QWidget.RenderFlag.DrawChildren)
        y += height
    host.deleteLater()
    return sheet
