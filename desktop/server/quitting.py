"""What becomes of a server of ours when the program ends: asked once, or as it was answered before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.settings import SettingsStore
from desktop.server.sheets import QuitSheet


class Held(Protocol):
    """`holds`: it ends with this program, or what is left of it does. `alive`: it could go on without.
    `shared`: another program uses it, too, and it ends with the last of them: the one that asks."""

    @property
    def holds(self) -> bool: ...
    @property
    def alive(self) -> bool: ...
    @property
    def shared(self) -> bool: ...


class QuitQuestion(QObject):
    """`ask` before the program ends by the person's wish; a signal and a log-out ask nothing. `leave`: the
    server goes on running."""

    def __init__(self, window: QWidget, settings: SettingsStore, server: Held) -> None:
        super().__init__(window)
        self._window, self._settings, self._server = window, settings, server
        self._answer = ""
        self.sheet: QuitSheet | None = None

    @property
    def leave(self) -> bool:
        wanted = (self._answer or self._settings.value.on_quit) == "leave"
        return not self._server.holds or (self._server.alive and wanted)

    def ask(self, model: str, quit_: Callable[[], None]) -> None:
        """`quit_` is called at once, after the answer, or not at all. `model`: that is running."""
        server = self._server
        runs = server.holds and server.alive  # what is left of one that is gone goes, unasked
        if not runs or server.shared or self._settings.value.on_quit != "ask":
            quit_()
        elif self.sheet is not None:
            self.sheet.raise_()
        else:
            sheet = self.sheet = QuitSheet(self._window, model)
            sheet.chosen.connect(lambda what, remember: self._chosen(what, remember, quit_))
            sheet.finished.connect(self._closed)
            sheet.open()

    def _closed(self) -> None:
        self.sheet = None

    def _chosen(self, what: str, remember: bool, quit_: Callable[[], None]) -> None:
        self._answer = what
        if remember:
            self._settings.update(on_quit=what)
        quit_()
