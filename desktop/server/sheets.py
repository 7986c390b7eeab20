"""What is asked about a server that runs: when the program quits, and when another one has started it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.kit import accessible, fonts
from desktop.kit.dialogs import Sheet
from desktop.kit.style import mark
from desktop.kit.theme import ICON_BAR, LIGHT, SPACE_2, SPACE_8, SPACE_12, SPACE_16, Theme
from desktop.server.parts import Sign, button, label

_WIDTH = 460
_BESIDE_FROM = 560


class QuitSheet(Sheet):
    """Asked once at quit while a server of ours runs: `open()` it. `chosen` carries "stop" or "leave", and
    whether that is to be remembered; Cancel and Escape only close it."""

    chosen = Signal(str, bool)

    def __init__(self, parent: QWidget, model: str) -> None:
        super().__init__(parent, _WIDTH)
        self.set_title(self.tr("Stop the server too?"))
        words = self.tr(
            "{model} is running in Docker. Left running, it keeps its memory and is joined at the next start."
        )
        self.add_text(words.format(model=model), "body", "text2")
        self.remember = QCheckBox(self.tr("Remember this choice"), self)
        self.remember.setToolTip(self.tr("It can be changed in the settings"))
        self.column.addWidget(self.remember)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.leave = QPushButton(self.tr("Leave it running"), self)
        self.stop = QPushButton(self.tr("Stop the server"), self)
        mark(self.stop, kind="primary")
        self.cancel.clicked.connect(self.reject)
        self.leave.clicked.connect(lambda: self._choose("leave"))
        self.stop.clicked.connect(lambda: self._choose("stop"))
        self.add_buttons(self.leave, self.stop, left=self.cancel)
        self.stop.setDefault(True)
        self.stop.setFocus()
        self.fit()

    def _choose(self, what: str) -> None:
        self.chosen.emit(what, self.remember.isChecked())
        self.accept()


class Notice(QFrame):
    """A line and its why with a sign at the left and buttons at the right, over the chat; not modal."""

    def __init__(self, parent: QWidget | None, tone: str, icon: str) -> None:
        super().__init__(parent)
        self._tone, self._icon = tone, icon
        mark(self, banner=tone)
        self.sign = Sign(self, ICON_BAR)
        self.what, self.why = label(self, "body_strong"), label(self, "small", "text2")
        self._words = QVBoxLayout()
        self._words.addWidget(self.what)
        self._words.addWidget(self.why)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.addLayout(self._words, 1)
        self._body.addLayout(self._buttons)
        self._outer = QHBoxLayout(self)
        self._outer.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self._outer.addLayout(self._body, 1)

    def add_button(self) -> QPushButton:
        made = button(self)
        self._buttons.addWidget(made)
        return made

    def say(self, what: str, why: str) -> None:
        self.what.setText(what)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.setAccessibleName(what)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        role = "accent" if self._tone == "info" else self._tone
        self.sign.set_sign(self._icon, role, "")
        self.sign.set_theme(theme)
        self._outer.setContentsMargins(px(SPACE_16), px(SPACE_12), px(SPACE_16), px(SPACE_12))
        self._outer.setSpacing(px(SPACE_12))
        self._words.setSpacing(px(SPACE_2))
        self._body.setSpacing(px(SPACE_12))
        self._buttons.setSpacing(px(SPACE_8))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._body.direction() != way:
            self._body.setDirection(way)


class FoundBanner(Notice):
    """A server of ours that is not this window's: `show_running` (join or stop it) or `show_left_over` (clean
    up). `join_wanted`, `stop_wanted`, `clean_wanted`: its buttons. Hidden until it is told something."""

    join_wanted = Signal()
    stop_wanted = Signal()
    clean_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, "info", "info")
        self._said: tuple[str, str] = ("", "")  # kind, model
        self.stop, self.join, self.clean = (self.add_button() for _ in range(3))
        self.join.clicked.connect(self.join_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self.clean.clicked.connect(self.clean_wanted)
        self.set_theme(LIGHT)
        self.hide()

    def show_running(self, model: str, *, starting: bool = False) -> None:
        """`starting`: it is not ready yet."""
        self._tell("starting" if starting else "running", model)

    def show_left_over(self, model: str = "") -> None:
        """A container of ours that does not run: of a program that was ended by force."""
        self._tell("left", model)

    def _tell(self, kind: str, model: str) -> None:
        if (kind, model) == self._said and not self.isHidden():
            return
        self._said = kind, model
        self._draw()
        self.show()
        accessible.announce(self, self.what.text())

    def _draw(self) -> None:
        kind, model = self._said
        if not kind:
            return
        left = kind == "left"
        self.join.setVisible(not left)
        self.stop.setVisible(not left)
        self.clean.setVisible(left)
        self.join.setText(self.tr("Join it"))
        self.stop.setText(self.tr("Stop it"))
        self.clean.setText(self.tr("Clean up"))
        if left:
            what = self.tr("A stopped server of ours was left behind.")
            if model:
                what = self.tr("A stopped server of ours was left behind: {model}.").format(model=model)
            why = self.tr("It uses no memory any more. Cleaning up removes the container and nothing else.")
        elif kind == "starting":
            what = self.tr("A server of ours is already starting {model}.").format(model=model)
            why = self.tr("This window did not start it. Join it to watch and use it.")
        else:
            what = self.tr("A server of ours is already running {model}.").format(model=model)
            why = self.tr("This window did not start it. Join it to use it at once.")
        self.say(what, why)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
