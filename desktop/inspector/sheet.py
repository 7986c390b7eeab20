"""Lays out and paints the content of a token card: texts, bars and boxes in the fixed order of the design."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from desktop.inspector import words
from desktop.inspector.items import Fill, Icon, Item, Paragraph, Text
from desktop.inspector.model import byte_boxes
from desktop.inspector.sentences import sentence
from desktop.inspector.values import CardModel, Row, Shape
from desktop.kit import fonts, icons
from desktop.kit.theme import Theme, bar_height, bar_pixels

WIDTH = 340
WIDTH_NARROW = 292
_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight


class Sheet:
    """All items of one card at one width. `height` is what it needs; buttons have `header` and `footer`."""

    def __init__(self, model: CardModel, theme: Theme, width: int) -> None:
        self.model = model
        self.theme = theme
        self.width = width
        self.items: list[Item] = []
        self.flags: list[tuple[str, QRectF]] = []  # each with its box, to copy
        self.rules: list[float] = []  # y of separating lines
        self._px = fonts.px
        self._pad = fonts.px(16)
        self._y = float(fonts.px(15))
        self._build()
        self.footer = self._y  # top of the row of buttons

    def _build(self) -> None:
        model = self.model
        self._chip()
        self._place()
        if model.figures:
            self._figures()
        self._evidence()
        if model.rows:
            self._rows()
        if model.facts:
            if model.rows:
                self._rule()
            self._facts()
        if model.guess:
            self._guess()
        if model.pieces or not model.rows:
            self._bytes()
        for remark in model.remarks:
            self._note(sentence(model, remark))
            if remark.flag:
                self._flag(remark.flag)
        self._y += self._px(10)

    # --- measures ------------------------------------------------------------------------------------

    @property
    def _inner(self) -> float:
        return self.width - 2 * self._pad

    def _text(
        self,
        x: float,
        width: float,
        height: float,
        text: str,
        role: str | QFont,
        colour: str,
        align: Qt.AlignmentFlag = _LEFT,
    ) -> None:
        font = fonts.font(role) if isinstance(role, str) else role
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width + 0.5)
        whole = text if shown != text else ""
        self.items.append(Text(QRectF(x, self._y, width, height), shown, font, colour, align, whole))

    # --- from top to bottom --------------------------------------------------------------------------

    def _chip(self) -> None:
        """The token on its tint."""
        model, theme = self.model, self.theme
        text = words.heading(model)
        special = model.name.shape is Shape.SPECIAL and not model.pieces
        plain = model.name.shape is Shape.EMPTY
        font = fonts.font("body" if plain else "mono")
        font.setPixelSize(self._px(13 if plain else 16))
        metrics = QFontMetricsF(font)
        room = self._inner - self._px(72)  # pin and close stand at the right
        pad, height = self._px(9), self._px(28)
        wide = min(metrics.horizontalAdvance(text) + 1, room - 2 * pad)
        box = QRectF(self._pad, self._y, wide + 2 * pad, height)
        step = model.step
        ground = theme.accent_soft if special else theme.hover
        if step is not None:
            ground = theme.heat_probability[step] if step else theme.hover
        self.items.append(Fill(box, ground, self._px(6)))
        tall = bar_pixels(theme, self._px(bar_height(step)) if step and bar_height(step) else 0)
        if tall:
            inset = self._px(4)
            bar = QRectF(box.left() + inset, box.bottom() - tall, box.width() - 2 * inset, tall)
            self.items.append(Fill(bar, theme.doubt_bar))
        colour = theme.accent if special else theme.text2 if plain else theme.text
        self._text(self._pad + pad, wide, height, text, font, colour)
        self._y += height + self._px(6)

    def _place(self) -> None:
        self._text(self._pad, self._inner, self._px(18), words.place(self.model), "small", self.theme.text3)
        self._y += self._px(18) + self._px(8)

    def _figures(self) -> None:
        """Three columns, as wide as they need but evenly spread where there is room."""
        shown = [(words.value(f), words.figure_label(f)) for f in self.model.figures]
        big, small = fonts.font("card_title"), fonts.font("caption")
        needs = [
            max(
                QFontMetricsF(big).horizontalAdvance(value),
                QFontMetricsF(small).horizontalAdvance(label),
            )
            + 2
            for value, label in shown
        ]
        even = self._inner / len(shown)
        fits = all(need <= even - self._px(6) for need in needs)
        gap = (self._inner - sum(needs)) / max(len(shown) - 1, 1)
        x = float(self._pad)
        top = self._y
        for (value, label), need in zip(shown, needs, strict=True):
            room = even - self._px(6) if fits else min(need, self._inner / len(shown) * 1.5)
            self._y = top
            self._text(x, room, self._px(24), value, big, self.theme.text)
            self._y += self._px(24)
            self._text(x, room, self._px(16), label, small, self.theme.text3)
            x += even if fits else need + max(gap, self._px(4))
        self._y = top + self._px(40) + self._px(9)

    def _evidence(self) -> None:
        theme, model = self.theme, self.model
        side, height = self._px(14), self._px(20)
        middle = self._y + (height - side) / 2
        self.items.append(Icon(QRectF(self._pad, middle, side, side), words.ICONS[model.kind], theme.text3))
        left = self._pad + side + self._px(6)
        self._wrapped(
            left, self._inner - (left - self._pad), words.evidence(model), "small_strong", theme.text2
        )
        self._y += self._px(4)

    @cached_property
    def _value_room(self) -> float:
        """One for all rows, so that their bars begin and end together. No number is ever cut short."""
        metrics = QFontMetricsF(fonts.font("small_strong"))
        shown = (*self.model.rows, *([self.model.others] if self.model.others is not None else []))
        widest = max((metrics.horizontalAdvance(row.value) for row in shown), default=0.0)
        return max(self._px(58), widest + 1)

    def _rows(self) -> None:
        for row in self.model.rows:
            if row.chosen and self.model.between:
                height = self._px(20)
                self._text(
                    self._pad + self._px(26),
                    self._inner - self._px(26),
                    height,
                    words.between(self.model.between),
                    "caption",
                    self.theme.text3,
                )
                self._y += height
            self._row(row)
        if self.model.others is not None:
            self._row(self.model.others, rest=True)
        self._y += self._px(4)

    def _row(self, row: Row, *, rest: bool = False) -> None:
        theme, px = self.theme, self._px
        height = px(25)
        if row.chosen:
            box = QRectF(px(6), self._y + px(1), self.width - 2 * px(6), height - px(2))
            self.items.append(Fill(box, theme.accent_soft, px(6)))
        colour = theme.text3 if row.cut else theme.text
        role = "small_strong" if row.chosen else "small"
        rank_room = px(20)
        if not rest:
            text = words.rank(row)
            font = fonts.font("caption")
            wide = max(QFontMetricsF(font).horizontalAdvance(text) + 1, rank_room)
            # a long rank grows into the margin, not into the token
            self._text(self._pad + rank_room - wide, wide, height, text, font, theme.text3, _RIGHT)
        value_room = self._value_room
        bar_room = (px(102) if self.width >= px(WIDTH) else px(60)) + px(58) - value_room
        value_left = self.width - self._pad - value_room
        bar_left = value_left - px(4) - bar_room if row.share is not None else value_left
        left = self._pad + px(28)
        name = words.everything_else() if rest else words.row_name(row)
        mono = not rest and row.name.shape is not Shape.EMPTY
        font = fonts.font("mono" if mono else "small")
        if mono:
            font.setPixelSize(px(12))
        if row.chosen:
            font.setWeight(QFont.Weight.DemiBold)
        special = not rest and row.name.shape is Shape.SPECIAL and not row.cut
        named = theme.accent if special else theme.text2 if rest else colour
        self._text(left, bar_left - px(6) - left, height, name, font, named)
        self._text(value_left, value_room, height, row.value, role, theme.text2 if rest else colour, _RIGHT)
        if row.share is not None:
            self._bar(row, bar_left, bar_room, height, rest)
        self._y += height

    def _bar(self, row: Row, left: float, room: float, height: float, rest: bool) -> None:
        """A true share of 100 %."""
        theme, tall = self.theme, self._px(8)
        top = self._y + (height - tall) / 2
        track = theme.surface if row.chosen else theme.hover
        self.items.append(Fill(QRectF(left, top, room, tall), track, self._px(2)))
        share = row.share or 0.0
        if share > 0:
            wide = max(room * min(share, 1.0), 1.0)
            colour = theme.accent if row.chosen else theme.ctl
            if row.cut:
                colour = theme.ctl
            self.items.append(Fill(QRectF(left, top, wide, tall), colour, min(self._px(2), wide / 2), rest))

    def _rule(self) -> None:
        self._y += self._px(6)
        self.rules.append(self._y)
        self._y += self._px(7)

    def _facts(self) -> None:
        theme = self.theme
        height = self._px(23)
        for fact in self.model.facts:
            known = words.value(fact)
            shown = known or words.missing(self.model)
            font = fonts.font("small_strong" if known else "small")
            wide = QFontMetricsF(font).horizontalAdvance(shown) + 1
            colour = theme.text if known else theme.text3
            label_room = self._inner - wide - self._px(8)
            self._text(self._pad, label_room, height, words.label(fact.label), "small", theme.text2)
            self._text(self.width - self._pad - wide, wide, height, shown, font, colour, _RIGHT)
            self._y += height
        self._y += self._px(2)

    def _guess(self) -> None:
        theme, height = self.theme, self._px(22)
        middle = self._y + height / 2
        for dot in range(4):
            box = QRectF(self._pad + dot * self._px(4), middle - 1, 2, 2)
            self.items.append(Fill(box, theme.accent, 1))
        left = self._px(22)
        self._text(
            self._pad + left,
            self._inner - left,
            height,
            words.guess_kept(self.model),
            "small_strong",
            theme.accent,
        )
        self._y += height

    def _bytes(self) -> None:
        """The bytes; those of the present piece on the accent."""
        theme, px = self.theme, self._px
        boxes = byte_boxes(self.model)
        if not boxes:
            return
        label = words.bytes_label()
        label_room = QFontMetricsF(fonts.font("small")).horizontalAdvance(label) + px(12)
        wide, gap, height = px(20), px(2), px(20)
        per_line = max(int((self._inner - label_room + gap) // (wide + gap)), 1)
        self._y += px(3)
        self._text(self._pad, label_room, height, label, "small", theme.text2)
        font = fonts.font("mono_small")
        for start in range(0, len(boxes), per_line):
            line = boxes[start : start + per_line]
            x = self.width - self._pad - len(line) * (wide + gap) + gap
            for text, piece in line:
                here = piece == self.model.piece and bool(self.model.pieces)
                box = QRectF(x, self._y, wide, height)
                self.items.append(Fill(box, theme.accent_soft if here else theme.hover, px(3)))
                colour = theme.accent if here else theme.text2
                self._text(
                    x - px(1), wide + px(2), height, text or "…", font, colour, Qt.AlignmentFlag.AlignHCenter
                )
                x += wide + gap
            self._y += height + gap
        self._y += px(4)

    def _note(self, text: str) -> None:
        self._y += self._px(3)
        self._wrapped(self._pad, self._inner, text, "small", self.theme.text2)

    def _wrapped(self, left: float, width: float, text: str, role: str, colour: str) -> None:
        font = fonts.font(role)
        flags = int(Qt.TextFlag.TextWordWrap) | int(_LEFT)
        needed = QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10_000), flags, text)
        line = self._px(18)
        lines = max(round(needed.height() / QFontMetricsF(font).lineSpacing()), 1)
        height = max(needed.height(), line if lines == 1 else needed.height()) + 2
        self.items.append(Paragraph(QRectF(left, self._y, width, height), text, font, colour))
        self._y += height

    def _flag(self, flag: str) -> None:
        """A flag to copy, broken only where it has blanks."""
        px, font = self._px, fonts.font("mono_small")
        line, room = px(18), self._inner - px(44)
        lines = _broken(flag, QFontMetricsF(font), room)
        self._y += px(6)
        box = QRectF(self._pad, self._y, self._inner, px(10) + len(lines) * line)
        self.items.append(Fill(box, self.theme.hover, px(4)))
        self._y += px(5)
        for text in lines:
            self._text(self._pad + px(8), room, line, text, font, self.theme.text2)
            self._y += line
        self._y = box.bottom() + px(3)
        self.flags.append((flag, box))

    # --- painting ------------------------------------------------------------------------------------

    def shortened_at(self, point: QPointF) -> str:
        """The whole text of what is shortened at this point, "" if nothing is."""
        for item in self.items:
            if isinstance(item, Text) and item.whole and item.rect.contains(point):
                return item.whole
        return ""

    def paint(self, painter: QPainter, ratio: float) -> None:
        """Everything but the ground and the buttons."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item in self.items:
            if isinstance(item, Fill):
                self._paint_fill(painter, item)
            elif isinstance(item, Icon):
                side = round(item.rect.width())
                painter.drawPixmap(item.rect.topLeft(), icons.pixmap(item.name, item.colour, side, ratio))
            elif isinstance(item, Text):
                painter.setFont(item.font)
                painter.setPen(QColor(item.colour))
                flags = item.align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
                painter.drawText(item.rect, flags | Qt.TextFlag.TextDontClip, item.text)
            else:
                painter.setFont(item.font)
                painter.setPen(QColor(item.colour))
                flags = _LEFT | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(item.rect, flags, item.text)
        for y in self.rules:
            painter.fillRect(QRectF(self._pad, y, self._inner, 1), QColor(self.theme.line))

    def _paint_fill(self, painter: QPainter, item: Fill) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if not item.hatch:
            painter.setBrush(QColor(item.colour))
            painter.drawRoundedRect(item.rect, item.radius, item.radius)
            return
        box = item.rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(QBrush(QColor(item.colour), Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(QColor(item.colour), 1))
        painter.drawRoundedRect(box, item.radius, item.radius)


def _broken(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """Lines of whole words, each flag with its value if there is room."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and not word.startswith("--") and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
