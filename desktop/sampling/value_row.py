"""One sampling value: its name, what it means now, a slider and a box that hold the same number."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QHBoxLayout, QLabel, QSlider, QWidget

from core.engines.limits import Range
from core.tokens import figures
from desktop.kit import fonts, named
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12
from desktop.sampling.scales import STEPS, Scale, narrowed

_BOX = 56


class ValueRow(QWidget):
    """One value: its name, what it means now, a slider and a box that hold the same number."""

    edited = Signal(str, float)

    def __init__(self, scale: Scale, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = self.scale = scale
        self._name = QLabel(self)
        mark(self._name, role="small_strong")
        self._meaning = ElidedLabel(parent=self)
        mark(self._meaning, role="caption", tone="text3")
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, STEPS)
        self.slider.setSingleStep(STEPS // 200)
        self.slider.setPageStep(STEPS // 20)
        self.slider.valueChanged.connect(self._slid)
        self.box = QDoubleSpinBox(self)
        self.box.setDecimals(scale.decimals)
        self.box.setRange(scale.low, scale.high)
        self.box.setSingleStep(0.05 if scale.decimals else 1)
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.box.setKeyboardTracking(False)
        self.box.setGroupSeparatorShown(False)
        self.box.valueChanged.connect(self._typed)
        mark(self.box, size="small")
        self._name.setBuddy(self.box)
        self._grid = QGridLayout(self)
        head = QHBoxLayout()
        head.addWidget(self._name)
        head.addWidget(self._meaning, 1)
        self._head = head
        self._grid.addLayout(head, 0, 0, 1, 2)
        self._grid.addWidget(self.slider, 1, 0)
        self._grid.addWidget(self.box, 1, 1)
        self._grid.setColumnStretch(0, 1)
        self.measure()

    def measure(self) -> None:
        px = fonts.px
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(SPACE_12))
        self._grid.setVerticalSpacing(0)
        self._head.setSpacing(px(SPACE_8))
        self.box.setFixedWidth(px(_BOX))

    def set_range(self, allowed: Range | None, why: str) -> None:
        """What the engine takes of it, None = everything, and `why` no more."""
        fixed = allowed is not None and allowed.low == allowed.high
        scale = self._own if allowed is None or fixed else narrowed(self._own, allowed)
        if scale != self.scale:
            self.scale = scale
            self.box.blockSignals(True)
            self.box.setRange(scale.low, scale.high)
            self.box.blockSignals(False)
        for control in (self.slider, self.box):
            control.setEnabled(not fixed)
            control.setToolTip(why)
            control.setAccessibleDescription(why)

    def set_words(self, name: str, meaning: str) -> None:
        self._name.setText(name)
        self._meaning.setText(meaning)
        self.slider.setAccessibleName(name)
        named.name(self.box, name)

    def set_value(self, value: float) -> None:
        """Show a value without telling it."""
        for widget in (self.slider, self.box):
            widget.blockSignals(True)
        self.box.setSpecialValueText("")
        self.box.setValue(value)
        if self.scale.value(self.slider.value()) != value:
            self.slider.setValue(self.scale.position(value))
        for widget in (self.slider, self.box):
            widget.blockSignals(False)

    def set_unknown(self) -> None:
        """A dash, and the slider at its start."""
        self.set_value(self.scale.low)
        self.box.setSpecialValueText(figures.DASH)

    def _slid(self, position: int) -> None:
        value = self.scale.clamp(self.scale.value(position))
        self.box.blockSignals(True)
        self.box.setValue(value)
        self.box.blockSignals(False)
        self.edited.emit(self.scale.name, value)

    def _typed(self, value: float) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(self.scale.position(value))
        self.slider.blockSignals(False)
        self.edited.emit(self.scale.name, value)
