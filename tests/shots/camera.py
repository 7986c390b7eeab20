"""Takes a picture of the window with everything that floats over it: cards, menus, dialogs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget


def floating(window: QWidget) -> list[QWidget]:
    """Visible top-level widgets other than the window, in the order in which they lie over each other."""
    found = [widget for widget in QApplication.topLevelWidgets() if widget is not window]
    return [widget for widget in found if widget.isVisible() and widget.windowOpacity() > 0]


def picture(window: QWidget) -> QPixmap:
    """The window at its own device ratio; what floats beside it is cut off at its edge."""
    image = window.grab()
    painter = QPainter(image)
    for widget in floating(window):
        corner = widget.mapToGlobal(QPoint(0, 0)) - window.mapToGlobal(QPoint(0, 0))
        painter.drawPixmap(corner, widget.grab())
        if widget.windowType() in (Qt.WindowType.Dialog, Qt.WindowType.Tool, Qt.WindowType.Window):
            painter.setPen(window.palette().windowText().color())  # stands for the frame that a desktop draws
            painter.drawRect(QRect(corner, widget.size()).adjusted(-1, -1, 0, 0))
    painter.end()
    return image


def save(window: QWidget, path: Path, part: QRect | None = None) -> None:
    """Write it as PNG; `part` in the window's own coordinates. Raises OSError if that fails."""
    image = picture(window)
    if part is not None:
        ratio = image.devicePixelRatio()
        scaled = QRect(part.topLeft() * ratio, part.size() * ratio)
        image = image.copy(scaled)
    if not image.save(str(path)):
        raise OSError(f"cannot write {path}")
