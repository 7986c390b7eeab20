"""What a new chat shows: how to begin, and three questions whose answers hold doubt."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_24, Theme

_WIDTH = 420


class EmptyState(QScrollArea):
    """`asked`: one of the sample questions was chosen. It scrolls where there is little room."""

    asked = Signal(str)
    server_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        mark(inside, ground="surface")
        self._title = QLabel(inside)
        mark(self._title, role="section")
        self._note = QLabel(inside)
        mark(self._note, role="small", tone="text3")
        for label in (self._title, self._note):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.samples = [QPushButton(inside) for _ in range(3)]
        self._layout = QVBoxLayout(inside)
        self._layout.addStretch(2)
        self._layout.addWidget(self._title)
        for button in self.samples:
            button.clicked.connect(lambda _=False, button=button: self.asked.emit(button.text()))
            mark(button, role="body")
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(button, 1000)
            row.addStretch(1)
            self._layout.addLayout(row)
        self._layout.addWidget(self._note)
        self.server = QPushButton(inside)
        mark(self.server, kind="link", role="small")
        self.server.clicked.connect(self.server_wanted)
        self._layout.addWidget(self.server, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addStretch(3)
        self.setWidget(inside)
        self._note.hide()
        self.set_theme(None)
        self._translate()

    def set_theme(self, theme: Theme | None) -> None:
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_24), px(SPACE_24), px(SPACE_24), px(SPACE_24))
        self._layout.setSpacing(px(SPACE_8))
        self._title.setContentsMargins(0, 0, 0, px(SPACE_12))
        self._note.setContentsMargins(0, px(SPACE_12), 0, 0)
        for button in self.samples:
            button.setMaximumWidth(px(_WIDTH))
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_bar_room(self, width: int) -> None:
        """Keep the room of a scroll bar free, so that the column below has the same middle."""
        own = self.verticalScrollBar().sizeHint().width() if self.verticalScrollBar().isVisible() else 0
        margins = self._layout.contentsMargins()
        margins.setRight(margins.left() + max(0, width - own))
        self._layout.setContentsMargins(margins)

    def show_small_model_note(self, on: bool) -> None:
        self._note.setVisible(on)

    def show_server_hint(self, on: bool) -> None:
        """That a server can be used in place of the built-in engine."""
        self.server.setVisible(on)

    @property
    def note_shown(self) -> bool:
        return not self._note.isHidden()

    def _translate(self) -> None:
        self._title.setText(self.tr("Ask something, then rest the pointer on a word."))
        questions = (
            self.tr("In which year was the first photograph taken?"),
            self.tr("Who wrote the oldest poem that we still have?"),
            self.tr("Which is better on a long walk, tea or coffee?"),
        )
        for button, question in zip(self.samples, questions, strict=True):
            button.setText(question)
        self._note.setText(
            self.tr("The built-in model is small and often wrong. That makes its doubt good to watch.")
        )

        self.server.setText(self.tr("Use a vLLM server of mine…"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
