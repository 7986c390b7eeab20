"""The check of a model on disk that a person asks for: every byte of it is read, one model at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from core.errors import LoupeError
from core.models.download import Downloads
from core.observe import Event
from core.tasks import TaskScope
from core.worker.download_values import Downloading
from desktop.models.shelf import Entry
from desktop.models.values import CheckView, State


class Check:
    """`changed`: it is further, or with True: it has ended, and what is damaged is known on the disk."""

    def __init__(self, downloads: Downloads, scope: TaskScope, failed: Callable[[LoupeError], None]) -> None:
        self._downloads, self._scope, self._failed = downloads, scope, failed
        self._folder, self._view = "", CheckView()
        self._task: asyncio.Task[None] | None = None
        self.changed: Event[bool] = Event()

    def view(self, entry: Entry) -> CheckView | None:
        """None: it is in a state in which there is nothing to check."""
        if entry.stored is None or entry.state is not State.READY:
            if entry.stored is not None and entry.stored.folder == self._folder:
                self._folder = ""  # what was found is of files that are fetched anew
            return None
        return self._view if entry.stored.folder == self._folder else CheckView()

    def press(self, entry: Entry | None) -> None:
        """Begins, in place of another model's; or ends the one that runs."""
        before = self.view(entry) if entry is not None else None
        if entry is None or entry.stored is None or before is None:
            return
        if self._task is not None:
            self._task.cancel()
        self._folder = entry.stored.folder
        if before.state == "runs":
            self._set(CheckView())
            return
        self._set(CheckView("runs"))
        with contextlib.suppress(RuntimeError):  # the program is quitting
            self._task = self._scope.spawn(self._read(Path(self._folder)), name="models: check")

    async def _read(self, folder: Path) -> None:
        try:
            found = await self._downloads.verify(folder, self._further)
        except LoupeError as error:
            self._set(CheckView())
            self._failed(error)
            return
        bad = (*found.damaged, *found.links)
        self._set(CheckView("bad" if bad else "good", files=bad), ended=True)

    def _further(self, said: Downloading) -> None:
        self._set(CheckView("runs", said.done, said.total))

    def _set(self, view: CheckView, *, ended: bool = False) -> None:
        self._view = view
        self.changed.emit(ended)
