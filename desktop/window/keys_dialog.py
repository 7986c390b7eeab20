"""The list of keys that F1 shows."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_12, SPACE_24
from desktop.window.actions import ACTIONS, action_text, native

_HALF = 2  # columns of the list


def _fixed_keys() -> list[tuple[str, str]]:
    """Keys that belong to one place and so are no actions of the window."""
    enter, shift = native("Enter"), native("Shift+Enter")
    return [
        (enter, QCoreApplication.translate("Keys", "Send")),
        (shift, QCoreApplication.translate("Keys", "New line")),
        ("← → ↑ ↓", QCoreApplication.translate("Keys", "Move among tokens")),
        (
            f"{native('Home')} / {native('End')}",
            QCoreApplication.translate("Keys", "First, last token of the line"),
        ),
        (
            f"{native('Ctrl+Home')} / {native('Ctrl+End')}",
            QCoreApplication.translate("Keys", "Start, end of the chat"),
        ),
        (f"{enter} / Space", QCoreApplication.translate("Keys", "Open the token’s card")),
        ("P", QCoreApplication.translate("Keys", "Pin the card")),
        ("C", QCoreApplication.translate("Keys", "Copy the token")),
        (native("F2"), QCoreApplication.translate("Keys", "Rename the chat in the list")),
        (native("Del"), QCoreApplication.translate("Keys", "Delete the chat in the list")),
    ]


def key_rows(hidden: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """(keys, what they do) in the order they are shown."""
    rows = _fixed_keys()
    for spec in ACTIONS:
        if spec.id not in hidden:
            rows.append((" / ".join(native(key) for key in spec.keys), action_text(spec.id)))
    return rows


class KeysDialog(QDialog):
    """Two columns of keys; any click outside or Esc closes it."""

    def __init__(self, parent: QWidget, hidden: frozenset[str] = frozenset()) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        mark(self, ground="surface")
        title = QLabel(self.tr("Keys"))
        mark(title, role="section")
        grid = QGridLayout()
        grid.setHorizontalSpacing(fonts.px(SPACE_12))
        grid.setVerticalSpacing(fonts.px(SPACE_4))
        rows = key_rows(hidden)
        height = (len(rows) + _HALF - 1) // _HALF
        for at, (keys, does) in enumerate(rows):
            key, words = QLabel(keys), QLabel(does)
            mark(key, role="mono", tone="text2")
            mark(words, role="body")
            column = at // height * 3
            grid.addWidget(key, at % height, column)
            grid.addWidget(words, at % height, column + 1)
        for column in range(1, 3 * _HALF, 3):
            grid.setColumnStretch(column, 1)
            grid.setColumnMinimumWidth(column + 1, fonts.px(SPACE_12))
        inside = QWidget()
        mark(inside, ground="surface")
        column_layout = QVBoxLayout(inside)
        column_layout.setContentsMargins(*[fonts.px(SPACE_24)] * 4)
        column_layout.setSpacing(fonts.px(SPACE_12))
        column_layout.addWidget(title)
        column_layout.addLayout(grid)
        column_layout.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        room = parent.size()
        wanted = inside.sizeHint()
        self.resize(
            min(max(wanted.width(), fonts.px(640)), room.width() - fonts.px(SPACE_24)),
            min(wanted.height(), room.height() - fonts.px(SPACE_24)),
        )
