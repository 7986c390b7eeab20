"""The status bar: the newest log line and its age, then device, speed and the room in the context."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QToolButton, QWidget

from core.log_lines import LogLine
from core.tokens import figures
from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel
from desktop.kit.icons import dress
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_16, STATUS_BAR, Theme

_TICK_MS = 1_000
_ITEMS_SHARE = 0.55  # of the bar's width, at most, for the items at the right


class StatusFrame(QStatusBar):
    """Qt's place for a status bar, filled by ours: its own layout would add margins."""

    def __init__(self, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._content = content
        self.setSizeGripEnabled(False)
        content.setParent(self)

    def sizeHint(self) -> QSize:
        return QSize(0, fonts.px(STATUS_BAR))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())


class StatusBar(QWidget):
    """While something runs the line's age counts; in an idle window its time of day stands still."""

    log_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._clock = clock
        self._line: LogLine | None = None
        self._busy = False
        self._speed: float | None = None
        self._context: tuple[int, int | None] | None = None
        mark(self, ground="side", edge="top")
        self._button = QToolButton(self)
        mark(self._button, kind="icon", size="small")
        dress(self._button, "log", "text3", 14)
        self._button.clicked.connect(self.log_wanted)
        self._text = ElidedLabel(parent=self)
        mark(self._text, role="mono_small", tone="text3")
        self._age = QLabel(self)
        self.device, self.speed, self.context = QLabel(self), QLabel(self), QLabel(self)
        self._items = (self.device, self.speed, self.context)  # they are dropped in this order
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._button)
        self._layout.addWidget(self._text)
        self._layout.addWidget(self._age)
        self._layout.addStretch(1)
        for label in (self._age, *self._items):
            label.setTextFormat(Qt.TextFormat.PlainText)
            mark(label, role="caption", tone="text2")
        for label in self._items:
            self._layout.addWidget(label)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._draw_age)
        self.set_theme(None)
        self._translate()

    def set_theme(self, theme: Theme | None) -> None:
        px = fonts.px
        frame = self.parentWidget()
        if frame is not None:
            frame.updateGeometry()
        self._button.setFixedSize(px(22), px(22))
        self._layout.setContentsMargins(px(SPACE_8), px(1), px(SPACE_16), 0)
        self._layout.setSpacing(px(SPACE_8))
        for label in self._items:
            label.setContentsMargins(px(SPACE_12), 0, 0, 0)

    # what is set from outside

    def set_line(self, line: LogLine | None) -> None:
        """The newest line of the log."""
        self._line = line
        text = line.text if line is not None else ""
        if text != self._text.text():
            self._text.setText(text)
        self._draw_age()

    def set_busy(self, busy: bool) -> None:
        """An answer runs, or the model is being got or loaded."""
        self._busy = busy
        if busy and self.isVisible():
            self._timer.start()
        else:
            self._timer.stop()
        self._draw_age()

    def set_device(self, text: str) -> None:
        self._put(self.device, text)

    def set_speed(self, tokens_per_second: float | None) -> None:
        """Of the running answer, or of the last one; None: nothing to say."""
        self._speed = tokens_per_second
        self._draw_items()

    def set_context(self, used: int | None, limit: int | None = None) -> None:
        """Tokens of the conversation as the model sees it, and the most it can see."""
        self._context = None if used is None else (used, limit)
        self._draw_items()

    # showing

    def _put(self, label: QLabel, text: str) -> None:
        if label.text() != text:
            label.setText(text)
            self._fit()

    def _draw_items(self) -> None:
        speed = self._speed
        self._put(self.speed, self.tr("{n} tok/s").format(n=f"{speed:,.1f}") if speed is not None else "")
        words = ""
        if self._context is not None:
            used, limit = self._context
            room = f"{figures.count(used)} / {figures.count(limit)}" if limit else figures.count(used)
            words = self.tr("Context {room}").format(room=room)
        self._put(self.context, words)

    def _draw_age(self) -> None:
        text = ""
        if self._line is not None:
            text = self._age_text(self._clock() - self._line.time)
        if text != self._age.text():
            self._age.setText(text)

    def _age_text(self, seconds: float) -> str:
        if not self._busy:
            assert self._line is not None
            return time.strftime("%H:%M:%S", time.localtime(self._line.time))
        if seconds < 1:
            return self.tr("now")
        if seconds < 60:
            return self.tr("{n} s ago").format(n=int(seconds))
        return self.tr("{n} min ago").format(n=int(seconds // 60))

    def _fit(self) -> None:
        """Items leave from the left when they would crowd out the log line."""
        room = self.width() * _ITEMS_SHARE
        wanted = [label.sizeHint().width() + self._layout.spacing() for label in self._items]
        dropped = 0
        while dropped < len(wanted) - 1 and sum(wanted[dropped:]) > room:
            dropped += 1
        for at, label in enumerate(self._items):
            label.setVisible(bool(label.text()) and at >= dropped)

    def _translate(self) -> None:
        name = self.tr("Log")
        self._button.setAccessibleName(name)
        self._button.setToolTip(name)
        self.context.setToolTip(self.tr("Tokens of this conversation, and the most the model can see"))
        self._draw_items()
        self._draw_age()

    def set_log_tip(self, tip: str) -> None:
        self._button.setToolTip(tip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: object) -> None:
        self.set_busy(self._busy)

    def hideEvent(self, event: object) -> None:
        self._timer.stop()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
