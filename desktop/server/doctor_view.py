"""The card of vLLM in Docker: what the doctor found, what mends it, and the model to start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.server.access import Check
from core.server.finding import Finding, Fix
from core.server.launcher import Doctor
from desktop.kit import accessible, fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.errors_text import joined
from desktop.kit.style import mark
from desktop.kit.theme import ICON, LIGHT, SPACE_4, SPACE_8, SPACE_12, SPACE_16, SPACE_24, Theme
from desktop.server import words
from desktop.server.fixes import CommandLine, command
from desktop.server.parts import Sign, button, label, selectable

_NAMES: Final = 98  # px, the column of the checks' names
_COMMAND: Final = 260  # px, at zoom 100 %: with less beside the buttons the command stands above them
_ROW_FROM: Final = 400
# ways that lead elsewhere, which stand beside this card on the page of a first run
BESIDE: Final = frozenset({"built_in", "server"})
_BELOW: Final = frozenset({"check"})  # in a sheet of its own, which has a button for that
# icon and colour role of a check's sign: each has its own shape
_SIGNS: Final = {
    "ok": ("check", "ok"),
    "warn": ("warn", "warn"),
    "err": ("x", "err"),
    "unknown": ("info", "text3"),
}


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The model that Start would start. `note`: a line about it, `why_not`: why it cannot be started now."""

    name: str
    note: str = ""
    why_not: str = ""


class FindingBanner(QFrame):
    """The doctor's finding with its steps: a command to copy, buttons for the others, the best at the right.
    `fix_wanted` carries the Fix."""

    fix_wanted = Signal(object)

    def __init__(self, parent: QWidget, *, alone: bool = False) -> None:
        """`alone`: in a sheet of its own."""
        super().__init__(parent)
        self._elsewhere = _BELOW if alone else BESIDE
        mark(self, banner="warn")
        self._sign = Sign(self, ICON)
        self.what = selectable(label(self, "body_strong"))
        self.why = selectable(label(self, "small", "text2"))
        self._or = label(self, "small", "text2", wrap=False)
        self.line = CommandLine(self)
        self.buttons: list[QPushButton] = []
        self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._foot.addWidget(self._or)
        self._foot.addWidget(self.line, 1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.addStretch(1)
        self._foot.addLayout(self._row)
        self._column = QVBoxLayout()
        self._column.addWidget(self.what)
        self._column.addWidget(self.why)
        self._column.addLayout(self._foot)
        self._outer = QHBoxLayout(self)
        self._outer.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._outer.addLayout(self._column, 1)
        self.hide()

    def set_finding(self, finding: Finding | None) -> None:
        self.setVisible(finding is not None)
        if finding is None:
            return
        text = words.finding_text(finding)
        self._sign.set_sign("warn", "warn", words.severity_word("warn"))
        self.what.setText(text.what.rstrip(".。"))
        typed = next((fix for fix in finding.fixes if command(fix)), None)
        effect = words.fix_text(typed).effect if typed is not None else ""
        beside = effect if typed is not None and effect != command(typed) else ""
        self.why.setText(joined(text.why, beside))
        self.why.setVisible(bool(self.why.text()))
        self._or.setText(self.tr("In a terminal:"))
        self._or.setVisible(typed is not None)
        self.line.setVisible(typed is not None)
        if typed is not None:
            self.line.set_command(command(typed))
        for old in self.buttons:
            old.hide()
            old.deleteLater()
        others = [fix for fix in finding.fixes if fix is not typed and fix.action not in self._elsewhere]
        self.buttons = [self._button(fix) for fix in reversed(others)]
        for made in self.buttons:
            self._row.addWidget(made)
        self._arrange()

    def _button(self, fix: Fix) -> QPushButton:
        text = words.fix_text(fix)
        made = button(self, text.button)
        made.setToolTip(text.effect or text.title)
        made.clicked.connect(lambda: self.fix_wanted.emit(fix))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        px = fonts.px
        buttons = sum(button.sizeHint().width() + px(SPACE_8) for button in self.buttons)
        beside = self.width() - 2 * px(SPACE_12) - self._or.sizeHint().width() - buttons
        for row, narrow in (
            (self._foot, beside < px(_COMMAND) and not self.line.isHidden()),
            (self._row, self.width() < px(_ROW_FROM)),
        ):
            way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
            if row.direction() != way:
                row.setDirection(way)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._sign.set_theme(theme)
        self._outer.setContentsMargins(px(SPACE_12), px(SPACE_12), px(SPACE_12), px(SPACE_12))
        self._outer.setSpacing(px(SPACE_12))
        self._column.setSpacing(px(2))
        self._foot.setContentsMargins(0, px(SPACE_8), 0, 0)
        self._foot.setSpacing(px(SPACE_8))
        self._row.setSpacing(px(SPACE_8))


class CheckRow(QFrame):
    """One line of the doctor: a sign of its own shape, what it is about, what was found."""

    def __init__(self, parent: QWidget, check: Check) -> None:
        super().__init__(parent)
        mark(self, edge="bottom")
        self.check = check
        name, role = _SIGNS[check.severity]
        said = words.severity_word(check.severity)
        self.sign = Sign(self, 14)
        self.sign.set_sign(name, role, said)
        self.name = label(self, "body_strong", wrap=False)
        self.name.setText(words.check_name(check.code))
        self.text = label(self, "small", "text2")
        self.text.setText(words.check_text(check) or said)
        self.setAccessibleName(f"{self.name.text()}: {said}, {self.text.text()}")
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.sign)
        self._row.addWidget(self.name)
        self._row.addWidget(self.text, 1)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self.sign.set_theme(theme)
        self.name.setMinimumWidth(px(_NAMES))
        self._row.setContentsMargins(px(2), px(SPACE_8), px(2), px(SPACE_8))
        self._row.setSpacing(px(SPACE_12))


class DoctorCard(QFrame):
    """`set_doctor` with None while it is asked. `fix_wanted` carries a Fix of the finding; `start_wanted`,
    `models_wanted`: the row of the model."""

    fix_wanted = Signal(object)
    start_wanted = Signal()
    models_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, *, alone: bool = False) -> None:
        """`alone`: as FindingBanner; and whatever it stands in has the title."""
        super().__init__(parent)
        self._doctor: Doctor | None = None
        self._model: ModelRow | None = None
        self._theme = LIGHT
        mark(self, ground="card")
        self.title = label(self, "section")
        self.title.setVisible(not alone)
        self.looking = label(self, "small", "text2")
        self.banner = FindingBanner(self, alone=alone)
        self.checks: list[CheckRow] = []
        self._rows = QVBoxLayout()
        self._name = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        mark(self._name, role="body_strong")
        self._note = label(self, "small", "text2")
        self.other = button(self, kind="flat")
        self.start = button(self)
        icons.dress(self.start, "play")
        self.banner.fix_wanted.connect(self.fix_wanted)
        self.other.clicked.connect(self.models_wanted)
        self.start.clicked.connect(self.start_wanted)
        self._build()
        self.set_theme(LIGHT)
        self._translate()

    def _build(self) -> None:
        self._words = QVBoxLayout()
        self._words.addWidget(self._name)
        self._words.addWidget(self._note)
        self._foot = QHBoxLayout()
        self._foot.addLayout(self._words, 1)
        self._foot.addWidget(self.other)
        self._foot.addWidget(self.start)
        self._body = QVBoxLayout()
        self._body.addWidget(self.looking)
        self._body.addLayout(self._rows)
        self._body.addLayout(self._foot)
        self._outer = QVBoxLayout(self)
        self._outer.addWidget(self.title)
        self._outer.addWidget(self.banner)
        self._outer.addLayout(self._body)

    def set_doctor(self, doctor: Doctor | None) -> None:
        if doctor is not None and doctor == self._doctor:
            return  # the buttons keep the focus
        self._doctor = doctor
        self._draw()
        if doctor is not None and doctor.finding is not None and self.isVisible():
            accessible.announce(self, self.banner.what.text())

    def set_model(self, model: ModelRow | None) -> None:
        self._model = model
        self._draw()

    def _draw(self) -> None:
        doctor, model = self._doctor, self._model
        self.looking.setVisible(doctor is None)
        self.banner.set_finding(doctor.finding if doctor is not None else None)
        checks = doctor.checks if doctor is not None else ()
        for row in self.checks:
            row.hide()
            row.deleteLater()
        self.checks = [CheckRow(self, check) for check in checks]
        for row in self.checks:
            self._rows.addWidget(row)
            row.set_theme(self._theme)
        shown: tuple[QWidget, ...] = (self._name, self._note, self.other, self.start)
        for widget in shown:
            widget.setVisible(model is not None)
        if model is not None:
            self._draw_model(model, doctor)

    def _draw_model(self, model: ModelRow, doctor: Doctor | None) -> None:
        self._name.setText(model.name)
        why = model.why_not
        if not why and doctor is not None and doctor.finding is not None:
            why = words.finding_text(doctor.finding).what
        self._note.setText(model.why_not or model.note)
        self._note.setVisible(bool(self._note.text()))
        self.start.setEnabled(doctor is not None and not why)
        self.start.setToolTip(why)
        self.start.setAccessibleName(self.tr("Start {model}").format(model=model.name))
        self.start.setAccessibleDescription(why)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._theme = theme
        side = px(SPACE_24) - px(1)
        edge = px(SPACE_12) - px(1)
        self._outer.setContentsMargins(edge, px(SPACE_16), edge, px(SPACE_16))
        self._outer.setSpacing(px(SPACE_8) + px(SPACE_4))
        self.title.setContentsMargins(side - edge, 0, side - edge, 0)
        self._body.setContentsMargins(side - edge, 0, side - edge, 0)
        self._body.setSpacing(px(SPACE_12))
        self._rows.setSpacing(0)
        self._words.setSpacing(0)
        self._foot.setSpacing(px(SPACE_8))
        self.banner.set_theme(theme)
        for row in self.checks:
            row.set_theme(theme)

    def _translate(self) -> None:
        self.title.setText(self.tr("Bigger models with vLLM in Docker"))
        self.looking.setText(self.tr("Looking for Docker…"))
        self.other.setText(self.tr("Other models"))
        self.start.setText(self.tr("Start"))
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
