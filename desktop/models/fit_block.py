"""Whether a model fits, drawn: the stacked bar of its summands with their ranges, the sum, one sentence."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QLine, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel, plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_4, SPACE_8, SPACE_12, Theme, mix
from desktop.models import words
from desktop.models.parts import Note, label
from desktop.models.values import Badge, FitView

_BAR: Final = 20  # px, at zoom 100 %
_LINE: Final = 24
_SWATCH: Final = 10
_PALEST: Final = 0.22  # of the accent, in the last summand
_STEP: Final = 0.3  # from one summand to the next, at most
_TONES: Final = {
    Badge.TIGHT: ("warn", "warn"),
    Badge.TOO_BIG: ("x", "err"),
    Badge.UNKNOWN: ("info", "text2"),
    Badge.NONE: ("info", "text2"),
    Badge.UNSUPPORTED: ("info", "text2"),
}
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
_RIGHT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


class FitTable(QWidget):
    """Bar, one line a summand, the sum. Its numbers are its accessible name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fit: FitView | None = None
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_fit(self, fit: FitView) -> None:
        if fit != self._fit:
            self._fit = fit
            self.updateGeometry()
            self.update()
        self.setAccessibleName(words.fit_spoken(fit))
        self.setVisible(bool(words.shown(fit)))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(words.shown(self._fit)) if self._fit is not None else 0
        px = fonts.px
        return QSize(0, px(_BAR) + px(SPACE_8) + (lines + 1) * px(_LINE) + px(SPACE_4) + px(SPACE_8))

    def shade(self, place: int) -> str:
        """The colour of the summand at this place."""
        theme = self._theme
        count = len(words.shown(self._fit)) if self._fit is not None else 1
        step = min(_STEP, (1 - _PALEST) / max(count - 1, 1))
        return mix(theme.accent, theme.surface, 1 - step * place)

    def paintEvent(self, event: QPaintEvent) -> None:
        fit = self._fit
        if fit is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bar(painter, fit)
        px, theme = fonts.px, self._theme
        top = px(_BAR) + px(SPACE_8)
        for place, part in enumerate(words.shown(fit)):
            row = QRect(0, top, self.width(), px(_LINE))
            side = px(_SWATCH)
            swatch = QRectF(0.5, row.center().y() + 1 - side / 2, side, side)
            painter.setPen(QPen(QColor(theme.line), 1) if not theme.shadow_alpha else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.shade(place)))
            painter.drawRoundedRect(swatch, 2, 2)
            value = words.memory(part.low, part.high)
            inner = row.adjusted(side + px(SPACE_8) + 2, 0, 0, 0)
            self._pair(painter, inner, words.part_word(part.code), value, "small", theme.text2)
            top += px(_LINE)
        top += px(SPACE_4)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(QLine(0, top, self.width(), top))
        top += px(SPACE_4)
        row = QRect(0, top, self.width(), px(_LINE))
        self._pair(painter, row, self.tr("Needs"), words.needs(fit), "small_strong", theme.text)
        painter.end()

    def _pair(self, painter: QPainter, row: QRect, name: str, value: str, role: str, colour: str) -> None:
        strong = fonts.font("small_strong")
        painter.setFont(strong)
        painter.setPen(QColor(self._theme.text))
        painter.drawText(row, int(_RIGHT), value)
        room = row.width() - QFontMetrics(strong).horizontalAdvance(value) - fonts.px(SPACE_8)
        painter.setFont(fonts.font(role))
        painter.setPen(QColor(colour))
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, max(room, 0))
        painter.drawText(row, int(_LEFT), shown)

    def _paint_bar(self, painter: QPainter, fit: FitView) -> None:
        px, theme, wide = fonts.px, self._theme, self.width()
        bar = QRect(0, 0, wide, px(_BAR))
        painter.setPen(QPen(QColor(theme.line), 1) if not theme.shadow_alpha else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.hover))
        painter.drawRoundedRect(QRectF(bar).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        whole = max(fit.room or 0, fit.high) or 1
        x = 0.0
        for place, part in enumerate(words.shown(fit)):
            piece = wide * part.high / whole
            gap = 1.0 if piece > 2 else 0.0
            painter.fillRect(QRectF(x, 0, piece - gap, bar.height()), QColor(self.shade(place)))
            x += piece
        spare = words.spare(fit)
        font = fonts.font("caption_strong")
        room = QRect(round(x), 0, wide - round(x) - px(SPACE_4), bar.height())
        if spare and QFontMetrics(font).horizontalAdvance(spare) + px(SPACE_4) <= room.width():
            painter.setFont(font)
            painter.setPen(QColor(theme.text2))
            painter.drawText(room, int(_RIGHT), spare)
        if fit.room is not None and fit.high > fit.room:  # what there is ends here
            end = round(wide * fit.room / whole)
            painter.fillRect(QRect(end - px(4), -1, px(4) * 2, bar.height() + 2), QColor(theme.surface))
            painter.fillRect(QRect(end - px(2) // 2, 0, px(2), bar.height()), QColor(theme.err))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.accessibleName()), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.update()


class FootRow(QWidget):
    """A name and its value below the verdict; not shown without a value."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = label(self, "small", "text2", wrap=False)
        self.value = QLabel(self)
        mark(self.value, role="small_strong")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self._name)
        self._row.addStretch(1)
        self._row.addWidget(self.value)

    def set_words(self, name: str, value: str) -> None:
        self._name.setText(name)
        self.value.setText(value)
        self.setVisible(bool(value))

    def text(self) -> str:
        return self.value.text()

    def set_theme(self, theme: Theme) -> None:
        self._row.setSpacing(fonts.px(SPACE_12))


class FitBlock(QWidget):
    """ "Will it fit?" with its answer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fit: FitView | None = None
        self._title = label(self, "body_strong", wrap=False)
        self.at = ElidedLabel(parent=self)
        mark(self.at, role="small", tone="text2")
        self.table = FitTable(self)
        self.verdict = Note(self)
        self.largest, self.disk, self.image = (FootRow(self) for _ in range(3))
        self._feet = (self.largest, self.disk, self.image)
        self._head = QHBoxLayout()
        self._head.addWidget(self._title)
        self._head.addStretch(1)
        self._head.addWidget(self.at)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._head)
        self._column.addWidget(self.table)
        self._column.addWidget(self.verdict)
        for foot in self._feet:
            self._column.addWidget(foot)

    def set_fit(self, fit: FitView | None) -> None:
        self._fit = fit
        self.setVisible(fit is not None)
        if fit is None:
            return
        self._title.setText(self.tr("Will it fit?"))
        self.at.setText(
            self.tr("at {tokens}").format(tokens=words.tokens(fit.context)) if fit.context else ""
        )
        self.table.set_fit(fit)
        sign, tone = _TONES.get(fit.badge, ("check", "ok"))
        self.verdict.set_note(words.verdict(fit), sign, tone)
        self.largest.set_words(self.tr("Largest context that fits"), words.largest(fit))
        self.disk.set_words(self.tr("To download"), words.disk(fit))
        self.image.set_words(self.tr("vLLM's image"), words.image(fit))

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._column.setSpacing(px(SPACE_4) + px(2))
        self._head.setContentsMargins(0, 0, 0, px(2))
        self._head.setSpacing(px(SPACE_12))
        for foot in self._feet:
            foot.set_theme(theme)
        self.table.set_theme(theme)
        self.verdict.set_theme(theme)
