"""The log dock's content and its tools: level, find, follow, copy."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from core.log_lines import Level, LogBuffer
from desktop.kit import fonts
from desktop.kit.find_edit import FindEdit
from desktop.kit.icons import dress
from desktop.kit.named import name
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_16, Theme
from desktop.log.view import LogView

_LEVELS = (Level.UNKNOWN, Level.INFO, Level.WARNING, Level.ERROR)
HEIGHT = 250  # of the dock, at zoom 100 %
_FIND_WIDTH = 190
_HEAD = 36


class LogTools(QWidget):
    """The dock's title bar; dragging its free part moves the dock."""

    close_wanted = Signal()

    def __init__(self, view: LogView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        mark(self, ground="side", edge="bottom")
        self._title = QLabel(self)
        mark(self._title, role="body_strong")
        self.level = QComboBox(self)
        mark(self.level, size="small", role="small")
        self.level.addItems([""] * len(_LEVELS))
        self.level.currentIndexChanged.connect(lambda at: view.set_minimum_level(_LEVELS[at]))
        self.search = FindEdit(self)
        mark(self.search, size="small", role="small", kind="search")
        self.search.textChanged.connect(self._find_typed)
        self.search.step.connect(self._find_step)
        self.search.left.connect(view.setFocus)
        view.search_ended.connect(self._mark_found)
        self.follow = QPushButton(self)
        mark(self.follow, kind="flat", size="small", role="small_strong")
        dress(self.follow, "follow")
        self.follow.setCheckable(True)
        self.follow.setChecked(view.follow)
        self.follow.clicked.connect(view.set_follow)
        view.follow_changed.connect(self.follow.setChecked)
        self.copy = self._tool("copy")
        self.copy.clicked.connect(view.copy)
        self.close_button = self._tool("x")
        self.close_button.clicked.connect(self.close_wanted)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._title)
        self._layout.addStretch(1)
        for widget in (self.level, self.search, self.follow, self.copy, self.close_button):
            self._layout.addWidget(widget)
        self.measure()
        self._translate()

    def _tool(self, icon: str) -> QToolButton:
        button = QToolButton(self)
        mark(button, kind="icon", size="small")
        dress(button, icon)
        return button

    def measure(self) -> None:
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_16), 0, px(SPACE_12), px(1))
        self._layout.setSpacing(px(SPACE_8))
        self.search.setMaximumWidth(px(_FIND_WIDTH))

    def sizeHint(self) -> QSize:
        # a dock asks its title bar for this and for nothing else
        return QSize(super().sizeHint().width(), fonts.px(_HEAD))

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        return self.level, self.search, self.follow, self.copy, self.close_button

    def _find_typed(self, words: str) -> None:
        self._view.set_find(words)
        self._mark_found(True)
        if words:
            self._view.find_next(1, stay=True)

    def _find_step(self, step: int) -> None:
        if self.search.text():
            self._view.find_next(step)

    def _mark_found(self, found: bool) -> None:
        mark(self.search, state="" if found else "err")
        self.search.setToolTip("" if found else self.tr("No such line"))

    def _translate(self) -> None:
        self._title.setText(self.tr("Log"))
        for at, text in enumerate(
            (self.tr("All levels"), self.tr("Info and above"), self.tr("Warnings, errors"), self.tr("Errors"))
        ):
            self.level.setItemText(at, text)
        name(self.level, self.tr("Level"))
        self.search.setPlaceholderText(self.tr("Find in log"))
        self.search.setAccessibleName(self.tr("Find in log"))
        self.follow.setText(self.tr("Follow"))
        self.follow.setToolTip(self.tr("Stay at the newest line"))
        copy = self.tr("Copy the selected lines, or all")
        self.copy.setToolTip(copy)
        self.copy.setAccessibleName(copy)
        self.close_button.setToolTip(self.tr("Close"))
        self.close_button.setAccessibleName(self.tr("Close"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class LogPanel(QWidget):
    """`notify` may be called from any thread after a line was added to the buffer."""

    _notified = Signal()

    def __init__(self, buffer: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buffer = buffer
        self.view = LogView(buffer, self)
        self._empty = QLabel(self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        mark(self._empty, role="small", tone="text3")
        mark(self, ground="surface")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.view)
        self._notified.connect(self._added)
        self._translate()
        self._added()

    def notify(self) -> None:
        self._notified.emit()

    def _added(self) -> None:
        if len(self._buffer) and self._stack.currentWidget() is not self.view:
            self._stack.setCurrentWidget(self.view)
        self.view.mark()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), fonts.px(HEIGHT - _HEAD))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _translate(self) -> None:
        self._empty.setText(self.tr("The log appears when the model’s process starts."))
        self.view.setAccessibleName(self.tr("Log"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
