"""The one line above the composer while the server of ours is stopped: what to start to go on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop.kit import fonts, icons
from desktop.kit.elided import ElidedLabel
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_8, SPACE_12, SPACE_16, Theme
from desktop.server.parts import button


class StoppedBar(QFrame):
    """`start_wanted`: its button. Hidden until it has a model."""

    start_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = self._kept = ""
        mark(self, banner="info")
        self.text = ElidedLabel(parent=self)
        mark(self.text, role="body_strong")
        self.start = button(self, size="small")
        icons.dress(self.start, "play")
        self.start.clicked.connect(self.start_wanted)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.text, 1)
        self._row.addWidget(self.start)
        self.set_theme(LIGHT)
        self.hide()

    def set_model(self, model: str, kept: str = "") -> None:
        """An empty name hides it. `kept`: a sentence about what is on disk of one that is not whole."""
        self._model, self._kept = model, kept
        self._translate()
        self.setVisible(bool(model))

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._row.setContentsMargins(px(SPACE_16), px(SPACE_8), px(SPACE_8), px(SPACE_8))
        self._row.setSpacing(px(SPACE_12))

    def _translate(self) -> None:
        start = self.tr("Start {model} to go on").format(model=self._model)
        self.text.setText(" · ".join(filter(None, (start, self._kept))))
        self.start.setText(self.tr("Start"))
        self.start.setAccessibleName(self.tr("Start {model}").format(model=self._model))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
