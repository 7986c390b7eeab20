"""The composer: where a question is written, sent, and its answer stopped."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.chat.state import ChatState
from core.engines.state import Phase
from desktop.chat.attach_bar import AttachBar
from desktop.chat.composer_parts import Box, Chips, single_shot
from desktop.chat.composer_state import Button, ComposerState, Reason, composer_state, may_wait
from desktop.chat.message_edit import MessageEdit
from desktop.chat.system_prompt import SystemPromptEditor
from desktop.kit import fonts
from desktop.kit.elided import ElidedLabel
from desktop.kit.icons import dress
from desktop.kit.style import mark
from desktop.kit.theme import SPACE_8, SPACE_12, Theme

HEIGHT = 100  # of the box with one line, at zoom 100 %
_COUNT_MS = 150  # rest of the keyboard before the text is counted and kept as a draft
_HINT_MS = 3_000


class Composer(QWidget):
    """Text, chips and one button. It decides from the engine's phase and the chat's state what that does.

    `send_requested` carries the exact text, the box is empty then; `restore` puts it back if it failed.
    `rested`: the text did not change for 150 ms (count it, keep it as a draft). `connect_wanted`: the text is
    sent as soon as the server is connected.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    connect_wanted = Signal()
    rested = Signal(str)
    system_changed = Signal(str)
    thinking_changed = Signal(bool)
    attach_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phase = Phase.ABSENT
        self._connects = self._starts = False
        self._chat = ChatState.IDLE
        self._queued = False
        self._model = ""
        self._left: int | None = None
        self._hint = ""
        self._state = ComposerState(Button.SEND, False)
        self._build()
        self._count_timer = single_shot(self, _COUNT_MS, lambda: self.rested.emit(self.text()))
        self._hint_timer = single_shot(self, _HINT_MS, lambda: self._show_hint(""))
        self._translate()
        self._refresh()

    def _build(self) -> None:
        self.system = SystemPromptEditor(self)
        self.system.hide()
        self.system.accepted.connect(self._system_accepted)
        self.system.closed.connect(self._system_closed)
        self._box = Box(self)
        self.edit = MessageEdit(self._box)
        self.edit.send_pressed.connect(self._enter)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.composing_changed.connect(lambda _: self._refresh())
        self.edit.installEventFilter(self)
        self.attached = AttachBar(self._box, self.edit)
        self.attached.changed.connect(self._refresh)
        self.chips = Chips(self._box)
        self.chips.attach.clicked.connect(self.attach_wanted)
        self.chips.thinking.clicked.connect(self.thinking_changed)
        self.chips.thinking.clicked.connect(lambda: self.rested.emit(self.text()))  # it takes room
        self.chips.system.clicked.connect(self._system_clicked)
        self._room = ElidedLabel(parent=self._box)
        mark(self._room, role="small", tone="text3")
        self._room.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.button = QPushButton(self._box)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not end a composition
        self.button.clicked.connect(self._pressed)
        self._outer = QVBoxLayout(self)
        self._outer.addWidget(self.system)
        self._outer.addWidget(self._box)
        self._inner = QVBoxLayout(self._box)
        self._text_box = QHBoxLayout()
        self._text_box.addWidget(self.edit)
        self._inner.addWidget(self.attached)
        self._inner.addLayout(self._text_box)
        self._inner.addStretch(1)
        self._row = QHBoxLayout()
        for chip in self.chips.all:
            self._row.addWidget(chip)
        self._row.addWidget(self._room, 1)
        self._row.addWidget(self.button)
        self._inner.addLayout(self._row)
        self._measure()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Into the text. No focus proxy: one stands in the Tab order by itself, and Tab would come back to
        the text before it has been everywhere."""
        self.edit.setFocus(reason)

    def _measure(self) -> None:
        px = fonts.px
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(px(SPACE_8))
        # the chips' own padding reaches as far beyond the text's edge as the buttons' beyond theirs
        self._inner.setContentsMargins(px(SPACE_8), px(SPACE_12), px(SPACE_8), px(SPACE_8))
        self._text_box.setContentsMargins(px(SPACE_8), 0, 0, 0)
        self._inner.setSpacing(px(SPACE_8))
        self._row.setSpacing(px(SPACE_8))
        self._box.setMinimumHeight(px(HEIGHT))
        self.button.setMinimumWidth(px(92))
        self.attached.measure()
        self.system.measure()
        self.edit.fit()

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        return *self.system.stops(), *self.attached.stops(), self.edit, *self.chips.all, self.button

    # what is set from outside

    def set_theme(self, theme: Theme) -> None:
        self._box.theme = theme
        self._measure()
        self._box.update()

    def set_phase(self, phase: Phase, *, connects: bool = False, starts: bool = False) -> None:
        """The engine moved on. A message that waits is sent when it is ready, kept as text if it fails.
        `connects`: a server was chosen, and sending connects to it first; `starts`: it is started first."""
        self._phase, self._connects, self._starts = phase, connects, starts
        if self._queued and phase is Phase.READY:
            self._queued = False
            self._refresh()
            self._send()
        elif self._queued and not may_wait(phase):
            self._queued = False
        self._refresh()

    def set_chat_state(self, state: ChatState) -> None:
        self._chat = state
        if state not in (ChatState.PREPARING, ChatState.PREFILLING, ChatState.DECODING):
            self._show_hint("")
        self._refresh()

    def set_model(self, name: str) -> None:
        """A model's name; of a folder's path its last part."""
        self._model = PurePath(name).name if PurePath(name).is_absolute() else name
        self._translate()

    def set_room(self, left: int | None) -> None:
        """Tokens that still fit with the text as it is; negative: so many too many; None: not known."""
        self._left = left
        self._refresh()

    def set_thinking(self, thinking: bool | None) -> None:
        """None: this model's family has no such switch."""
        self.chips.set_thinking(thinking)

    def set_system(self, text: str) -> None:
        self.system.set_text(text)
        self.chips.set_system(text)

    def set_send_key(self, key: str) -> None:
        """By the setting: `enter` or `ctrl_enter`."""
        self.edit.ctrl_sends = key == "ctrl_enter"
        self._translate()

    def set_text(self, text: str) -> None:
        """Another chat's draft, or a question to edit."""
        self._queued = False
        self.edit.set_exact_text(text)
        self._count_timer.stop()
        self._refresh()

    def ask(self, text: str) -> None:
        """Send this, as if it were typed: at once, or when the model is ready."""
        self.set_text(text)
        self._enter()
        self.edit.setFocus()

    def restore(self, text: str) -> None:
        """A send failed before it began: the text comes back, unless something new is typed already."""
        if self.edit.is_empty():
            self.edit.set_exact_text(text)

    def text(self) -> str:
        return self.edit.exact_text()

    @property
    def state(self) -> ComposerState:
        return self._state

    @property
    def queued(self) -> bool:
        """A message waits for the model."""
        return self._queued

    def close_system_editor(self) -> bool:
        """For Esc: True if it was open."""
        if self.system.isHidden():
            return False
        self.system.put_aside()
        return True

    # deciding

    @property
    def _room_left(self) -> int | None:
        """Not known with something attached: how many tokens a server makes of it is told with the answer."""
        return None if self.attached.count else self._left

    def _refresh(self) -> None:
        empty = not (self.edit.composing or self.attached.count) and self.edit.is_blank()
        over = self._room_left is not None and self._room_left < 0
        self._state = composer_state(
            self._phase,
            self._chat,
            empty=empty,
            queued=self._queued,
            over_limit=over,
            connects=self._connects,
            starts=self._starts,
            attaching=Reason.REFUSED
            if self.attached.refused
            else Reason.ATTACHING
            if self.attached.waiting
            else Reason.NONE,
        )
        self._draw_button()
        self._draw_room()

    def _enter(self) -> None:
        button = self._state.button
        if self._state.running:
            self._show_hint(self.tr("Esc stops the answer"))
        elif button is Button.UNWAIT:
            self._show_hint(self.tr("It is sent when the model is ready"))
        elif self._state.enabled:
            self._pressed()

    def _pressed(self) -> None:
        button = self._state.button
        if button is Button.STOP:
            self.stop_requested.emit()
        elif button in (Button.WAIT, Button.CONNECT, Button.START):
            self._use_open_system()
            self.edit.commit_preedit()
            self._queued = True
            self._refresh()
            if button is not Button.WAIT:
                self.connect_wanted.emit()
        elif button is Button.UNWAIT:
            self._queued = False
            self._refresh()
        elif button is Button.SEND and self._state.enabled:
            self._send()

    def _use_open_system(self) -> None:
        """What stands in the open sheet holds for the question that is sent below it."""
        if not self.system.isHidden():
            self.system.accept()

    def _send(self) -> None:
        self._use_open_system()
        self.edit.commit_preedit()
        text = self.text()
        if self.edit.is_blank() and not self.attached.count:
            return
        self.edit.set_exact_text("")
        self._count_timer.stop()
        self.send_requested.emit(text)
        self.rested.emit(self.text())  # the draft is gone

    def _text_changed(self) -> None:
        self._count_timer.start()
        self._refresh()

    # system prompt

    def _system_clicked(self) -> None:
        self.chips.set_system(self.system.text())
        if self.system.isHidden():
            self.system.open()
        else:
            self.system.put_aside()

    def _system_accepted(self, text: str) -> None:
        self.chips.set_system(text)
        self.system_changed.emit(text)
        self.rested.emit(self.text())  # it takes part of the room

    def _system_closed(self, kept: bool) -> None:
        self.edit.setFocus()
        if kept:
            self._show_hint(self.tr("The system prompt is kept as a draft, not used yet"))

    # showing

    def _show_hint(self, text: str) -> None:
        self._hint = text
        if text:
            self._hint_timer.start()
        else:
            self._hint_timer.stop()
        self._draw_room()

    def _draw_button(self) -> None:
        text, tip, icon = {
            Button.SEND: (self.tr("Send"), self._send_keys(), "send"),
            Button.WAIT: (self.tr("Send when ready"), self._send_keys(), "send"),
            Button.CONNECT: (self.tr("Connect and send"), self._send_keys(), "send"),
            Button.START: (self.tr("Start and send"), self._send_keys(), "send"),
            Button.UNWAIT: (self.tr("Do not send"), self.tr("It is sent when the model is ready"), "x"),
            Button.STOP: (self.tr("Stop"), self.tr("Stop the answer (Esc)"), "stop"),
            Button.STOPPING: (self.tr("Stopping"), "", "stop"),
        }[self._state.button]
        primary = icon == "send"
        mark(self.button, kind="primary" if primary else "")
        dress(self.button, icon, "on_accent" if primary else "text2")
        self.button.setText(text)
        self.button.setToolTip(tip)
        self.button.setEnabled(self._state.enabled)

    def _send_keys(self) -> str:
        if self.edit.ctrl_sends:
            return self.tr("Ctrl+Enter sends, Enter breaks the line")
        return self.tr("Enter sends, Shift+Enter breaks the line")

    def _draw_room(self) -> None:
        reason = {
            Reason.NO_MODEL: self.tr("No model yet"),
            Reason.FAILED: self.tr("No model is ready"),
            Reason.LOST: self.tr("The model’s process ended"),
            Reason.ATTACHING: self.tr("The attachment is being prepared"),
            Reason.REFUSED: self.tr("An attachment cannot be sent"),
        }.get(self._state.reason, "")
        tone = "text3"
        if self._hint or reason:
            text = self._hint or reason
        elif self._room_left is None:
            text = ""
        elif self._room_left < 0:
            tone = "warn"
            text = self.tr("%Ln token(s) too many", "", -self._room_left)
        else:
            text = self.tr("%Ln token(s) left", "", self._room_left)
        if text != self._room.text():
            self._room.setText(text)
        mark(self._room, tone=tone)

    def _translate(self) -> None:
        ask = self.tr("Ask {model}…").format(model=self._model) if self._model else self.tr("Ask…")
        self.edit.setPlaceholderText(ask)
        self.edit.viewport().update()  # Qt paints another placeholder only with the next event
        self.edit.setAccessibleName(self.tr("Message"))
        self.chips.translate()
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._box.focused = event.type() == QEvent.Type.FocusIn
            self._box.update()
        return False

    def mousePressEvent(self, event: object) -> None:
        self.edit.setFocus()  # the whole box is the input

    def sizeHint(self) -> QSize:
        return QSize(fonts.px(480), super().sizeHint().height())
