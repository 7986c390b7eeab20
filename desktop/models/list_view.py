"""The picker's list of models: rows from values, the keyboard's way through them, and their buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from desktop.kit.style import mark
from desktop.kit.theme import Theme
from desktop.models.row_paint import RowDelegate, button_of, places
from desktop.models.rows import Index, ModelRows
from desktop.models.values import Group, ModelRow

_TYPED_WITH = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_NOWHERE: Final = ("", "")


class ModelList(QListView):
    """`selected`: the keyboard or the pointer is on this key now; `chosen`: Enter or a double click.
    `acted`: (what, key) of a row's button, get, ask, why or repair; "" is a click on the row itself.
    `delete_pressed`: the Delete key. `typed`: a letter, which is for the search; `up`: the way up from the
    first row."""

    selected = Signal(str)
    chosen = Signal(str)
    acted = Signal(str, str)
    delete_pressed = Signal(str)
    typed = Signal(str)
    up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ModelRows(self)
        self._delegate = RowDelegate(self.rows, self)
        self._key = ""
        self._pressed = _NOWHERE
        mark(self, ground="surface")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._translate()

    # what is shown

    def set_rows(self, rows: tuple[ModelRow, ...], notes: Mapping[Group, str]) -> None:
        """The selected model stays so; where it alone is gone, the next one is, else the first."""
        at, top, before = self.currentIndex().row(), self.verticalScrollBar().value(), self.rows.keys
        if not self.rows.show(rows, notes):
            return
        index = self.rows.index_of(self._key)
        others = len(before - self.rows.keys) > 1
        if not index.isValid():
            index = self.rows.nearest(0 if others else max(at, 0))
        self.verticalScrollBar().setValue(0 if others else top)
        if index.isValid():
            self.setCurrentIndex(index)
        elif self._key:
            self._key = ""
            self.selected.emit("")

    @property
    def key(self) -> str:
        """Of the selected model, "" = none."""
        return self._key

    def select(self, key: str) -> None:
        index = self.rows.index_of(key)
        if index.isValid():
            self.setCurrentIndex(index)

    def row(self, key: str) -> ModelRow | None:
        return self.rows.at(self.rows.index_of(key))

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.verticalScrollBar().setSingleStep(26)
        self.doItemsLayout()
        self.viewport().update()

    # the keyboard

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        row = self.rows.at(current)
        if row is not None and row.key != self._key:
            self._key = row.key
            self.selected.emit(row.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        plain = not event.modifiers() & ~_TYPED_WITH
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            if self._key:
                self.chosen.emit(self._key)
        elif key == Qt.Key.Key_Delete and plain:
            if self._key:
                self.delete_pressed.emit(self._key)
        elif key == Qt.Key.Key_Up and self.currentIndex() == self.rows.nearest(0):
            self.scrollToTop()
            self.up.emit()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and plain:
            self.setCurrentIndex(self.rows.nearest(0 if key == Qt.Key.Key_Home else self.rows.rowCount()))
        elif plain and event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    # the pointer

    def target(self, at: QPoint) -> tuple[str, str]:
        """(key of the row there, what its button does if the pointer is on it)."""
        index = self.indexAt(at)
        row = self.rows.at(index)
        if row is None:
            return "", ""
        on_button = places(self.visualRect(index), row).button.contains(at)
        return row.key, button_of(row)[0] if on_button else ""

    def _heat(self, key: str) -> None:
        place = self.rows.index_of(key).row() if key else -1
        if self._delegate.hot != place:
            self._delegate.hot = place
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        key, action = self.target(event.position().toPoint())
        self._heat(key if action else "")
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = self.target(event.position().toPoint()) if left else _NOWHERE
        self._delegate.pressed = bool(self._pressed[1])
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        target, pressed = self.target(event.position().toPoint()), self._pressed
        self._pressed, self._delegate.pressed = _NOWHERE, False
        self.viewport().update()
        if target[0] and target == pressed:
            self.acted.emit(target[1], target[0])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        key, action = self.target(event.position().toPoint())
        if key and not action:
            self.chosen.emit(key)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._heat("")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self.viewport().update()

    def _translate(self) -> None:
        self.setAccessibleName(self.tr("Models"))
