"""Further sampling fields of an answer: rows of a name and a JSON value, checked before they are used."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.engines.base import Sampling
from core.engines.vllm.extras import FIELDS, field
from core.errors import EngineError
from desktop.kit import fonts, icons, named
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_2, SPACE_4, SPACE_8

# values of `Sampling` that have no control of their own: every engine takes them
_Penalty = Annotated[float, msgspec.Meta(ge=-2.0, le=2.0)]
_Text = Annotated[str, msgspec.Meta(min_length=1)]
OWN: Mapping[str, object] = {
    "stop": Annotated[list[_Text], msgspec.Meta(max_length=4)],
    "stop_token_ids": list[Annotated[int, msgspec.Meta(ge=0)]],
    "ignore_eos": bool,
    "presence_penalty": _Penalty,
    "frequency_penalty": _Penalty,
}
EXAMPLES: Mapping[str, str] = {
    "stop": '["\\nUser:"]',
    "stop_token_ids": "[2]",
    "ignore_eos": "true",
    "presence_penalty": "0.5",
    "frequency_penalty": "0.5",
    "min_tokens": "8",
    "logit_bias": '{"1234": -5}',
    "bad_words": '["word"]',
    "allowed_token_ids": "[1234, 5678]",
    "include_stop_str_in_output": "true",
    "skip_special_tokens": "true",
    "spaces_between_special_tokens": "false",
    "thinking_token_budget": "256",
    "repetition_detection": '{"min_count": 3}',
    "stream_interval": "4",
    "watermarking": "true",
    "extra_args": '{"key": "value"}',
    "skip_reading_prefix_cache": "true",
    "priority": "0",
    "cache_salt": '"salt"',
}
_DEFAULT = Sampling()


def parsed(name: str, text: str) -> object:
    """The value of a field. Raises EngineError("server.field")."""
    kind = OWN.get(name)
    if kind is None:
        return field(name, text)[1]
    try:
        value = msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise EngineError("server.field", name=name, detail=str(error)) from error
    return tuple(value) if isinstance(value, list) else value


def narrow(box: QComboBox) -> None:
    """It may be narrower than its longest line; the list that opens is not."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)


def written(value: object) -> str:
    """As JSON on one line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


class FieldRow(QWidget):
    """One field. What is wrong with its value stands below it."""

    edited = Signal()
    removed = Signal()

    def __init__(self, names: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.name = QComboBox(self)
        self.name.addItems(names)
        narrow(self.name)
        self.value = QLineEdit(self)
        self.remove = QToolButton(self)
        mark(self.name, size="small")
        mark(self.value, size="small", role="mono_small")
        mark(self.remove, kind="icon", size="small")
        icons.dress(self.remove, "x")
        self.error = QLabel(self)
        self.error.setWordWrap(True)
        mark(self.error, role="caption", tone="err")
        self.name.currentTextChanged.connect(self._renamed)
        self.value.editingFinished.connect(self.edited)
        self.remove.clicked.connect(self.removed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(fonts.px(SPACE_2))
        head = QHBoxLayout()
        head.setSpacing(fonts.px(SPACE_4))
        head.addWidget(self.name, 1)
        head.addWidget(self.remove)
        layout.addLayout(head)
        layout.addWidget(self.value)
        layout.addWidget(self.error)
        self.error.hide()
        self._translate()
        self._renamed()

    def take(self) -> dict[str, object]:
        """The field and its value; nothing while it is empty or wrong."""
        name, text = self.name.currentText(), self.value.text().strip()
        problem, found = "", dict[str, object]()
        if text:
            try:
                found[name] = parsed(name, text)
            except EngineError as error:
                problem = self.tr("Not used: {reason}").format(reason=error.detail)
        self.error.setText(problem)
        self.error.setVisible(bool(problem))
        mark(self.value, state="err" if problem else "")
        return found

    def _renamed(self) -> None:
        name = self.name.currentText()
        self.value.setPlaceholderText(EXAMPLES.get(name, ""))
        self.value.setToolTip(self.tr("As JSON, for example {value}").format(value=EXAMPLES.get(name, "")))
        named.name(self.value, name)
        if self.value.text():
            self.edited.emit()

    def _translate(self) -> None:
        named.name(self.name, self.tr("Field"))
        self.name.setToolTip(self.tr("vLLM’s name of the field"))
        self.remove.setAccessibleName(self.tr("Remove this field"))
        self.remove.setToolTip(self.tr("Remove this field"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class Fields(QWidget):
    """All rows. `changed`: those of `Sampling` with their values, and vLLM's own."""

    changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[FieldRow] = []
        self.before: tuple[QWidget, ...] = ()  # where Tab comes from
        self._names: tuple[str, ...] = tuple(OWN)
        self._told: dict[str, object] = {}
        self.add = QPushButton(self)
        mark(self.add, kind="link", role="small")
        self.add.clicked.connect(lambda: self._append("", "").name.setFocus())
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(fonts.px(SPACE_8))
        foot = QHBoxLayout()
        foot.addWidget(self.add)
        foot.addStretch(1)
        self._layout.addLayout(foot)
        self._translate()

    def forget(self) -> None:
        """What is typed and not used goes with the next values that are shown."""
        self._names = ()

    def show_values(self, sampling: Sampling, fields: Mapping[str, object], *, server: bool) -> None:
        """Rows of what is set. They stay as they are while they say the same, whatever is being typed."""
        names = (*OWN, *FIELDS) if server else tuple(OWN)
        values: dict[str, object] = {
            name: value for name in OWN if (value := getattr(sampling, name)) != getattr(_DEFAULT, name)
        }
        if server:
            values |= fields
        if values == self._told and names == self._names:
            return
        self._names, self._told = names, values
        for row in self.rows:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for name, value in values.items():
            self._append(name, written(value))

    @property
    def count(self) -> int:
        return len(self._told)

    def _append(self, name: str, text: str) -> FieldRow:
        used = {row.name.currentText() for row in self.rows}
        row = FieldRow(self._names, self)
        row.name.setCurrentText(name or next((one for one in self._names if one not in used), self._names[0]))
        row.value.setText(text)
        row.edited.connect(self._take)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._layout.insertWidget(len(self.rows) - 1, row)
        row.show()
        self._order()
        return row

    def _order(self) -> None:
        """Tab goes through the rows from top to bottom, then to the button below them."""
        stops = [control for row in self.rows for control in (row.name, row.remove, row.value)]
        for one, following in pairwise([*self.before, *stops, self.add]):
            QWidget.setTabOrder(one, following)

    def _remove(self, row: FieldRow) -> None:
        self.rows.remove(row)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._take()

    def _take(self) -> None:
        found: dict[str, object] = {}
        for row in self.rows:
            found |= row.take()
        if found != self._told:
            self._told = found
            own: dict[str, Any] = {name: found.get(name, getattr(_DEFAULT, name)) for name in OWN}
            self.changed.emit(own, {name: value for name, value in found.items() if name not in OWN})

    def _translate(self) -> None:
        self.add.setText(self.tr("Add a field"))
        self.add.setToolTip(self.tr("One of vLLM’s other sampling fields"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
