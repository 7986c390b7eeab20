"""The part "This answer": three figures and the least likely tokens, each a way to its card."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.tokens import figures
from core.tokens.visible import visible
from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import (
    LIGHT,
    RADIUS_TOKEN,
    SPACE_2,
    SPACE_4,
    SPACE_8,
    SPACE_12,
    Theme,
    bar_height,
    bar_pixels,
    heat_step,
)
from desktop.sampling.summary import LEAST, AnswerFigures, AnswerSummary, LeastToken

_ROW = 24
_SWATCH = 10
_REFRESH_MS = 250  # figures that change faster cannot be read


class TokenRow(QAbstractButton):
    """Swatch, token, position and probability of one unlikely token."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.token: LeastToken | None = None
        self._position = self._share = ""
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_token(self, token: LeastToken | None, position: str) -> None:
        self.setVisible(token is not None)
        if token is None or (token, position) == (self.token, self._position):
            return
        self.token, self._position = token, position
        self._share = figures.percent_of(token.logprob)
        self.setAccessibleName(f"{token.text}, {position}, {self._share}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(200), fonts.px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        token = self.token
        if token is None:
            return
        px, theme = fonts.px, self.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.underMouse() or self.isDown():
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(self.rect()), px(RADIUS_TOKEN), px(RADIUS_TOKEN))
        pad = px(SPACE_8)
        self._paint_swatch(painter, QRectF(pad, (self.height() - px(14)) / 2, px(_SWATCH), px(14)), token)
        right = self.width() - pad
        share = max(px(64), QFontMetrics(fonts.font("small_strong")).horizontalAdvance(self._share) + 1)
        where = px(86)
        left = pad + px(_SWATCH) + px(SPACE_8)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        self._text(
            painter,
            QRect(right - share, 0, share, self.height()),
            "small_strong",
            theme.text,
            self._share,
            middle | Qt.AlignmentFlag.AlignRight,
        )
        self._text(
            painter,
            QRect(right - share - where, 0, where, self.height()),
            "caption",
            theme.text3,
            self._position,
            middle | Qt.AlignmentFlag.AlignLeft,
        )
        area = QRect(left, 0, right - share - where - px(SPACE_8) - left, self.height())
        text = visible(token.text) if token.plain else token.text
        self._text(painter, area, "mono", theme.text, text, middle | Qt.AlignmentFlag.AlignLeft)
        painter.end()

    def _paint_swatch(self, painter: QPainter, box: QRectF, token: LeastToken) -> None:
        step = heat_step(token.logprob)
        painter.setBrush(QColor(self.theme.heat_probability[step]))
        painter.drawRoundedRect(box, fonts.px(SPACE_2), fonts.px(SPACE_2))
        height = bar_pixels(self.theme, bar_height(step))
        if height:
            bar = QRectF(box.left(), box.bottom() - height, box.width(), height)
            painter.fillRect(bar, QColor(self.theme.doubt_bar))

    @staticmethod
    def _text(painter: QPainter, area: QRect, role: str, colour: str, text: str, flags: int) -> None:
        painter.setFont(fonts.font(role))
        painter.setPen(QColor(colour))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, flags, shown)


class _Figure(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.value = QLabel(self)
        mark(self.value, role="card_title")
        self.name = ElidedLabel(parent=self)
        mark(self.name, role="caption", tone="text3")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.value)
        layout.addWidget(self.name)


class AnswerPanel(QWidget):
    """Watches one answer. Hidden, it does nothing; shown, it looks at most four times a second."""

    token_clicked = Signal(str, int)  # turn id, index

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary: AnswerSummary | None = None
        self._live = False
        self._speed: float | None = None
        self._shown = AnswerFigures()
        self._title = QLabel(self)
        mark(self._title, role="body_strong")
        self._state = QLabel(self)
        mark(self._state, role="caption", tone="text3")
        self._tokens, self._rate, self._perplexity = (_Figure(self) for _ in range(3))
        self._least = QLabel(self)
        mark(self._least, role="caption_strong", tone="text2")
        self.rows = [TokenRow(self) for _ in range(LEAST)]
        self._empty = QLabel(self)
        self._empty.setWordWrap(True)
        mark(self._empty, role="small", tone="text3")
        self._outer = QVBoxLayout(self)
        self._layout = QVBoxLayout()
        self._outer.addLayout(self._layout)
        head = QHBoxLayout()
        head.addWidget(self._title)
        head.addStretch(1)
        head.addWidget(self._state)
        self._layout.addLayout(head)
        self._layout.addWidget(self._empty)
        self._figures = QHBoxLayout()
        for figure in (self._tokens, self._rate, self._perplexity):
            self._figures.addWidget(figure, 1)
        self._layout.addLayout(self._figures)
        self._layout.addWidget(self._least)
        self._list = QVBoxLayout()
        for row in self.rows:
            row.clicked.connect(lambda _=False, row=row: self._clicked(row))
            self._list.addWidget(row)
        self._outer.addLayout(self._list)
        self._outer.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._look)
        self.measure()
        self._draw()

    def measure(self) -> None:
        px = fonts.px
        # the rows' hover reaches a little beyond the column, their text does not
        self._outer.setContentsMargins(px(SPACE_8), px(SPACE_12), px(SPACE_8), px(SPACE_12))
        self._outer.setSpacing(px(SPACE_4))
        self._layout.setContentsMargins(px(SPACE_8), 0, px(SPACE_8), 0)
        self._layout.setSpacing(px(SPACE_8))
        self._figures.setSpacing(px(SPACE_8))
        self._list.setSpacing(0)

    def set_theme(self, theme: Theme) -> None:
        self.measure()
        for row in self.rows:
            row.theme = theme
            row.updateGeometry()
            row.update()

    def watch(self, summary: AnswerSummary | None, *, live: bool = False, speed: float | None = None) -> None:
        """Look at this answer from now on; `speed`: the engine's figure if it has ended."""
        self._summary, self._live, self._speed = summary, live, speed
        self._timer.stop()
        self._look()

    def mark(self) -> None:
        """Its table has grown."""
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def finish(self, speed: float | None) -> None:
        self._live, self._speed = False, speed
        self._timer.stop()
        self._look()

    def _look(self) -> None:
        if not self.isVisible():
            return
        summary = self._summary
        shown = summary.figures(live=self._live, speed=self._speed) if summary else AnswerFigures()
        if shown != self._shown:
            self._shown = shown
            self._draw()

    def showEvent(self, event: object) -> None:
        self._look()

    def _clicked(self, row: TokenRow) -> None:
        if row.token is not None:
            self.token_clicked.emit(self._shown.turn_id, row.token.index)

    def _draw(self) -> None:
        shown = self._shown
        some = shown.tokens > 0
        self._title.setText(self.tr("This answer"))
        self._state.setText(self.tr("live") if shown.live else "")
        reading = self.tr("Reading the question…")
        self._empty.setText(reading if shown.live else self.tr("Ask something: its figures stand here."))
        self._empty.setVisible(not some)
        dash = figures.DASH
        for figure, value, name in (
            (self._tokens, figures.count(shown.tokens), self.tr("tokens", "below a number")),
            (self._rate, f"{shown.speed:,.1f}" if shown.speed else dash, self.tr("tok/s")),
            (
                self._perplexity,
                f"{shown.perplexity:.2f}" if shown.perplexity else dash,
                self.tr("perplexity"),
            ),
        ):
            figure.setVisible(some)
            if figure.value.text() != value:
                figure.value.setText(value)
            figure.name.setText(name)
        self._least.setText(self.tr("Least likely tokens"))
        self._least.setVisible(bool(shown.least))
        for at, row in enumerate(self.rows):
            token = shown.least[at] if at < len(shown.least) else None
            position = self.tr("token {n}").format(n=figures.count(token.index + 1)) if token else ""
            row.show_token(token, position)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
