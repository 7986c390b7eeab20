"""The editor of a chat's system prompt: a panel that opens above the composer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.chat.exact_text import ExactTextEdit
from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, SPACE_16

_HEIGHT = 96


class SystemPromptEditor(QFrame):
    """Opens with the text in use, or with the draft of the last time; `accepted` carries the new one, exactly
    as written. Esc keeps a draft, Cancel throws it away. `closed`: True if a draft is kept."""

    accepted = Signal(str)
    closed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._draft: str | None = None
        mark(self, ground="card")
        self._title = QLabel(self)
        mark(self._title, role="body_strong")
        self._help = QLabel(self)
        mark(self._help, role="small", tone="text3")
        self._help.setWordWrap(True)
        self.edit = ExactTextEdit(self)
        self._title.setBuddy(self.edit)
        self._use = QPushButton(self)
        self._clear = QPushButton(self)
        self._cancel = QPushButton(self)
        mark(self._clear, kind="flat")
        for button in (self._use, self._cancel):
            mark(button, size="small")
        self._use.clicked.connect(self.accept)
        self._clear.clicked.connect(lambda: self.edit.set_exact_text(""))
        self._cancel.clicked.connect(self._discard)
        self.edit.textChanged.connect(self._refresh)
        layout = QVBoxLayout(self)
        layout.addWidget(self._title)
        layout.addWidget(self._help)
        layout.addWidget(self.edit)
        row = QHBoxLayout()
        row.addWidget(self._clear)
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self._use)
        layout.addLayout(row)
        self._layout, self._row = layout, row
        self.measure()
        self._translate()

    def measure(self) -> None:
        """Sizes at the present zoom."""
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_16), px(SPACE_12), px(SPACE_12), px(SPACE_12))
        self._layout.setSpacing(px(SPACE_8))
        self._row.setSpacing(px(SPACE_8))
        self.edit.setFixedHeight(px(_HEIGHT))

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        return self.edit, self._clear, self._cancel, self._use

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """The text in use changed: another chat was opened. An open editor closes."""
        self._text = text
        self._draft = None
        self.hide()

    def open(self) -> None:
        self.edit.set_exact_text(self._text if self._draft is None else self._draft)
        self.show()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()

    def put_aside(self) -> None:
        """Close without using it; what is written is there again when it opens."""
        self.edit.commit_preedit()
        text = self.edit.exact_text()
        self._draft = text if text != self._text else None
        self.hide()
        self.closed.emit(self._draft is not None)

    def _discard(self) -> None:
        self._draft = None
        self.hide()
        self.closed.emit(False)

    def accept(self) -> None:
        """Use what is written."""
        self.edit.commit_preedit()
        text = self.edit.exact_text()
        if not text.strip():
            text = ""
        self._draft = None
        self.hide()
        if text != self._text:
            self._text = text
            self.accepted.emit(text)
        self.closed.emit(False)

    def _refresh(self) -> None:
        text = self.edit.exact_text()
        self._use.setEnabled(text != self._text)
        self._clear.setEnabled(bool(text))

    def _translate(self) -> None:
        self._title.setText(self.tr("System prompt"))
        self._help.setText(
            self.tr("Stands before the first message of this chat. Holds from the next answer on.")
        )
        self.edit.setAccessibleName(self.tr("System prompt"))
        self.edit.setPlaceholderText(self.tr("Say who the model is and how it answers"))
        self._use.setText(self.tr("Use this"))
        self._clear.setText(self.tr("Clear"))
        self._cancel.setText(self.tr("Cancel"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
