"""The sheet "A server of mine…": address, key, a test with what was found, and the way in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.engines.vllm.address import normalise
from core.errors import EngineError, LoupeError
from desktop.kit import fonts
from desktop.kit.dialogs import Sheet
from desktop.kit.errors_text import describe, joined
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_4, SPACE_8, SPACE_12

_WIDTH = 520
_LEAST, _FRAME = 48, 48  # of what was found; that a desktop draws round a window
_DETAIL = 600  # characters of a server's own words


class ServerSheet(Sheet):
    """`test`, `join`, `forget`: pressed, with a normalised address; `key` is what stands in the field, "" =
    none, or the one that is kept already. `typed`: the address in the field is now this one ("" = none)."""

    test = Signal(str, str)
    join = Signal(str, str)
    forget = Signal(str)
    typed = Signal(str)

    def __init__(self, parent: QWidget, address: str = "") -> None:
        super().__init__(parent, _WIDTH)
        self._busy = False
        self.set_title(self.tr("A server of mine"))
        words = self.tr(
            "Any vLLM server, on this computer or another. Your messages go there and nowhere else."
        )
        self.add_text(words, "body", "text2")
        self.address = self._field(self.tr("Address"), address)
        self.address.setPlaceholderText("http://localhost:8000")
        self.address.setInputMethodHints(Qt.InputMethodHint.ImhUrlCharactersOnly)
        self.key = self._field(self.tr("Key"), "")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("Only if the server was started with --api-key"))
        self.key_note = self.add_text("", "small", "text2")
        self.key_note.hide()
        self._make_outcome()
        self._make_buttons()
        self.address.textChanged.connect(self._changed)
        self.address.editingFinished.connect(self._tidy)
        self.key.textChanged.connect(self._clear)
        self.set_known(False)
        self._enable()
        self.address.setFocus()
        self.address.selectAll()

    def _field(self, name: str, text: str) -> QLineEdit:
        label, edit = QLabel(name, self), QLineEdit(text, self)
        mark(label, role="small_strong", tone="text2")
        label.setBuddy(edit)
        edit.setAccessibleName(name)
        pair = QVBoxLayout()
        pair.setSpacing(fonts.px(SPACE_4))
        pair.addWidget(label)
        pair.addWidget(edit)
        self.column.addLayout(pair)
        return edit

    def _make_outcome(self) -> None:
        self.outcome = QScrollArea(self)
        self.outcome.setWidgetResizable(True)
        self.outcome.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._what, self._rest, self._detail = QLabel(inside), QLabel(inside), QLabel(inside)
        self._words = QVBoxLayout(inside)
        self._words.setContentsMargins(*(fonts.px(side) for side in (SPACE_12, SPACE_8, SPACE_12, SPACE_8)))
        self._words.setSpacing(fonts.px(SPACE_4))
        roles = ((self._what, "body_strong"), (self._rest, "small"), (self._detail, "mono_small"))
        for label, role in roles:
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            mark(label, role=role)
            self._words.addWidget(label)
        self.outcome.setWidget(inside)
        for ground in (inside, self.outcome.viewport()):
            ground.setAutoFillBackground(False)
        self.column.addWidget(self.outcome)
        self.outcome.hide()

    def fit(self) -> None:
        """As high as it needs; where the screen is too low for that, what was found scrolls."""
        self.outcome.setFixedHeight(0)
        super().fit()
        if not self.outcome.isHidden():
            margins = self.column.contentsMargins()
            width = self.width() - margins.left() - margins.right() - 2
            room = self.screen().availableGeometry().height() - fonts.px(_FRAME) - self.height()
            needed = self._words.totalHeightForWidth(width) + 2
            self.outcome.setFixedHeight(min(needed, max(room, fonts.px(_LEAST))))
            super().fit()

    def _make_buttons(self) -> None:
        self.forget_button = QPushButton(self.tr("Forget this server"), self)
        self.forget_button.setToolTip(self.tr("Takes it from the menu and its key from the keyring"))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.test_button = QPushButton(self.tr("Test"), self)
        tip = self.tr("Asks the server what it can tell; the present engine stays in use")
        self.test_button.setToolTip(tip)
        self.connect_button = QPushButton(self.tr("Connect"), self)
        mark(self.forget_button, kind="danger")
        mark(self.connect_button, kind="primary")
        self.cancel.clicked.connect(self.reject)
        self.forget_button.clicked.connect(lambda: self.forget.emit(self._normal()))
        self.test_button.clicked.connect(lambda: self._press(self.test.emit))
        self.connect_button.clicked.connect(lambda: self._press(self.join.emit))
        self.add_buttons(self.cancel, self.test_button, self.connect_button, left=self.forget_button)
        self.connect_button.setDefault(True)

    # what is set from outside

    def set_known(self, known: bool) -> None:
        """The address is that of a remembered server."""
        self.forget_button.setVisible(known)
        self.fit()

    def set_key_note(self, text: str) -> None:
        """What becomes of the key, or that one is kept."""
        self.key_note.setText(text)
        self.key_note.setVisible(bool(text))
        self.fit()

    def set_busy(self, words: str) -> None:
        """Something is asked; "": it has come to its end."""
        for field in (self.address, self.key):
            field.setReadOnly(bool(words))
        self._busy = bool(words)
        self._enable()
        if words:
            self._show("info", words)

    def show_found(self, what: str, lines: Sequence[str]) -> None:
        self._show("ok", what, "\n".join(lines))

    def show_error(self, error: LoupeError) -> None:
        text = describe(error)
        self._show("err", text.what, joined(text.why, text.next), text.detail[:_DETAIL])

    # inside

    def _show(self, kind: str, what: str, rest: str = "", detail: str = "") -> None:
        mark(self.outcome, banner=kind)
        self._what.setText(what)
        for label, text in ((self._rest, rest), (self._detail, detail)):
            label.setText(text)
            label.setVisible(bool(text))
        self.outcome.show()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, joined(what, rest, detail)))
        self.fit()

    def _clear(self) -> None:
        self.outcome.hide()
        self.fit()

    def _changed(self) -> None:
        self._clear()
        self._enable()
        self.typed.emit(self._normal())

    def _normal(self) -> str:
        """The address in the field as it is used, "" if it is none."""
        try:
            return normalise(self.address.text())
        except EngineError:
            return ""

    def _tidy(self) -> None:
        """What people paste is made uniform before their eyes."""
        normal = self._normal()
        if normal and normal != self.address.text():
            self.address.setText(normal)

    def _enable(self) -> None:
        there = bool(self.address.text().strip()) and not self._busy
        for button in (self.test_button, self.connect_button):
            button.setEnabled(there)
        self.forget_button.setEnabled(not self._busy)

    def _press(self, told: Callable[[str, str], object]) -> None:
        try:
            address = normalise(self.address.text())
        except EngineError as error:
            self.show_error(error)
        else:
            told(address, self.key.text())
