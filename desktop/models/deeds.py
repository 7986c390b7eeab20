"""What is done with one model: get, pause, go on, cancel, delete; one deed after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from core.errors import ModelError
from core.models.download import Downloads
from core.models.store import OnDisk, Store
from core.paths import Paths
from core.settings import SettingsStore
from desktop.models import folders, questions
from desktop.models.details import look
from desktop.models.shelf import Entry
from desktop.models.values import User


class Deeds:
    """Each raises LoupeError. `turn`: a pause has ended its process before a resume begins the next one."""

    def __init__(
        self,
        window: QWidget,
        downloads: Downloads,
        settings: SettingsStore,
        paths: Paths,
        user_of: Callable[[str], User],
    ) -> None:
        """`user_of(folder)`: who has files of it open."""
        self._window, self._downloads = window, downloads
        self._settings, self._paths, self._user_of = settings, paths, user_of
        self.turn = asyncio.Lock()

    def store(self) -> Store:
        return Store(self._paths, self._settings.value.folders)

    async def get(self, entry: Entry) -> None:
        """Of a damaged one what is damaged, and no more; consent to its code was given with its commit."""
        agreed = entry.revision if entry.stored is not None and entry.stored.code else ""
        self._downloads.start(entry.id, entry.revision, _small(entry), consent=agreed)

    async def get_small(self, entry: Entry) -> None:
        """Config, tokenizer and template alone."""
        self._downloads.start(entry.id, entry.revision, True)

    async def pause(self, entry: Entry) -> None:
        await self._downloads.pause(entry.order, _kind(entry))

    async def resume(self, entry: Entry) -> None:
        if entry.download is None:  # begun by another window or command
            small = entry.stored is not None and entry.stored.tokenizer_only
            self._downloads.start(entry.id, entry.revision, small)
        else:
            await self._downloads.resume(entry.order, _kind(entry))

    async def cancel(self, entry: Entry) -> None:
        if entry.download is not None:
            await self._downloads.cancel(entry.order, _kind(entry))
        elif entry.stored is not None and entry.stored.state in (OnDisk.PARTIAL, OnDisk.VERIFYING):
            await asyncio.to_thread(self.store().remove, entry.stored.folder)

    async def forget(self, entry: Entry) -> None:
        """A folder of one's own is not listed any more, and stays as it is."""
        if entry.stored is not None and not self._user_of(entry.stored.folder):
            folders.forget(self._settings, entry.stored.folder)

    async def delete(self, entry: Entry) -> None:
        """After a question; never what is open, nor what was added by its path. Raises ModelError."""
        if entry.stored is None or not entry.can_go:
            return
        store, folder = self.store(), entry.stored.folder
        users = (await asyncio.to_thread(look, entry, self._paths.models, store)).users
        if not await questions.delete(self._window, entry.name, entry.stored.done, users):
            return
        if user := self._user_of(folder):  # opened while the question stood
            raise ModelError("store.served" if user == "server" else "store.open", model=entry.name)
        await asyncio.to_thread(store.remove, folder)
        folders.forget(self._settings, folder)


def _kind(entry: Entry) -> bool | None:
    """Which of its downloads is shown."""
    return entry.download.tokenizer_only if entry.download is not None else None


def _small(entry: Entry) -> bool:
    """Its small files alone were wanted, and are not all here."""
    if entry.download is not None and entry.download.phase != "ready":
        return entry.download.tokenizer_only
    stored = entry.stored
    return stored is not None and stored.tokenizer_only and stored.state is OnDisk.DAMAGED
