"""The window's smallest size at every zoom, and the size that a zoom took away and gives back."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from desktop.kit import fonts
from desktop.window.geometry import SMALLEST, fitted

_FRAME = QSize(2, 32)  # a frame of unknown size, before the window is shown
_ROOM = 48  # kept free on the screen, so that the window can be moved and has an edge to be drawn by


class ZoomFit:
    """`apply` after each change of zoom: the window grows only as it must, stays whole on its screen, and has
    its own size again when the zoom allows, unless the person chose another one meanwhile."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._own: QSize | None = None  # before a zoom made it larger
        self._forced: QSize | None = None

    def apply(self) -> None:
        window, least = self._window, self.smallest()
        size = window.size()
        if size != self._forced:
            self._own = None
        wanted = self._own or size
        window.setMinimumSize(least)
        if window.isMaximized() or window.isFullScreen():
            return
        new = wanted.expandedTo(least)
        self._own, self._forced = (wanted, new) if new != wanted else (None, None)
        if new != size:
            window.resize(new)
            if window.isVisible():
                self._keep_on_screen(new)

    def smallest(self) -> QSize:
        """As designed; with a large zoom never more than its screen holds beside frame and some ground."""
        size = QSize(fonts.px(SMALLEST.width()), fonts.px(SMALLEST.height()))
        if fonts.zoom() <= 100:
            return size
        ground = QSize(_ROOM, _ROOM)
        return size.boundedTo(self._window.screen().availableSize() - self._frame() - ground)

    def _frame(self) -> QSize:
        window = self._window
        return (window.frameGeometry().size() - window.size()).expandedTo(_FRAME)

    def _keep_on_screen(self, size: QSize) -> None:
        window = self._window
        outer = QRect(window.pos(), size + self._frame())
        there = fitted(outer, [window.screen().availableGeometry()])
        if there.topLeft() != outer.topLeft():
            window.move(there.topLeft())
