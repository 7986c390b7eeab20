"""The card above the composer while the model is got or loaded, and when that failed or needs an answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.engines.state import EngineState, Phase
from core.tokens import figures
from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel
from desktop.kit.errors_text import describe, joined
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12, SPACE_16
from desktop.picker.run_text import run_text, short, time_left
from desktop.picker.served import file_ways
from desktop.picker.time_left import TimeLeft

_SCALE = 1000
# loading takes a moment at each start: the run bar says it, a card would only jump in and out
_QUIET = frozenset({Phase.READY, Phase.CONNECTING, Phase.LOADING, Phase.CLOSED})
FILES_UNKNOWN = "server.files_unknown"
UNSUPPORTED = "server.unsupported"


class PreparationCard(QFrame):
    """Says what is being done, how far it is and what can be done about it; hidden when all is well."""

    # "cancel" | "retry" | "get" | "edit" | "folder" | "hub" | "tokenizer" | "report" | "dismiss"
    action = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = EngineState(Phase.READY)
        self._left = TimeLeft()
        self._offered: tuple[tuple[str, str], ...] = ()
        self._refused: tuple[str, str] | None = None
        self._muted = False
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
        self.buttons: list[QPushButton] = []
        self._outer = QVBoxLayout(self)
        self._top = QHBoxLayout()
        self._top.addWidget(self._title, 1)
        self._top.addWidget(self._amount)
        self._below = QHBoxLayout()
        self._outer.addLayout(self._top)
        for widget in (self._bar, self._why, self._detail):
            self._outer.addWidget(widget)
        self._outer.addLayout(self._below)
        self.measure()
        self.hide()

    def measure(self) -> None:
        """Sizes at the present zoom."""
        px = fonts.px
        self._outer.setContentsMargins(px(SPACE_16), px(SPACE_8), px(SPACE_8), px(SPACE_12))
        self._outer.setSpacing(px(SPACE_4))
        self._top.setSpacing(px(SPACE_12))
        self._below.setSpacing(px(SPACE_8))
        self._below.setContentsMargins(0, px(SPACE_4), 0, 0)

    def set_state(self, state: EngineState) -> None:
        if state.phase is not self._state.phase:
            self._left.reset()
            self._refused = None
        self._state = state
        self._draw()

    def set_muted(self, on: bool) -> None:
        """The page in view says the same."""
        if on != self._muted:
            self._muted = on
            self._draw()

    def set_refused(self, refused: tuple[str, str] | None) -> None:
        """(a served model that was chosen and is not supported, its model_type); None: no more of it."""
        self._refused = refused
        self._draw()

    def _draw(self) -> None:
        if self._refused is not None:
            self._draw_refused(*self._refused)
            return
        state = self._state
        # of a server that is gone the banner in the turn tells, and the run bar
        lost = state.phase is Phase.LOST and state.engine == "vllm"
        quiet = self._muted or lost or state.phase in _QUIET
        self.setVisible(not quiet)
        if quiet:
            return
        failed = state.phase in (Phase.FAILED, Phase.LOST)
        seconds = self._left.feed(state.done, state.total) if state.phase is Phase.FETCHING else None
        text = run_text(state, seconds)
        mark(self, banner="err" if failed else "info")
        self._offer(self._ways(state) or (((text.action, text.label),) if text.action else ()))
        self._title.setText(self._sentence(state))
        self._amount.setText("" if failed else self._how_far(state, seconds))
        self._amount.setVisible(bool(self._amount.text()))
        self._bar.setVisible(text.progress is not None)
        if text.progress is not None:
            self._bar.setValue(round(text.progress * _SCALE))
        self._draw_error(state if failed else None)

    def _draw_refused(self, model: str, model_type: str) -> None:
        mark(self, banner="warn")
        self._title.setText(self.tr("{model} is not supported yet.").format(model=model))
        why = self.tr(
            "Its model_type is {type}, which this program does not know. The present model stays in use."
        )
        self._why.setText(why.format(type=model_type or "?"))
        report, close = ("report", self.tr("Report this model…")), ("dismiss", self.tr("Close"))
        self._offer((report, close))
        for widget in (self._amount, self._bar, self._detail):
            widget.hide()
        self._why.show()
        self.show()

    def _ways(self, state: EngineState) -> tuple[tuple[str, str], ...]:
        """What a server that cannot be used leaves to do: (action, words)."""
        if state.phase is not Phase.FAILED or state.engine != "vllm" or state.error is None:
            return ()
        again = ("retry", self.tr("Try again"))
        if state.error.code == FILES_UNKNOWN:
            return file_ways()
        if state.error.code == UNSUPPORTED:
            return ("report", self.tr("Report this model…")), ("edit", self.tr("Address and key…")), again
        if state.error.code.startswith(("hub.", "model.")):  # it answers, its files cannot be got or read
            return (*file_ways(), again)
        return ("edit", self.tr("Address and key…")), again

    def _offer(self, ways: tuple[tuple[str, str], ...]) -> None:
        """One button stands beside the title, several below the words."""
        if ways == self._offered:
            return
        self._offered = ways
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(*way) for way in ways]
        while self._below.takeAt(0) is not None:
            pass
        if len(ways) == 1:
            self._top.addWidget(self.buttons[0])
            return
        for button in self.buttons:
            self._below.addWidget(button)
        self._below.addStretch(1)

    def _button(self, action: str, words: str) -> QPushButton:
        button = QPushButton(words, self)
        mark(button, size="small")
        button.clicked.connect(lambda: self.action.emit(action))
        return button

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
        if state.phase is Phase.ABSENT and state.engine == "vllm":
            return self.tr("Not connected to {address}.").format(address=short(state.address))
        if state.phase is Phase.ABSENT:
            return self.tr("{model} is not on this computer.").format(model=model)
        if state.engine == "vllm":  # its weights are on the server
            return self.tr("Getting the tokenizer of {model}").format(model=model)
        return {
            Phase.FETCHING: self.tr("Downloading {model}"),
            Phase.CONVERTING: self.tr("Converting {model} for this computer, once"),
            Phase.VERIFYING: self.tr("Checking the files of {model}"),
        }[state.phase].format(model=model)

    def _how_far(self, state: EngineState, seconds: float | None) -> str:
        if state.phase is Phase.FETCHING and state.total:
            amount = self.tr("{done} of {total}").format(
                done=figures.size(state.done), total=figures.size(state.total)
            )
            return " · ".join(part for part in (amount, time_left(seconds)) if part)
        return run_text(state).detail

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
