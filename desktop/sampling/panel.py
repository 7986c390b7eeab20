"""The sampling dock's content: the form above, then the server's guessing, this answer's figures below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import Theme
from desktop.sampling.answer_panel import AnswerPanel
from desktop.sampling.form import SamplingForm
from desktop.sampling.guessing import GuessRow

WIDTH = 296  # of the panel, at zoom 100 %


class SamplingPanel(QScrollArea):
    """`form`, `guessing` and `answer` are its parts; whoever composes the window talks to them directly."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        mark(self, ground="side")
        inside = QWidget(self)
        mark(inside, ground="side")
        self.form = SamplingForm(inside)
        self.guessing = GuessRow(inside)
        self.answer = AnswerPanel(inside)
        line = QFrame(inside)
        mark(line, edge="top")
        line.setFixedHeight(1)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.form)
        layout.addWidget(self.guessing)
        layout.addWidget(line)
        layout.addWidget(self.answer, 1)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(WIDTH), super().sizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        self.form.measure()
        self.guessing.measure()
        self.answer.set_theme(theme)
