"""A label that shortens its text to the room it has and then shows the whole in its tooltip."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QToolTip, QWidget


class ElidedLabel(QLabel):
    """One line of plain text. It asks for the room of the whole text and accepts any less."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def elided_text(self) -> str:
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())

    @property
    def is_elided(self) -> bool:
        return self.elided_text() != self.text()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        # fractions of a pixel are lost in the sum of glyphs: one more, or the last one is elided
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 1, hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        style = self.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        style.drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment() | Qt.TextFlag.TextSingleLine),
            self.palette(),
            self.isEnabled(),
            self.elided_text(),
            self.foregroundRole(),
        )
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and not self.toolTip():
            if self.is_elided:
                QToolTip.showText(event.globalPos(), plain_tip(self.text()), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)


def plain_tip(text: str) -> str:
    """Foreign text for a tooltip: Qt would guess rich text from its first characters. Long lines wrap."""
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>" if text else ""
