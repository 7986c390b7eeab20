"""Small parts of the composer: its frame, its chips, and its timers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QRectF, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.icons import dress
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, RADIUS_CARD


class Box(QWidget):
    """The rounded frame; it carries the focus of the text within."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.focused = False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 1.5 if self.focused else 1.0
        painter.setPen(QPen(QColor(self.theme.focus if self.focused else self.theme.ctl), width))
        painter.setBrush(QColor(self.theme.surface))
        inset = width / 2
        radius = fonts.px(RADIUS_CARD) - 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        painter.end()


class Chips:
    """The quiet buttons below the text: `attach`, `thinking` and `system`; `all` in their order."""

    def __init__(self, box: QWidget) -> None:
        self.attach = QPushButton(box)
        mark(self.attach, kind="flat")
        dress(self.attach, "clip")
        self.thinking, self.system = QPushButton(box), QPushButton(box)
        for chip, icon in ((self.thinking, "eye"), (self.system, "pencil")):
            mark(chip, kind="flat", role="small_strong")
            dress(chip, icon)
            chip.setCheckable(True)
        self.thinking.hide()
        self.all = (self.attach, self.thinking, self.system)
        self._system = ""

    def set_thinking(self, on: bool | None) -> None:
        """None: this model's family has no such switch."""
        self.thinking.setVisible(on is not None)
        self.thinking.setChecked(bool(on))
        self.translate()

    def set_system(self, text: str) -> None:
        """The prompt in use, "" = none."""
        self._system = text
        self.system.setChecked(bool(text))
        self.translate()

    def translate(self) -> None:
        attach = QCoreApplication.translate("Composer", "Attach a picture, sound or video")
        self.attach.setToolTip(attach)
        self.attach.setAccessibleName(attach)
        if self.thinking.isChecked():
            self.thinking.setText(QCoreApplication.translate("Composer", "Thinking on"))
        else:
            self.thinking.setText(QCoreApplication.translate("Composer", "Thinking off"))
        words = QCoreApplication.translate(
            "Composer", "Whether the model thinks in writing before it answers"
        )
        self.thinking.setToolTip(words)
        self.system.setText(QCoreApplication.translate("Composer", "System prompt"))
        none = QCoreApplication.translate(
            "Composer", "None. It would stand before the first message of this chat."
        )
        self.system.setToolTip(plain_tip((self._system or none)[:600]))


def single_shot(owner: QWidget, milliseconds: int, slot: Callable[[], object]) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer
