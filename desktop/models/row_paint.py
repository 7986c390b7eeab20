"""Paints a row of the picker's list: heading or model, with its badge, state, bar and button."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.theme import (
    LIGHT,
    RADIUS_BANNER,
    RADIUS_CONTROL,
    SPACE_4,
    SPACE_8,
    SPACE_12,
    Theme,
    mix,
)
from desktop.models import words
from desktop.models.rows import ROW_ROLE, Heading, Index, Kind, ModelRows
from desktop.models.values import Badge, ModelRow, State

_HEADING: Final = 34  # px, at zoom 100 %
_ROW: Final = 52
_TALL: Final = 72
_HIGH: Final = {Kind.HEADING: _HEADING, Kind.PLAIN: _ROW, Kind.BAR: _TALL}
_EDGE: Final = 8  # between the row's ground and the list's side
_BADGE_AT: Final = 168  # from the right
_BADGE: Final = 20
_SIZE: Final = 72
_BUTTON: Final = 80
_BUTTON_HIGH: Final = 30
_BAR: Final = 6
_BAR_WORDS: Final = 96
_ICON: Final = 14
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
_RIGHT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


def button_of(row: ModelRow) -> tuple[str, str, str]:
    """(what it does, its word, its icon); empty without a button."""
    if row.badge is Badge.UNSUPPORTED and row.state in (State.ABSENT, State.GATED):
        return "why", QCoreApplication.translate("Models", "Why"), ""
    if row.state is State.ABSENT:
        return "get", QCoreApplication.translate("Models", "Get"), "down"
    if row.state is State.GATED:
        return "ask", QCoreApplication.translate("Models", "Ask"), "lock"
    if row.state is State.DAMAGED:
        return "repair", QCoreApplication.translate("Models", "Repair"), ""
    return "", "", ""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a row are."""

    name: QRect
    note: QRect
    size: QRect
    badge: QRect
    state: QRect
    button: QRect
    bar: QRect
    bar_words: QRect


@lru_cache(maxsize=64)
def _face(role: str, _zoom: int) -> tuple[QFont, QFontMetrics]:
    """A font is dear to make, and a row needs eight."""
    font = fonts.font(role)
    return font, QFontMetrics(font)


def _advance(role: str, text: str) -> int:
    return _face(role, fonts.zoom())[1].horizontalAdvance(text) + 1


def places(rect: QRect, row: ModelRow) -> Places:
    px = fonts.px
    inner = rect.adjusted(px(_EDGE + SPACE_12), 0, -px(_EDGE) - px(SPACE_8), 0)
    top, line = inner.top() + px(7), fonts.line_height("body")
    right = inner.right() + 1
    badge_left = right - px(_BADGE_AT)
    word = words.badge_word(row.badge)
    wide = _advance("caption_strong", word) + px(_ICON + SPACE_4) + 2 * px(SPACE_8) if word else 0
    action, text, sign = button_of(row)
    least = _advance("body_strong", text) + px(_ICON + SPACE_4 if sign else 0) + px(SPACE_12) * 2
    if action:  # a long badge moves to the left before it meets the button
        badge_left = min(badge_left, right - least - px(SPACE_8) - wide)
    badge = QRect(badge_left, top, wide, px(_BADGE))
    size_left = badge_left - px(SPACE_12) - px(_SIZE)
    name = QRect(inner.left(), top, size_left - px(SPACE_8) - inner.left(), line)
    button = QRect()
    if action:
        room = right - badge.right() - px(SPACE_8)
        wide = max(least, min(px(_BUTTON), room))
        button = QRect(right - wide, rect.center().y() + 1 - px(_BUTTON_HIGH) // 2, wide, px(_BUTTON_HIGH))
    note_right = right - (button.width() + px(SPACE_8) if action else 0)
    note = QRect(inner.left(), top + line, note_right - inner.left(), fonts.line_height("small"))
    at = badge.right() + px(SPACE_8)
    state = QRect(at, top, right - at, line)
    bar_words = QRect(right - px(_BAR_WORDS), note.bottom() + 1, px(_BAR_WORDS), line)
    if row.has_bar:
        wide = _advance("small_strong", words.state_word(row))
        bar_words.setLeft(right - max(wide, px(_BAR_WORDS)))
    bar_right = bar_words.left() - px(SPACE_12)
    bar = QRect(inner.left(), bar_words.center().y() - px(_BAR) // 2, bar_right - inner.left(), px(_BAR))
    return Places(name, note, QRect(size_left, top, px(_SIZE), line), badge, state, button, bar, bar_words)


class RowDelegate(QStyledItemDelegate):
    """`hot`: the row whose button the pointer is on, `pressed`: it is held down."""

    def __init__(self, rows: ModelRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self.theme: Theme = LIGHT
        self.hot = -1
        self.pressed = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, fonts.px(_HIGH[self._rows.kind(index.row())]))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, ModelRow):
            self._paint_row(painter, option, index, row)
        elif isinstance(row, Heading):
            px = fonts.px
            inner = option.rect.adjusted(px(_EDGE + SPACE_12), px(SPACE_8), -px(_EDGE) - px(SPACE_8), 0)
            name = words.group_word(row.group)
            self._text(painter, inner, name, "caption_strong", self.theme.text2)
            room = inner.adjusted(_advance("caption_strong", name) + px(SPACE_8), 0, 0, 0)
            self._text(painter, room, row.note, "caption", self.theme.text3, _RIGHT)
        painter.restore()

    def _paint_row(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: ModelRow
    ) -> None:
        theme, px = self.theme, fonts.px
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = theme.accent_soft if chosen else theme.hover if hovered else None
        box = QRectF(option.rect.adjusted(px(_EDGE), 1, -px(_EDGE), -1))
        radius = px(RADIUS_BANNER)
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box, radius, radius)
        view = option.widget
        if chosen and isinstance(view, QAbstractItemView) and view.hasFocus():
            painter.setPen(QPen(QColor(theme.focus), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        at = places(option.rect, row)
        second = theme.text2 if ground else theme.text3
        self._text(painter, at.name, row.name, "body_strong", theme.text)
        if row.trouble:
            tone = theme.err if row.state in (State.FAILED, State.DAMAGED) else theme.warn
            self._text(painter, at.note, row.trouble, "small", tone)
        else:
            self._text(painter, at.note, row.note, "mono_small", second)
        if row.size:
            self._text(painter, at.size, words.size(row.size), "small", theme.text2, _RIGHT)
        if row.badge is not Badge.NONE:
            self._paint_badge(painter, at.badge, row.badge, on_soft=chosen)
        if row.has_bar:
            self._paint_bar(painter, at, row, on_soft=chosen)
        elif not at.button.isNull():
            self._paint_button(painter, at.button, index.row(), row)
        else:
            self._paint_state(painter, at.state, row, second)

    def _paint_badge(self, painter: QPainter, rect: QRect, badge: Badge, *, on_soft: bool) -> None:
        theme, px = self.theme, fonts.px
        name, role = words.BADGE_SIGNS[badge]
        colour = getattr(theme, role)
        ground = theme.surface if on_soft else getattr(theme, f"{role}_soft", theme.hover)
        painter.setBrush(QColor(ground))
        high = theme.name == "high_contrast"  # whose soft grounds are black
        painter.setPen(QColor(colour) if high else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(
            QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), rect.height() / 2, rect.height() / 2
        )
        self._icon(painter, name, colour, QPoint(rect.left() + px(SPACE_8), rect.center().y()), px(_ICON))
        inner = rect.adjusted(px(SPACE_8) + px(_ICON + SPACE_4), 0, 0, 0)
        self._text(painter, inner, words.badge_word(badge), "caption_strong", colour)

    @staticmethod
    def _icon(painter: QPainter, name: str, colour: str, middle_left: QPoint, side: int) -> None:
        device = painter.device()
        ratio = device.devicePixelRatio() if device is not None else 1.0
        picture = icons.pixmap(name, colour, side, ratio)
        painter.drawPixmap(middle_left.x(), middle_left.y() + 1 - side // 2, picture)

    def _paint_state(self, painter: QPainter, rect: QRect, row: ModelRow, colour: str) -> None:
        text = words.state_word(row)
        if row.state is not State.RUNNING:
            self._text(painter, rect, text, "small", colour, _RIGHT)
            return
        px = fonts.px
        self._text(painter, rect, text, "small_strong", self.theme.ok, _RIGHT)
        left = rect.right() - _advance("small_strong", text) - px(SPACE_4) - px(SPACE_8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.ok))
        painter.drawEllipse(QRectF(left, rect.center().y() + 1 - px(4), px(SPACE_8), px(SPACE_8)))

    def _paint_bar(self, painter: QPainter, at: Places, row: ModelRow, *, on_soft: bool) -> None:
        theme = self.theme
        tone = {
            State.STALLED: theme.warn,
            State.FAILED: theme.err,
            State.PAUSED: theme.ctl,
            State.PARTIAL: theme.ctl,
        }.get(row.state, theme.accent)
        paint_bar(painter, at.bar, row.done / row.size, tone, theme, on_soft=on_soft)
        moving = row.state in (State.FETCHING, State.VERIFYING)
        colour = theme.accent if moving else theme.text2 if tone == theme.ctl else tone
        self._text(painter, at.bar_words, words.state_word(row), "small_strong", colour, _RIGHT)

    def _paint_button(self, painter: QPainter, rect: QRect, place: int, row: ModelRow) -> None:
        theme, px = self.theme, fonts.px
        _, text, sign = button_of(row)
        ground = theme.hover if place == self.hot else theme.surface
        if place == self.hot and self.pressed:
            ground = mix(theme.text, theme.hover, 0.08)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(ground))
        radius = px(RADIUS_CONTROL)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        wide = _advance("body_strong", text) + (px(_ICON + SPACE_4) if sign else 0)
        left = rect.left() + (rect.width() - wide) // 2
        if sign:
            self._icon(painter, sign, theme.text2, QPoint(left, rect.center().y()), px(_ICON))
            left += px(_ICON + SPACE_4)
        self._text(
            painter,
            QRect(left, rect.top(), rect.right() - left, rect.height()),
            text,
            "body_strong",
            theme.text,
        )

    @staticmethod
    def _text(
        painter: QPainter, area: QRect, text: str, role: str, colour: str, flags: Qt.AlignmentFlag = _LEFT
    ) -> None:
        font, metrics = _face(role, fonts.zoom())
        painter.setFont(font)
        painter.setPen(QColor(colour))
        mode = Qt.TextElideMode.ElideMiddle if flags == _LEFT else Qt.TextElideMode.ElideRight
        shown = metrics.elidedText(text, mode, max(area.width(), 0))
        painter.drawText(area, int(flags), shown)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """What is shortened is whole in the tooltip."""
        row = index.data(ROW_ROLE)
        tip = tip_at(option.rect, row, event.pos()) if isinstance(row, ModelRow) else ""
        QToolTip.showText(event.globalPos(), plain_tip(tip), view)
        return True


def tip_at(rect: QRect, row: ModelRow, at: QPoint) -> str:
    found = places(rect, row)
    note, role = (row.trouble, "small") if row.trouble else (row.note, "mono_small")
    for area, text, font in (
        (found.name, row.name, "body_strong"),
        (found.note, note, role),
        (found.state, "" if row.has_bar else words.state_word(row), "small"),
    ):
        if area.contains(at) and text and _advance(font, text) > area.width() + 1:
            return text
    return ""


def paint_bar(
    painter: QPainter, rect: QRect, share: float, colour: str, theme: Theme, *, on_soft: bool = False
) -> None:
    """How far something is, 0 to 1. In high contrast what is to come is an outline."""
    area, radius = QRectF(rect), rect.height() / 2
    outlined = theme.name == "high_contrast"
    painter.setPen(QPen(QColor(theme.line), 1) if outlined else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface if on_soft or outlined else theme.line))
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5) if outlined else area, radius, radius)
    done = QRectF(area)
    done.setWidth(area.width() * min(max(share, 0.0), 1.0))
    if done.width() > 0:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(done, min(radius, done.width() / 2), radius)
