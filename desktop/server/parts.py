"""The building blocks of the server's pages: text that wraps, a sign on its ground, a line to copy."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_12, SPACE_16, SPACE_24, SPACE_48, Theme


def label(parent: QWidget, role: str, tone: str = "text", *, wrap: bool = True) -> QLabel:
    """Plain text that wraps; one that a person may want to copy is `selectable`."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    mark(made, role=role, tone=tone)
    return made


def selectable(made: QLabel) -> QLabel:
    """The mouse can mark its text; the keyboard passes it."""
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made


def button(parent: QWidget, text: str = "", **marks: str) -> QPushButton:
    made = QPushButton(text, parent)
    if marks:
        mark(made, **marks)
    return made


class Sign(QWidget):
    """An icon in a colour role of the theme, on a round soft ground if it has one. `words` are for who cannot
    see it."""

    def __init__(self, parent: QWidget, size: int, ground: int = 0) -> None:
        """`size` of the icon, `ground`: diameter of the circle behind it, 0 = none; both at zoom 100 %."""
        super().__init__(parent)
        self._size, self._ground = size, ground
        self._name, self._role, self._theme = "info", "accent", LIGHT

    def set_sign(self, name: str, role: str, words: str) -> None:
        self._name, self._role = name, role
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    @property
    def sign(self) -> str:
        """The icon's name."""
        return self._name

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        side = fonts.px(max(self._size, self._ground))
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = getattr(self._theme, self._role)
        if self._ground:
            painter.setBrush(QColor(getattr(self._theme, f"{self._role}_soft")))
            high = self._theme.name == "high_contrast"  # whose soft grounds are black
            painter.setPen(QColor(colour) if high else Qt.PenStyle.NoPen)
            painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        side = fonts.px(self._size)
        at = (self.width() - side) // 2
        painter.drawPixmap(at, at, icons.pixmap(self._name, colour, side, self.devicePixelRatioF()))
        painter.end()


class CodeEdit(QLineEdit):
    """One line of foreign text in mono: shortened while nobody is in it, whole in the tooltip; with the focus
    it scrolls and can be marked and copied."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        mark(self, kind="plain", role="mono_small")

    def set_line(self, text: str) -> None:
        self.setText(text)
        self.setCursorPosition(0)
        self.update()

    @property
    def elided_text(self) -> str:
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    @property
    def is_elided(self) -> bool:
        return not self.hasFocus() and self.elided_text != self.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_elided:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().text().color())
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
        painter.drawText(self.contentsRect(), flags, self.elided_text)
        painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.deselect()
            self.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            if self.is_elided:
                QToolTip.showText(event.globalPos(), plain_tip(self.text()), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)


class Page(QScrollArea):
    """One widget in a column in the middle, at most `width` wide (at zoom 100 %); scrolls where there is
    little room, never sideways. `look_at`: the part of the content that is to be seen at each `look` and in
    each new size."""

    def __init__(
        self,
        content: QWidget,
        width: int,
        parent: QWidget | None = None,
        look_at: Callable[[], QRect] = QRect,
    ) -> None:
        super().__init__(parent)
        self._look_at = look_at
        mark(self, ground="surface")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = content
        self._width = width
        self._inside = QWidget()
        mark(self._inside, ground="surface")
        self._layout = QVBoxLayout(self._inside)
        self._layout.addWidget(content)
        self._layout.addStretch(1)
        content.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setWidget(self._inside)
        self._place()

    def _place(self) -> None:
        room = self.viewport().width()
        sides = ((480, SPACE_12), (760, SPACE_24))
        least = next((side for width, side in sides if room < fonts.px(width)), SPACE_48)
        side = max(fonts.px(least), (room - fonts.px(self._width)) // 2)
        self._layout.setContentsMargins(side, fonts.px(SPACE_16), side, fonts.px(SPACE_16))

    def look(self) -> None:
        """Once what has changed is laid out."""
        QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        part = self._look_at()
        if not part.isEmpty():
            middle = self.content.mapTo(self._inside, part.center())
            self.ensureVisible(0, middle.y(), 0, part.height())

    def set_theme(self, theme: Theme) -> None:
        self._place()
        self.content.set_theme(theme)  # type: ignore[attr-defined]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self.look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()
