"""Paints chips: pills for special tokens, boxes for the others, signs for blanks, the cursor around one."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap

from core.prompt.context import Group, Who
from core.tokens.label import Sort
from desktop.context import words
from desktop.context.faces import ChipFonts, Face
from desktop.context.lines import is_text
from desktop.context.model import Form
from desktop.kit import fonts
from desktop.kit.theme import FOCUS_WIDTH, RADIUS_CONTROL, RADIUS_TOKEN, SPACE_4, Theme, mix

PICTURES = 2048  # of chips that are kept: more than any view shows
NEW_A_FRAME = 150
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine


def who_colour(theme: Theme, who: Who) -> str:
    """The bar of a group, here and in the budget; its name always stands beside it."""
    answer = mix(theme.heat_surprise[6], theme.accent, 0.6)
    return {
        Who.SYSTEM: theme.ctl,
        Who.USER: theme.accent,
        Who.ASSISTANT: answer,
        Who.THINKING: mix(answer, theme.surface, 0.55),
        Who.TEMPLATE: mix(theme.ctl, theme.surface, 0.5),
        Who.NEXT: mix(theme.ctl, theme.surface, 0.6),
        Who.PROMPT: theme.ctl,
    }[who]


class ChipPainter:
    """Draws faces with one theme. What was drawn once is kept as a picture, and a frame draws only so many
    new ones: a view full of chips would else take longer than a frame. `behind`: some are still to come."""

    def __init__(self, theme: Theme, chip_fonts: ChipFonts) -> None:
        self.fonts = chip_fonts
        self._text, self._faint = QColor(theme.text), QColor(theme.text3)
        self._accent = QColor(theme.accent)
        self._pill, self._blank, self._box = (
            QColor(theme.accent_soft),
            QColor(theme.hover),
            QColor(theme.side),
        )
        self._edge = QPen(QColor(theme.line), 1)
        self._focus = QPen(QColor(theme.focus), FOCUS_WIDTH)
        self._chosen = QColor(theme.selection)
        self._high = theme.name == "high_contrast"
        self._pictures: dict[tuple[object, ...], QPixmap] = {}
        self.drawn = 0  # new pictures so far
        self._last = NEW_A_FRAME
        self.behind = False
        self._radius = fonts.px(RADIUS_TOKEN)

    def begin(self) -> None:
        """A new frame."""
        self._last, self.behind = self.drawn + NEW_A_FRAME, False

    def draw(self, painter: QPainter, face: Face, box: QRectF, form: Form, *, current: bool = False) -> None:
        """`box`: where it stands, clipped to its row. Of running text only the cursor."""
        flowing = form is Form.TEXT and is_text(face)
        if not flowing and box.width() > 0:
            ratio = painter.device().devicePixelRatio()
            at = QPointF(round(box.left() * ratio) / ratio, box.top())
            painter.drawPixmap(at, self._picture(face, box.size(), ratio))
        if current:
            self._cursor(painter, box, flowing)

    def _picture(self, face: Face, size: QSizeF, ratio: float) -> QPixmap:
        box = (size.width(), size.height(), ratio)
        made = self._pictures.get((face.text, face.sort, face.mark, *box))
        if made is None:
            ground = self._pictures.get((face.sort, *box))
            if ground is None:
                ground = self._keep((face.sort, *box), self._ground_picture(face, size, ratio))
            if self.drawn >= self._last:
                self.behind = True
                return ground
            self.drawn += 1
            made = self._keep((face.text, face.sort, face.mark, *box), QPixmap(ground))
            painter = QPainter(made)
            self._words(painter, face, QRectF(QPointF(), size))
            painter.end()
        return made

    def _keep(self, key: tuple[object, ...], made: QPixmap) -> QPixmap:
        if len(self._pictures) >= PICTURES:
            del self._pictures[next(iter(self._pictures))]
        self._pictures[key] = made
        return made

    def _ground_picture(self, face: Face, size: QSizeF, ratio: float) -> QPixmap:
        made = QPixmap((size * ratio).toSize() + QSize(1, 1))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, face, QRectF(QPointF(), size))
        painter.end()
        return made

    def _ground(self, painter: QPainter, face: Face, box: QRectF) -> None:
        pill = face.sort is Sort.SPECIAL
        blank = face.sort is Sort.BLANK
        edged = (not pill and not blank) or self._high
        painter.setPen(self._edge if edged else Qt.PenStyle.NoPen)
        painter.setBrush(self._pill if pill else self._blank if blank else self._box)
        radius = box.height() / 2 if pill else self._radius
        inset = 0.5 if edged else 0.0
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius)

    def _cursor(self, painter: QPainter, box: QRectF, flowing: bool) -> None:
        if flowing:
            painter.fillRect(box, self._chosen)
        painter.setPen(self._focus)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = fonts.px(RADIUS_CONTROL) - 1
        painter.drawRoundedRect(box, radius, radius)

    def _words(self, painter: QPainter, face: Face, box: QRectF) -> None:
        special = face.sort is Sort.SPECIAL
        faint = face.sort in (Sort.BLANK, Sort.BYTES, Sort.ABSENT)
        painter.setFont(self.fonts.mono)
        left, text = box.left() + face.pad, face.text
        if face.width > box.width() + 1:
            text = self.fonts.of_mono.elidedText(
                text, Qt.TextElideMode.ElideMiddle, box.width() - 2 * face.pad
            )
        if text.startswith("·") and not faint and not special:  # the blank before a word steps back
            painter.setPen(self._faint)
            self._at(painter, left, box, "·", self.fonts.of_mono)
            left += self.fonts.of_mono.horizontalAdvance("·")
            text = text[1:]
        painter.setPen(self._accent if special else self._faint if faint else self._text)
        self._at(painter, left, box, text, self.fonts.of_mono)
        if face.mark:
            painter.setFont(self.fonts.small)
            painter.setPen(self._faint)
            self._at(painter, box.left() + face.mark_at, box, face.mark, self.fonts.of_small)

    def _at(self, painter: QPainter, left: float, box: QRectF, text: str, metrics: QFontMetricsF) -> None:
        base = box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(left, base), text)


_BAR = (3, 16)
_NAME_LEFT = 12
_ABOVE, _NAME, _COUNT = 12, 20, 16


class GroupPainter:
    """A group's name, its tokens, its colour, and the hairline above it."""

    def __init__(self, theme: Theme, names: int) -> None:
        """`names`: the width of their column."""
        self._theme, self._wide = theme, names
        self._name, self._count = fonts.font("body_strong"), fonts.font("caption")
        self._of_name = QFontMetricsF(self._name)

    def line(self, painter: QPainter, left: float, top: float, wide: float) -> None:
        painter.fillRect(QRectF(left, top, wide, 1), QColor(self._theme.line))

    def draw(self, painter: QPainter, group: Group, top: float, wide: float, at: float) -> None:
        """`at`: where the name stands, at the group's top or lower."""
        px, theme = fonts.px, self._theme
        self.line(painter, 0, top, wide)
        y = at + px(_ABOVE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(who_colour(theme, group.who)))
        bar = QRectF(0, y + px(2), px(_BAR[0]), px(_BAR[1]))
        painter.drawRoundedRect(bar, bar.width() / 2, bar.width() / 2)
        left, room = px(_NAME_LEFT), self._wide - px(_NAME_LEFT + SPACE_4)
        painter.setFont(self._name)
        painter.setPen(QColor(theme.text))
        name = self._of_name.elidedText(words.who(group.who), Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, y, room, px(_NAME)), int(_LEFT), name)
        painter.setFont(self._count)
        painter.setPen(QColor(theme.text3))
        area = QRectF(left, y + px(_NAME) - 1, room, px(_COUNT))
        painter.drawText(area, int(_LEFT), words.tokens(group.count))
