"""The log dock's content and its tools: level, find, filter, follow, pause, copy, save, clear."""

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
from desktop.kit.dialogs import file_dialog
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


class LogPanel(QWidget):
    """`notify` may be called from any thread after a line was added to the buffer."""

    save_wanted = Signal(str)  # into this file
    _notified = Signal()

    def __init__(self, buffer: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buffer = buffer
        self._cleared = False
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

    def clear(self) -> None:
        """Forget the lines."""
        self._buffer.clear()
        self._cleared = True
        self._translate()
        self._added()

    def ask_save(self) -> None:
        """Where to save what passes the filter."""
        file_dialog(self.window(), self.tr("Save the log"), "tokenloupe.log", self.save_wanted.emit).open()

    def _added(self) -> None:
        shown = self.view if len(self._buffer) else self._empty
        if self._stack.currentWidget() is not shown:
            self._stack.setCurrentWidget(shown)
        self.view.mark()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), fonts.px(HEIGHT - _HEAD))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _translate(self) -> None:
        before = self.tr("The log appears when the model’s process starts.")
        self._empty.setText(self.tr("New lines appear here.") if self._cleared else before)
        self.view.setAccessibleName(self.tr("Log"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class LogTools(QWidget):
    """The dock's title bar; dragging its free part moves the dock."""

    close_wanted = Signal()

    def __init__(self, panel: LogPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        view = self._view = panel.view
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
        self.filter = self._toggle("filter")
        self.filter.toggled.connect(lambda _: self._filter())
        self.follow = QPushButton(self)
        mark(self.follow, kind="flat", size="small", role="small_strong")
        dress(self.follow, "follow")
        self.follow.setCheckable(True)
        self.follow.setChecked(view.follow)
        self.follow.clicked.connect(view.set_follow)
        view.follow_changed.connect(self.follow.setChecked)
        self.pause = self._toggle("pause")
        self.pause.toggled.connect(view.set_paused)
        view.waiting_changed.connect(self._draw_title)
        self.copy = self._tool("copy")
        self.copy.clicked.connect(view.copy)
        self.save = self._tool("down")
        self.save.clicked.connect(panel.ask_save)
        self.clear = self._tool("trash")
        self.clear.clicked.connect(panel.clear)
        self.close_button = self._tool("x")
        self.close_button.clicked.connect(self.close_wanted)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._title)
        self._layout.addStretch(1)
        for widget in self.stops():
            self._layout.addWidget(widget)
        self.measure()
        self._translate()

    def _tool(self, icon: str) -> QToolButton:
        button = QToolButton(self)
        mark(button, kind="icon", size="small")
        dress(button, icon)
        return button

    def _toggle(self, icon: str) -> QToolButton:
        button = self._tool(icon)
        button.setCheckable(True)
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
        buttons = (self.filter, self.follow, self.pause, self.copy, self.save, self.clear)
        return self.level, self.search, *buttons, self.close_button

    def show_line(self, text: str) -> None:
        """Go to this line, whatever is filtered out now."""
        self.level.setCurrentIndex(0)
        self.filter.setChecked(False)
        self._view.show_line(text)

    def _filter(self) -> None:
        self._view.set_filter(self.search.text() if self.filter.isChecked() else "")

    def _find_typed(self, words: str) -> None:
        self._view.set_find(words)
        self._mark_found(True)
        if self.filter.isChecked():
            self._filter()
        elif words:
            self._view.find_next(1, stay=True)

    def _find_step(self, step: int) -> None:
        if self.search.text():
            self._view.find_next(step)

    def _mark_found(self, found: bool) -> None:
        found = found or not self.search.text()  # a line that was asked for otherwise may be gone
        mark(self.search, state="" if found else "err")
        self.search.setToolTip("" if found else self.tr("No such line"))

    def _translate(self) -> None:
        self._draw_title(0)
        for at, text in enumerate(
            (self.tr("All levels"), self.tr("Info and above"), self.tr("Warnings, errors"), self.tr("Errors"))
        ):
            self.level.setItemText(at, text)
        name(self.level, self.tr("Level"))
        self.search.setPlaceholderText(self.tr("Find in log"))
        self.search.setAccessibleName(self.tr("Find in log"))
        self.follow.setText(self.tr("Follow"))
        self.follow.setToolTip(self.tr("Stay at the newest line"))
        for button, words in (
            (self.filter, self.tr("Only lines with these words")),
            (self.pause, self.tr("Pause: what is in view stays while lines go on coming")),
            (self.copy, self.tr("Copy the selected lines, or all")),
            (self.save, self.tr("Save the lines in a file…")),
            (self.clear, self.tr("Clear the log")),
            (self.close_button, self.tr("Close")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)

    def _draw_title(self, waiting: int) -> None:
        title = self.tr("Log")
        if self._view.paused:
            words = self.tr("paused, %n new line(s)", "", waiting) if waiting else self.tr("paused")
            title = f"{title} · {words}"
        self._title.setText(title)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
