"""Owns the focus ring: 2 px wide, 2 px outside the control that the keyboard is on; a click shows none."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QAbstractSlider, QApplication, QWidget
from shiboken6 import isValid

from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.theme import FOCUS_WIDTH, RADIUS_CONTROL, Theme

_MOVES = {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.ParentChange, QEvent.Type.Show}


class Ring(QWidget):
    """Lies over the window, or over the viewport that scrolls the control: nothing else clips it."""

    def __init__(self, parent: QWidget, target: QWidget, colour: str) -> None:
        super().__init__(parent)
        self._ground = parent
        self._target = target
        self._colour = colour
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        above: QWidget | None = target
        while above is not None and above is not parent:  # whatever moves the control
            above.installEventFilter(self)
            above = above.parentWidget()
        self.follow()
        self.show()
        self.raise_()

    def follow(self) -> None:
        out = 2 * FOCUS_WIDTH
        corner = self._target.mapTo(self._ground, QPoint(0, 0))
        self.setGeometry(QRect(corner, self._target.size()).adjusted(-out, -out, out, out))

    def recolour(self, colour: str) -> None:
        self._colour = colour
        self.update()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and isValid(self._target):
            self.follow()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._colour), FOCUS_WIDTH))
        inset = FOCUS_WIDTH / 2
        radius = fonts.px(RADIUS_CONTROL) + FOCUS_WIDTH
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        painter.end()


class FocusRing(QObject):
    """One ring for the whole program, moved by the application's focus.

    Text fields and lists show the focus themselves (border, row); so do scroll areas with their own cursor.
    """

    def __init__(self, app: QApplication, appearance: Appearance) -> None:
        super().__init__(app)
        self._theme = appearance.theme
        self.ring: Ring | None = None
        app.focusChanged.connect(self._moved)
        appearance.changed.connect(self._recolour)

    def _recolour(self, theme: Theme) -> None:
        self._theme = theme
        if self.ring is not None and isValid(self.ring):
            self.ring.recolour(theme.focus)

    def _moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self.ring is not None and isValid(self.ring):
            self.ring.hide()
            self.ring.deleteLater()
        self.ring = None
        by_keyboard = QApplication.mouseButtons() == Qt.MouseButton.NoButton
        if by_keyboard and isinstance(new, QAbstractButton | QAbstractSlider):
            self.ring = Ring(_ground(new), new, self._theme.focus)


def _ground(widget: QWidget) -> QWidget:
    """The nearest viewport around a control, else its window."""
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        area = above.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is above:
            return above
        above = area
    return widget.window()
