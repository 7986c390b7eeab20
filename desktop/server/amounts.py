"""The two numbers that collide, drawn: a bar of what is taken and free with what was asked below it, or two
boxes for a port that has another owner."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.server.finding import Collision, Part
from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.theme import LIGHT, SPACE_4, SPACE_8, SPACE_12, SPACE_16, Theme, mix
from desktop.server import words

_BAR: Final = 24  # px, at zoom 100 %
_BRACKET: Final = 20
_BOX: Final = 44
_PAD: Final = 10
SHADES: Final = (0.8, 0.62, 0.46, 0.34)  # of the pieces of what is taken, largest first
_LEFT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class Amounts(QWidget):
    """Paints one Collision; without one it takes no room. Its numbers are its accessible name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._collision: Collision | None = None
        self._theme = LIGHT
        self._cut: list[tuple[QRect, str]] = []  # what was shortened, where, for the tooltip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_collision(self, collision: Collision | None) -> None:
        self._collision = collision
        self.setVisible(collision is not None)
        self._translate()
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = fonts.px
        if self._collision is not None and self._collision.unit == "port":
            return QSize(px(400), px(_BOX))
        lines = 2 * fonts.line_height("small")
        return QSize(px(400), lines + px(SPACE_8) + px(_BAR) + px(_BRACKET))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    # --- words -------------------------------------------------------------------------------------------

    def _head(self, collision: Collision) -> str:
        name = words.amount_name(collision)
        if collision.total is None:
            return name
        return ", ".join(filter(None, (name, words.amount(collision.total, collision))))

    def _asked(self, collision: Collision) -> str:
        asked = words.amount(collision.asked, collision)
        over = collision.asked - collision.free
        if over <= 0:
            return self.tr("asked {n}").format(n=asked)
        text = self.tr("asked {n}, {more} more than is free")
        return text.format(n=asked, more=words.amount(over, collision))

    def _free(self, collision: Collision) -> str:
        return self.tr("free {n}").format(n=words.amount(collision.free, collision))

    def _port(self, collision: Collision) -> tuple[str, str]:
        """What each of the two wants of the port."""
        ours = self.tr("The server wants port {n}").format(n=round(collision.asked))
        other = collision.name or self.tr("Another program")
        return ours, self.tr("{name} has it").format(name=other)

    def _translate(self) -> None:
        collision = self._collision
        if collision is None:
            return
        if collision.unit == "port":
            said: tuple[str, ...] = self._port(collision)
        else:
            taken = (
                f"{words.part_name(p.name)} {words.amount(p.amount, collision)}" for p in collision.taken
            )
            said = (self._head(collision), self._asked(collision), self._free(collision), *taken)
        self.setAccessibleName(", ".join(filter(None, said)))
        self.update()

    # --- paint -------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        collision = self._collision
        if collision is None:
            return
        self._cut.clear()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if collision.unit == "port":
            self._paint_port(painter, collision)
        else:
            self._paint_bar(painter, collision)
        painter.end()

    def _text(
        self, painter: QPainter, role: str, colour: str, rect: QRect, text: str, flags: int = _LEFT
    ) -> None:
        font = fonts.font(role)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
        if shown != text:
            self._cut.append((rect, text))
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(rect, flags, shown)

    def _paint_bar(self, painter: QPainter, collision: Collision) -> None:
        px, theme, width = fonts.px, self._theme, self.width()
        line = fonts.line_height("small")
        self._text(painter, "small_strong", theme.text2, QRect(0, 0, width, line), self._head(collision))
        bar = QRect(0, line + px(SPACE_8), width, px(_BAR))
        total = max(collision.total or collision.free, collision.free)
        scale = max(total, collision.asked) or 1.0
        end = round(width * total / scale)  # the bar ends there, what is asked may go beyond
        free = round(width * collision.free / scale)
        rest = self._paint_taken(painter, collision, bar, end - free, width / scale)
        others = [f"{words.part_name(part.name)} {words.amount(part.amount, collision)}" for part in rest]
        if not self._paint_free(painter, collision, QRect(end - free, bar.y(), free, bar.height())):
            others.append(self._free(collision))
        asked = round(width * collision.asked / scale)
        begin = max(0, end - asked) if asked <= end else 0
        self._paint_asked(painter, collision, begin, begin + asked, bar.bottom() + 1, " · ".join(others))

    def _paint_taken(
        self, painter: QPainter, collision: Collision, bar: QRect, width: int, pixel: float
    ) -> list[Part]:
        """The pieces from the left; returns those whose names found no room in them."""
        theme, x, unnamed = self._theme, 0, []
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(theme.ctl, theme.surface, SHADES[-1] / 2)))
        if width > 0:
            painter.drawRect(QRect(0, bar.y(), width - 1, bar.height()))
        bold = QFontMetrics(fonts.font("caption_strong"))
        for at, part in enumerate(collision.taken):
            wide = min(round(part.amount * pixel), width - x)
            if wide <= 0:
                unnamed.append(part)
                continue
            shade = mix(theme.text2, theme.surface, SHADES[min(at, len(SHADES) - 1)])
            rect = QRect(x, bar.y(), max(wide - 1, 1), bar.height())
            painter.fillRect(rect, QColor(shade))
            text = f"{words.part_name(part.name)} {words.amount(part.amount, collision)}"
            if at == 0 and bold.horizontalAdvance(text) + 2 * fonts.px(_PAD) <= wide:
                inner = rect.adjusted(fonts.px(_PAD), 0, 0, 0)
                self._text(painter, "caption_strong", theme.surface, inner, text)
            else:
                unnamed.append(part)
            x += wide
        return unnamed

    def _paint_free(self, painter: QPainter, collision: Collision, rect: QRect) -> bool:
        """Whether its words found room in it."""
        theme = self._theme
        painter.setPen(QPen(QColor(theme.ok), 1))
        painter.setBrush(QColor(theme.ok_soft))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        inner = rect.adjusted(fonts.px(_PAD), 0, -fonts.px(SPACE_4), 0)
        text = self._free(collision)
        if QFontMetrics(fonts.font("caption_strong")).horizontalAdvance(text) > inner.width():
            return False
        self._text(painter, "caption_strong", theme.ok, inner, text)
        return True

    def _paint_asked(
        self, painter: QPainter, collision: Collision, begin: int, end: int, top: int, others: str
    ) -> None:
        px, theme, width = fonts.px, self._theme, self.width()
        pen = QPen(QColor(theme.err), px(2))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        y, tick = top + px(_BRACKET) / 2, px(5)
        left, right = begin + px(2) / 2, min(end, width) - px(2) / 2
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        for x in (left, right):
            painter.drawLine(QPointF(x, y - tick), QPointF(x, y + tick))
        line, below = fonts.line_height("small"), top + px(_BRACKET)
        asked = self._asked(collision)
        need = QFontMetrics(fonts.font("caption_strong")).horizontalAdvance(asked) + px(SPACE_4)
        at = max(0, min(begin, width - need))
        self._text(painter, "caption_strong", theme.err, QRect(at, below, width - at, line), asked)
        room = QRect(at + need + px(SPACE_16), below, width - at - need - px(SPACE_16), line)
        if others and room.width() > px(SPACE_16):
            self._text(painter, "caption", theme.text2, room, others, _RIGHT)
        elif others:
            room = QRect(0, below, at - px(SPACE_16), line)
            self._text(painter, "caption", theme.text2, room, others)

    def _paint_port(self, painter: QPainter, collision: Collision) -> None:
        px, theme = fonts.px, self._theme
        gap, high = px(SPACE_12), self.height()
        half = (self.width() - gap) // 2
        ours, other = self._port(collision)
        for x, line, ground, colour, text in (
            (0, theme.ctl, theme.side, theme.text, ours),
            (half + gap, theme.err, theme.err_soft, theme.err, other),
        ):
            rect = QRect(x, 0, half, high)
            painter.setPen(QPen(QColor(line), 1))
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), px(6), px(6))
            self._text(
                painter, "small_strong", colour, rect.adjusted(px(SPACE_12), 0, -px(SPACE_12), 0), text
            )

    # --- the rest ----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = next((text for rect, text in self._cut if rect.contains(event.pos())), "")
            QToolTip.showText(event.globalPos(), plain_tip(tip or self.accessibleName()), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
