"""Whether the server of ours may guess ahead with the model and the device in use, and its switch."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.errors import LoupeError
from core.server.choose import Speculation
from core.server.spec import Device
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind
from desktop.server.presenter import LaunchPresenter

log = logging.getLogger(__name__)
Known = Callable[[str, Device], Awaitable[Speculation]]


class Switch(Protocol):
    """The row of the sampling dock."""

    def show_switch(self, on: bool, *, why: str = "", restarts: bool = False) -> None: ...
    def hide(self) -> None: ...


class GuessPresenter(QObject):
    """`restart_wanted`: the switch was moved while a server runs."""

    restart_wanted = Signal()

    def __init__(
        self,
        parent: QWidget,
        switch: Switch,
        launch: LaunchPresenter,
        settings: SettingsStore,
        scope: TaskScope,
        known: Known,
    ) -> None:
        """`known`: what is right for a model of the settings on a device; raises LoupeError."""
        super().__init__(parent)
        self._switch, self._launch = switch, launch
        self._settings, self._scope, self._known = settings, scope, known
        self._of: tuple[str, Device] | None = None  # what `_found` is about
        self._found: Speculation | None = None
        self._task: asyncio.Task[None] | None = None
        bind(self, launch.changed, lambda _: self.show())
        bind(self, settings.changed, lambda _: self.show())

    def chosen(self, on: bool) -> None:
        self._settings.update(speculation=on)
        if self._launch.alive:
            self.restart_wanted.emit()

    def show(self) -> None:
        launch = self._launch
        device = launch.device if launch.used else None
        if device is None:
            self._switch.hide()
            return
        of = launch.model or self._settings.value.model, device
        again = self._found is not None and self._found.why == "absent"  # it may have come
        if of != self._of or again:
            self._of, self._found = of, self._found if of == self._of else None
            if self._task is not None:
                self._task.cancel()
            try:
                self._task = self._scope.spawn(self._ask(*of), name="guessing ahead")
            except RuntimeError:  # the program is quitting, or has not begun
                self._of = None
        self._draw()

    async def _ask(self, model: str, device: Device) -> None:
        try:
            self._found = await self._known(model, device)
        except LoupeError as error:  # the start will say what is wrong with the model
            log.info("nothing is known of guessing with %s: %s", model, error)
            self._found = Speculation(why="model")
        if isValid(self):
            self._draw()

    def _draw(self) -> None:
        if self._found is None:
            self._switch.hide()
            return
        on = self._settings.value.speculation
        self._switch.show_switch(on, why=why_not(self._found), restarts=self._launch.alive)


def why_not(found: Speculation) -> str:
    """Why there is no guessing, "" = there is."""
    if found.why == "device":
        return QCoreApplication.translate(
            "Server", "Not on the CPU: its answers are not known to stay the same."
        )
    if found.why == "model":
        return QCoreApplication.translate("Server", "Not with this model: nothing is known to guess for it.")
    if found.why == "absent":
        return QCoreApplication.translate("Server", "Known once the model is on this computer.")
    if found.why == "drafter":
        words = QCoreApplication.translate(
            "Server", "{model}, which guesses for it, is not on this computer."
        )
        return words.format(model=found.missing)
    return ""
