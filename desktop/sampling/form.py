"""The form of sampling values: sliders with boxes, seed and the limit of new tokens."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.engines.base import NOTHING, EngineInfo, Extras, Sampling
from core.engines.limits import ranges
from core.tokens import figures
from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12, SPACE_16
from desktop.sampling.more import More, reasons
from desktop.sampling.scales import SCALES, seed_from, tokens_from
from desktop.sampling.value_row import ValueRow

_TELL_MS = 150  # a slider in motion is not told at each pixel


class _Field(QWidget):
    """A labelled input that may be empty."""

    def __init__(self, parent: QWidget, right: bool) -> None:
        super().__init__(parent)
        self.label = QLabel(self)
        mark(self.label, role="small_strong")
        self.input = QLineEdit(self)
        mark(self.input, size="small")
        if right:
            self.input.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.label.setBuddy(self.input)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(fonts.px(SPACE_4))
        layout.addWidget(self.label)
        layout.addWidget(self.input)


class SamplingForm(QWidget):
    """`changed` carries the whole Sampling, once the hand rests; `set_sampling` shows one without telling.

    Until it is called, and after `set_unknown`, the form shows dashes and can not be used.
    """

    changed = Signal(object)
    extras_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sampling = Sampling()
        self._extras = NOTHING
        self._info: EngineInfo | None = None
        self._recommended = Sampling()
        self._drawn: int | None = None
        self._known = False
        self.rows = {scale.name: ValueRow(scale, self) for scale in SCALES}
        self.seed = _Field(self, right=False)
        self.limit = _Field(self, right=True)
        self.seed.input.editingFinished.connect(lambda: self._take("seed", self.seed.input, seed_from))
        self.limit.input.editingFinished.connect(
            lambda: self._take("max_tokens", self.limit.input, tokens_from)
        )
        self._drawn_note = QLabel(self)
        mark(self._drawn_note, role="caption", tone="text3")
        self.keep = QPushButton(self)
        mark(self.keep, kind="link", role="caption")
        self.keep.clicked.connect(self._keep_seed)
        self._limits = QLabel(self)
        self._limits.setWordWrap(True)
        mark(self._limits, role="caption", tone="text3")
        self.more = More(self)
        self.more.sampling_changed.connect(lambda values: self._set(**values))
        self.more.extras_changed.connect(self._take_extras)
        self.reset = QPushButton(self)
        mark(self.reset, kind="link", role="small")
        self.reset.clicked.connect(self._reset)
        self._tell_timer = QTimer(self)
        self._tell_timer.setSingleShot(True)
        self._tell_timer.setInterval(_TELL_MS)
        self._tell_timer.timeout.connect(lambda: self.changed.emit(self._sampling))
        self._layout = QVBoxLayout(self)
        for row in self.rows.values():
            row.edited.connect(self._edited)
            self._layout.addWidget(row)
        self._layout.addWidget(self._limits)
        self._pair = QHBoxLayout()
        self._pair.addWidget(self.seed, 1)
        self._pair.addWidget(self.limit, 1)
        self._layout.addLayout(self._pair)
        self._note_row = QHBoxLayout()
        self._note_row.addWidget(self._drawn_note)
        self._note_row.addWidget(self.keep)
        self._note_row.addStretch(1)
        self._layout.addLayout(self._note_row)
        self._layout.addWidget(self.more)
        self._reset_row = QHBoxLayout()
        self._reset_row.addWidget(self.reset)
        self._reset_row.addStretch(1)
        self._layout.addLayout(self._reset_row)
        self.measure()
        self._draw()

    def measure(self) -> None:
        px = fonts.px
        self._layout.setContentsMargins(px(SPACE_16), px(SPACE_8), px(SPACE_16), px(SPACE_12))
        self._layout.setSpacing(px(10))
        self._pair.setSpacing(px(SPACE_16))
        self._note_row.setSpacing(px(SPACE_4))
        for row in self.rows.values():
            row.measure()
        self.more.measure()

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        rows = [control for row in self.rows.values() for control in (row.slider, row.box)]
        return *rows, self.seed.input, self.limit.input, self.keep, *self.more.stops(), self.reset

    # set from outside

    def set_sampling(
        self,
        sampling: Sampling,
        recommended: Sampling,
        extras: Extras = NOTHING,
        info: EngineInfo | None = None,
    ) -> None:
        """The chat's values, what the model recommends (for Reset), and what is asked for beside them of the
        engine that `info` is of."""
        self._tell_timer.stop()
        self._sampling, self._recommended = sampling, recommended
        self._extras, self._info = extras, info
        self._known = True
        self.more.forget()
        self._draw()

    def set_unknown(self) -> None:
        """No model is ready, so its values are not known, and the chat has none of its own."""
        self._tell_timer.stop()
        self._sampling = self._recommended = Sampling()
        self._extras, self._info = NOTHING, None
        self._known = False
        self._draw()

    def set_drawn_seed(self, seed: int | None) -> None:
        """The seed that the last answer drew for itself."""
        self._drawn = seed
        self._draw_seed()

    @property
    def sampling(self) -> Sampling:
        return self._sampling

    # what the person does

    def _edited(self, name: str, value: float) -> None:
        whole = int(value) if name == "top_k" else value
        self._set(**{name: whole})

    def _take(self, name: str, field: QLineEdit, parse: Callable[[str], int | None]) -> None:
        try:
            value = parse(field.text())
        except ValueError:
            mark(field, state="err")
            return
        mark(field, state="")
        self._set(**{name: value})

    def _take_extras(self, extras: Extras) -> None:
        if extras != self._extras:
            self._extras = extras
            self.extras_changed.emit(extras)

    def _keep_seed(self) -> None:
        self._set(seed=self._drawn)

    def _reset(self) -> None:
        self._sampling = self._recommended
        self._draw()
        self._tell_timer.start()

    def _set(self, **change: object) -> None:
        new = msgspec.structs.replace(self._sampling, **change)
        if new != self._sampling:
            self._sampling = new
            self._draw()
            self._tell_timer.start()

    # showing

    def _draw(self) -> None:
        self.setEnabled(self._known)
        self._draw_limits()
        for name, row in self.rows.items():
            if self._known:
                row.set_value(getattr(self._sampling, name))
            else:
                row.set_unknown()
        self._draw_words()
        limit = self._sampling.max_tokens
        self._show_number(self.limit.input, limit)
        self._show_number(self.seed.input, self._sampling.seed)
        self._draw_seed()
        self.more.show_values(self._sampling, self._extras, self._info)
        self.reset.setEnabled(self._sampling != self._recommended)

    def _draw_limits(self) -> None:
        """What the engine does not take is out of reach, and the reason is said once."""
        server = self._info is not None and self._info.engine == "vllm"
        refuses = self._info.refuses if self._info is not None else ()
        known = ranges(refuses, greedy=self._sampling.greedy) if server else {}
        said = reasons(refuses)
        for name, row in self.rows.items():
            allowed = known.get(name)
            row.set_range(allowed, said.get(allowed.why, "") if allowed and allowed.why else "")
        self._limits.setText("\n".join(said.values()))
        self._limits.setVisible(bool(said))

    @staticmethod
    def _show_number(field: QLineEdit, value: int | None) -> None:
        if not (field.hasFocus() and field.property("state") == "err"):
            field.setText("" if value is None else str(value))
            mark(field, state="")

    def _draw_seed(self) -> None:
        shown = self._drawn is not None and self._sampling.seed is None
        self._drawn_note.setVisible(shown)
        self.keep.setVisible(shown)
        if shown:
            self._drawn_note.setText(self.tr("Last drawn: {seed}").format(seed=self._drawn))

    def _draw_words(self) -> None:
        for name, (title, meaning) in self._words().items():
            self.rows[name].set_words(title, meaning if self._known else "")
        self.seed.label.setText(self.tr("Seed"))
        self.seed.input.setPlaceholderText(self.tr("drawn") if self._known else figures.DASH)
        self.seed.input.setToolTip(self.tr("Empty: each answer draws one and shows it"))
        self.limit.label.setText(self.tr("Max tokens"))
        self.limit.input.setPlaceholderText(self.tr("no limit") if self._known else figures.DASH)
        self.limit.input.setToolTip(self.tr("Empty: until the model ends or the context is full"))
        self.keep.setText(self.tr("Keep it"))
        self.reset.setText(self.tr("Reset to the model’s values"))

    def _words(self) -> dict[str, tuple[str, str]]:
        s = self._sampling
        off, greedy = self.tr("off"), self.tr("no effect at temperature 0")
        percent = f"{s.top_p * 100:.0f} %"
        least = f"{s.min_p * 100:.0f} %"
        top_k = self.tr("keep the %n likeliest", "", s.top_k) if s.top_k else off
        top_p = self.tr("then the likeliest {share}").format(share=percent) if s.top_p < 1 else off
        min_p = self.tr("{share} of the likeliest").format(share=least) if s.min_p > 0 else off
        repetition = off
        if s.repetition_penalty > 1:
            repetition = self.tr("repeats less likely")
        elif s.repetition_penalty < 1:
            repetition = self.tr("repeats more likely")
        return {
            "temperature": (
                self.tr("Temperature"),
                self.tr("always the likeliest") if s.greedy else self.tr("higher = flatter choice"),
            ),
            "top_k": (self.tr("Top-k"), greedy if s.greedy and s.top_k else top_k),
            "top_p": (self.tr("Top-p"), greedy if s.greedy and s.top_p < 1 else top_p),
            "min_p": (self.tr("Min-p"), greedy if s.greedy and s.min_p > 0 else min_p),
            "repetition_penalty": (self.tr("Repetition"), repetition),
        }

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
