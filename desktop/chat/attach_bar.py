"""What is attached to the question being written: one chip each, removed with a click or the Delete key."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.icons import dress
from desktop.kit.style import mark

_NAME = 190  # pixels of a chip's text, at zoom 100 %


@dataclass(frozen=True, slots=True)
class Chip:
    """`facts`: its size and the like. `waiting`: it cannot be sent yet; `refused`: why it never can."""

    key: int
    name: str
    facts: str = ""
    waiting: bool = False
    refused: str = ""


class _Button(QPushButton):
    removed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class AttachBar(QWidget):
    """Shows chips; `removed` carries the key of one that the person does not want any more."""

    removed = Signal(int)
    changed = Signal()

    def __init__(self, parent: QWidget, after: QWidget) -> None:
        """`after`: has the focus when the last chip with it is gone."""
        super().__init__(parent)
        self._after = after
        self._chips: tuple[Chip, ...] = ()
        self._buttons: list[_Button] = []
        self._column = QVBoxLayout(self)  # below one another: a row of them would widen the window
        self.hide()
        self.measure()

    @property
    def count(self) -> int:
        return len(self._chips)

    @property
    def waiting(self) -> bool:
        return any(chip.waiting for chip in self._chips)

    @property
    def refused(self) -> bool:
        return any(chip.refused for chip in self._chips)

    def stops(self) -> tuple[QWidget, ...]:
        return tuple(self._buttons)

    def show_chips(self, chips: tuple[Chip, ...]) -> None:
        focused = next((at for at, one in enumerate(self._buttons) if one.hasFocus()), None)
        self._chips = chips
        while len(self._buttons) > len(chips):
            self._buttons.pop().deleteLater()
        while len(self._buttons) < len(chips):
            self._buttons.append(self._button(len(self._buttons)))
        for button, chip in zip(self._buttons, chips, strict=True):
            self._dress(button, chip)
        self.setVisible(bool(chips))
        if focused is not None and focused >= len(chips):
            (self._buttons[-1] if chips else self._after).setFocus()
        self.changed.emit()

    def measure(self) -> None:
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for button, chip in zip(self._buttons, self._chips, strict=True):
            self._dress(button, chip)

    def _button(self, at: int) -> _Button:
        button = _Button(self)
        button.clicked.connect(lambda: self._remove(at))
        button.removed.connect(lambda: self._remove(at))
        self._column.insertWidget(at, button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _remove(self, at: int) -> None:
        if at < len(self._chips):
            self.removed.emit(self._chips[at].key)

    def _dress(self, button: _Button, chip: Chip) -> None:
        name = button.fontMetrics().elidedText(chip.name, Qt.TextElideMode.ElideMiddle, fonts.px(_NAME))
        state = self.tr("cannot be sent") if chip.refused else self.tr("preparing") if chip.waiting else ""
        text = " · ".join(part for part in (name, state or chip.facts) if part)
        button.setText(text.replace("&", "&&"))
        mark(button, kind="flat", role="small_strong")
        dress(button, "warn" if chip.refused else "clip", "err" if chip.refused else "text2")
        whole = " · ".join(part for part in (chip.name, chip.facts, state) if part)
        why = f"\n{chip.refused}" if chip.refused else ""
        remove = self.tr("Click or Delete removes it")
        button.setToolTip(plain_tip(f"{whole}{why}\n{remove}"))
        button.setAccessibleName(f"{self.tr('Attachment')}: {whole}{why}")
