"""The start timeline: how far a start is, step by step, on a time axis, against how long it took before."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from core.server.state import ServerState, StepStatus
from desktop.kit import accessible, fonts
from desktop.kit.elided import ElidedLabel, plain_tip
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_2, SPACE_8, SPACE_12, SPACE_16, Theme
from desktop.server import timeline_rows as model
from desktop.server import words
from desktop.server.parts import Sign, label
from desktop.server.timeline_paint import AXIS, ROW, Painter, places

TURN: Final = 1.2  # seconds of one turn of the running mark
_FRAME_MS: Final = 34  # under 30 frames a second
_STEP_MS: Final = 500  # without motion: numbers and bars only
_BARS: Final = 0.2  # seconds between two looks at numbers and bars, which move slower than the mark


class StepRows(QWidget):
    """The painted part. It has the keyboard's focus as one control; up and down go from row to row, which is
    what a screen reader hears."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[model.Row, ...] = ()
        self.axis = model.Axis(30.0, (0,))
        self.current = 0
        self.turn = 0.0
        self._by_keys = False  # a ring is for who came by the keyboard
        self._now: float | None = None
        self._details: tuple[str, ...] = ()
        self._painter = Painter(LIGHT)
        self._places = places((), 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    # --- what is shown -----------------------------------------------------------------------------------

    def set_rows(self, rows: tuple[model.Row, ...], axis: model.Axis, now: float | None) -> None:
        """Repaints only what differs. `now`: seconds of the line of now, None = nothing runs."""
        if (rows, axis, now) == (self.rows, self.axis, self._now):
            return
        old, old_axis, old_now = self.rows, self.axis, self._now
        self.rows, self.axis, self._now = rows, axis, now
        if len(rows) != len(old):
            self.current = min(self.current, max(len(rows) - 1, 0))
            self.updateGeometry()
        words_alike = len(rows) == len(old) and all(
            (a.name, a.detail, a.time) == (b.name, b.detail, b.time) for a, b in zip(rows, old, strict=True)
        )
        if not words_alike:
            self._lay()
        if axis != old_axis or len(rows) != len(old):
            self.update()
            return
        for at, (row, before) in enumerate(zip(rows, old, strict=True)):
            if row != before:
                self.update(self._places.row(at))
        if now != old_now:
            for seconds in (now, old_now):
                if seconds is not None:
                    x = round(self._places.x(seconds, axis))
                    self.update(QRect(x - 2, 0, 4, self.height()))

    def set_turn(self, turn: float) -> None:
        """0..1 of the running mark's turn."""
        if turn != self.turn:
            self.turn = turn
            at = next((at for at, row in enumerate(self.rows) if row.status is StepStatus.RUNNING), None)
            if at is not None:
                self.update(self._places.mark(at))

    def set_theme(self, theme: Theme) -> None:
        self._painter = Painter(theme)
        self._lay()
        self.updateGeometry()
        self.update()

    def _lay(self) -> None:
        before = self._places
        self._places = at = places(self.rows, self.width())
        if at != before:
            self.update()
        metrics, room = QFontMetrics(self._painter.small), at.detail_end - at.detail
        cut = Qt.TextElideMode.ElideRight
        self._details = tuple(metrics.elidedText(row.detail, cut, room) for row in self.rows)

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(640), fonts.px(AXIS) + len(self.rows) * fonts.px(ROW) + fonts.px(SPACE_2))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint, at, region = self._painter, self._places, event.rect()
        focused = self.hasFocus() and self._by_keys
        for number, row in enumerate(self.rows):
            rect = at.row(number)
            if rect.intersects(region):
                paint.ground(painter, row, rect, focused and number == self.current)
        bottom = self.height()
        if region.right() >= at.bars - fonts.px(SPACE_16):
            paint.axis(painter, at, self.axis, bottom)
        for number, row in enumerate(self.rows):
            rect = at.row(number)
            if not rect.intersects(region):
                continue
            paint.mark(painter, row.status, at.mark(number), self.turn)
            if region.right() > at.name:
                paint.words(painter, row, self._details[number], rect, at)
                paint.bar(painter, row, rect, at, self.axis)
        if self._now is not None:
            paint.now(painter, at.x(self._now, self.axis), fonts.px(AXIS - SPACE_8), bottom)
        painter.end()

    def running_rect(self) -> QRect:
        """The row that runs now; empty = none does."""
        running = (at for at, row in enumerate(self.rows) if row.status is StepStatus.RUNNING)
        return next((self._places.row(at) for at in running), QRect())

    # --- for the pointer, the keyboard, a screen reader --------------------------------------------------

    def tip_at(self, point: QPoint) -> str:
        """The whole text of what is shortened there, else nothing."""
        at = self._places
        for number, row in enumerate(self.rows):
            if at.row(number).contains(point) and at.detail <= point.x() < at.detail_end:
                return row.detail if self._details[number] != row.detail else ""
        return ""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tip_at(event.pos())
            if tip:
                QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._by_keys = event.reason() in reasons
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -len(self.rows),
            Qt.Key.Key_End: len(self.rows),
        }.get(Qt.Key(event.key()))
        if step is None or not self.rows:
            super().keyPressEvent(event)
            return
        self.current = min(max(self.current + step, 0), len(self.rows) - 1)
        self._by_keys = True
        self.update()
        accessible.value_changed(self, self.accessible_value())

    def accessible_name(self) -> str:
        return self.accessibleName()

    def accessible_value(self) -> str:
        """The row under the cursor."""
        return self.rows[self.current].sentence if self.rows else ""


accessible.register(StepRows)


class Timeline(QWidget):
    """`set_state` at each change of the server; between them it moves by `clock`, which is the clock of
    ServerState.began. It moves only while a start runs and it can be seen. `reduce_motion`: the mark stands
    still, numbers and bars move on. `stepped`: another step runs, or none."""

    stepped = Signal()

    def __init__(self, parent: QWidget | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._state = ServerState()
        self._model = ""
        self._reduced = False
        self._drawn = 0.0
        mark(self, ground="surface")
        self.title = ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle)
        mark(self.title, role="title")
        self.outlook = label(self, "body", "text2")
        self.elapsed = label(self, "title", wrap=False)
        self._elapsed_word = label(self, "small", "text2", wrap=False)
        self.steps = StepRows(self)
        self._foot_sign = Sign(self, 14)
        self.foot = label(self, "small", "text2")
        self.timer = QTimer(self)
        self.timer.timeout.connect(self._beat)
        self._build()
        self.set_theme(LIGHT)
        self._translate()

    def _build(self) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._head = QGridLayout()
        self._head.addWidget(self.title, 0, 0)
        self._head.addWidget(self.elapsed, 0, 1, right)
        self._head.addWidget(self.outlook, 1, 0)
        self._head.addWidget(self._elapsed_word, 1, 1, right)
        self._head.setColumnStretch(0, 1)
        self._below = QHBoxLayout()
        self._below.addWidget(self._foot_sign, 0, Qt.AlignmentFlag.AlignVCenter)
        self._below.addWidget(self.foot, 1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        self._column.addWidget(self.steps)
        self._column.addLayout(self._below)

    def set_state(self, state: ServerState, model: str = "") -> None:
        """`model`: what to call it; else the name it is served under."""
        before = self._state
        self._state, self._model = state, model or (state.spec.model if state.spec is not None else "")
        self._draw()
        self._keep()
        if [step.status for step in before.steps] != [step.status for step in state.steps]:
            self._tell()
            self.stepped.emit()

    def running_part(self) -> QRect:
        """The row that runs now, in this widget; empty = none does."""
        row = self.steps.running_rect()
        return row.translated(self.steps.pos()) if not row.isEmpty() else row

    @property
    def state(self) -> ServerState:
        return self._state

    def set_reduce_motion(self, on: bool) -> None:
        self._reduced = on
        if on:
            self.steps.set_turn(0.0)
        self._keep()

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        inset = px(SPACE_12)  # the running row's ground stands out by this much
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(SPACE_8))
        self._head.setContentsMargins(inset, 0, inset, 0)
        self._head.setVerticalSpacing(px(SPACE_2))
        self._head.setHorizontalSpacing(px(SPACE_16))
        self._below.setContentsMargins(inset + px(SPACE_2), 0, inset, 0)
        self._below.setSpacing(px(SPACE_8))
        for shown, role in ((self.title, "title"), (self.outlook, "body"), (self.foot, "small")):
            shown.setMinimumHeight(fonts.line_height(role))
        self._foot_sign.set_sign("clock", "text2", "")
        self._foot_sign.set_theme(theme)
        self.steps.set_theme(theme)
        self._draw()

    # --- time --------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Run while there is something to move, else stand still: an idle window repaints nothing."""
        wanted = self._state.starting and self.isVisible()
        pace = _STEP_MS if self._reduced else _FRAME_MS
        if not wanted:
            self.timer.stop()
        elif not self.timer.isActive() or self.timer.interval() != pace:
            self.timer.start(pace)

    def _beat(self) -> None:
        now = self._clock()
        if not self._reduced:
            self.steps.set_turn(now % TURN / TURN)
        if self._reduced or not 0 <= now - self._drawn < _BARS:
            self._draw_time(now)

    def _draw(self) -> None:
        self.title.setText(model.headline(self._model, self._state))
        self._draw_time(self._clock())

    def _draw_time(self, now: float) -> None:
        state, self._drawn = self._state, now
        spent = model.total(state, now)
        rows = model.rows(state, now)
        self.steps.set_rows(rows, model.axis(rows, spent), spent if state.starting else None)
        _say(self.elapsed, words.clock(spent))
        _say(self.outlook, model.outlook(state, now) if state.starting else "")
        foot = model.foot(state, now)
        _say(self.foot, foot)
        self._foot_sign.setVisible(bool(foot))

    def _tell(self) -> None:
        """A screen reader has all rows as the description and hears the one that runs now; not per frame."""
        self.steps.setAccessibleDescription("\n".join(row.sentence for row in self.steps.rows))
        accessible.value_changed(self.steps, self.steps.accessible_value())
        running = next((row for row in self.steps.rows if row.status is StepStatus.RUNNING), None)
        if running is not None and self.isVisible():
            accessible.announce(self, running.name)

    # --- events ------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self._keep()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep()

    def _translate(self) -> None:
        self._elapsed_word.setText(self.tr("elapsed"))
        self.steps.setAccessibleName(self.tr("Steps of the start"))
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._tell()


def _say(shown: QWidget, text: str) -> None:
    """Set only what differs: a label repaints at every setText."""
    if shown.text() != text:  # type: ignore[attr-defined]
        shown.setText(text)  # type: ignore[attr-defined]
