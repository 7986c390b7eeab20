"""The colours of one theme as the transcript paints with them, made once a theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop.chat.laid import PILL, Tint
from desktop.kit import fonts
from desktop.kit.theme import FOCUS_WIDTH, Theme, bar_height, bar_pixels

_DOT, _DOT_STEP = 2, 4
HEAT_MODES = ("both", "colour", "bar", "off")


class Brushes:
    """Colours, and the few shapes that are painted many times."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.text = QColor(theme.text)
        self.text2 = QColor(theme.text2)
        self.text3 = QColor(theme.text3)
        self.surface = QColor(theme.surface)
        self.side = QColor(theme.side)
        self.line = QColor(theme.line)
        self.accent = QColor(theme.accent)
        self.accent_soft = QColor(theme.accent_soft)
        self.selection = QColor(theme.selection)
        self.focus = QColor(theme.focus)
        self.bar = QColor(theme.doubt_bar)
        self.heat = [QColor(colour) for colour in theme.heat_probability]
        self.bars = [
            bar_pixels(theme, fonts.px(bar_height(step)) if bar_height(step) else 0) for step in range(7)
        ]

    def tints(self, painter: QPainter, tints: list[Tint], radius: float, mode: str) -> None:
        """Tint and bar of doubtful tokens, pills of special ones; drawn from the chunk's corner on."""
        painter.setPen(Qt.PenStyle.NoPen)
        colour, bar = mode in ("both", "colour"), mode in ("both", "bar")
        present = 0
        for rect, step in tints:
            if step == PILL:
                painter.setBrush(self.accent_soft)
                painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
            elif colour:
                if step != present:
                    painter.setBrush(self.heat[step])
                    present = step
                painter.drawRoundedRect(rect, radius, radius)
        if bar:
            for rect, step in tints:
                tall = self.bars[step] if step != PILL else 0
                if tall:
                    inset = min(2, round(rect.width() / 6))
                    box = QRectF(rect.left() + inset, rect.bottom() - tall, rect.width() - 2 * inset, tall)
                    painter.fillRect(box, self.bar)

    def guesses(self, painter: QPainter, rects: list[QRectF]) -> None:
        """A row of dots on the top edge of each token that was guessed ahead; the bottom is doubt's."""
        for rect in rects:
            count = max(int(rect.width() - 2) // _DOT_STEP, 1)
            x = rect.left() + (rect.width() - (count - 1) * _DOT_STEP - _DOT) / 2
            for dot in range(count):
                painter.fillRect(QRectF(round(x) + dot * _DOT_STEP, rect.top(), _DOT, _DOT), self.accent)

    def box(self, painter: QPainter, rect: QRectF, radius: float) -> None:
        """A question or code block."""
        painter.setPen(QPen(self.line, 1))
        painter.setBrush(self.side)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def ring(self, painter: QPainter, rect: QRectF, *, cursor: bool) -> None:
        """Around the token under the pointer or the token cursor."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.focus if cursor else self.text, 2 if cursor else 1.5))
        painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), 5, 5)

    def focus_frame(self, painter: QPainter, rect: QRectF) -> None:
        """Inside the edge of the whole view, which has the focus but no token cursor."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.focus, FOCUS_WIDTH))
        inset = FOCUS_WIDTH / 2
        painter.drawRect(rect.adjusted(inset, inset, -inset, -inset))
