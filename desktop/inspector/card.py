"""The token card's widgets: its body with buttons, the popup that floats, the window when pinned."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QColor,
    QEnterEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QGraphicsOpacityEffect, QPushButton, QToolButton, QToolTip, QWidget

from desktop.inspector import words
from desktop.inspector.model import limited
from desktop.inspector.placement import Placed, place
from desktop.inspector.sheet import WIDTH, WIDTH_NARROW, Sheet
from desktop.inspector.values import CardModel
from desktop.kit import fonts, icons
from desktop.kit.elided import plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import CARD_FADE_MS, RADIUS_CARD, SHADOW, Theme

B = TypeVar("B", QToolButton, QPushButton)

_SHADOW = 18
_ARROW = 6
_GAP = 8
_SCREEN_MARGIN = 4
FLAGS = 2  # at most, on one card


class CardBody(QWidget):
    """Paints one model and has its buttons; the ground is its holder's."""

    pinned = Signal()
    closed = Signal()
    copied = Signal()
    next_wanted = Signal()
    again_wanted = Signal()
    capabilities_wanted = Signal()

    def __init__(self, parent: QWidget, *, floating: bool) -> None:
        super().__init__(parent)
        self._floating = floating
        self.sheet: Sheet | None = None
        self.pin = self._button(QToolButton(self), "pin", kind="icon")
        self.close_button = self._button(QToolButton(self), "x", kind="icon")
        self.copy = self._button(QPushButton(self), "copy", kind="flat")
        self.next = self._button(QPushButton(self), "next", kind="flat")
        self.again = self._button(QPushButton(self), "redo", kind="flat")
        self.capabilities = self._button(QPushButton(self), "arrow", kind="flat")
        self.copy_flags = [self._button(QToolButton(self), "copy", kind="icon") for _ in range(FLAGS)]
        self.pin.clicked.connect(self.pinned)
        self.close_button.clicked.connect(self.closed)
        self.copy.clicked.connect(self.copied)
        self.next.clicked.connect(self.next_wanted)
        self.again.clicked.connect(self.again_wanted)
        self.capabilities.clicked.connect(self.capabilities_wanted)
        for number, button in enumerate(self.copy_flags):
            button.clicked.connect(lambda _=False, number=number: self._copy_flag(number))
        self.pin.setVisible(floating)
        self.close_button.setVisible(floating)
        self._translate()

    def _button(self, button: B, icon: str, *, kind: str) -> B:
        mark(button, kind=kind, size="small")
        icons.dress(button, icon)
        if self._floating:  # the transcript keeps the focus
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def show_model(self, model: CardModel, theme: Theme, width: int, height: int | None = None) -> QSize:
        """Lay out; with a `height`, with fewer candidates if it would be taller. Returns the size."""
        sheet = Sheet(model, theme, width)
        size = self._size(sheet)
        rows = len(model.rows)
        while height is not None and size.height() > height and rows > 2:
            rows -= 1
            sheet = Sheet(limited(model, rows), theme, width)
            size = self._size(sheet)
        self.sheet = sheet
        self.setFixedSize(size)
        self._arrange()
        self.setAccessibleName(words.heading(model))
        self.setAccessibleDescription(words.as_text(model))
        self.update()
        return size

    def _size(self, sheet: Sheet) -> QSize:
        return QSize(sheet.width, int(sheet.footer) + fonts.px(44))

    def _arrange(self) -> None:
        sheet, px = self.sheet, fonts.px
        if sheet is None:
            return
        side = px(28)
        right = sheet.width - px(8)
        self.close_button.setGeometry(right - side, px(14), side, side)
        self.pin.setGeometry(right - 2 * side, px(14), side, side)
        x, y = px(10), int(sheet.footer) + px(8)
        helpless = sheet.model.helpless
        for button, shown in (
            (self.again, helpless),
            (self.capabilities, helpless),
            (self.copy, not helpless),
            (self.next, not helpless and self._floating),
        ):
            button.setVisible(shown)
            if shown:
                wide = button.sizeHint().width()
                button.setGeometry(x, y, wide, px(28))
                x += wide + px(4)
        for number, copy in enumerate(self.copy_flags):
            copy.setVisible(number < len(sheet.flags))
            if number < len(sheet.flags):
                box = sheet.flags[number][1]
                copy.setGeometry(int(box.right()) - side, int(box.top()), side, side)

    def _copy_flag(self, number: int) -> None:
        if self.sheet is not None:
            QGuiApplication.clipboard().setText(self.sheet.flags[number][0])

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.sheet is None:
            return
        painter = QPainter(self)
        self.sheet.paint(painter, self.devicePixelRatioF())
        line = QRectF(0, self.sheet.footer, self.width(), 1)
        painter.fillRect(line, QColor(self.sheet.theme.line))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.sheet is not None:
            whole = self.sheet.shortened_at(QPointF(event.pos()))
            if whole:
                QToolTip.showText(event.globalPos(), plain_tip(whole), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _translate(self) -> None:
        self.copy.setText(self.tr("Copy"))
        self.copy.setToolTip(self.tr("Copy this card as text"))
        self.next.setText(self.tr("Next  {key}").format(key="F8"))
        self.next.setToolTip(self.tr("Next doubtful token (F8)"))
        self.pin.setToolTip(self.tr("Keep as a window (P)"))
        self.pin.setAccessibleName(self.tr("Keep as a window"))
        self.close_button.setToolTip(self.tr("Close (Esc)"))
        self.close_button.setAccessibleName(self.tr("Close"))
        self.again.setText(self.tr("Ask again"))
        self.again.setToolTip(self.tr("Another answer to the same question"))
        self.capabilities.setText(self.tr("Capabilities"))
        self.capabilities.setToolTip(self.tr("What this server was asked and answered"))
        for button in self.copy_flags:
            button.setToolTip(self.tr("Copy the flag"))
            button.setAccessibleName(self.tr("Copy the flag"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            if self.sheet is not None:
                self.show_model(self.sheet.model, self.sheet.theme, self.sheet.width)


class TokenCard(QWidget):
    """The floating card. Never takes the focus; `entered` and `left` tell of the pointer."""

    entered = Signal()
    left = Signal()
    hidden = Signal()

    def __init__(self, parent: QWidget) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint
        super().__init__(parent, flags | Qt.WindowType.NoDropShadowWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # without a compositor, which X11 may lack, see-through pixels are black
        self._see_through = QGuiApplication.platformName() != "xcb"
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._see_through)
        self.body = CardBody(self, floating=True)
        self.placed = Placed(QRect(), False, 0)
        self._theme: Theme | None = None
        self._fade = QVariantAnimation(self)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.setDuration(CARD_FADE_MS)
        self._fade.valueChanged.connect(self._faded)
        self._fade.finished.connect(self._fade_done)

    @property
    def _margin(self) -> int:
        """Around the body: room for the shadow, at least for the arrow."""
        return fonts.px(_SHADOW if self._see_through else _ARROW)

    def pop_up(self, model: CardModel, theme: Theme, token: QRect, screen: QRect, *, fade: bool) -> None:
        """Show a token's card beside the token, whole on the screen. All in screen pixels."""
        self._theme = theme
        px = fonts.px
        parent = self.parentWidget()
        narrow = parent is not None and parent.window().width() < px(780)
        width = min(px(WIDTH_NARROW if narrow else WIDTH), screen.width())
        size = self.body.show_model(model, theme, width, screen.height() - 2 * _SCREEN_MARGIN)
        self.placed = place(token, size, screen, px(_GAP), _SCREEN_MARGIN, px(RADIUS_CARD + _ARROW + 2))
        margin = self._margin
        self.body.move(margin, margin)
        outer = self.placed.rect.adjusted(-margin, -margin, margin, margin)
        self.setGeometry(outer)
        if not self._see_through:
            self.setMask(QRegion(self._shape().toFillPolygon().toPolygon()))
        if not self.isVisible():
            if fade and self._see_through:
                self._fade.start()
            self.show()
        self.update()
        self._tell(model)

    def _tell(self, model: CardModel) -> None:
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words.as_text(model)))

    def move_to(self, token: QRect, screen: QRect) -> None:
        """The token moved: so does its card."""
        px = fonts.px
        size = self.body.size()
        self.placed = place(token, size, screen, px(_GAP), _SCREEN_MARGIN, px(RADIUS_CARD + _ARROW + 2))
        margin = self._margin
        self.setGeometry(self.placed.rect.adjusted(-margin, -margin, margin, margin))
        self.update()

    def _shape(self) -> QPainterPath:
        """The body with its arrow, in this widget's coordinates."""
        px, placed = fonts.px, self.placed
        box = QRectF(QPointF(self._margin, self._margin), placed.rect.size()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(box, px(RADIUS_CARD), px(RADIUS_CARD))
        if not placed.arrow:
            return path
        tip = QPainterPath()
        x, wide, tall = self._margin + placed.arrow_x, px(_ARROW + 1), px(_ARROW)
        edge, point = (box.bottom(), tall) if placed.above else (box.top(), -tall)
        inward = -1 if placed.above else 1
        tip.moveTo(x - wide, edge + inward)
        tip.lineTo(x, edge + point)
        tip.lineTo(x + wide, edge + inward)
        tip.closeSubpath()
        return path.united(tip)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = self._shape()
        painter.setOpacity(self._opacity())
        if self._see_through and self._theme.shadow_alpha:
            self._shadow(painter)
        painter.setPen(QPen(QColor(self._theme.line), 1))
        painter.setBrush(QColor(self._theme.raised))
        painter.drawPath(shape)
        painter.end()

    def _shadow(self, painter: QPainter) -> None:
        """Soft, a little lower than the card: rings of growing radius, each a little fainter."""
        assert self._theme is not None  # asked before painting
        px = fonts.px
        steps = px(_SHADOW) - 4
        box = QRectF(QPointF(self._margin, self._margin), self.placed.rect.size()).translated(0, px(3))
        painter.setPen(Qt.PenStyle.NoPen)
        colour = QColor(SHADOW)
        for step in range(steps, 0, -1):
            share = 1 - step / steps
            colour.setAlphaF(self._theme.shadow_alpha / 255 * 0.16 * share * share)
            painter.setBrush(colour)
            radius = px(RADIUS_CARD) + step
            painter.drawRoundedRect(box.adjusted(-step, -step, step, step), radius, radius)

    # --- fading in -----------------------------------------------------------------------------------

    def _opacity(self) -> float:
        running = self._fade.state() == QVariantAnimation.State.Running
        return float(self._fade.currentValue()) if running else 1.0

    def _faded(self, value: float) -> None:
        effect = self.body.graphicsEffect()
        if effect is None:
            effect = QGraphicsOpacityEffect(self.body)
            self.body.setGraphicsEffect(effect)
        assert isinstance(effect, QGraphicsOpacityEffect)  # the only one set here
        effect.setOpacity(value)
        self.update()

    def _fade_done(self) -> None:
        self.body.setGraphicsEffect(None)  # type: ignore[arg-type]  # Qt takes none, the stubs do not
        self.update()

    # --- events --------------------------------------------------------------------------------------

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._fade.stop()
        self._fade_done()
        self.hidden.emit()


class PinnedCard(QWidget):
    """A card of the token `ref` that stays above its parent: a small window with its own focus and keys."""

    closed = Signal(object)

    def __init__(self, model: CardModel, theme: Theme, parent: QWidget, ref: object = None) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self._model = model
        self.ref = ref
        self.body = CardBody(self, floating=False)
        self.body.copied.connect(self.copy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # its keys work before any button is chosen
        mark(self, ground="raised")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedSize(self.body.show_model(self._model, theme, fonts.px(WIDTH)))
        self._name()

    def _name(self) -> None:
        title = self.tr("Token {n}: {token}").format(
            n=self._model.index + 1, token=words.heading(self._model)
        )
        self.setWindowTitle(title)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(words.as_text(self._model))

    def show_at(self, corner: QPoint) -> None:
        self.move(corner)
        self.show()
        self.come_forward()

    def come_forward(self) -> None:
        self.raise_()
        self.activateWindow()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() == Qt.Key.Key_C:
            self.copy()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.body.move(0, 0)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
