"""The settings of the hub towards the program: its token in the keyring, and the list of hosts contacted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from core.errors import LoupeError
from core.keys import Keys
from core.models.hub_address import environment_token, hub_of, token_variable
from core.models.ledger import Ledger
from core.settings import Settings, SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind, starter
from desktop.kit.errors_text import describe, joined
from desktop.settings.hub_section import TokenSeen
from desktop.settings.token_sheet import TokenSheet
from desktop.settings.view import SettingsView


class HubPresenter(QObject):
    """`token_changed`: the next request has another token. `failed`: a LoupeError."""

    token_changed = Signal()
    failed = Signal(object)

    def __init__(
        self, view: SettingsView, store: SettingsStore, keys: Keys, ledger: Ledger, scope: TaskScope
    ) -> None:
        super().__init__(view)
        self._view, self._store, self._keys, self._ledger = view, store, keys, ledger
        self._section, self._page = view.page.hub, view.hosts
        self._section.token_wanted.connect(self.ask)
        self._section.token_removed.connect(self._starter(scope, self._remove, "remove a token"))
        self._page.wanted.connect(self._starter(scope, self._read, "hosts: read"))
        self._page.clear_wanted.connect(self._starter(scope, self._clear, "hosts: clear"))
        self._scope = scope
        bind(self, ledger.noted, self._page.add)
        bind(self, store.changed, self._settings_changed)
        self._shown = ""
        self._settings_changed(store.value)

    def _starter(
        self, scope: TaskScope, work: Callable[[], Coroutine[Any, Any, None]], name: str
    ) -> Callable[..., None]:
        async def told() -> None:
            try:
                await work()
            except LoupeError as error:
                if isValid(self):
                    self.failed.emit(error)

        return starter(scope, told, name=name)

    # --- the token ---------------------------------------------------------------------------------------

    @property
    def _hub(self) -> str:
        return hub_of(self._store.value.hub_endpoint)

    def ask(self) -> None:
        """For a token of the hub in use."""
        hub = self._hub
        sheet = TokenSheet(self._view.window(), hub)
        sheet.given.connect(
            lambda token: self._starter(self._scope, lambda: self._keep(hub, token), "keep a token")()
        )
        sheet.open()

    async def _keep(self, hub: str, token: str) -> None:
        if await self._keys.put(hub, token):
            self._remember(hub, True)
        self._told()

    async def _remove(self) -> None:
        hub = self._hub
        await self._keys.forget(hub)
        if self._keys.problem is not None and hub in self._store.value.hub_tokens:
            raise self._keys.problem
        self._remember(hub, False)
        self._told()

    def _remember(self, hub: str, there: bool) -> None:
        others = tuple(one for one in self._store.value.hub_tokens if one != hub)
        self._store.update(hub_tokens=(*others, hub) if there else others)

    def _told(self) -> None:
        if isValid(self):
            self._show_token()
            self.token_changed.emit()

    def _settings_changed(self, settings: Settings) -> None:
        if hub_of(settings.hub_endpoint) != self._shown:
            self._shown = hub_of(settings.hub_endpoint)
            self._show_token()

    def _show_token(self) -> None:
        value, hub = self._store.value, self._hub
        variable, _ = token_variable()
        sent = bool(environment_token(value.hub_endpoint))
        here = self._keys.has(hub)
        problem = describe(self._keys.problem) if here and self._keys.problem is not None else None
        self._section.set_token(
            TokenSeen(
                kept=hub in value.hub_tokens,
                here=here,
                problem=joined(problem.what, problem.why) if problem is not None else "",
                variable=variable if sent else "",
                other="" if sent else variable,
                other_hub=urlsplit(hub_of()).netloc,
            )
        )

    # --- hosts -------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        contacts = await asyncio.to_thread(self._ledger.rows)
        if isValid(self):
            self._page.set_contacts(contacts)

    async def _clear(self) -> None:
        await asyncio.to_thread(self._ledger.clear)
        await self._read()
