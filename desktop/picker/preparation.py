"""The card above the composer while the model is got or loaded, and when that failed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.engines.state import EngineState, Phase
from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel
from desktop.kit.errors_text import describe, joined
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12, SPACE_16
from desktop.picker.run_text import run_text, size, time_left
from desktop.picker.time_left import TimeLeft

_SCALE = 1000
# loading takes a moment at each start: the run bar says it, a card would only jump in and out
_QUIET = frozenset({Phase.READY, Phase.CONNECTING, Phase.LOADING, Phase.CLOSED})


class PreparationCard(QFrame):
    """Says what is being done, how far it is and what can be done about it; hidden when all is well."""

    action = Signal(str)  # "cancel" | "retry" | "get"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = EngineState(Phase.READY)
        self._left = TimeLeft()
        self._action = ""
        mark(self, banner="info")
        self._title = ElidedLabel(parent=self)
        mark(self._title, role="body_strong")
        self._amount = QLabel(self)
        mark(self._amount, role="small", tone="text2")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _SCALE)
        self._why = QLabel(self)
        self._why.setWordWrap(True)
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        mark(self._why, role="small", tone="text2")
        self._detail = QLabel(self)
        self._detail.setTextFormat(Qt.TextFormat.PlainText)
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail.setWordWrap(True)
        mark(self._detail, role="mono_small", tone="text2")
        self._button = QPushButton(self)
        mark(self._button, size="small")
        self._button.clicked.connect(lambda: self.action.emit(self._action))
        self._outer = QVBoxLayout(self)
        self._top = QHBoxLayout()
        self._top.addWidget(self._title, 1)
        self._top.addWidget(self._amount)
        self._top.addWidget(self._button)
        self._outer.addLayout(self._top)
        for widget in (self._bar, self._why, self._detail):
            self._outer.addWidget(widget)
        self.measure()
        self.hide()

    def measure(self) -> None:
        """Sizes at the present zoom."""
        px = fonts.px
        self._outer.setContentsMargins(px(SPACE_16), px(SPACE_8), px(SPACE_8), px(SPACE_12))
        self._outer.setSpacing(px(SPACE_4))
        self._top.setSpacing(px(SPACE_12))

    def set_state(self, state: EngineState) -> None:
        if state.phase is not self._state.phase:
            self._left.reset()
        self._state = state
        self._draw()

    def _draw(self) -> None:
        state = self._state
        self.setVisible(state.phase not in _QUIET)
        if state.phase in _QUIET:
            return
        failed = state.phase in (Phase.FAILED, Phase.LOST)
        seconds = self._left.feed(state.done, state.total) if state.phase is Phase.FETCHING else None
        text = run_text(state, seconds)
        mark(self, banner="err" if failed else "info")
        self._action = text.action
        self._button.setText(text.label)
        self._button.setVisible(bool(text.action))
        self._title.setText(self._sentence(state))
        self._amount.setText("" if failed else self._how_far(state, seconds))
        self._amount.setVisible(bool(self._amount.text()))
        self._bar.setVisible(text.progress is not None)
        if text.progress is not None:
            self._bar.setValue(round(text.progress * _SCALE))
        self._draw_error(state if failed else None)

    def _draw_error(self, state: EngineState | None) -> None:
        why = detail = ""
        if state is not None and state.error is not None:
            words = describe(state.error)
            why = joined(words.why, words.next)
            detail = words.detail[:600]
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))

    def _sentence(self, state: EngineState) -> str:
        model = state.model
        if state.phase in (Phase.FAILED, Phase.LOST):
            if state.error is not None:
                return describe(state.error).what
            return self.tr("{model} did not start.").format(model=model)
        if state.phase is Phase.ABSENT:
            return self.tr("{model} is not on this computer.").format(model=model)
        return {
            Phase.FETCHING: self.tr("Downloading {model}"),
            Phase.CONVERTING: self.tr("Converting {model} for this computer, once"),
            Phase.VERIFYING: self.tr("Checking the files of {model}"),
        }[state.phase].format(model=model)

    def _how_far(self, state: EngineState, seconds: float | None) -> str:
        if state.phase is Phase.FETCHING and state.total:
            amount = self.tr("{done} of {total}").format(done=size(state.done), total=size(state.total))
            return " · ".join(part for part in (amount, time_left(seconds)) if part)
        return run_text(state).detail

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
