"""Owns the one bar at the top of the centre that tells an error: what, why, what next, and its buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import LoupeError
from desktop.kit import errors_text, fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import ICON_BAR, LIGHT, SPACE_8, SPACE_12, Theme

_DETAIL_LINES = 8
_BESIDE_FROM = 640  # width from which the buttons stand beside the words


class ErrorBar(QFrame):
    """Shows the latest error until it is closed or solved; hidden while there is none.

    `acted` carries the error's code when the person pressed the button that solves it; `about` is the first
    line of the copied report (program and versions).
    """

    acted = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None, *, about: str = "Token Loupe") -> None:
        super().__init__(parent)
        self._about = about
        self._error: LoupeError | None = None
        self._theme = LIGHT
        mark(self, banner="err")
        self._build()
        self._translate()
        self.hide()

    def _build(self) -> None:
        self._sign = QLabel(self)
        self._what, self._why, self._detail = QLabel(self), QLabel(self), QLabel(self)
        for label, role in ((self._what, "body_strong"), (self._why, "body"), (self._detail, "mono_small")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            mark(label, role=role)
        self._detail.hide()
        self.action, self.details, self.copy = QPushButton(self), QPushButton(self), QPushButton(self)
        mark(self.action, size="small")
        for button in (self.details, self.copy):
            mark(button, kind="flat", size="small")
        self.details.setCheckable(True)
        self.close_button = QToolButton(self)
        mark(self.close_button, kind="icon", size="small")
        icons.dress(self.close_button, "x")
        self.action.clicked.connect(self._act)
        self.details.toggled.connect(self._detail.setVisible)
        self.copy.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.dismiss)

        words = QVBoxLayout()
        words.setSpacing(fonts.px(2))
        for label in (self._what, self._why, self._detail):
            words.addWidget(label)
        buttons = QHBoxLayout()
        for button in (self.action, self.details, self.copy):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        buttons.addStretch(1)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.addLayout(words, 1)
        self._body.addLayout(buttons)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._body, 1)
        self._row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._fit()

    @property
    def error(self) -> LoupeError | None:
        return self._error

    def show_error(self, error: LoupeError, action: str = "") -> None:
        """Tell an error; `action` is the translated verb of the button that solves it, if there is one."""
        self._error = error
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.details.setChecked(False)
        self._fill()
        self.show()
        text = errors_text.joined(self._what.text(), self._why.text())
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def dismiss(self, code: str | None = None) -> None:
        """Close it; with a code only if it tells that error (which is solved by now)."""
        if self._error is None or (isinstance(code, str) and code != self._error.code):
            return
        self._error = None
        self.hide()
        self.closed.emit()

    def _fit(self) -> None:
        self._row.setContentsMargins(*(fonts.px(side) for side in (SPACE_12, SPACE_8, SPACE_8, SPACE_8)))
        self._row.setSpacing(fonts.px(SPACE_8))
        self._body.setSpacing(fonts.px(SPACE_8))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._body.direction() != direction:
            self._body.setDirection(direction)

    def set_theme(self, theme: Theme) -> None:
        self._fit()
        self._theme = theme
        side = fonts.px(ICON_BAR)
        self._sign.setPixmap(icons.pixmap("err", theme.err, side, self.devicePixelRatioF()))

    def _fill(self) -> None:
        if self._error is None:
            return
        text = errors_text.describe(self._error)
        self._what.setText(text.what)
        self._why.setText(errors_text.joined(text.why, text.next))
        lines = text.detail.splitlines()
        cut = [*lines[:_DETAIL_LINES], "…"] if len(lines) > _DETAIL_LINES else lines
        self._detail.setText("\n".join(cut))
        self.details.setVisible(bool(text.detail))

    def _act(self) -> None:
        if self._error is not None:
            self.acted.emit(self._error.code)

    def _copy(self) -> None:
        if self._error is not None:
            QGuiApplication.clipboard().setText(errors_text.report(self._error, self._about))

    def _translate(self) -> None:
        self.details.setText(self.tr("Details"))
        self.copy.setText(self.tr("Copy report"))
        self.close_button.setAccessibleName(self.tr("Close this message"))
        self.close_button.setToolTip(self.tr("Close this message"))
        self._sign.setAccessibleName(self.tr("Error"))
        self._fill()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
