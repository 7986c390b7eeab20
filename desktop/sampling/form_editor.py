"""The form that an answer must have: which kind, its text, and what is wrong with that before it is used."""

from __future__ import annotations

import json

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from core.engines.base import Structured
from core.engines.vllm.extras import FORMS, structured
from core.errors import EngineError
from desktop.kit import fonts, named
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4
from desktop.sampling.fields import narrow

_HEIGHT = 96
_TELL_MS = 400  # typing has come to rest
EXAMPLES = {
    "json": '{\n  "type": "object",\n  "properties": {"year": {"type": "integer"}}\n}',
    "regex": r"(yes|no), because [a-z ]+\.",
    "choice": "yes\nno",
    "grammar": 'root ::= "yes" | "no"',
}


def written(form: Structured) -> str:
    """As a person writes it."""
    if form.form == "json":
        return json.dumps(form.value, indent=2, ensure_ascii=False)
    if isinstance(form.value, (list, tuple)):
        lines = "\n".join(form.value)
        plain = lines.splitlines() == list(form.value) and not lines.lstrip().startswith("[")
        return lines if plain else json.dumps(form.value, ensure_ascii=False)
    return str(form.value)


class FormEditor(QWidget):
    """`changed` carries a Structured that is right, or None. `show_form` shows one without telling."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told: Structured | None = None
        self._stale = False
        self._label = QLabel(self)
        mark(self._label, role="small_strong")
        self.kind = QComboBox(self)
        mark(self.kind, size="small")
        narrow(self.kind)
        self._label.setBuddy(self.kind)
        for form in ("", *FORMS):
            self.kind.addItem("", form)
        self.text = QPlainTextEdit(self)
        self.text.setTabChangesFocus(True)
        mark(self.text, role="mono_small")
        self.error = QLabel(self)
        self.error.setWordWrap(True)
        mark(self.error, role="caption", tone="err")
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_TELL_MS)
        self._rest.timeout.connect(self._take)
        self.kind.activated.connect(self._chosen)
        self.text.textChanged.connect(self._rest.start)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(fonts.px(SPACE_4))
        for widget in (self._label, self.kind, self.text, self.error):
            layout.addWidget(widget)
        self.measure()
        self._translate()
        self._draw()

    def measure(self) -> None:
        self.text.setFixedHeight(fonts.px(_HEIGHT))

    def forget(self) -> None:
        """What is typed and not used goes with the next form that is shown."""
        self._stale = True

    def show_form(self, form: Structured | None) -> None:
        if form == self._told and not self._stale:
            return
        self._told, self._stale = form, False
        self.kind.setCurrentIndex(max(self.kind.findData(form.form if form else ""), 0))
        self.text.blockSignals(True)
        self.text.setPlainText(written(form) if form else "")
        self.text.blockSignals(False)
        self._rest.stop()
        self._say("")
        self._draw()

    def _chosen(self) -> None:
        self._draw()
        self._take()

    def _take(self) -> None:
        self._rest.stop()
        kind, text = str(self.kind.currentData()), self.text.toPlainText()
        form, problem = None, ""
        if kind and text.strip():
            try:
                form = structured(kind, text)
            except EngineError as error:
                problem = self.tr("Not used: {reason}").format(reason=error.detail)
        elif kind:
            problem = self.tr("Not used: nothing is written.")
        self._say(problem)
        if form != self._told:
            self._told = form
            self.changed.emit(form)

    def _say(self, problem: str) -> None:
        self.error.setText(problem)
        self.error.setVisible(bool(problem))

    def _draw(self) -> None:
        kind = str(self.kind.currentData())
        self.text.setVisible(bool(kind))
        self.text.setPlaceholderText(EXAMPLES.get(kind, ""))
        if not kind:
            self._say("")

    def _translate(self) -> None:
        self._label.setText(self.tr("Form of the answer"))
        named.name(self.kind, self.tr("Form of the answer"))
        self.kind.setToolTip(self.tr("The server lets nothing else through"))
        self.text.setAccessibleName(self.tr("Text of the form"))
        self.text.setToolTip(self.tr("Checked here before it is sent"))
        words = {
            "": self.tr("none", "form of the answer"),
            "json": self.tr("JSON schema"),
            "regex": self.tr("Regular expression"),
            "choice": self.tr("One of these lines"),
            "grammar": self.tr("Grammar (GBNF or Lark)"),
        }
        for index in range(self.kind.count()):
            self.kind.setItemText(index, words[str(self.kind.itemData(index))])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
