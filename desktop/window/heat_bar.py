"""The heat menu and its legend at the right of the tabs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import (
    ICON,
    LIGHT,
    RADIUS_TOKEN,
    SPACE_2,
    SPACE_8,
    SPACE_12,
    Theme,
    bar_height,
    bar_pixels,
)

MODES = ("both", "colour", "bar", "off")
_STEP = (14, 15)  # of one legend step
_WIDTH = 146


class LegendSteps(QWidget):
    """The seven steps as they stand behind tokens: tint, bar, or both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.mode = "both"

    def sizeHint(self) -> QSize:
        steps = len(self.theme.heat_probability)
        return QSize(fonts.px(_STEP[0] + SPACE_2) * steps, fonts.px(_STEP[1] + 3))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        px, theme = fonts.px, self.theme
        wide, high = px(_STEP[0]), px(_STEP[1])
        top = (self.height() - high) / 2
        for step, colour in enumerate(theme.heat_probability):
            box = QRectF(step * px(_STEP[0] + SPACE_2), top, wide, high)
            # a sure token has no mark: its step is an outline of the ground
            tinted = step > 0 and self.mode in ("both", "colour")
            painter.setPen(Qt.PenStyle.NoPen if tinted else QPen(QColor(theme.line), 1))
            painter.setBrush(QColor(colour if tinted else theme.surface))
            inset = 0.0 if tinted else 0.5
            painter.drawRoundedRect(
                box.adjusted(inset, inset, -inset, -inset), px(RADIUS_TOKEN), px(RADIUS_TOKEN)
            )
            bar = bar_pixels(theme, bar_height(step)) if self.mode in ("both", "bar") else 0
            if bar:
                edge = QRectF(box.left(), box.bottom() - bar, box.width(), bar)
                painter.fillRect(edge, QColor(theme.doubt_bar))
        painter.end()


class HeatBar(QWidget):
    """`chosen`: how doubt is shown, one of MODES. `why_wanted`: why the answer in view has no heat."""

    chosen = Signal(str)
    why_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = "both"
        self._last_on = "both"
        self._theme = LIGHT
        self._room = True
        self._reason = ""
        self.button = _MenuButton(self)
        self.button.clicked.connect(self.open_menu)
        self.menu = QMenu(self)
        self._sure, self._doubtful = QLabel(self), QLabel(self)
        for label in (self._sure, self._doubtful):
            mark(label, role="caption", tone="text2")
        self.steps = LegendSteps(self)
        self.why = QPushButton(self)
        mark(self.why, kind="link", role="caption")
        self.why.clicked.connect(self.why_wanted)
        self._layout = QHBoxLayout(self)
        for widget in (self.button, self._sure, self.steps, self._doubtful, self.why):
            self._layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._translate()

    def set_theme(self, theme: Theme) -> None:
        self._theme = self.steps.theme = self.button.theme = theme
        px = fonts.px
        self._layout.setContentsMargins(0, 0, px(SPACE_12) + px(4), 0)
        self._layout.setSpacing(px(SPACE_8))
        self.button.setMinimumWidth(px(_WIDTH))
        self.steps.setFixedSize(self.steps.sizeHint())
        self.steps.update()
        self.button.update()

    def set_mode(self, mode: str) -> None:
        self._mode = mode if mode in MODES else "both"
        if self._mode != "off":
            self._last_on = self._mode
        self.steps.mode = self._mode
        self.steps.update()
        self._translate()

    @property
    def mode(self) -> str:
        return self._mode

    def toggle(self) -> None:
        """Off, or back to what it was."""
        self.chosen.emit(self._last_on if self._mode == "off" else "off")

    def set_legend_room(self, room: bool) -> None:
        """In a narrow window the legend goes, the menu stays."""
        self._room = room
        self._show_legend()

    def set_reason(self, reason: str) -> None:
        """Why the answer in view has no heat, "": it has."""
        self._reason = reason
        self.why.setToolTip(plain_tip(reason))
        self.why.setAccessibleDescription(reason)
        self._show_legend()

    def _show_legend(self) -> None:
        shown = self._room and self._mode != "off"
        for widget in (self._sure, self.steps, self._doubtful):
            widget.setVisible(shown and not self._reason)
        self.why.setVisible(shown and bool(self._reason))

    def open_menu(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for mode, text in self._modes().items():
            item = self.menu.addAction(text)
            item.setCheckable(True)
            item.setChecked(mode == self._mode)
            group.addAction(item)
            item.triggered.connect(lambda _=False, mode=mode: self.chosen.emit(mode))
        self.menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def _modes(self) -> dict[str, str]:
        return {
            "both": self.tr("Colour and bar"),
            "colour": self.tr("Colour only"),
            "bar": self.tr("Bar only"),
            "off": self.tr("Off"),
        }

    def _translate(self) -> None:
        self.button.setText(self.tr("Heat: off") if self._mode == "off" else self.tr("Heat: probability"))
        self._sure.setText(self.tr("sure"))
        self._doubtful.setText(self.tr("doubtful"))
        self.why.setText(self.tr("no probabilities from this server — why?"))
        self.steps.setToolTip(self.tr("Probability of the token: ≥ 90, ≥ 70, ≥ 50, ≥ 30, ≥ 15, ≥ 5, < 5 %"))
        self._show_legend()

    def set_tip(self, tip: str) -> None:
        self.button.setToolTip(tip)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


class _MenuButton(QPushButton):
    """A button with an arrow at its right; its menu is opened by `popup`, which runs no loop of its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        mark(self, size="small", role="small_strong", kind="select")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + fonts.px(ICON), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = fonts.px(ICON) - 2
        painter = QPainter(self)
        arrow = icons.pixmap("chevron-down", self.theme.text2, side, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - side - fonts.px(SPACE_8), (self.height() - side) // 2, arrow)
        painter.end()
