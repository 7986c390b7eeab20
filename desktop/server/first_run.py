"""The page of a first run: three ways to begin, none of which sends or downloads anything by itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.server.launcher import Doctor
from core.tokens import figures
from desktop.kit import fonts
from desktop.kit.style import mark
from desktop.kit.theme import LIGHT, SPACE_2, SPACE_8, SPACE_12, SPACE_16, SPACE_24, Theme
from desktop.server.doctor_view import DoctorCard, ModelRow
from desktop.server.parts import Sign, button, label

WIDTH = 720  # px, of the page at zoom 100 %
_BUTTON = 112
_BESIDE_FROM = 480


class BuiltInCard(QFrame):
    """The built-in model: the primary way. `wanted`: its button."""

    wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._size = "", 0
        mark(self, ground="chosen")
        self.title = label(self, "section")
        self.text = label(self, "body", "text2")
        self.note = label(self, "small", "text3")
        self.button = button(self, kind="primary")
        self.button.clicked.connect(self.wanted)
        self._words = QVBoxLayout()
        for widget in (self.title, self.text, self.note):
            self._words.addWidget(widget)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.addLayout(self._words, 1)
        self._row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

    def set_model(self, name: str, size: int) -> None:
        """`size`: bytes that are still to be downloaded."""
        self._name, self._size = name, size
        self.translate()

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        side = px(SPACE_24) - px(1)
        self._row.setContentsMargins(side, px(SPACE_16), side, px(SPACE_16))
        self._row.setSpacing(px(SPACE_16))
        self._words.setSpacing(px(SPACE_2) * 2)
        self.button.setMinimumWidth(px(_BUTTON))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < fonts.px(_BESIDE_FROM)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != way:
            self._row.setDirection(way)

    def translate(self) -> None:
        self.title.setText(self.tr("Built-in model"))
        self.text.setText(self.tr("{model}. Small, English, quick on any computer.").format(model=self._name))
        if self._size:
            words = self.tr("No Docker; {size} to download once. Every number of every token.")
            self.note.setText(words.format(size=figures.size(self._size)))
        else:
            self.note.setText(self.tr("No Docker, no download. Every number of every token."))
        self.button.setText(self.tr("Chat now"))
        self.button.setAccessibleDescription(self.note.text())


class AddressCard(QFrame):
    """A server that runs already. `wanted` carries what was typed, without blanks around it."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mark(self, ground="card")
        self.title = label(self, "section")
        self.edit = QLineEdit(self)
        self.edit.setPlaceholderText("http://localhost:8000")
        self.edit.setInputMethodHints(Qt.InputMethodHint.ImhUrlCharactersOnly)
        mark(self.edit, role="mono")
        self.button = button(self)
        self.button.clicked.connect(self._go)
        self.edit.returnPressed.connect(self._go)
        self.edit.textChanged.connect(self._typed)
        self._row = QHBoxLayout()
        self._row.addWidget(self.edit, 1)
        self._row.addWidget(self.button)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.title)
        self._column.addLayout(self._row)
        self._typed()

    def _typed(self) -> None:
        self.button.setEnabled(bool(self.edit.text().strip()))

    def _go(self) -> None:
        if self.edit.text().strip():
            self.wanted.emit(self.edit.text().strip())

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        side = px(SPACE_24) - px(1)
        self._column.setContentsMargins(side, px(SPACE_12), side, px(SPACE_16))
        self._column.setSpacing(px(SPACE_8))
        self._row.setSpacing(px(SPACE_8))
        self.button.setMinimumWidth(px(_BUTTON) - px(SPACE_12))

    def translate(self) -> None:
        self.title.setText(self.tr("A vLLM server that already runs"))
        self.edit.setAccessibleName(self.tr("Address of the server"))
        self.button.setText(self.tr("Connect"))


class FirstRun(QWidget):
    """`built_in_wanted`, `connect_wanted` (address as typed), `start_wanted`, `models_wanted`, `fix_wanted`
    (a Fix of the doctor's finding)."""

    built_in_wanted = Signal()
    connect_wanted = Signal(str)
    start_wanted = Signal()
    models_wanted = Signal()
    fix_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, ground="surface")
        self._sign = Sign(self, 36)
        self.title = label(self, "title")
        self._note = label(self, "body", "text2")
        self.built_in = BuiltInCard(self)
        self.doctor = DoctorCard(self)
        self.address = AddressCard(self)
        self._promise = label(self, "small", "text3")
        self._promise.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.built_in.wanted.connect(self.built_in_wanted)
        self.address.wanted.connect(self.connect_wanted)
        self.doctor.start_wanted.connect(self.start_wanted)
        self.doctor.models_wanted.connect(self.models_wanted)
        self.doctor.fix_wanted.connect(self.fix_wanted)
        self._titles = QVBoxLayout()
        self._titles.addWidget(self.title)
        self._titles.addWidget(self._note)
        self._head = QHBoxLayout()
        self._head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        self._head.addLayout(self._titles, 1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        for widget in (self.built_in, self.doctor, self.address, self._promise):
            self._column.addWidget(widget)
        self.set_theme(LIGHT)
        self._translate()

    def set_built_in(self, name: str, size: int) -> None:
        """The built-in model's name, and the bytes that are still to be downloaded."""
        self.built_in.set_model(name, size)

    def set_doctor(self, doctor: Doctor | None) -> None:
        """None while it is asked."""
        self.doctor.set_doctor(doctor)

    def set_model(self, model: ModelRow | None) -> None:
        """The model that Start would start in Docker; None: there is none on disk."""
        self.doctor.set_model(model)

    def set_theme(self, theme: Theme) -> None:
        px = fonts.px
        self._sign.set_sign("loupe", "accent", "")
        self._sign.set_theme(theme)
        self._column.setContentsMargins(0, px(SPACE_8), 0, 0)
        self._column.setSpacing(px(SPACE_16))
        self._head.setSpacing(px(SPACE_12) + px(SPACE_2))
        self._head.setContentsMargins(0, 0, 0, px(SPACE_8))
        self._titles.setSpacing(px(SPACE_2))
        for card in (self.built_in, self.doctor, self.address):
            card.set_theme(theme)

    def _translate(self) -> None:
        self.title.setText(self.tr("Look at every token a model writes"))
        self._note.setText(self.tr("Three ways to begin. Nothing is sent or downloaded until you click."))
        self._promise.setText(self.tr("No account, no telemetry."))
        self.built_in.translate()
        self.address.translate()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
