"""Every key of the window in one table: the shortcuts, their words, and the order F1 lists them in."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """`keys` in Qt's portable form: Ctrl is ⌘ on a Mac. The first one is shown in tooltips."""

    id: str
    keys: tuple[str, ...]


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("new_chat", ("Ctrl+N",)),
    ActionSpec("models", ("Ctrl+L",)),
    ActionSpec("ask_again", ("Ctrl+R",)),
    ActionSpec("branch_before", ("Ctrl+[",)),
    ActionSpec("branch_after", ("Ctrl+]",)),
    ActionSpec("next_doubtful", ("F8", "Ctrl+D")),
    ActionSpec("previous_doubtful", ("Shift+F8", "Ctrl+Shift+D")),
    ActionSpec("tokens", ("Ctrl+T",)),
    ActionSpec("chat", ("Ctrl+1",)),
    ActionSpec("context", ("Ctrl+2",)),
    ActionSpec("model", ("Ctrl+3",)),
    ActionSpec("heat", ("Ctrl+E",)),
    ActionSpec("conversations", ("Ctrl+B",)),
    ActionSpec("log", ("Ctrl+J",)),
    ActionSpec("sampling", ("Ctrl+I",)),
    ActionSpec("settings", ("Ctrl+,",)),
    ActionSpec("server", ("Ctrl+Shift+S",)),
    ActionSpec("keys", ("F1", "Ctrl+/")),
    ActionSpec("escape", ("Esc",)),
    ActionSpec("quit", ("Ctrl+Q",)),
)


def action_text(id_: str) -> str:
    """What an action does, for the list of keys and for tooltips."""
    return {
        "new_chat": QCoreApplication.translate("Keys", "New chat"),
        "models": QCoreApplication.translate("Keys", "Choose the model"),
        "ask_again": QCoreApplication.translate("Keys", "Ask again"),
        "branch_before": QCoreApplication.translate("Keys", "Answer before this one"),
        "branch_after": QCoreApplication.translate("Keys", "Answer after this one"),
        "next_doubtful": QCoreApplication.translate("Keys", "Next doubtful token"),
        "previous_doubtful": QCoreApplication.translate("Keys", "Doubtful token before"),
        "tokens": QCoreApplication.translate("Keys", "Step into the tokens"),
        "chat": QCoreApplication.translate("Keys", "Write a message"),
        "context": QCoreApplication.translate("Keys", "Context: the exact prompt"),
        "model": QCoreApplication.translate("Keys", "Model: what it is and what it can show"),
        "heat": QCoreApplication.translate("Keys", "Heat on or off"),
        "conversations": QCoreApplication.translate("Keys", "Conversations"),
        "log": QCoreApplication.translate("Keys", "Log"),
        "sampling": QCoreApplication.translate("Keys", "Sampling"),
        "settings": QCoreApplication.translate("Keys", "Settings"),
        "server": QCoreApplication.translate("Keys", "Start or stop the server"),
        "keys": QCoreApplication.translate("Keys", "List of keys"),
        "escape": QCoreApplication.translate("Keys", "Close what is open, else stop the answer"),
        "quit": QCoreApplication.translate("Keys", "Quit"),
    }[id_]


def native(key: str) -> str:
    """A key as this system writes it: "Ctrl+J", "⌘J"."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def native_keys() -> dict[str, str]:
    """Action → its first key, as this system writes it."""
    return {spec.id: native(spec.keys[0]) for spec in ACTIONS}


class Actions(QObject):
    """One QAction for each row of the table, all alive while the window is active. `triggered`: its id."""

    triggered = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(window)
            action.setShortcuts([QKeySequence(key) for key in spec.keys])
            action.triggered.connect(lambda _=False, id_=spec.id: self.triggered.emit(id_))
            window.addAction(action)
            self._actions[spec.id] = action
        self.translate()

    def __getitem__(self, id_: str) -> QAction:
        return self._actions[id_]

    def set_enabled(self, id_: str, on: bool) -> None:
        """An action that can do nothing now gives its key back to whoever has the focus."""
        self._actions[id_].setEnabled(on)

    def translate(self) -> None:
        for id_, action in self._actions.items():
            action.setText(action_text(id_))
