"""The widgets that belong to an answer: footer with its buttons, banner, thinking line; all real controls."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.tokens import figures
from desktop.chat.turns import Banner, Footer
from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import ICON_BAR, SPACE_8, SPACE_12, SPACE_16, Theme

AGAIN_KEY = "Ctrl+R"
PREVIOUS_KEY = "Ctrl+["
NEXT_KEY = "Ctrl+]"
_BESIDE = 0.4  # of a banner's width: more than that its buttons do not take from its words


def _keys(portable: str) -> str:
    return QKeySequence(portable).toString(QKeySequence.SequenceFormat.NativeText)


class FooterBar(QWidget):
    """`59 tokens · 214 tok/s …` at the left, branch, copy and ask again at the right."""

    pressed = Signal(str)  # "previous" | "next" | "copy" | "again"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._footer = Footer()
        self.facts = ElidedLabel("", self)
        mark(self.facts, role="small", tone="text3")
        self.previous = self._button("chevron-left", "previous")
        self.branch = QLabel(self)
        self.branch.setTextFormat(Qt.TextFormat.PlainText)
        mark(self.branch, role="small_strong", tone="text2")
        self.next = self._button("chevron-right", "next")
        self.copy = self._button("copy", "copy")
        self.again = self._button("redo", "again")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.facts, 1)
        row.addSpacing(fonts.px(SPACE_8))
        row.addWidget(self.previous)
        row.addWidget(self.branch)
        row.addWidget(self.next)
        row.addSpacing(fonts.px(SPACE_8))
        row.addWidget(self.copy)
        row.addWidget(self.again)
        self._translate()

    def _button(self, icon: str, key: str) -> QToolButton:
        button = QToolButton(self)
        mark(button, kind="icon", size="small")
        icons.dress(button, icon)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.clicked.connect(lambda: self.pressed.emit(key))
        return button

    def show_footer(self, footer: Footer) -> None:
        if footer == self._footer:
            return
        self._footer = footer
        self.facts.setText(footer.facts)
        several = footer.branch is not None and footer.branch[1] > 1
        for widget in (self.previous, self.branch, self.next):
            widget.setVisible(several)
        if footer.branch is not None:
            this, of = footer.branch
            self.branch.setText(f"{this} / {of}")
            self.branch.setAccessibleName(self.tr("Answer {this} of {of}").format(this=this, of=of))
            self.previous.setEnabled(this > 1)
            self.next.setEnabled(this < of)
        self.copy.setVisible("copy" in footer.actions)
        self.again.setVisible("again" in footer.actions)

    def _translate(self) -> None:
        for button, words, keys in (
            (self.previous, self.tr("Answer before"), _keys(PREVIOUS_KEY)),
            (self.next, self.tr("Answer after"), _keys(NEXT_KEY)),
            (self.copy, self.tr("Copy the answer"), ""),
            (self.again, self.tr("Ask again"), _keys(AGAIN_KEY)),
        ):
            button.setAccessibleName(words)
            button.setToolTip(f"{words} ({keys})" if keys else words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class BannerBar(QFrame):
    """What went wrong with this answer, why, and buttons for what to do next."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._banner: Banner | None = None
        self._sign = QLabel(self)
        self.what, self.why, self.said = QLabel(self), QLabel(self), QLabel(self)
        words = QVBoxLayout()
        words.setSpacing(fonts.px(2))
        for label, role, tone in (
            (self.what, "body_strong", "text"),
            (self.why, "small", "text2"),
            (self.said, "mono_small", "text2"),
        ):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            mark(label, role=role, tone=tone)
            words.addWidget(label)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[QPushButton] = []
        self._acts = QHBoxLayout()
        self._acts.setSpacing(fonts.px(SPACE_8))
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(fonts.px(SPACE_8))
        self._body.addLayout(words, 1)
        self._body.addLayout(self._acts)
        self._row = QHBoxLayout(self)
        sides = (SPACE_16, SPACE_12, SPACE_12, SPACE_12)
        self._row.setContentsMargins(*(fonts.px(side) for side in sides))
        self._row.setSpacing(fonts.px(SPACE_8))
        self._row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._body, 1)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def show_banner(self, banner: Banner, theme: Theme) -> None:
        colours = {"err": theme.err, "warn": theme.warn, "info": theme.accent}
        icon = banner.kind if banner.kind in colours else "info"
        side = fonts.px(ICON_BAR)
        self._sign.setPixmap(icons.pixmap(icon, colours[icon], side, self.devicePixelRatioF()))
        if banner == self._banner:
            return
        self._banner = banner
        mark(self, banner=icon)
        self.what.setText(banner.what)
        self.why.setText(banner.why)
        self.why.setVisible(bool(banner.why))
        self.said.setText(banner.said)
        self.said.setVisible(bool(banner.said))
        for button in self.buttons:
            self._acts.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(*action) for action in banner.actions]

    def _button(self, key: str, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.clicked.connect(lambda: self.pressed.emit(key))
        self._acts.addWidget(button)
        button.show()  # a layout counts no hidden one, and shows it only later where the banner is in view
        return button

    def height_for(self, width: int) -> int:
        """Pixels it needs at this width. Buttons stand below the words where these need the room."""
        beside = self._acts.sizeHint().width() <= _BESIDE * width and self.said.isHidden()
        directions = QBoxLayout.Direction
        self._body.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        place = Qt.AlignmentFlag.AlignVCenter if beside else Qt.AlignmentFlag.AlignLeft
        self._body.setAlignment(self._acts, place)
        self._row.activate()
        needed = self._row.heightForWidth(width) if self._row.hasHeightForWidth() else 0
        return max(needed, self._row.sizeHint().height() if needed <= 0 else needed)


class ThinkingLine(QToolButton):
    """The folded line "Thought for 3.1 s, 214 tokens"; pressed, the thinking part unfolds below."""

    wanted = Signal(bool)  # unfold or fold

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mark(self, kind="flat", size="small")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._open = False
        self._told: tuple[int, float, bool, bool] | None = None
        self._icon = ""
        self.clicked.connect(lambda: self.wanted.emit(not self._open))

    def tell(
        self, tokens: int, milliseconds: float | None, *, going_on: bool, ended: bool, open_: bool
    ) -> None:
        """`going_on`: tokens still come. `ended`: its end marker came."""
        if open_ != self._open:
            self._open = open_
            self._describe()
        icon = "chevron-down" if open_ else "chevron-right"
        if icon != self._icon:
            self._icon = icon
            icons.dress(self, icon)
        spent = -1.0 if milliseconds is None else round(milliseconds, -1 if milliseconds < 1000 else -2)
        told = (tokens, spent, going_on, ended)
        if told != self._told:
            self._told = told
            self._write()

    def _write(self) -> None:
        if self._told is None:
            return
        tokens, milliseconds, going_on, ended = self._told
        count = self.tr("%n token(s)", "", tokens)
        if milliseconds < 0:
            time = ""
        else:
            time = self.tr("{n} s").format(n=figures.seconds(milliseconds))
        if ended:
            text = self.tr("Thought for {time}, {count}") if time else self.tr("Thought, {count}")
        elif going_on:
            text = self.tr("Thinking for {time}, {count}") if time else self.tr("Thinking, {count}")
        else:
            text = self.tr("Thinking not finished, {time}, {count}")
            text = text if time else self.tr("Thinking not finished, {count}")
        words = text.format(time=time, count=count)
        if words != self.text():
            self.setText(words)
            self.setAccessibleName(words)
            self._describe()

    def _describe(self) -> None:
        words = self.tr("Hide the thinking part") if self._open else self.tr("Show the thinking part")
        self.setToolTip(words)
        self.setAccessibleDescription(words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._write()


class CodeCopy(QToolButton):
    """Copies one code block, without its fences. `source` gives its text when it is wanted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.source: Callable[[], str] = str
        mark(self, kind="icon", size="small")
        icons.dress(self, "copy")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.source()))
        self._translate()

    def _translate(self) -> None:
        words = self.tr("Copy the code")
        self.setAccessibleName(words)
        self.setToolTip(words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
