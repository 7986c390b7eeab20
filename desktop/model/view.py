"""The Model tab: segments and buttons above, a column of cards below, the short facts beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.engines.vllm.abilities import LINES
from desktop.kit import fonts, icons
from desktop.kit.error_bar import ErrorBar
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_2, SPACE_8, SPACE_12, SPACE_24, Theme
from desktop.model import facts
from desktop.model.capabilities import CapabilitiesCard
from desktop.model.cards import GAP, Card, FactTable, Figures, label
from desktop.model.overview import Overview
from desktop.model.values import Known

OVERVIEW: Final = "overview"
CAPABILITIES: Final = "capabilities"
_SIDE = 343  # px, the column of short facts
_BESIDE_FROM = 1000  # width of the page from which it stands beside the other
_ONE_ROW_FROM = 520  # width from which segments and buttons stand in one row
_MINUTE_MS = 60_000


class ModelView(QWidget):
    """Shows one `Known` value. `ask_again`: the server is to be asked anew."""

    ask_again = Signal()

    def __init__(
        self,
        *,
        about: str = "Token Loupe",
        clock: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        """`about`: first line of a copied error report. `clock`: seconds since the epoch."""
        super().__init__(parent)
        mark(self, ground="surface")
        self._clock = clock
        self._known: Known | None = None
        self._theme = LIGHT
        self._head = self._build_head()
        self.errors = ErrorBar(self, about=about)
        self._errors_box = QVBoxLayout()
        self._errors_box.addWidget(self.errors)
        self.nothing = label(self, "body", "text3")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.area = self._build_body()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addLayout(self._errors_box)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.nothing, 1)
        self._ago = QTimer(self)
        self._ago.setInterval(_MINUTE_MS)
        self._ago.timeout.connect(self._tick)
        self.show_segment(OVERVIEW)
        self.set_theme(LIGHT)
        self._draw()

    # --- building ----------------------------------------------------------------------------------------

    def _build_head(self) -> QWidget:
        head = QWidget(self)
        self._segments = QFrame(head)
        mark(self._segments, ground="segments")
        self._segment_row = QHBoxLayout(self._segments)
        self._group = QButtonGroup(self)
        self.segments = {id_: QPushButton(self._segments) for id_ in (OVERVIEW, CAPABILITIES)}
        for id_, button in self.segments.items():
            mark(button, kind="segment")
            button.setCheckable(True)
            self._group.addButton(button)
            self._segment_row.addWidget(button)
            button.clicked.connect(lambda _=False, id_=id_: self.show_segment(id_))
        self.copy, self.again = QPushButton(head), QPushButton(head)
        icons.dress(self.copy, "copy")
        icons.dress(self.again, "redo")
        self.copy.clicked.connect(self._copy)
        self.again.clicked.connect(self.ask_again)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.copy)
        self._buttons.addWidget(self.again)
        left = QHBoxLayout()
        left.addWidget(self._segments)
        left.addStretch(1)
        self._head_row = QBoxLayout(QBoxLayout.Direction.LeftToRight, head)
        self._head_row.addLayout(left, 1)
        self._head_row.addLayout(self._buttons)
        return head

    def _build_body(self) -> QScrollArea:
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # so that keys scroll
        inside = QWidget(scroll)
        mark(inside, ground="surface")
        scroll.setWidget(inside)  # before its children, which would be polished twice
        self.overview, self.capabilities = Overview(inside), CapabilitiesCard(inside)
        self.engine, self.model, self.speed = Card(inside), Card(inside), Card(inside)
        self._engine_facts, self._model_facts = FactTable(self.engine), FactTable(self.model)
        self._figures = Figures(self.speed)
        self._no_speed = label(self.speed, "small", "text3")
        self.engine.body.addWidget(self._engine_facts)
        self.model.body.addWidget(self._model_facts)
        self.speed.body.addWidget(self._figures)
        self.speed.body.addWidget(self._no_speed)
        self.capabilities.reached.connect(self._reveal)
        self._main, self._side = QVBoxLayout(), QVBoxLayout()
        self._main.addWidget(self.overview)
        self._main.addWidget(self.capabilities)
        self._main.addStretch(1)
        for card in (self.engine, self.model, self.speed):
            self._side.addWidget(card)
        self._side.addStretch(1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._columns.addLayout(self._main, 1)
        self._columns.addLayout(self._side)
        scroll.verticalScrollBar().rangeChanged.connect(lambda *_: self._align())
        return scroll

    # --- what is shown -----------------------------------------------------------------------------------

    def show_known(self, known: Known) -> None:
        self._known = known
        self._draw()

    def show_segment(self, id_: str) -> None:
        """One of OVERVIEW and CAPABILITIES."""
        self.segments[id_].setChecked(True)
        self.overview.setVisible(id_ == OVERVIEW)
        self.model.setVisible(id_ == CAPABILITIES)  # the overview has its own, longer one
        self.capabilities.setVisible(id_ == CAPABILITIES)
        self.area.verticalScrollBar().setValue(0)

    def show_ability(self, name: str) -> None:
        """Lead to one row of the capabilities and mark it: one of NAMES, or a cell of a server's matrix."""
        self.show_segment(CAPABILITIES)
        row = self.capabilities.mark_row(LINES.get(name, name))
        if row is not None:
            row.setFocus(Qt.FocusReason.OtherFocusReason)
            self._reveal(row)

    def _reveal(self, row: QWidget) -> None:
        """Once it is laid out: its evidence has just been unfolded."""
        QTimer.singleShot(0, row, lambda: self.area.ensureWidgetVisible(row, 0, fonts.px(SPACE_24)))

    def order_after(self, before: QWidget) -> None:
        """The Tab key comes here from `before`."""
        for one, following in pairwise([before, *self._stops()]):
            QWidget.setTabOrder(one, following)

    def _stops(self) -> list[QWidget]:
        rows = [part for row in self.capabilities.rows.values() for part in (row, row.copy)]
        errors = (self.errors.action, self.errors.details, self.errors.copy, self.errors.close_button)
        return [
            *self.segments.values(), self.copy, self.again, *errors, self.area, *rows, self.overview.line.copy
        ]  # fmt: skip

    def text(self) -> str:
        """The whole page as plain text."""
        return facts.as_text(self._known, self._clock()) if self._known is not None else ""

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())

    def _tick(self) -> None:
        if self._known is not None:
            self.capabilities.show_time(self._known, self._clock())

    def _draw(self) -> None:
        known, now = self._known, self._clock()
        some = known is not None and known.some
        self.area.setVisible(some)
        self.nothing.setVisible(not some)
        self.nothing.setText(self.tr("What the model is and what can be shown stands here when it is ready."))
        self._draw_head(known)
        if known is None or not some:
            return
        self.capabilities.show_known(known, now)
        self.overview.show_known(known)
        self.engine.set_title(facts.engine_title(known))
        self._engine_facts.set_facts(facts.engine(known, now))
        self.model.set_title(self.tr("Model"))
        self._model_facts.set_facts(facts.model(known))
        self.speed.set_title(self.tr("Speed here"), facts.measured(known))
        self._figures.set_figures(facts.speed(known))
        self._no_speed.setVisible(not known.speed.answers)
        self._no_speed.setText(self.tr("No answer yet."))

    def _draw_head(self, known: Known | None) -> None:
        self._segments.setAccessibleName(self.tr("Parts of this page"))
        for button, text, tip in zip(
            self.segments.values(),
            (self.tr("Overview"), self.tr("Capabilities")),
            (self.tr("What the model is and where it is from"), self.tr("What can be shown, and why")),
            strict=True,
        ):
            button.setText(text)
            button.setAccessibleName(text)
            button.setToolTip(tip)
        self.copy.setText(self.tr("Copy as text"))
        self.copy.setToolTip(self.tr("The whole page, for a report. The address stays out of it."))
        self.copy.setEnabled(known is not None and known.some)
        server = known is not None and known.server
        asking = known is not None and known.asking
        running = known is not None and known.running
        self.again.setVisible(server)
        self.again.setText(self.tr("Asking…") if asking else self.tr("Ask again"))
        self.again.setEnabled(known is not None and known.ready and not asking and not running)
        if running:
            tip = self.tr("Not while an answer runs.")
        elif known is not None and not known.ready:
            tip = self.tr("Only while the server is connected.")
        else:
            tip = self.tr("Ask the server anew what it can show. This takes a few seconds.")
        self.again.setToolTip(tip)
        self.again.setAccessibleDescription(tip)

    # --- size and look -----------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """A new look, or a new zoom."""
        px = fonts.px
        self._theme = theme
        self.errors.set_theme(theme)
        self._segment_row.setContentsMargins(px(SPACE_2), px(SPACE_2), px(SPACE_2), px(SPACE_2))
        self._segment_row.setSpacing(px(SPACE_2))
        self._buttons.setSpacing(px(SPACE_8))
        self._head_row.setSpacing(px(SPACE_8))
        self._head_row.setContentsMargins(px(SPACE_24), px(SPACE_12), px(SPACE_24), px(SPACE_8))
        self._errors_box.setContentsMargins(px(SPACE_24), 0, px(SPACE_24), 0)
        self._columns.setSpacing(px(SPACE_24))
        for column in (self._main, self._side):
            column.setSpacing(px(GAP))
        for card in (self.engine, self.model, self.speed):
            card.fit()
        for table in (self._engine_facts, self._model_facts):
            table.fit()
        self._figures.fit()
        self.overview.fit()
        self._arrange()

    def _arrange(self) -> None:
        """The short facts stand beside the column, or below it where there is little room."""
        px = fonts.px
        directions = QBoxLayout.Direction
        beside = self.width() >= px(_BESIDE_FROM)
        self._columns.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        # side by side the first takes the width; below each other the last takes the height that is left
        self._columns.setStretchFactor(self._main, int(beside))
        self._columns.setStretchFactor(self._side, int(not beside))
        for card in (self.engine, self.model, self.speed):
            card.setFixedWidth(px(_SIDE)) if beside else card.setMaximumWidth(16777215)
            if not beside:
                card.setMinimumWidth(0)
        one = self.width() >= px(_ONE_ROW_FROM)
        self._head_row.setDirection(directions.LeftToRight if one else directions.TopToBottom)
        self._align()
        taken = 2 * px(SPACE_24) + (px(_SIDE) + px(SPACE_24) if beside else 0)
        self.capabilities.set_theme(self._theme, self.width() - taken)

    def _align(self) -> None:
        """The cards end below the buttons, with a scroll bar or without."""
        bar = self.area.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        side, top = fonts.px(SPACE_24), fonts.px(SPACE_8)
        self._columns.setContentsMargins(side, top, max(side - taken, 0), side)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ago.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ago.stop()
        self.capabilities.mark_row("")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_ago"):
            self._draw()
