"""Owns the focus ring: 2 px outside the control that the keyboard is on; never shown after a click."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QApplication,
    QFocusFrame,
    QWidget,
)

from desktop.kit.appearance import Appearance
from desktop.kit.theme import FOCUS_WIDTH, RADIUS_CONTROL, Theme


class _Ring(QFocusFrame):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.colour = theme.focus

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.colour), FOCUS_WIDTH))
        inset = FOCUS_WIDTH / 2
        box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(box, RADIUS_CONTROL + 1, RADIUS_CONTROL + 1)


class FocusRing(QObject):
    """One ring for the whole program, moved by the application's focus.

    Text fields and lists show the focus themselves (border, row); so do scroll areas with their own cursor.
    """

    def __init__(self, app: QApplication, appearance: Appearance) -> None:
        super().__init__(app)
        self._theme = appearance.theme
        self._ring: _Ring | None = None
        app.focusChanged.connect(self._moved)
        appearance.changed.connect(self._recolour)

    def _recolour(self, theme: Theme) -> None:
        self._theme = theme
        if self._ring is not None:
            self._ring.colour = theme.focus

    def _moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        by_keyboard = QApplication.mouseButtons() == Qt.MouseButton.NoButton
        wears = isinstance(new, QAbstractButton | QAbstractSlider) and not isinstance(
            new, QAbstractScrollArea
        )
        if new is not None and wears and by_keyboard:
            if self._ring is None:
                self._ring = _Ring(self._theme)
            self._ring.setWidget(new)
        elif self._ring is not None:
            # QFocusFrame has no owner of its own once its widget's window goes
            self._ring.deleteLater()
            self._ring = None
