"""Owns the one bar at the top of the centre that tells an error: what, why, what next, and its buttons."""

from __future__ import annotations

from dataclasses import dataclass

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
_KEPT = 20  # errors of one kind
_LINE = 200  # characters of a detail, where several errors have a line each
_BESIDE_FROM = 640  # width from which the buttons stand beside the words


@dataclass(slots=True)
class _Entry:
    """Errors of one code, the newest last; `action`: the verb of the button that solves them."""

    errors: list[LoupeError]
    action: str = ""


class ErrorBar(QFrame):
    """Shows the newest error until it is closed or solved, then the one before; hidden while there is none.

    Errors of one kind stand in one message, their details say each. `acted` carries the error's code when the
    person pressed the button that solves it; `about` is the first line of the copied report (program and
    versions). `closed`: the last one is gone, `left` before it: by the person, with the focus free to go.
    """

    acted = Signal(str)
    closed = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None, *, about: str = "Token Loupe") -> None:
        super().__init__(parent)
        self._about = about
        self._entries: list[_Entry] = []  # the newest last
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
        self._count = QLabel(self)
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        mark(self._count, role="small", tone="text2")
        self.close_button = QToolButton(self)
        mark(self.close_button, kind="icon", size="small")
        icons.dress(self.close_button, "x")
        self.action.clicked.connect(self._act)
        self.details.toggled.connect(self._detail.setVisible)
        self.copy.clicked.connect(self._copy)
        self.close_button.clicked.connect(self._close)

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
        self._row.addWidget(self._count, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._fit()

    @property
    def error(self) -> LoupeError | None:
        """The one that is told."""
        return self._entries[-1].errors[-1] if self._entries else None

    @property
    def errors(self) -> list[LoupeError]:
        """All that wait to be read, the newest last."""
        return [error for entry in self._entries for error in entry.errors]

    def show_error(self, error: LoupeError, action: str = "") -> None:
        """Tell an error; `action` is the translated verb of the button that solves it, if there is one."""
        entry = next((one for one in self._entries if one.errors[0].code == error.code), _Entry([]))
        if entry in self._entries:
            self._entries.remove(entry)
        others = [one for one in entry.errors if not _same(one, error)]
        entry.errors = [*others[1 - _KEPT :], error]
        entry.action = action
        self._entries.append(entry)
        self._show()

    def _show(self) -> None:
        action = self._entries[-1].action
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.details.setChecked(False)
        self._fill()
        self.show()
        text = errors_text.joined(self._what.text(), self._why.text())
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def dismiss(self, code: str | None = None) -> None:
        """Close the one that is told; with a code all of that kind, wherever they stand (solved by now)."""
        if not self._entries:
            return
        before = self._entries
        if isinstance(code, str):
            self._entries = [entry for entry in before if entry.errors[0].code != code]
        else:
            self._entries = before[:-1]
        if not self._entries:
            self.hide()
            self.closed.emit()
        elif self._entries[-1] is not before[-1]:
            self._show()
        else:
            self._fill()

    def _close(self) -> None:
        if len(self._entries) == 1:
            self.left.emit()
        self.dismiss()

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
        if not self._entries:
            return
        errors = self._entries[-1].errors
        text = errors_text.describe(errors[-1])
        self._what.setText(text.what)
        more = self.tr("%n more of this kind: see the details.", "", len(errors) - 1) if errors[1:] else ""
        self._why.setText(errors_text.joined(text.why, text.next, more))
        detail = "\n".join(map(_in_a_line, reversed(errors))) if errors[1:] else text.detail
        lines = detail.splitlines()
        most = max(_DETAIL_LINES, len(errors))
        self._detail.setText("\n".join([*lines[:most], "…"] if len(lines) > most else lines))
        self.details.setVisible(bool(detail))
        total = len(self._entries)
        self._count.setVisible(total > 1)
        self._count.setText(self.tr("{n} of {total}").format(n=1, total=total))
        self._translate_close()

    def _act(self) -> None:
        if self.error is not None:
            self.acted.emit(self.error.code)

    def _copy(self) -> None:
        """The report of the message in view first, then all the others."""
        reports = [errors_text.report(error, self._about) for error in reversed(self.errors)]
        QGuiApplication.clipboard().setText("\n\n".join(reports))

    def _translate_close(self) -> None:
        more = len(self._entries) > 1
        text = self.tr("Close this message, show the next") if more else self.tr("Close this message")
        self.close_button.setAccessibleName(text)
        self.close_button.setToolTip(text)

    def _translate(self) -> None:
        self.details.setText(self.tr("Details"))
        self.copy.setText(self.tr("Copy report"))
        self._translate_close()
        self._sign.setAccessibleName(self.tr("Error"))
        self._fill()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()


def _same(one: LoupeError, other: LoupeError) -> bool:
    return (one.code, one.params, one.detail) == (other.code, other.params, other.detail)


def _in_a_line(error: LoupeError) -> str:
    """One of several of a kind, in one line of the details: what is its own."""
    own = ", ".join(f"{name}: {value}" for name, value in error.params.items())
    detail = " ".join(error.detail.split())[:_LINE]
    return " – ".join(filter(None, (own, detail))) or errors_text.describe(error).what
