"""Paints the rows of the start timeline: marks, words, bars on one time axis, the line of now.

Where everything stands is computed once a size (`Places`); painting touches only the rows that a repaint asks
for, and measures no text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from core.server.state import StepStatus
from desktop.kit import fonts
from desktop.kit.theme import RADIUS_BANNER, SPACE_8, SPACE_12, SPACE_24, Theme, mix
from desktop.server import words
from desktop.server.timeline_rows import Axis, Row

ROW: Final = 36  # px, at zoom 100 %
AXIS: Final = 28
MARK: Final = 18
BAR: Final = 10
LEAST_BAR: Final = 3
_BARS_SHARE: Final = 0.57  # of the room beside names and times, for the bars
_WIDE: Final = 600  # with less room than this, for the bars half of it
_LEAST_BARS: Final = 150
_LEFT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)
_CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine)
# strokes from the middle of a mark, at zoom 100 %
_CHECK: Final = (((-3.5, 0.5), (-1.0, 3.0), (3.5, -2.5)),)
_CROSS: Final = (((-2.7, -2.7), (2.7, 2.7)), ((-2.7, 2.7), (2.7, -2.7)))
DIAL: Final = 16  # of QPainter's arcs: sixteenths of a degree


@dataclass(frozen=True, slots=True)
class Places:
    """Columns in px: where names, details, bars begin, and where they and the times end."""

    name: int
    detail: int
    detail_end: int
    bars: int
    bars_end: int
    time_end: int
    inset: int

    def x(self, seconds: float, axis: Axis) -> float:
        return self.bars + (self.bars_end - self.bars) * min(seconds / axis.span, 1.0)

    def row(self, at: int) -> QRect:
        """The whole row, with the ground of the running one."""
        px = fonts.px
        return QRect(0, px(AXIS) + at * px(ROW), self.time_end + self.inset, px(ROW))

    def mark(self, at: int) -> QRect:
        row, side = self.row(at), fonts.px(MARK)
        return QRect(self.inset, row.y() + (row.height() - side) // 2, side, side)


def places(rows: tuple[Row, ...], width: int) -> Places:
    """The columns for a widget of this width: names and times have the room of the longest."""
    px = fonts.px
    inset = px(SPACE_12)
    strong, small = QFontMetrics(fonts.font("body_strong")), QFontMetrics(fonts.font("small_strong"))
    name = inset + px(MARK) + px(SPACE_12)
    names = max((strong.horizontalAdvance(row.name) for row in rows), default=0)
    times = max((small.horizontalAdvance(row.time) for row in rows), default=0)
    time_end = max(width - inset, name)
    detail = name + names + px(SPACE_24) - px(4)
    bars_end = time_end - max(times, px(64)) - px(SPACE_12)
    room = max(bars_end - detail, 0)
    share = _BARS_SHARE if room >= px(_WIDE) else 0.5
    bars = bars_end - min(room, max(px(_LEAST_BARS), round(room * share)))
    return Places(name, detail, max(detail, bars - px(SPACE_24)), bars, bars_end, time_end, inset)


class Painter:
    """Paints one state of the timeline with the fonts and the colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.small, self.caption = fonts.font("small"), fonts.font("caption")
        self.tick_room = QFontMetrics(self.caption).horizontalAdvance("00:00") + fonts.px(SPACE_8)
        self.strong, self.small_strong = fonts.font("body_strong"), fonts.font("small_strong")

    def axis(self, painter: QPainter, at: Places, axis: Axis, height: int) -> None:
        painter.setFont(self.caption)
        top, half = fonts.px(AXIS) - fonts.px(SPACE_8), fonts.px(SPACE_24)
        apart = at.x(axis.ticks[1], axis) - at.bars if len(axis.ticks) > 1 else self.tick_room
        every = max(1, math.ceil(self.tick_room / max(apart, 1.0)))  # where labels have no room, fewer
        for tick in axis.ticks[::every]:
            x = round(at.x(tick, axis))
            painter.setPen(QColor(self._quiet_line()))
            painter.drawLine(x, top, x, height)
            painter.setPen(QColor(self.theme.text2))
            painter.drawText(QRect(x - half, 0, 2 * half, top - 2), _CENTRE, words.clock(tick))

    def _quiet_line(self) -> str:
        """White lines of high contrast would cut the bars."""
        theme = self.theme
        return mix(theme.line, theme.surface, 0.35) if theme.name == "high_contrast" else theme.line

    def now(self, painter: QPainter, x: float, top: int, height: int) -> None:
        painter.setPen(QPen(QColor(self.theme.accent), 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, top), QPointF(x, height))

    def ground(self, painter: QPainter, row: Row, rect: QRect, focused: bool) -> None:
        """Of the running row; a ring where the keyboard is."""
        if row.status is StepStatus.RUNNING:
            self._box(painter, rect, self.theme.accent_soft, None)
        if focused:
            self._box(painter, rect.adjusted(1, 1, -1, -1), None, self.theme.focus)

    def _box(self, painter: QPainter, rect: QRect, fill: str | None, line: str | None) -> None:
        painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(line), 2) if line else Qt.PenStyle.NoPen)
        radius = fonts.px(RADIUS_BANNER)
        painter.drawRoundedRect(QRectF(rect), radius, radius)

    def words(self, painter: QPainter, row: Row, detail: str, rect: QRect, at: Places) -> None:
        theme, status = self.theme, row.status
        running = status is StepStatus.RUNNING
        waiting = status in (StepStatus.TODO, StepStatus.SKIPPED)
        loud = theme.err if status is StepStatus.FAILED else theme.text3 if waiting else theme.text
        self._text(
            painter, self.strong, loud, QRect(at.name, rect.y(), at.detail - at.name, rect.height()), row.name
        )
        quiet = theme.text3 if waiting else theme.text2
        room = QRect(at.detail, rect.y(), at.detail_end - at.detail, rect.height())
        self._text(painter, self.small, theme.text if running else quiet, room, detail)
        font = self.small_strong if running else self.small
        room = QRect(at.bars_end, rect.y(), at.time_end - at.bars_end, rect.height())
        self._text(painter, font, theme.accent if running else quiet, room, row.time, _RIGHT)

    @staticmethod
    def _text(
        painter: QPainter, font: QFont, colour: str, rect: QRect, text: str, flags: int = _LEFT
    ) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(rect, flags, text)

    def bar(self, painter: QPainter, row: Row, rect: QRect, at: Places, axis: Axis) -> None:
        if row.begin is None:
            return
        height = fonts.px(BAR)
        top = rect.y() + (rect.height() - height) / 2
        theme, least = self.theme, fonts.px(LEAST_BAR)
        begin = at.x(row.begin, axis)
        radius = fonts.px(3)
        if row.outline is not None:
            line = theme.accent if row.status is StepStatus.RUNNING else theme.ctl
            painter.setPen(QPen(QColor(line), 1))
            painter.setBrush(QColor(theme.surface))
            wide = max(at.x(row.outline, axis) - begin, 2 * least)
            painter.drawRoundedRect(
                QRectF(begin, top, wide, height).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius
            )
        if row.end is None:
            return
        colours = {StepStatus.RUNNING: theme.accent, StepStatus.FAILED: theme.err}
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.get(row.status, theme.ok)))
        wide = max(at.x(row.end, axis) - begin, least)
        painter.drawRoundedRect(QRectF(begin, top, wide, height), min(radius, wide / 2), radius)

    def mark(self, painter: QPainter, status: StepStatus, rect: QRect, turn: float) -> None:
        """The sign of a step; `turn`: 0..1 of the ring of the one that runs."""
        theme = self.theme
        ring = QRectF(rect).adjusted(1.5, 1.5, -1.5, -1.5)
        if status is StepStatus.RUNNING:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(mix(theme.accent, theme.accent_soft, 0.25)), 2.4))
            painter.drawEllipse(ring)
            pen = QPen(QColor(theme.accent), 2.4)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawArc(ring, round((90 - 360 * turn) * DIAL), -200 * DIAL)
            return
        if status in (StepStatus.TODO, StepStatus.SKIPPED):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.ctl), 1.5))
            painter.drawEllipse(ring)
            if status is StepStatus.SKIPPED:
                middle, arm = ring.center(), ring.width() / 4
                painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0))
            return
        failed = status is StepStatus.FAILED
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.err if failed else theme.ok))
        painter.drawEllipse(QRectF(rect))
        pen = QPen(QColor(theme.surface), fonts.px(2))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        middle, unit = QRectF(rect).center(), rect.width() / MARK
        for stroke in _CROSS if failed else _CHECK:
            painter.drawPolyline([middle + QPointF(x, y) * unit for x, y in stroke])
