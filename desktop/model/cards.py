"""The building blocks of the Model tab: cards, tables of facts, figures, and lines to copy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from desktop.kit import fonts
from desktop.kit.copy_button import CopyButton
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_2, SPACE_8, SPACE_12, SPACE_16
from desktop.model.facts import Fact

_NAMES = 108  # px, the column of names


def label(parent: QWidget, role: str, tone: str = "") -> QLabel:
    """Plain text that wraps."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    mark(made, role=role, tone=tone)
    return made


def breakable(text: str) -> str:
    """Foreign text that may break where it has no blanks, but no flag after its dashes. Only to be looked at:
    the breaks are characters of their own."""
    parted = re.sub(r"(?<=\w)[/\-_.:=@,](?=\w)|[^\W_]{12}(?=[^\W_])", "\\g<0>\u200b", text)
    return parted.replace("--", "-\u2060-\u2060")


class Card(QFrame):
    """A box with a title; what is in it stands in `body`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mark(self, ground="card")
        self.title = label(self, "section")
        self.title.setWordWrap(False)
        self.aside = label(self, "small", "text2")
        self.aside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._head = QHBoxLayout()
        self._head.addWidget(self.title)
        self._head.addWidget(self.aside, 1)
        self.body = QVBoxLayout()
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(self._head)
        self._layout.addLayout(self.body)

    def set_title(self, title: str, aside: str = "") -> None:
        self.title.setText(title)
        self.aside.setText(aside)
        self.setAccessibleName(title)

    def fit(self) -> None:
        """Sizes at the present zoom."""
        px = fonts.px
        side = px(SPACE_16) + px(SPACE_2)
        self._layout.setContentsMargins(side, px(SPACE_12), side, px(SPACE_16))
        self._layout.setSpacing(px(SPACE_12))
        self._head.setSpacing(px(SPACE_12))
        self.body.setSpacing(px(SPACE_8))


class FactTable(QWidget):
    """Names on the left, values on the right; made anew only when something changed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._facts: tuple[Fact, ...] = ()
        self._labels: list[tuple[QLabel, QLabel]] = []

    def set_facts(self, facts: Sequence[Fact]) -> None:
        self.setVisible(bool(facts))
        if tuple(facts) == self._facts:
            return
        self._facts = tuple(facts)
        while len(self._labels) < len(facts):
            at = len(self._labels)
            pair = label(self, "small", "text2"), label(self, "small")
            self._labels.append(pair)
            for column, widget in enumerate(pair):
                widget.setMinimumHeight(fonts.line_height("small"))  # Latin beside taller Chinese
                self._grid.addWidget(widget, at, column, Qt.AlignmentFlag.AlignTop)
        for at, (name, value) in enumerate(self._labels):
            name.setVisible(at < len(facts))
            value.setVisible(at < len(facts))
            if at < len(facts):
                self._write(facts[at], name, value)

    @staticmethod
    def _write(fact: Fact, name: QLabel, value: QLabel) -> None:
        name.setText(fact.name)
        value.setText(breakable(fact.value) if fact.mono else fact.value)
        value.setAccessibleName(f"{fact.name}: {fact.value}")
        role = "small" if not fact.told else "mono_small" if fact.mono else "small_strong"
        mark(value, role=role, tone="" if fact.told else "text3")

    def fit(self) -> None:
        px = fonts.px
        self._grid.setColumnMinimumWidth(0, px(_NAMES) - px(SPACE_8))
        self._grid.setHorizontalSpacing(px(SPACE_8))
        self._grid.setVerticalSpacing(px(SPACE_8))
        for pair in self._labels:
            for widget in pair:
                widget.setMinimumHeight(fonts.line_height("small"))


class Figures(QWidget):
    """Large numbers side by side, each with what it is below."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._pairs: list[tuple[QLabel, QLabel]] = []

    def set_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        self.setVisible(bool(figures))
        while len(self._pairs) < len(figures):
            pair = label(self, "card_title"), label(self, "caption", "text2")
            column = QVBoxLayout()
            column.setSpacing(0)
            for widget in pair:
                widget.setWordWrap(False)
                column.addWidget(widget)
            self._row.addLayout(column, 1)
            self._pairs.append(pair)
        for (value, name), (shown, what) in zip(self._pairs, figures, strict=False):
            value.setText(shown)
            name.setText(what)
            value.setAccessibleName(f"{what}: {shown}")

    def fit(self) -> None:
        self._row.setSpacing(fonts.px(SPACE_12))


class CodeLine(QFrame):
    """Text to copy, whole and in mono."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mark(self, ground="box")
        self.text = label(self, "mono_small")
        self.copy = CopyButton(self)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self.text, 1)
        self._layout.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)

    def set_text(self, text: str, words: str) -> None:
        self.text.setText(breakable(text))
        self.text.setAccessibleName(text)
        self.copy.set_text(text, words)

    def fit(self) -> None:
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_12), px(SPACE_8), px(SPACE_8), px(SPACE_8))
        self._layout.setSpacing(px(SPACE_8))


GAP = SPACE_16
