"""The switch that lets the server of ours guess ahead, or why it cannot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12, SPACE_16
from desktop.kit.toggle import Toggle


class GuessRow(QWidget):
    """Hidden until it is told something. `chosen`: on or off, by the person."""

    chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._why, self._restarts = "", False
        self.title, self.note = QLabel(self), QLabel(self)
        mark(self.title, role="small_strong")
        mark(self.note, role="caption", tone="text3")
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.toggle = Toggle(self)
        self.toggle.clicked.connect(self.chosen)
        self._head = QHBoxLayout()
        self._head.addWidget(self.title, 1)
        self._head.addWidget(self.toggle)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(self._head)
        self._layout.addWidget(self.note)
        self.measure()
        self._translate()
        self.hide()

    def measure(self) -> None:
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_16), px(SPACE_8), px(SPACE_16), px(SPACE_12))
        self._layout.setSpacing(px(SPACE_4))

    def show_switch(self, on: bool, *, why: str = "", restarts: bool = False) -> None:
        """`why` it cannot be switched, "" = it can. `restarts`: a server runs, which starts anew then."""
        self._why, self._restarts = why, restarts
        self.toggle.setChecked(on and not why)
        self.toggle.setEnabled(not why)
        self._translate()
        self.show()

    def _translate(self) -> None:
        title = self.tr("Guess ahead")
        self.title.setText(title)
        meaning = self.tr("Faster, with the same answers: guessed tokens are kept only where they fit.")
        when = (
            self.tr("Switching it restarts the server.")
            if self._restarts
            else self.tr("Holds from the next start.")
        )
        self.note.setText(self._why or f"{meaning} {when}")
        self.toggle.setAccessibleName(title)
        self.toggle.setAccessibleDescription(self.note.text())
        self.toggle.setToolTip(self._why or when)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
