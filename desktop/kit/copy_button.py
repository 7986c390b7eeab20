"""Owns the small button that copies a line: a flag, a command, an address."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.kit import icons
from desktop.kit.style import mark
from desktop.kit.theme import ICON


class CopyButton(QToolButton):
    """Copies what it was given, and says what that is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        mark(self, kind="icon", size="small")
        icons.dress(self, "copy", size=ICON - 2)
        self.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))

    def set_text(self, text: str, words: str) -> None:
        """`words`: what the button does, for its name and tooltip."""
        self._text = text
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setVisible(bool(text))
