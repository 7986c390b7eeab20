"""What can be done about a finding, one row each: what to do, what that changes, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.server.finding import Fix
from desktop.kit import fonts
from desktop.kit.copy_button import CopyButton
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_16
from desktop.server import words
from desktop.server.parts import CodeEdit, label

_BUTTON: Final = 148  # px, at zoom 100 %
_BESIDE_FROM: Final = 480


def command(fix: Fix) -> str:
    """The command that a fix has a person run, "" for all others."""
    return str(fix.params.get("command", "")) if fix.action == "copy" else ""


class CommandLine(QFrame):
    """A command in mono, to be marked or copied."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mark(self, ground="box")
        self.text = CodeEdit(self)
        self.copy = CopyButton(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.text, 1)
        self._row.addWidget(self.copy)

    def set_command(self, text: str) -> None:
        self.text.set_line(text)
        self.text.setAccessibleName(self.tr("Command"))
        self.copy.set_text(text, self.tr("Copy the command"))
        px = fonts.px
        self._row.setContentsMargins(px(SPACE_12), px(2), px(4), px(2))
        self._row.setSpacing(px(SPACE_8))


class FixRow(QFrame):
    """One fix; `wanted` when its button is pressed. Below a width its button stands under the words."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget, fix: Fix, *, primary: bool) -> None:
        super().__init__(parent)
        px = fonts.px
        mark(self, edge="top")
        text = words.fix_text(fix)
        self.title, self.effect = label(self, "body_strong"), label(self, "small", "text2")
        self.title.setText(text.title)
        self.effect.setText(text.effect)
        self.effect.setVisible(text.effect not in ("", command(fix)))
        column = QVBoxLayout()
        column.setSpacing(px(2))
        column.addStretch(1)
        column.addWidget(self.title)
        column.addWidget(self.effect)
        self.line: CommandLine | None = None
        if command(fix):
            self.line = CommandLine(self)
            self.line.set_command(command(fix))
            column.addSpacing(px(SPACE_8))
            column.addWidget(self.line)
        column.addStretch(1)
        self.button = QPushButton(text.button, self)
        self.button.setToolTip(text.effect)
        self.button.setAccessibleDescription(" ".join(filter(None, (text.title, text.effect))))
        if primary:
            mark(self.button, kind="primary")
        self.button.clicked.connect(lambda: self.wanted.emit(fix))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, px(SPACE_8) + 2, 0, px(SPACE_8) + 1)
        self._row.setSpacing(px(SPACE_16))
        self._row.addLayout(column, 1)
        self._row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != way:
            self._row.setDirection(way)
            self._row.setSpacing(fonts.px(SPACE_8 if narrow else SPACE_16))


class FixRows(QWidget):
    """The ways out, best first; the first one's button is the primary one. `wanted` carries the Fix."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fixes: tuple[Fix, ...] = ()
        self.rows: list[FixRow] = []
        mark(self, edge="bottom")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def set_fixes(self, fixes: Sequence[Fix]) -> None:
        """Made anew, in the present language and at the present zoom."""
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self._fixes = tuple(fixes)
        self.rows = []
        for at, fix in enumerate(self._fixes):
            row = FixRow(self, fix, primary=at == 0)
            row.wanted.connect(self.wanted)
            self._column.addWidget(row)
            self.rows.append(row)
        widest = max((row.button.sizeHint().width() for row in self.rows), default=0)
        for row in self.rows:
            row.button.setMinimumWidth(max(widest, fonts.px(_BUTTON)))
        self.setVisible(bool(self.rows))
