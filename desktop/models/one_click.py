"""Start on a model that is not on this computer: whether it fits, its download with its check, the start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.models.download import Downloads
from core.models.manifest import hub_folder, hub_model
from core.models.search import HubModel
from desktop.models import questions
from desktop.models.deeds import Deeds
from desktop.models.engines import Engines
from desktop.models.fitting import Place, fit_view
from desktop.models.hub_look import HubLook
from desktop.models.shelf import Entry, unsupported
from desktop.models.values import Badge
from desktop.models.wish import Wishes


class OneClick:
    """In Docker all of it is one start with one timeline. The built-in engine opens what a download has
    brought, and what runs meanwhile goes on: so does a server, where the download has begun already."""

    def __init__(
        self,
        window: QWidget,
        downloads: Downloads,
        hub: HubLook,
        engines: Engines,
        deeds: Deeds,
        wishes: Wishes,
        models: Path,
        why: Callable[[str], None],
    ) -> None:
        """`why(key)`: it is not supported, which is to be explained."""
        self._window, self._downloads, self._hub = window, downloads, hub
        self._engines, self._deeds, self._wishes, self._models = engines, deeds, wishes, models
        self._why = why

    def is_coming(self, entry: Entry) -> bool:
        """It is fetched to be started."""
        wished = self._wishes.is_for(entry.id, entry.revision)
        return wished or self._engines.running == self._place(entry) != ""

    def _place(self, entry: Entry) -> str:
        """The folder where it will be, "" while its commit is not known."""
        folder = self._models / hub_folder(entry.id, entry.revision)
        return str(folder) if hub_model(folder) is not None else ""

    async def start(self, entry: Entry, room: Place | None) -> bool:
        """True: it is being started, the timeline tells of its download. `room`: where it would run. Raises
        LoupeError."""
        begun = not _is_small(entry) and (entry.stored is not None or entry.download is not None)
        if not begun:
            hub = entry.hub
            if hub is None or not hub.whole:
                hub = await self._hub.ask(entry.id, entry.revision)
            entry = replace(entry, hub=hub)
            if unsupported(hub):
                self._why(entry.key)
                return False
            if room is not None and not await self._is_wanted(entry.name, hub, room):
                return False
        place = self._place(entry)
        if self._engines.engine == "local" or not place or (begun and self._engines.running):
            await self._wish(entry)
            return False
        self._wishes.drop()
        self._engines.start(place, self._engines.engine)
        return True

    async def cancel(self) -> None:
        """The download that the run bar shows."""
        async with self._deeds.turn:
            if model := self._wishes.model:
                await self._downloads.cancel(model)

    async def _is_wanted(self, name: str, hub: HubModel, room: Place) -> bool:
        """One that does not fit is fetched all the same only if that is said."""
        view = await asyncio.to_thread(fit_view, hub.config, hub.weights, room, download=hub.bytes)
        return view.badge is not Badge.TOO_BIG or await questions.too_big(self._window, name, view)

    async def _wish(self, entry: Entry) -> None:
        async with self._deeds.turn:
            if entry.download is None or entry.download.phase in ("paused", "failed") or _is_small(entry):
                self._downloads.start(entry.id, entry.revision)
        self._wishes.want(entry.id, entry.revision, entry.name, self._engines.engine)


def _is_small(entry: Entry) -> bool:
    """Its small files alone are being fetched."""
    return entry.download is not None and entry.download.tokenizer_only
