"""The page of the Context tab: the head, the chips, or one sentence where there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.context import words
from desktop.context.chips import ChipsView
from desktop.context.head import ContextHead
from desktop.context.model import Form, Sight
from desktop.kit import fonts
from desktop.kit.icons import dress
from desktop.kit.named import name
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_16, SPACE_32, Theme

_SAID_MS = 1500  # how long a button says that it has copied


class ContextView(QWidget):
    """`shown`: it came into view; until then it was told nothing."""

    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        page = QWidget(self)
        self.chips = ChipsView(page)
        self.head = ContextHead(self.chips.column, page)
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.head)
        inside.addWidget(self.chips, 1)
        self.note = QLabel(self)
        mark(self.note, role="body", tone="text2")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note.setWordWrap(True)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.note)
        self._stack.addWidget(page)
        self._page = page
        self.sight: Sight | None = None

    def set_theme(self, theme: Theme) -> None:
        self.note.setMargin(fonts.px(SPACE_32))
        self.head.set_theme(theme)
        self.chips.set_theme(theme)

    def set_sight(self, sight: Sight) -> None:
        self.sight = sight
        self.head.set_sight(sight)
        self.chips.set_sight(sight)
        self._stack.setCurrentWidget(self._page)

    def set_note(self, text: str) -> None:
        """There is nothing to show, and why."""
        self.sight = None
        self.note.setText(text)
        self._stack.setCurrentWidget(self.note)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


class ContextCorner(QWidget):
    """At the right of the tabs: copy the ids, and how chips name their tokens."""

    form_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.copy = QPushButton(self)
        mark(self.copy, size="small", role="small_strong")
        dress(self.copy, "copy")
        self.forms = QComboBox(self)
        mark(self.forms, size="small", role="small_strong")
        self.forms.addItems([""] * len(Form))
        self.forms.currentIndexChanged.connect(lambda at: self.form_chosen.emit(list(Form)[at]))
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self.copy)
        self._layout.addWidget(self.forms)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAID_MS)
        self._timer.timeout.connect(self._translate)
        self._translate()

    def set_theme(self, theme: Theme) -> None:
        self._layout.setContentsMargins(0, 0, fonts.px(SPACE_16), 0)
        self._layout.setSpacing(fonts.px(SPACE_8))

    def say_copied(self) -> None:
        self.copy.setText(self.tr("Copied"))
        self._timer.start()

    def _translate(self) -> None:
        self.copy.setText(self.tr("Copy ids"))
        self.copy.setToolTip(self.tr("All token ids as a JSON list"))
        for at, form in enumerate(Form):
            self.forms.setItemText(at, words.form(form))
        name(self.forms, self.tr("How tokens are shown"))
        self.forms.setToolTip(self.tr("How tokens are shown"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
