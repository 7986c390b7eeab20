"""The rows of the run bar's menus: one of several that exclude each other, and one that cannot be chosen."""

from __future__ import annotations

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout, QWidget, QWidgetAction

from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_24
from desktop.picker.choices import EngineChoice

_REASON_WIDTH = 300  # of the lines that say why, at zoom 100 %


def row(menu: QMenu, text: str, tip: str, checked: bool, group: QActionGroup) -> QAction:
    """What the text may hold is shown as it is."""
    item = QAction(text.replace("&", "&&"), menu)
    item.setCheckable(True)
    item.setChecked(checked)
    item.setToolTip(plain_tip(tip))
    group.addAction(item)
    menu.addAction(item)
    return item


def refused_row(menu: QMenu, choice: EngineChoice) -> QAction:
    """Cannot be chosen, and says why: a menu's own rows have one line only."""
    item = QWidgetAction(menu)
    inside = QWidget(menu)
    name, why = QLabel(choice.name, inside), QLabel(choice.why, inside)
    mark(name, role="body", tone="text3")
    mark(why, role="small", tone="text3")
    why.setWordWrap(True)
    why.setFixedWidth(fonts.px(_REASON_WIDTH))
    layout = QVBoxLayout(inside)
    edge = fonts.px(SPACE_24) + fonts.px(SPACE_8) + 1  # where the names of rows that can be checked begin
    layout.setContentsMargins(edge, fonts.px(SPACE_4), fonts.px(SPACE_24), fonts.px(SPACE_4))
    layout.setSpacing(0)
    layout.addWidget(name)
    layout.addWidget(why)
    inside.setAccessibleName(choice.name)
    inside.setAccessibleDescription(choice.why)
    item.setDefaultWidget(inside)
    item.setText(choice.name)
    item.setToolTip(choice.why)
    item.setEnabled(False)
    menu.addAction(item)
    return item
