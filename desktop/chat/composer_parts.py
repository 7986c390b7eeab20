"""Small parts of the composer: its frame, and its timers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop.kit import fonts
from desktop.kit.theme import LIGHT, RADIUS_CARD


class Box(QWidget):
    """The rounded frame; it carries the focus of the text within."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.focused = False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 1.5 if self.focused else 1.0
        painter.setPen(QPen(QColor(self.theme.focus if self.focused else self.theme.ctl), width))
        painter.setBrush(QColor(self.theme.surface))
        inset = width / 2
        radius = fonts.px(RADIUS_CARD) - 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        painter.end()


def single_shot(owner: QWidget, milliseconds: int, slot: Callable[[], object]) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer
