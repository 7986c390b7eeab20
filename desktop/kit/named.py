"""Owns the accessible names of controls that are made of parts: each part that has the focus has the name."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QWidget


def name(control: QWidget, words: str) -> None:
    """The accessible name of a control, of a spin box's text field and of a combo box's list."""
    control.setAccessibleName(words)
    part: QWidget | None = None
    if isinstance(control, QAbstractSpinBox):
        part = control.findChild(QLineEdit)
    elif isinstance(control, QComboBox):
        part = control.view()
    if part is not None:
        part.setAccessibleName(words)
