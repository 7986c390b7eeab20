"""Parts of the run bar: the dot of the state, and the buttons that open its menus."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import ICON, LIGHT, SPACE_4, SPACE_8, SPACE_12, Theme

_SHORT = 150  # px at zoom 100 % that the name of a built-in engine needs at most


class Dot(QWidget):
    """The state's colour, never alone: a word stands beside it. No tone: an outline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.tone = ""
        self.setFixedSize(fonts.px(SPACE_8), fonts.px(SPACE_8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.tone:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(getattr(self.theme, self.tone)))
            painter.drawEllipse(QRectF(self.rect()))
        else:
            painter.setPen(QPen(QColor(self.theme.text3), 1.5))
            painter.drawEllipse(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()


class MenuButton(QPushButton):
    """An icon if it has one, a name, a grey note and an arrow; whoever has it opens a menu below it."""

    def __init__(
        self, least: int, width: int, most: int, icon: str = "", parent: QWidget | None = None
    ) -> None:
        """Pixels at zoom 100 %: `most` for a long name, `least` where there is little room. A short name is
        never cut."""
        super().__init__(parent)
        mark(self, kind="bar")
        self._least, self._wide, self._most = least, width, most
        self._colour = LIGHT.text2
        self._icon, self._sign = icon, QLabel(self)
        self._sign.setVisible(bool(icon))
        self._name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, parent=self)
        mark(self._name, role="body_strong")
        self._note = ElidedLabel(parent=self)
        mark(self._note, role="caption", tone="text3")
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._sign)
        self._layout.addWidget(self._name)
        self._layout.addWidget(self._note)
        self._layout.addStretch(1)
        for label in (self._sign, self._name, self._note):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_words(self, name: str, note: str = "") -> None:
        self._name.setText(name)
        self._note.setText(note)
        # a note of three letters and an ellipsis says nothing: the name gets the room
        self._fit_note()
        self._fit_least()
        self.updateGeometry()

    def _fit_least(self) -> None:
        wanted = min(self._wanted(), fonts.px(_SHORT))
        self.setMinimumWidth(max(fonts.px(self._least), wanted))

    def _fit_note(self) -> None:
        pad = self._layout.contentsMargins()
        room = self.width() - pad.left() - pad.right() - self._layout.spacing()
        wanted = self._name.sizeHint().width() + self._note.sizeHint().width()
        self._note.setVisible(bool(self._note.text()) and wanted <= room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_note()

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._colour = theme.text2
        pad = px(SPACE_12)
        self._layout.setContentsMargins(pad, 0, pad + px(ICON) + px(SPACE_4), 0)
        self._layout.setSpacing(px(SPACE_8))
        if self._icon:
            side = px(ICON)
            self._sign.setPixmap(icons.pixmap(self._icon, theme.text2, side, self.devicePixelRatioF()))
        self.setMaximumWidth(px(self._most))
        self._fit_least()
        self.update()

    def _wanted(self) -> int:
        pad = self._layout.contentsMargins()
        icon = self._sign.sizeHint().width() + self._layout.spacing() if self._icon else 0
        return pad.left() + icon + self._name.sizeHint().width() + pad.right()

    def sizeHint(self) -> QSize:
        width = min(max(self._wanted(), fonts.px(self._wide)), fonts.px(self._most))
        return QSize(width, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = fonts.px(ICON) - 2
        painter = QPainter(self)
        arrow = icons.pixmap("chevron-down", self._colour, side, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - side - fonts.px(SPACE_12), (self.height() - side) // 2, arrow)
        painter.end()
