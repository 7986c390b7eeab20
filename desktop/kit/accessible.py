"""Owns what a screen reader is told of painted views: a document whose value is what the cursor is on."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleInterface,
    QAccessibleValueChangeEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

_DOCUMENTS: dict[str, type] = {}
_alive: list[QAccessibleInterface] = []  # Qt owns them, but Python must not lose the objects
_LIMIT = 64


class AccessibleDocument(QAccessibleWidget):
    """Role Document. The widget gives the words: `accessible_name()` and `accessible_value()`."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Document)
        self._widget = widget

    def text(self, kind: QAccessible.Text) -> str:
        widget = self._widget
        if isValid(widget):
            if kind == QAccessible.Text.Name:
                return str(widget.accessible_name())  # type: ignore[attr-defined]
            if kind == QAccessible.Text.Value:
                return str(widget.accessible_value())  # type: ignore[attr-defined]
        return super().text(kind)


def _factory(name: str, thing: QObject) -> QAccessibleInterface | None:
    for kind in _DOCUMENTS.values():
        if isinstance(thing, kind) and isinstance(thing, QWidget):
            made = AccessibleDocument(thing)
            _alive.append(made)
            del _alive[:-_LIMIT]
            return made
    return None


def register(kind: type) -> None:
    """Views of this class are documents to a screen reader."""
    if not _DOCUMENTS:
        QAccessible.installFactory(_factory)
    _DOCUMENTS[kind.__name__] = kind


def value_changed(widget: QWidget, value: str) -> None:
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleValueChangeEvent(widget, value))


def announce(widget: QWidget, words: str) -> None:
    """Say it once, politely."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
