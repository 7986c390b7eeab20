"""The page's head: how many tokens, whose they are, what of them is in the KV cache, what is left."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop.context import words
from desktop.context.model import Sight
from desktop.context.paint import who_colour
from desktop.kit import fonts
from desktop.kit.elided import plain_tip
from desktop.kit.theme import LIGHT, SPACE_2, SPACE_8, SPACE_12, SPACE_24, Theme

_TOP, _TITLE = 10, 28
_BAR_TOP, _BAR = 49, 12
_BRACKET_TOP, _BRACKET = 64, 5
_LINES_TOP, _LINE = 73, 17
_BELOW = 15
_LINE_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_LINE_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class ContextHead(QWidget):
    """Painted; what it says is its accessible name and description too. `column`: (left, width) of the chips
    below, for a width of the page."""

    def __init__(self, column: Callable[[], tuple[int, int]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight: Sight | None = None
        self._column = column
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._measure()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._measure()
        self._redraw()

    def set_sight(self, sight: Sight) -> None:
        self._sight = sight
        self._redraw()

    def _measure(self) -> None:
        self._title, self._body = fonts.font("title"), fonts.font("body")
        self._caption = fonts.font("caption")
        self._of_title, self._of_body = QFontMetricsF(self._title), QFontMetricsF(self._body)
        self._of_caption = QFontMetricsF(self._caption)

    def _redraw(self) -> None:
        """Words and height anew."""
        sight = self._sight
        if sight is not None:
            title = f"{words.tokens(len(sight.context.ids))}, {words.about(sight)}"
            facts = (words.cached(sight), words.room(sight), words.parts(sight))
            self.setAccessibleName(title)
            self.setAccessibleDescription(" · ".join(filter(None, facts)))
        self.updateGeometry()
        self.update()

    # the lines under the bar

    def _side_by_side(self) -> bool:
        assert self._sight is not None
        _, wide = self._column()
        both = (words.cached(self._sight), words.room(self._sight))
        return sum(map(self._of_caption.horizontalAdvance, both)) + fonts.px(SPACE_24) <= wide

    def _lines(self) -> list[tuple[str, int]]:
        """(words, alignment); two in the same line where there is room."""
        if self._sight is None:
            return []
        second = _LINE_RIGHT if self._side_by_side() else _LINE_LEFT
        found = [(words.cached(self._sight), _LINE_LEFT), (words.room(self._sight), second)]
        told = words.parts(self._sight)
        return [*found, (told, _LINE_LEFT)] if told else found

    def sizeHint(self) -> QSize:
        px, lines = fonts.px, self._lines()
        rows = len(lines) - (1 if lines and self._side_by_side() else 0)
        return QSize(px(480), px(_LINES_TOP) + max(1, rows) * px(_LINE) + px(_BELOW))

    def resizeEvent(self, event: object) -> None:
        self.updateGeometry()  # the lines may need one more

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self._theme.surface))
        if self._sight is not None:
            left, wide = self._column()
            painter.translate(left, 0)
            self._paint_title(painter, wide)
            self._paint_bar(painter, wide)
            self._paint_lines(painter, wide)
        painter.end()

    def _paint_title(self, painter: QPainter, wide: int) -> None:
        assert self._sight is not None
        px, theme = fonts.px, self._theme
        count = words.tokens(len(self._sight.context.ids))
        top, high = px(_TOP), px(_TITLE)
        painter.setFont(self._title)
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(0, top, wide, high), _LINE_LEFT, count)
        painter.setFont(self._body)
        painter.setPen(QColor(theme.text2))
        at = self._of_title.horizontalAdvance(count) + px(SPACE_12)
        # on the title's base line
        down = self._of_title.ascent() - self._of_body.ascent()
        down -= (self._of_title.height() - self._of_body.height()) / 2
        about = self._of_body.elidedText(words.about(self._sight), Qt.TextElideMode.ElideRight, wide - at)
        painter.drawText(QRectF(at, top + down, wide - at, high), _LINE_LEFT, about)

    def _segments(self, wide: int) -> list[tuple[QRectF, str, str]]:
        """(rectangle, colour, words) of each group, as wide as its share."""
        assert self._sight is not None
        context, px = self._sight.context, fonts.px
        total, found = max(1, len(context.ids)), []
        for group in context.groups:
            left, right = (round(wide * at / total) for at in (group.first, group.last))
            gap = px(SPACE_2) if right - left > 3 * px(SPACE_2) and group.last < total else 0
            box = QRectF(left, px(_BAR_TOP), right - left - gap, px(_BAR))
            about = f"{words.who(group.who)}: {words.tokens(group.count)}"
            found.append((box, who_colour(self._theme, group.who), about))
        return found

    def _paint_bar(self, painter: QPainter, wide: int) -> None:
        assert self._sight is not None
        px, budget = fonts.px, self._sight.budget
        painter.setPen(Qt.PenStyle.NoPen)
        for box, colour, _ in self._segments(wide):
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(box, 2, 2)
        if budget.reused:
            right = round(wide * budget.reused / max(1, budget.total)) - 1
            top, bottom = px(_BRACKET_TOP) + 0.5, px(_BRACKET_TOP + _BRACKET) - 0.5
            painter.setPen(QPen(QColor(self._theme.text2), 1))
            painter.drawPolyline(
                [
                    QPointF(0.5, top),
                    QPointF(0.5, bottom),
                    QPointF(right + 0.5, bottom),
                    QPointF(right + 0.5, top),
                ]
            )

    def _paint_lines(self, painter: QPainter, wide: int) -> None:
        assert self._sight is not None
        px, theme = fonts.px, self._theme
        over = self._sight.budget.left is not None and self._sight.budget.left < 0
        room = words.room(self._sight)
        painter.setFont(self._caption)
        row = 0
        for text, side in self._lines():
            if text != words.cached(self._sight) and side == _LINE_LEFT:
                row += 1
            painter.setPen(QColor(theme.warn if over and text == room else theme.text2))
            area = QRectF(0, px(_LINES_TOP) + row * px(_LINE), wide, px(_LINE))
            painter.drawText(area, side, self._of_caption.elidedText(text, Qt.TextElideMode.ElideRight, wide))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._sight is not None:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos().x(), event.pos().y())), self)
            return True
        return super().event(event)

    def _tip(self, x: int, y: int) -> str:
        """Of a part of the bar whose it is, elsewhere everything that may be cut off."""
        left, wide = self._column()
        for box, _, about in self._segments(wide):
            if box.adjusted(0, -fonts.px(SPACE_8), 0, fonts.px(SPACE_8)).contains(x - left, y):
                return about
        return "\n".join((self.accessibleName(), self.accessibleDescription()))
