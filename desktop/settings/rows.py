"""The building blocks of the settings page: section, row, and controls that the wheel leaves alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.named import name
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_2, SPACE_8, SPACE_12, SPACE_16, SPACE_24

CONTROL_WIDTH = 232


class Choice(QComboBox):
    """A list of values with words. The wheel scrolls the page, it never changes a setting by accident."""

    chosen = Signal(object)

    def __init__(self, values: Sequence[object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for value in values:
            self.addItem("", value)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def set_texts(self, texts: Sequence[str]) -> None:
        """Words in the order of the values."""
        for index, text in enumerate(texts):
            self.setItemText(index, text)

    def set_value(self, value: object) -> None:
        index = self.findData(value)
        if index < 0:  # a value that came another way than from this list
            self.addItem(str(value), value)
            index = self.count() - 1
        self.setCurrentIndex(index)

    def value(self) -> object:
        return self.currentData()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(CONTROL_WIDTH), super().sizeHint().height())


class Number(QSpinBox):
    """A whole number within limits; told when it is complete, not at every key."""

    chosen = Signal(object)

    def __init__(self, low: int, high: int, suffix: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(low, high)
        self.setSuffix(suffix)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.valueChanged.connect(self.chosen.emit)

    def set_value(self, value: int) -> None:
        self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(88), super().sizeHint().height())


class Row(QWidget):
    """Title and note on the left, the control on the right, a hairline below."""

    def __init__(self, control: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.control = control
        self._title, self._note = QLabel(self), QLabel(self)
        mark(self._title, role="body_strong")
        mark(self._note, role="small", tone="text3")
        for label in (self._title, self._note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._title.setBuddy(control)
        self._words = QVBoxLayout()
        self._words.addWidget(self._title)
        self._words.addWidget(self._note)
        self._side = QHBoxLayout()
        self._side.addWidget(control)
        self._layout = QHBoxLayout(self)
        self._layout.addLayout(self._words, 1)
        self._layout.addLayout(self._side)
        mark(self, edge="bottom")
        self.fit()

    def set_text(self, title: str, note: str = "") -> None:
        self._title.setText(title)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        name(self.control, title)
        self.control.setAccessibleDescription(note)

    def fit(self) -> None:
        """Sizes at the present zoom."""
        self._words.setSpacing(fonts.px(SPACE_2))
        self._layout.setContentsMargins(0, fonts.px(SPACE_8), 0, fonts.px(SPACE_8))
        self._layout.setSpacing(fonts.px(SPACE_16))


class Section(QWidget):
    """A heading and its rows."""

    def __init__(self, rows: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = tuple(rows)
        self._heading = QLabel(self)
        self._heading.setTextFormat(Qt.TextFormat.PlainText)
        mark(self._heading, role="section")
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(0)
        self._layout.addWidget(self._heading)
        for row in rows:
            self._layout.addWidget(row)
        self.fit()

    def set_text(self, heading: str) -> None:
        self._heading.setText(heading)
        self.setAccessibleName(heading)

    def fit(self) -> None:
        self._layout.setContentsMargins(0, fonts.px(SPACE_24), 0, 0)
        self._heading.setContentsMargins(0, 0, 0, fonts.px(SPACE_12) // 2)
        for row in self.rows:
            if isinstance(row, Row):
                row.fit()


class Column(QWidget):
    """A column of readable width in the middle of whatever room there is."""

    WIDTH = 684

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inner = QWidget(self)
        self.layout_ = QVBoxLayout(self._inner)
        self._outer = QHBoxLayout(self)
        self._outer.addStretch(1)
        self._outer.addWidget(self._inner, 1000)
        self._outer.addStretch(1)
        self._inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.fit()

    def fit(self) -> None:
        self._inner.setMaximumWidth(fonts.px(self.WIDTH))
        self.layout_.setContentsMargins(0, 0, 0, fonts.px(SPACE_24))
        self.layout_.setSpacing(0)
        side = fonts.px(SPACE_24)
        self._outer.setContentsMargins(side, 0, side, 0)
