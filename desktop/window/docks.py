"""The docks around the chat, and the overlay that shows one of them where there is no room for docks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QPoint, QPropertyAnimation, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_16
from desktop.window.placement import Panel

SIZES: dict[Panel, int] = {Panel.CONVERSATIONS: 224, Panel.SAMPLING: 296, Panel.LOG: 250}
_SMALLEST: dict[Panel, int] = {Panel.CONVERSATIONS: 168, Panel.SAMPLING: 256, Panel.LOG: 60}
_AREAS: dict[Panel, Qt.DockWidgetArea] = {
    Panel.CONVERSATIONS: Qt.DockWidgetArea.LeftDockWidgetArea,
    Panel.SAMPLING: Qt.DockWidgetArea.RightDockWidgetArea,
    Panel.LOG: Qt.DockWidgetArea.BottomDockWidgetArea,
}
_SIDES = Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
_HEAD = 40


class DockHead(QWidget):
    """A dock's title bar: its name, and at the right what it is about."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="side")
        self._title, self._about = QLabel(self), QLabel(self)
        mark(self._title, role="body_strong")
        mark(self._about, role="caption", tone="text3")
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._title)
        self._layout.addStretch(1)
        self._layout.addWidget(self._about)
        self.measure()

    def set_words(self, title: str, about: str) -> None:
        self._title.setText(title)
        self._about.setText(about)

    def measure(self) -> None:
        self._layout.setContentsMargins(fonts.px(SPACE_16), 0, fonts.px(SPACE_16), 0)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # a dock asks its title bar for this and for nothing else
        return QSize(super().sizeHint().width(), fonts.px(_HEAD))


class SidePages(QStackedWidget):
    """The right dock's content: one panel, or another in its place while its tab of the centre is in view.
    `title`: what the dock is called and what it is about."""

    def __init__(self, panel: QWidget, title: Callable[[], tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.head = DockHead(parent)
        self._titles = [title]
        self._tabs: dict[str, int] = {}
        self.addWidget(panel)
        self.currentChanged.connect(self.translate)

    def add(self, tab: str, panel: QWidget, title: Callable[[], tuple[str, str]]) -> None:
        self._titles.append(title)
        self._tabs[tab] = self.addWidget(panel)

    def show_for(self, tab: str) -> None:
        """The tab that came into view."""
        self.setCurrentIndex(self._tabs.get(tab, 0))

    def translate(self) -> None:
        self.head.set_words(*self._titles[self.currentIndex()]())


class Dock(QDockWidget):
    """A movable, closable dock; `lend` gives head and content to an overlay, `take_back` ends that."""

    sized = Signal(object)  # its panel
    closed = Signal(object)  # its panel: by the person; a drag hides and shows it without this

    def __init__(self, panel: Panel, head: QWidget, content: QWidget, window: QMainWindow) -> None:
        super().__init__(window)
        self.panel, self.head, self.content = panel, head, content
        self.setObjectName(panel.value)
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        self.setAllowedAreas(_AREAS[panel] if panel is Panel.LOG else _SIDES)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setTitleBarWidget(head)
        self.setWidget(content)
        window.addDockWidget(_AREAS[panel], self)
        self.measure()

    def measure(self) -> None:
        least = fonts.px(_SMALLEST[self.panel])
        if self.panel is Panel.LOG:
            self.content.setMinimumHeight(least)
        else:
            self.content.setMinimumWidth(least)

    @property
    def _across(self) -> Qt.Orientation:
        return Qt.Orientation.Vertical if self.panel is Panel.LOG else Qt.Orientation.Horizontal

    @property
    def extent(self) -> int:
        """Pixels in the direction that its edge moves."""
        return self.height() if self._across is Qt.Orientation.Vertical else self.width()

    def take(self, extent: int) -> None:
        """Be this wide, or this high."""
        window = self.parent()
        if isinstance(window, QMainWindow):
            window.resizeDocks([self], [extent], self._across)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible() and not self.isFloating():  # in a drag it is as large as it likes
            self.sized.emit(self.panel)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(self.panel)

    def lend(self) -> tuple[QWidget, QWidget]:
        return self.head, self.content

    def take_back(self) -> None:
        self.setTitleBarWidget(self.head)
        self.setWidget(self.content)
        self.head.show()
        self.content.show()


class Overlay(QWidget):
    """Covers the chat and shows one dock's content at its side; a click beside it closes."""

    close_wanted = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._dock: Dock | None = None
        self._frame = QFrame(self)
        mark(self._frame, ground="side")
        self._layout = QVBoxLayout(self._frame)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._slide = QPropertyAnimation(self._frame, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.hide()

    @property
    def panel(self) -> Panel | None:
        return self._dock.panel if self._dock is not None else None

    def open(self, dock: Dock, milliseconds: int) -> None:
        """Borrow the dock's content; `milliseconds` 0 = no motion."""
        self.close_panel()
        self._dock = dock
        for widget in dock.lend():
            self._layout.addWidget(widget, 1 if widget is dock.content else 0)
            widget.show()
        mark(self._frame, edge="right" if self._left else "left")
        self._layout.setContentsMargins(0 if self._left else 1, 0, 1 if self._left else 0, 0)
        self.show()
        self.raise_()
        end = self._place()
        if milliseconds:
            away = self._frame.width()
            self._slide.setStartValue(end + QPoint(-away if self._left else away, 0))
            self._slide.setEndValue(end)
            self._slide.setDuration(milliseconds)
            self._slide.start()
        dock.content.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_panel(self) -> None:
        if self._dock is None:
            return
        self._slide.stop()
        dock, self._dock = self._dock, None
        dock.take_back()
        self.hide()

    def set_area(self, area: QRect) -> None:
        """The part of the window it covers."""
        self.setGeometry(area)
        if self._dock is not None:
            self._slide.stop()
            self._place()

    @property
    def _left(self) -> bool:
        return self._dock is not None and self._dock.panel is Panel.CONVERSATIONS

    def _place(self) -> QPoint:
        assert self._dock is not None
        wide = min(self._dock.content.sizeHint().width() + 1, self.width() - fonts.px(SPACE_16))
        at = QPoint(0 if self._left else self.width() - wide, 0)
        self._frame.setGeometry(QRect(at, QSize(wide, self.height())))
        return at

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._frame.geometry().contains(event.position().toPoint()):
            self.close_wanted.emit()
        event.accept()
