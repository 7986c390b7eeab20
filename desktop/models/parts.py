"""Parts of the picker's pages: text that wraps, a sign beside it, chips, a bar, a row with an error."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.kit import accessible, fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import ICON, LIGHT, SPACE_2, SPACE_4, SPACE_8, SPACE_12, Theme
from desktop.models.row_paint import paint_bar
from desktop.models.values import Trouble

_BAR: Final = 6  # px, at zoom 100 %
_CHIP: Final = 20
_BESIDE_FROM: Final = 420


def label(parent: QWidget, role: str, tone: str = "text", *, wrap: bool = True) -> QLabel:
    """Plain text."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    mark(made, role=role, tone=tone)
    return made


def button(parent: QWidget, **marks: str) -> QPushButton:
    made = QPushButton(parent)
    if marks:
        mark(made, **marks)
    return made


class Sign(QWidget):
    """An icon in a colour role; the words beside it say the same."""

    def __init__(self, parent: QWidget, size: int = ICON - 2) -> None:
        super().__init__(parent)
        self._size = size
        self._name, self._role, self._theme = "info", "text2", LIGHT

    def set_sign(self, name: str, role: str) -> None:
        if (name, role) != (self._name, self._role):
            self._name, self._role = name, role
            self.update()

    @property
    def sign(self) -> str:
        return self._name

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(self._size), fonts.line_height("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        side = fonts.px(self._size)
        painter = QPainter(self)
        colour = getattr(self._theme, self._role)
        picture = icons.pixmap(self._name, colour, side, self.devicePixelRatioF())
        painter.drawPixmap(0, (self.height() - side) // 2, picture)
        painter.end()


class Note(QWidget):
    """A sign and a sentence; without a sentence it takes no room."""

    def __init__(self, parent: QWidget, sign: str = "info", tone: str = "text2") -> None:
        super().__init__(parent)
        self.sign = Sign(self)
        self.sign.set_sign(sign, tone)
        self.text = label(self, "small", tone)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.text, 1)
        self.hide()

    def set_note(self, text: str, sign: str = "", tone: str = "") -> None:
        if sign:
            self.sign.set_sign(sign, tone)
        if tone:
            mark(self.text, tone=tone)
        self.text.setText(text)
        self.setVisible(bool(text))

    def set_theme(self, theme: Theme) -> None:
        self._row.setSpacing(fonts.px(SPACE_4) + 2)
        self.sign.set_theme(theme)


class Chips(QWidget):
    """Short words in pills, in one line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_words(self, words: tuple[str, ...]) -> None:
        if words != self._words:
            self._words = words
            self.setAccessibleName(", ".join(words))
            self.update()
        self.setVisible(bool(words))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, fonts.px(_CHIP))

    def paintEvent(self, event: QPaintEvent) -> None:
        px, theme, font = fonts.px, self._theme, fonts.font("caption")
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        left, high = 0, px(_CHIP)
        for word in self._words:
            wide = QFontMetrics(font).horizontalAdvance(word) + 2 * px(SPACE_8) + 1
            rect = QRect(left, 0, wide, high)
            painter.setPen(QPen(QColor(theme.line), 1) if not theme.shadow_alpha else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), high / 2, high / 2)
            painter.setPen(QColor(theme.text2))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), word)
            left += wide + px(SPACE_8)
        painter.end()


class Bar(QWidget):
    """How far a download is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._share, self._tone, self._theme = 0.0, "accent", LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float, tone: str, words: str) -> None:
        """`words`: the same for who cannot see it."""
        if (share, tone) != (self._share, self._tone):
            self._share, self._tone = share, tone
            self.update()
        if words != self.accessibleName():
            self.setAccessibleName(words)

    @property
    def share(self) -> float:
        return self._share

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, fonts.px(_BAR))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_bar(painter, self.rect(), self._share, getattr(self._theme, self._tone), self._theme)
        painter.end()


class TroubleRow(QFrame):
    """An error of the hub: what happened, what next, and the button that does it. `acted` has its code."""

    acted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._trouble: Trouble | None = None
        mark(self, banner="warn")
        self.sign = Sign(self)
        self.sign.set_sign("warn", "warn")
        self.what = label(self, "small_strong")
        self.next = label(self, "small", "text2")
        self.button = button(self, size="small")
        self.button.clicked.connect(self._act)
        words = QVBoxLayout()
        words.addWidget(self.what)
        words.addWidget(self.next)
        self._words = words
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.addLayout(words, 1)
        self._below.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addLayout(self._below, 1)
        self.hide()

    def set_trouble(self, trouble: Trouble | None) -> None:
        if trouble == self._trouble:
            return
        self._trouble = trouble
        self.setVisible(trouble is not None)
        if trouble is None:
            return
        self.what.setText(trouble.what)
        self.next.setText(trouble.next)
        self.next.setVisible(bool(trouble.next))
        self.button.setText(trouble.action)
        self.button.setVisible(bool(trouble.action))
        self.setAccessibleName(" ".join(filter(None, (trouble.what, trouble.next))))
        accessible.announce(self, self.accessibleName())

    def _act(self) -> None:
        if self._trouble is not None:
            self.acted.emit(self._trouble.code)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self.sign.set_theme(theme)
        self._row.setContentsMargins(px(SPACE_12), px(SPACE_8), px(SPACE_12), px(SPACE_8))
        self._row.setSpacing(px(SPACE_8))
        self._words.setSpacing(px(SPACE_2))
        self._below.setSpacing(px(SPACE_8))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._below.direction() != way:
            self._below.setDirection(way)
