"""Owns the switch: on or off at once, drawn in the palette's colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop.kit import fonts

_WIDTH, _HEIGHT, _GAP = 32, 18, 3


class Toggle(QAbstractButton):
    """A check box drawn as a switch: its position tells the state, not only its colour. Needs a name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(_WIDTH), fonts.px(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.palette()
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        track = QPalette.ColorRole.Accent if self.isChecked() else QPalette.ColorRole.Dark
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        painter.setBrush(colours.color(group, track))
        radius = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        gap = fonts.px(_GAP)
        side = self.height() - 2 * gap
        left = self.width() - gap - side if self.isChecked() else gap
        painter.setBrush(colours.color(QPalette.ColorRole.Base))
        painter.drawEllipse(QRectF(left, gap, side, side))
        painter.end()
