"""A row of the settings with a line of text, taken when it is complete; what is refused says why below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from core.errors import LoupeError
from desktop.kit import accessible, fonts
from desktop.kit.errors_text import describe, joined
from desktop.kit.style import mark
from desktop.settings.rows import CONTROL_WIDTH, Row


class _Field(QLineEdit):
    def sizeHint(self) -> QSize:
        return QSize(fonts.px(CONTROL_WIDTH), super().sizeHint().height())


class TextRow(Row):
    """`chosen`: a new value, as `check` made it, at Enter or when the field is left. `check` raises
    LoupeError for what cannot be used: that stays in the field with the reason, and is not told."""

    chosen = Signal(object)

    def __init__(self, check: Callable[[str], str], parent: QWidget | None = None) -> None:
        self.field = _Field()
        super().__init__(self.field, parent)
        self._check, self._value = check, ""
        self._error: LoupeError | None = None
        self.field.setInputMethodHints(Qt.InputMethodHint.ImhUrlCharactersOnly)
        self.problem = QLabel(self)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        mark(self.problem, role="small", tone="err")
        self.problem.hide()
        self._words.addWidget(self.problem)
        self.field.editingFinished.connect(self._take)

    def set_value(self, value: str, *, anew: bool = False) -> None:
        """What was typed stays while the value is the same as before, but not `anew`."""
        if value != self._value or anew:
            self._value = value
            self.field.setText(value)
            self._refuse(None)

    def set_text(self, title: str, note: str = "") -> None:
        super().set_text(title, note)
        self._refuse(self._error)

    def _take(self) -> None:
        try:
            value = self._check(self.field.text())
        except LoupeError as error:
            self._refuse(error)
            return
        self._refuse(None)
        self.field.setText(value)
        if value != self._value:
            self._value = value
            self.chosen.emit(value)

    def _refuse(self, error: LoupeError | None) -> None:
        new = error is not None and error is not self._error
        self._error = error
        text = describe(error) if error is not None else None
        self.problem.setText(joined(text.what, text.why, text.next) if text is not None else "")
        self.problem.setVisible(error is not None)
        mark(self.field, state="err" if error is not None else "")
        if new:
            accessible.announce(self.field, self.problem.text())
