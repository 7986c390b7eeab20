"""The round button that leads back to the end, with the number of tokens that came meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from core.tokens import figures
from desktop.kit import fonts, icons
from desktop.kit.theme import CONTROL, ICON_BAR, SPACE_8, Theme


class FollowButton(QAbstractButton):
    """Hidden at the end. It counts, it never moves the text by itself."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._count = 0
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.hide()
        self._tell()

    @property
    def count(self) -> int:
        return self._count

    def set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self._tell()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._tell()

    def _tell(self) -> None:
        words = self.tr("To the end")
        if self._count:
            words = self.tr("To the end, %n new token(s)", "", self._count)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        side = fonts.px(CONTROL)
        if not self._count:
            return QSize(side, side)
        self.setFont(fonts.font("small_strong"))
        text = self.fontMetrics().horizontalAdvance(figures.count(self._count))
        return QSize(side + text + fonts.px(SPACE_8), side)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(theme.ctl), 1))
        painter.setBrush(QColor(theme.hover if self.underMouse() else theme.raised))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        side = fonts.px(ICON_BAR)
        drawn = icons.pixmap("arrow", theme.text2, side, self.devicePixelRatioF())
        left, middle = (self.height() - side) / 2, self.height() / 2
        painter.save()
        painter.translate(left + side / 2, middle)
        painter.rotate(90)
        painter.drawPixmap(QRectF(-side / 2, -side / 2, side, side), drawn, QRectF(drawn.rect()))
        painter.restore()
        if self._count:
            painter.setFont(fonts.font("small_strong"))
            painter.setPen(QColor(theme.text))
            room = QRectF(self.rect()).adjusted(left + side + 2, 0, -fonts.px(SPACE_8), 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, figures.count(self._count))
        painter.end()
