"""The diagnosis card: what failed and why, the numbers that collide, what can be done, and the line that says
so."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.errors import DockerError, LoupeError
from core.server.finding import Finding
from desktop.kit import accessible, fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import (
    ICON_BAR,
    LIGHT,
    SPACE_2,
    SPACE_4,
    SPACE_8,
    SPACE_12,
    SPACE_16,
    SPACE_24,
    Theme,
)
from desktop.server import words
from desktop.server.amounts import Amounts
from desktop.server.fixes import FixRows
from desktop.server.parts import CodeEdit, Sign, button, label, selectable

_LINES: Final = 8  # of a text that has several
_DETAIL: Final = 1200  # characters
_BESIDE_FROM: Final = 560  # px, at zoom 100 %: the note beside the buttons


class DiagnosisCard(QFrame):
    """`set_finding` or `set_error`. `fix_wanted` carries the Fix whose button was pressed, `log_wanted` the
    root-cause line to show in the log, where it stands there, `report_wanted`: the report is to be copied,
    `back_wanted`: to the chat with the server that runs."""

    fix_wanted = Signal(object)
    log_wanted = Signal(str)
    report_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finding: Finding | None = None
        self._error: LoupeError | None = None
        self._line = self._runs = ""
        mark(self, ground="card")
        self.sign = Sign(self, ICON_BAR, 36)
        self.what = selectable(label(self, "card_title"))
        self.why = selectable(label(self, "body", "text2"))
        self.amounts = Amounts(self)
        self._do = label(self, "body_strong")
        self.fixes = FixRows(self)
        self.runs = label(self, "body", "text2")
        self.back_button = button(self)
        self._said = label(self, "small_strong", "text2")
        self._box = QFrame(self)
        mark(self._box, ground="box")
        self.line = CodeEdit(self._box)
        self.block = selectable(label(self._box, "mono_small"))
        self.log_button = button(self, size="small")
        self.report_button = button(self, size="small")
        icons.dress(self.log_button, "log")
        icons.dress(self.report_button, "copy")
        self._note = label(self, "caption", "text2")
        self.fixes.wanted.connect(self.fix_wanted)
        self.back_button.clicked.connect(self.back_wanted)
        self.log_button.clicked.connect(self._show_log)
        self.report_button.clicked.connect(self.report_wanted)
        self._build()
        self.set_theme(LIGHT)

    def _build(self) -> None:
        self._titles = QVBoxLayout()
        self._titles.addWidget(self.what)
        self._titles.addWidget(self.why)
        self._head = QHBoxLayout()
        self._head.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addLayout(self._titles, 1)
        self._inside = QVBoxLayout(self._box)
        self._inside.addWidget(self.line)
        self._inside.addWidget(self.block)
        self._root = QVBoxLayout()
        self._root.addWidget(self._said)
        self._root.addWidget(self._box)
        self._ways = QVBoxLayout()
        self._ways.addWidget(self._do)
        self._ways.addWidget(self.fixes)
        self._running = QHBoxLayout()
        self._running.addWidget(self.runs, 1)
        self._running.addWidget(self.back_button)
        self._ways.addLayout(self._running)
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.log_button)
        self._buttons.addWidget(self.report_button)
        self._buttons.addStretch(1)
        self._below.addLayout(self._buttons)
        self._below.addWidget(self._note, 1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        self._column.addWidget(self.amounts)
        self._column.addLayout(self._ways)
        self._column.addLayout(self._root)
        self._column.addLayout(self._below)

    def set_finding(self, finding: Finding) -> None:
        """The same one again changes nothing: its buttons keep the focus."""
        if finding == self._finding:
            return
        self._finding, self._error = finding, None
        self._draw()
        accessible.announce(self, self.accessibleName())

    def set_error(self, error: LoupeError) -> None:
        """Of a start that no finding explains."""
        if error is self._error:
            return
        self._finding, self._error = None, error
        self._draw()
        accessible.announce(self, self.accessibleName())

    def set_runs(self, model: str) -> None:
        """The server of this model goes on, since the new one has not taken its place; "" = none runs."""
        if model != self._runs:
            self._runs = model
            self._draw_runs()

    def _draw_runs(self) -> None:
        self.runs.setText(self.tr("{model} goes on running.").format(model=self._runs))
        self.back_button.setText(self.tr("Back to the chat"))
        for widget in (self.runs, self.back_button):
            widget.setVisible(bool(self._runs))

    def _show_log(self) -> None:
        """Of several lines the first is the cause, the others stand around it or explain it."""
        line = next(iter(self._line.strip().splitlines()), "")
        self.log_wanted.emit(line.removesuffix("…"))  # it may be cut

    def _draw(self) -> None:
        finding, error = self._finding, self._error
        if finding is not None:
            text, self._line = words.finding_text(finding), finding.line
            said = words.said(finding)
        elif error is not None:
            text, self._line = words.error_text(error), error.detail[:_DETAIL]
            docker = isinstance(error, DockerError)
            said = self.tr("What Docker said") if docker else self.tr("What was said")
        else:
            return
        tone = finding.severity if finding is not None else "err"
        self.sign.set_sign("warn" if tone == "warn" else "err", tone, "")
        self.what.setText(text.what.rstrip(".。"))
        self.why.setText(text.why)
        self.why.setVisible(bool(text.why))
        self.setAccessibleName(text.what)
        self.amounts.set_collision(finding.collision if finding is not None else None)
        fixes = finding.fixes if finding is not None else ()
        self.fixes.set_fixes(fixes)
        self._order_tabs()
        self._do.setVisible(bool(fixes))
        self._said.setText(said)
        self._draw_line()
        self._draw_runs()
        self._do.setText(self.tr("What you can do"))
        self.log_button.setText(self.tr("Show in log"))
        self.report_button.setText(self.tr("Copy report"))
        self._note.setText(self.tr("The report leaves out addresses, keys and chats."))

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order; the ways out come before the first."""
        return self.back_button, self.line, self.log_button, self.report_button

    def _order_tabs(self) -> None:
        """The buttons of the fixes are the newest widgets of the window."""
        buttons = [row.button for row in self.fixes.rows]
        for before, after in pairwise((self.back_button, *buttons, *self.stops())):
            self.setTabOrder(before, after)

    def _draw_line(self) -> None:
        """One line is shortened; of several the first ones are shown."""
        lines = self._line.strip().splitlines()
        logged = self._finding is not None and self._finding.logged
        self.log_button.setVisible(bool(lines) and logged)
        self._said.setVisible(bool(lines))
        self._box.setVisible(bool(lines))
        single = len(lines) == 1
        self.line.setVisible(single)
        self.block.setVisible(len(lines) > 1)
        self.line.set_line(lines[0] if single else "")
        self.line.setAccessibleName(self._said.text())
        self.block.setText("\n".join([*lines[:_LINES], "…"] if len(lines) > _LINES else lines))
        self.block.setToolTip("")
        if len(lines) > _LINES:
            self.block.setToolTip(words.tip(self._line))

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        side = px(SPACE_24)
        self._column.setContentsMargins(side, px(SPACE_16) + px(2), side, px(SPACE_16))
        self._column.setSpacing(px(SPACE_16))
        self._head.setSpacing(px(SPACE_16))
        self._titles.setSpacing(px(SPACE_2))
        self._ways.setSpacing(px(SPACE_8) + px(SPACE_4))
        self._running.setSpacing(px(SPACE_12))
        self._root.setSpacing(px(SPACE_4))
        self._inside.setContentsMargins(px(SPACE_8) + 2, 0, px(SPACE_8) + 2, 0)
        self.block.setContentsMargins(0, px(SPACE_4), 0, px(SPACE_4))
        self._below.setSpacing(px(SPACE_12))
        self._buttons.setSpacing(px(SPACE_8))
        self.sign.set_theme(theme)
        self.amounts.set_theme(theme)
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._below.direction() != way:
            self._below.setDirection(way)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
