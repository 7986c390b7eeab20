"""The card of abilities: one row each, with its answer, its reason, the evidence and the flag to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from core.engines.abilities import NAMES, Ability
from desktop.kit import fonts, icons
from desktop.kit.copy_button import CopyButton
from desktop.kit.elided import ElidedLabel, plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import ICON, LIGHT, ROW, SPACE_2, SPACE_4, SPACE_8, Theme
from desktop.model import words
from desktop.model.cards import Card, breakable, label
from desktop.model.values import Known

_NAMES, _ANSWERS = 176, 64  # px, columns
_ANY_WIDTH = 16_777_215  # Qt's own "no limit"
_BESIDE_FROM = 560  # width from which the reason stands beside the answer
_SIGNS = {
    "yes": ("check", "ok"),
    "no": ("x", "text2"),
    "unknown": ("info", "text2"),
    "none": ("info", "text3"),
}


class AbilityRow(QFrame):
    """One ability. The row in hand shows all of its evidence; the others a line of it, and only where the
    answer is not simply yes. `entered`: it got the focus; `moved`: the focus is to go so many rows on."""

    entered = Signal()
    moved = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.ability: Ability | None = None
        self._theme = LIGHT
        self._beside: bool | None = None
        self._sign = QLabel(self)
        self.name = label(self, "body_strong")
        self.answer = label(self, "small_strong")
        self.why = label(self, "small", "text2")
        self.evidence = label(self, "mono_small", "text3")
        self.evidence_line = ElidedLabel(parent=self)
        mark(self.evidence_line, role="mono_small", tone="text3")
        self.flag = label(self, "mono_small", "text2")
        self.copy = CopyButton(self)
        mark(self, edge="row")
        self._words = QVBoxLayout()
        self._words.addStretch(1)  # an alignment would lay out wrapped text by its height of one line
        for part in (self.why, self.evidence, self.evidence_line, self.flag):
            self._words.addWidget(part)
        self._words.addStretch(1)
        self._grid = QGridLayout(self)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def show_ability(self, ability: Ability) -> None:
        self.ability = ability
        name, answer, why = words.title(ability.name), words.answer(ability.answer), words.why(ability)
        self.name.setText(name)
        self.answer.setText(answer)
        self.why.setText(why)
        self.evidence.setText(breakable(ability.evidence))
        self.evidence_line.setText(" ".join(ability.evidence.split()))
        self.flag.setText(breakable(ability.flag.replace(" --", "\n--")))
        self.flag.setVisible(bool(ability.flag))
        self.copy.set_text(ability.flag, self.tr("Copy {flag}").format(flag=ability.flag))
        parts = (f"{name}: {answer}", why, ability.evidence, ability.flag)
        self.setAccessibleName(". ".join(part for part in parts if part))
        self.setToolTip(plain_tip(ability.evidence))
        tone = {"yes": "ok", "no": "text2"}.get(ability.answer, "text3")
        mark(self.answer, tone=tone)
        mark(self.name, tone="" if ability.answer == "yes" else "text2")
        self._draw_sign()
        self._draw_evidence()

    def set_marked(self, on: bool) -> None:
        """This row is in hand: by the keyboard, a click, or because somebody was led to it."""
        mark(self, ground="marked" if on else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.ClickFocus)
        self._draw_evidence()

    @property
    def marked(self) -> bool:
        return bool(self.property("ground") == "marked")

    def _draw_evidence(self) -> None:
        some = self.ability is not None and bool(self.ability.evidence)
        told = self.ability is not None and self.ability.answer != "yes"
        self.evidence.setVisible(some and self.marked)
        self.evidence_line.setVisible(some and told and not self.marked)

    def _draw_sign(self) -> None:
        if self.ability is None:
            return
        name, role = _SIGNS[self.ability.answer]
        side = fonts.px(ICON)
        colour = getattr(self._theme, role)
        self._sign.setPixmap(icons.pixmap(name, colour, side, self.devicePixelRatioF()))
        self._sign.setFixedSize(side, side)

    def fit(self, theme: Theme, *, beside: bool) -> None:
        """Sizes at the present zoom; `beside`: there is room for all in one line."""
        px = fonts.px
        self._theme = theme
        self._draw_sign()
        self._grid.setContentsMargins(px(SPACE_2), px(SPACE_8), px(SPACE_4), px(SPACE_8))
        self._grid.setHorizontalSpacing(px(SPACE_8))
        self._grid.setVerticalSpacing(px(SPACE_2))
        self._words.setSpacing(px(SPACE_2))
        self.setMinimumHeight(px(ROW) + 1)
        names = px(_NAMES) if beside else 0
        self.name.setMinimumWidth(names)
        self.name.setMaximumWidth(names or _ANY_WIDTH)
        self.answer.setFixedWidth(px(_ANSWERS))
        if beside is not self._beside:
            self._beside = beside
            self._place(beside)

    def _place(self, beside: bool) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        self._grid.removeItem(self._words)
        self._grid.addWidget(self._sign, 0, 0, middle)
        self._grid.addWidget(self.name, 0, 1, middle)
        if beside:
            self._grid.addWidget(self.answer, 0, 2, middle)
            self._grid.addLayout(self._words, 0, 3)
            self._grid.addWidget(self.copy, 0, 4, middle)
        else:
            self._grid.addWidget(self.answer, 0, 2, 1, 3, middle | Qt.AlignmentFlag.AlignRight)
            self._grid.addLayout(self._words, 1, 1, 1, 3)
            self._grid.addWidget(self.copy, 1, 4, Qt.AlignmentFlag.AlignBottom)
        self._grid.setColumnStretch(1, 0 if beside else 1)
        self._grid.setColumnStretch(3, 1 if beside else 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -len(NAMES),
            Qt.Key.Key_End: len(NAMES),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)


class CapabilitiesCard(Card):
    """All rows, in the order of NAMES, and above them what has to be said of the whole. One row is in hand:
    Tab comes to it, arrows lead to the others. `reached`: a row that has to be in view."""

    reached = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.notes = label(self, "small", "text2")
        self.rows = {name: AbilityRow(self) for name in NAMES}
        self._list = QVBoxLayout()
        for name, row in self.rows.items():
            self._list.addWidget(row)
            row.entered.connect(lambda name=name: self.mark_row(name))
            row.moved.connect(lambda step, name=name: self._go(name, step))
        self.body.addWidget(self.notes)
        self.body.addLayout(self._list)
        self.mark_row("")

    def show_known(self, known: Known, now: float) -> None:
        self.set_title(words.heading(known), words.asked(known, now))
        notes = "\n".join(words.notes(known))
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes))
        for line in known.lines:
            self.rows[line.name].show_ability(line)

    def show_time(self, known: Known, now: float) -> None:
        """Only how long ago it was asked."""
        self.aside.setText(words.asked(known, now))

    def mark_row(self, name: str) -> AbilityRow | None:
        """Take one row in hand, and no other; None if there is none of that name."""
        for other, row in self.rows.items():
            row.set_marked(other == name)
        found = self.rows.get(name)
        if found is None:  # Tab has to come to one
            self.rows[NAMES[0]].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return found

    def _go(self, name: str, step: int) -> None:
        at = min(max(NAMES.index(name) + step, 0), len(NAMES) - 1)
        row = self.rows[NAMES[at]]
        row.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reached.emit(row)

    def set_theme(self, theme: Theme, width: int) -> None:
        """A new look, zoom or width of the card."""
        self._theme = theme
        self.fit()
        self._list.setSpacing(0)
        self.notes.setContentsMargins(0, 0, 0, fonts.px(SPACE_4))
        beside = width >= fonts.px(_BESIDE_FROM)
        for row in self.rows.values():
            row.fit(self._theme, beside=beside)
