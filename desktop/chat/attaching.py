"""Files on their way into a question: prepared, their kind asked of the engine, kept until they are sent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject

from core.engines.host import EngineHost
from core.errors import LoupeError
from core.prompt.base import Attachment
from core.prompt.media import prepare
from core.worker.client import WorkerClient
from desktop.chat.attach_bar import Chip
from desktop.chat.composer import Composer
from desktop.chat.media_words import facts
from desktop.kit.dialogs import choose_files
from desktop.kit.errors_text import describe, joined

Spawn = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]


@dataclass(slots=True, eq=False)
class _Item:
    key: int
    name: str
    attachment: Attachment | None = None
    refused: LoupeError | None = None
    task: asyncio.Task[None] | None = None


class Attaching(QObject):
    """One list of files for each conversation, the one in view shown in the bar."""

    def __init__(
        self, composer: Composer, engine: EngineHost, library: WorkerClient, folder: Path, spawn: Spawn
    ) -> None:
        super().__init__(composer)
        self._composer, self._bar = composer, composer.attached
        self._engine, self._library, self._folder = engine, library, folder
        self._spawn = spawn
        self._items: dict[str, list[_Item]] = {}
        self._at = ""
        self._next = 0
        self._bar.removed.connect(self._remove)
        composer.attach_wanted.connect(self._choose)
        composer.edit.files_given.connect(self.add)
        composer.edit.picture_given.connect(self._add_picture)

    def show(self, conversation_id: str) -> None:
        self._at = conversation_id
        self._draw()

    def add(self, paths: Sequence[Path], *, name: str = "", temporary: bool = False) -> None:
        """`name`: in place of the file's; `temporary`: it is removed when it is read."""
        for path in paths:
            item = _Item(self._next, name or path.name)
            self._next += 1
            self._items.setdefault(self._at, []).append(item)
            item.task = self._spawn(self._prepare(item, path, temporary))
        self._draw()

    def _choose(self) -> None:
        self._spawn(self._ask_for_files())

    async def _ask_for_files(self) -> None:
        title = QCoreApplication.translate("Attaching", "Attach pictures, sound or video")
        self.add(await choose_files(self._composer.window(), title))

    def _add_picture(self, data: bytes) -> None:
        """A picture from the clipboard, which has no file."""
        handle, path = tempfile.mkstemp(prefix="tokenloupe-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        name = QCoreApplication.translate("Attaching", "Pasted picture")
        self.add([Path(path)], name=name, temporary=True)

    def take(self) -> tuple[Attachment, ...]:
        """What goes with the question that is sent now."""
        items = self._items.pop(self._at, [])
        self._draw()
        return tuple(item.attachment for item in items if item.attachment is not None)

    def put_back(self, attachments: Sequence[Attachment]) -> None:
        """The question was not sent."""
        for one in attachments:
            self._items.setdefault(self._at, []).append(_Item(self._next, one.name, one))
            self._next += 1
        self._draw()

    def files(self, deleted: str) -> set[str]:
        """Names of the files that wait to be sent in any other conversation than this one."""
        lists = (items for id, items in self._items.items() if id != deleted)
        return {item.attachment.digest for items in lists for item in items if item.attachment is not None}

    async def _prepare(self, item: _Item, path: Path, temporary: bool) -> None:
        try:
            found = await prepare(self._library, path, self._folder, name=item.name)
            await self._engine.check_media(found.kind)
            item.attachment = found
        except LoupeError as error:
            item.refused = error
        finally:
            item.task = None
            if temporary:
                _forget(path)
            self._draw()

    def _remove(self, key: int) -> None:
        items = self._items.get(self._at, [])
        gone = next((item for item in items if item.key == key), None)
        if gone is not None:
            items.remove(gone)
            if gone.task is not None:
                gone.task.cancel()
            self._draw()

    def _draw(self) -> None:
        self._bar.show_chips(tuple(self._chip(item) for item in self._items.get(self._at, [])))

    def _chip(self, item: _Item) -> Chip:
        if item.refused is not None:
            words = describe(item.refused)
            return Chip(item.key, item.name, refused=joined(words.line, words.next, words.detail))
        if item.attachment is None:
            return Chip(item.key, item.name, waiting=True)
        return Chip(item.key, item.name, facts(item.attachment))


def _forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
