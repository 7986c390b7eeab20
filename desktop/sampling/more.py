"""What an answer is asked for beyond the common values: a form, further fields; what the server decides."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.engines.base import NOTHING, EngineInfo, Extras, Sampling, Structured
from desktop.kit import fonts, icons
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8
from desktop.sampling.fields import Fields
from desktop.sampling.form_editor import FormEditor


def reasons(refuses: Sequence[str]) -> dict[str, str]:
    """Why a server takes less than others, by what it refuses."""
    words = {
        "greedy": QCoreApplication.translate(
            "SamplingForm",
            "This server refuses temperature 0: temperature begins at 0.05, and top-k goes from 1 to 128. "
            "Values beyond that were moved there.",
        ),
        "min_p": QCoreApplication.translate(
            "SamplingForm", "Min-p is off: this server guesses ahead, and refuses it then."
        ),
        "top_k": QCoreApplication.translate(
            "SamplingForm",
            "Top-k is off: this server guesses ahead on vLLM’s CPU build, whose engine would die of it.",
        ),
    }
    return {name: words[name] for name in refuses if name in words}


class More(QWidget):
    """Folded at first, unless something is set in it."""

    sampling_changed = Signal(object)  # values of `Sampling` that have no control of their own
    extras_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._extras = NOTHING
        self._info: EngineInfo | None = None
        self._open = False
        self.head = QToolButton(self)
        mark(self.head, kind="flat", size="small")
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.clicked.connect(self._fold)
        self.fields = Fields(self)
        self.form = FormEditor(self)
        self.fields.before = (self.form.text,)
        self._only = self._caption()
        self.clear = QPushButton(self)
        mark(self.clear, kind="link", role="caption")
        self._guessing = self._caption()
        self.fields.changed.connect(self._take_fields)
        self.form.changed.connect(self._take_form)
        self.clear.clicked.connect(self._clear)
        head = QHBoxLayout()
        head.addWidget(self.head)
        head.addStretch(1)
        foot = QHBoxLayout()
        foot.addWidget(self.clear)
        foot.addStretch(1)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(head)
        for widget in (self.form, self.fields, self._only):
            self._layout.addWidget(widget)
        self._layout.addLayout(foot)
        self._layout.addWidget(self._guessing)
        self.measure()
        self._draw()

    def _caption(self) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        mark(label, role="caption", tone="text3")
        return label

    def measure(self) -> None:
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(fonts.px(SPACE_8))
        self.form.measure()

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order; rows of fields come before their button by themselves."""
        return self.head, self.form.kind, self.form.text, self.fields.add, self.clear

    def forget(self) -> None:
        """Another conversation: what is typed and not used is not for it."""
        self.fields.forget()
        self.form.forget()

    def show_values(self, sampling: Sampling, extras: Extras, info: EngineInfo | None) -> None:
        """What is set, for the engine that is asked."""
        fresh = extras != self._extras and extras != NOTHING
        self._extras, self._info = extras, info
        self.fields.show_values(sampling, extras.fields, server=self._server)
        self.form.show_form(extras.structured)
        self._open = self._open or fresh
        self._draw()

    @property
    def _server(self) -> bool:
        return self._info is not None and self._info.engine == "vllm"

    def _fold(self) -> None:
        self._open = not self._open
        self._draw()

    def _take_fields(self, own: dict[str, object], fields: dict[str, object]) -> None:
        if self._server:
            self._tell(fields=fields)
        self.sampling_changed.emit(own)

    def _take_form(self, form: Structured | None) -> None:
        self._tell(structured=form)

    def _tell(self, **change: object) -> None:
        extras = msgspec.structs.replace(self._extras, **change)
        if extras != self._extras:
            self._extras = extras
            self._draw()
            self.extras_changed.emit(extras)

    def _clear(self) -> None:
        self._extras = NOTHING
        self.form.show_form(None)
        self._draw()
        self.extras_changed.emit(NOTHING)

    def _draw(self) -> None:
        server, opened = self._server, self._open
        icons.dress(self.head, "chevron-down" if opened else "chevron-right")
        count = self.fields.count + (self._extras.structured is not None)
        self.head.setText(self.tr("More ({n})").format(n=count) if count else self.tr("More"))
        words = (
            self.tr("Hide the form and further fields")
            if opened
            else self.tr("Show the form and further fields")
        )
        self.head.setToolTip(words)
        self.head.setAccessibleDescription(words)
        self.fields.setVisible(opened)
        self.form.setVisible(opened)
        self.form.setEnabled(server)
        local = self._info is not None and not server  # not while a server is away
        stranded = local and self._extras != NOTHING
        self._only.setText(
            self.tr("Set for a server: the built-in engine refuses it.")
            if stranded
            else self.tr("Only vLLM servers have a form and further fields.")
        )
        self._only.setVisible((opened and local) or stranded)
        self.clear.setText(self.tr("Clear"))
        self.clear.setToolTip(self.tr("No form and no further fields"))
        self.clear.setVisible(stranded)
        self._guessing.setText(self._guessing_words())
        self._guessing.setVisible(opened and server)

    def _guessing_words(self) -> str:
        known = {
            True: self.tr("Guessing ahead: on, by --speculative-config of the server."),
            False: self.tr("Guessing ahead: off. Starting the server with --speculative-config turns it on."),
            None: self.tr(
                "Guessing ahead: not told. Starting the server with --speculative-config turns it on."
            ),
        }
        return known[self._info.speculative if self._info is not None else None]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._draw()
