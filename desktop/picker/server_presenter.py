"""The sheet of one server: tests it, keeps its key, connects, forgets; the present engine stays till then."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.engines.state import EngineState, Phase
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.engine import VllmEngine
from core.errors import LoupeError
from core.keys import Keys
from core.tasks import TaskScope
from desktop.kit.bridge import bind
from desktop.picker.found import headline, lines
from desktop.picker.preparation import FILES_UNKNOWN
from desktop.picker.presenter import EnginePresenter
from desktop.picker.server_sheet import ServerSheet
from desktop.picker.servers import Servers


class ServerPresenter(QObject):
    """`open` shows the sheet, of the server in use if there is one. It stays open until the server is
    connected: what goes wrong stands in it. `not_kept`: connected, by a key that the
    keyring did not take."""

    not_kept = Signal(LoupeError)

    def __init__(
        self, parent: QWidget, engines: EnginePresenter, keys: Keys, servers: Servers, scope: TaskScope
    ) -> None:
        super().__init__(parent)
        self._parent, self._engines = parent, engines
        self._keys, self._servers, self._scope = keys, servers, scope
        self._sheet: ServerSheet | None = None
        self._task: asyncio.Task[None] | None = None
        self._joining = False
        self._not_kept: LoupeError | None = None
        bind(self, engines.state_changed, self._moved)

    def open(self) -> None:
        if self._sheet is not None:
            self._sheet.raise_()
            return
        sheet = self._sheet = ServerSheet(self._parent, self._engines.address)
        sheet.typed.connect(self._typed)
        sheet.test.connect(lambda address, key: self._run(self._test(sheet, address, key)))
        sheet.join.connect(lambda address, key: self._run(self._join(sheet, address, key)))
        sheet.forget.connect(lambda address: self._run(self._forget(sheet, address)))
        sheet.finished.connect(self._closed)
        self._typed(self._engines.address)
        sheet.open()

    def _closed(self) -> None:
        self._sheet = None
        self._joining = False
        if self._task is not None:
            self._task.cancel()

    def _typed(self, address: str) -> None:
        if self._sheet is None:
            return
        saved, given = self._servers.get(address), self._servers.given
        self._sheet.set_known(self._servers.known(address))
        note = ""
        if given is not None and given.address == address and given.key:
            note = self.tr("VLLM_API_KEY is used, unless another key is given here.")
        elif saved.key:
            note = self.tr("A key is kept in the keyring of this computer.")
        elif address in self._engines.keyed:
            note = self.tr("A key is kept for this run only.")
        self._sheet.set_key_note(note)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        if self._task is not None:
            self._task.cancel()
        try:
            self._task = self._scope.spawn(work, name="server sheet")
        except RuntimeError:  # the program is quitting
            return

    async def _test(self, sheet: ServerSheet, address: str, key: str) -> None:
        sheet.set_busy(self.tr("Asking {address} what it can tell…").format(address=address))
        found: Capabilities | LoupeError
        try:
            found = await self._probe(address, key)
        except LoupeError as error:
            found = error
        if not isValid(sheet):
            return
        sheet.set_busy("")
        if isinstance(found, LoupeError):
            sheet.show_error(found)
        else:
            sheet.show_found(headline(found), lines(found))

    async def _probe(self, address: str, key: str) -> Capabilities:
        engine = VllmEngine(address, key=key or await self._engines.key_of(address))
        try:
            return await engine.connect()
        finally:
            await engine.close()

    async def _join(self, sheet: ServerSheet, address: str, key: str) -> None:
        sheet.set_busy(self.tr("Connecting to {address}…").format(address=address))
        self._not_kept = None
        if key:
            kept = await self._engines.keep_key(address, key)
            self._not_kept = None if kept else self._keys.problem
            if isValid(sheet):
                sheet.set_key_note(
                    self.tr("The key is kept in the keyring of this computer.")
                    if kept
                    else self.tr("No keyring here: the key is kept for this run only.")
                )
        self._joining = True
        self._engines.join(address)

    def _moved(self, state: EngineState) -> None:
        """The sheet waits for the server it was told to connect."""
        sheet = self._sheet
        if sheet is None or not self._joining or state.engine != "vllm":
            return
        needs_files = state.error is not None and state.error.code == FILES_UNKNOWN
        if state.phase is Phase.READY or needs_files:
            sheet.accept()
            if self._not_kept is not None:  # the note in the sheet went with it
                self.not_kept.emit(self._not_kept)
        elif state.phase in (Phase.FAILED, Phase.ABSENT):
            self._joining = False
            sheet.set_busy("")
            if state.error is not None:
                sheet.show_error(state.error)

    async def _forget(self, sheet: ServerSheet, address: str) -> None:
        await self._engines.forget(address)
        if isValid(sheet):
            sheet.accept()
