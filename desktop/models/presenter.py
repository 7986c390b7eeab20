"""The model picker towards the program: what there is of models is shown, what the person wants is done."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.errors import LoupeError
from core.models.catalog import BUILT_IN
from core.models.download import Downloads
from core.models.room import Room
from core.models.store import StoredModel
from core.paths import Paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.appearance import Appearance
from desktop.kit.bridge import bind
from desktop.models import folders
from desktop.models.check import Check
from desktop.models.deeds import Deeds
from desktop.models.details import Looked, detail_of, look
from desktop.models.engines import Engines
from desktop.models.fitting import Engine, place_of
from desktop.models.hub_look import HubLook
from desktop.models.next_steps import RETRY, problem_of, trouble_of
from desktop.models.one_click import OneClick
from desktop.models.picker import ModelPicker
from desktop.models.picture import Picture
from desktop.models.refusals import Refusals
from desktop.models.seen import Seen, fits_of
from desktop.models.shelf import Entry, entries
from desktop.models.typed import folder_of
from desktop.models.values import State
from desktop.models.wish import Wishes

_EVERY_MS: Final = 250  # between two pictures of a download
_AGAIN: Final = 1.0  # seconds between two looks at what another window or command fetches


class ModelsPresenter(QObject):
    """`failed`: a LoupeError. `report_wanted`: id and type of a model that is not supported.
    `settings_wanted`: at this field of the hub's."""

    failed = Signal(object)
    settings_wanted = Signal(str)
    report_wanted = Signal(str, str)

    def __init__(
        self,
        window: QWidget,
        appearance: Appearance,
        downloads: Downloads,
        hub: HubLook,
        engines: Engines,
        settings: SettingsStore,
        scope: TaskScope,
        paths: Paths,
        page: Callable[[str], str],
    ) -> None:
        """`page`: the address of a model's page on the hub."""
        super().__init__(window)
        self._window, self._appearance = window, appearance
        self._downloads, self._hub, self._engines = downloads, hub, engines
        self._settings, self._scope, self._paths = settings, scope, paths
        self._page = page
        self._deeds = Deeds(window, downloads, settings, paths, engines.user_of)
        self._refusals = Refusals(
            window, hub, downloads, page, report=self.report_wanted.emit,
            find=lambda words: self.picker.search.setText(words) if self.picker is not None else None,
            spawn=lambda work: self._spawn("refusal", work, instead=True),
        )  # fmt: skip
        self._seen, self._picture = Seen(), Picture(page)
        self._room: Room | None = None
        self._room_of: Engine | None = None  # the engine for which that was asked
        self._looked: tuple[str, Looked] = ("", Looked())  # of the key whose details are shown
        self._keys: dict[str, str] = {}  # of the models' rows
        self._problem: LoupeError | None = None  # of what was done last in the open picker
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._phases: frozenset[tuple[str, str, str]] = frozenset()
        self.picker: ModelPicker | None = None
        self.wishes = Wishes(self, downloads)
        self.wishes.arrived.connect(self._arrived)
        self.wishes.failed.connect(self.failed)
        self._check = Check(downloads, scope, self._tell)
        self.one_click = OneClick(
            window, downloads, hub, engines, self._deeds, self.wishes, paths.models, self._why
        )
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.setInterval(_EVERY_MS)
        self._pace.timeout.connect(self._draw_downloads)
        bind(self, downloads.changed, lambda _: self._downloads_moved())
        bind(self, hub.changed, lambda _: self._hub_answered())
        bind(self, self._check.changed, lambda ended: self.refresh() if ended else self._draw_detail())

    # --- opening -----------------------------------------------------------------------------------------

    def open(self, anchor: QPoint) -> None:
        """Below this point of the window."""
        picker = self.picker or self._make()
        picker.search.clear()
        self._hub.search("")
        self._problem = None
        picker.open_at(anchor)
        self._room_of = None
        self.refresh()

    def escape(self) -> bool:
        return self.picker is not None and self.picker.escape()

    def _make(self) -> ModelPicker:
        picker, deeds = ModelPicker(self._window), self._deeds
        self.picker = picker
        self._appearance.changed.connect(picker.set_theme)
        picker.set_theme(self._appearance.theme)
        for signal, slot in (
            (picker.selected, self._select),
            (picker.chosen, lambda key: self._open(key, start=self._engines.engine == "local")),
            (picker.get_wanted, self._get),
            (picker.tokenizer_only_wanted, lambda key: self._with(key, deeds.get_small)),
            (picker.start_wanted, lambda key: self._open(key, start=True)),
            (picker.pause_wanted, lambda key: self._with(key, deeds.pause)),
            (picker.resume_wanted, lambda key: self._with(key, deeds.resume)),
            (picker.cancel_wanted, lambda key: self._with(key, deeds.cancel)),
            (picker.delete_wanted, lambda key: self._with(key, deeds.delete)),
            (picker.forget_wanted, lambda key: self._with(key, deeds.forget)),
            (picker.repair_wanted, self._get),
            (picker.check_wanted, lambda key: self._check.press(self._entry(key))),
            (picker.why_wanted, self._why),
            (picker.page_wanted, lambda page: QDesktopServices.openUrl(QUrl(page))),
            (picker.searched, self._search),
            (picker.folder_wanted, self._ask_folder),
            (picker.folder_dropped, self._add_folder),
            (picker.trouble_acted, self._solve),
            (picker.settings_wanted, self.settings_wanted),
            (picker.closed, self._hub.stop),
        ):
            signal.connect(slot)
        return picker

    @property
    def _shown(self) -> ModelPicker | None:
        return self.picker if self.picker is not None and self.picker.is_open else None

    def _spawn(
        self, kind: str, work: Callable[[], Coroutine[Any, Any, None]], *, instead: bool = False
    ) -> None:
        """`instead`: of what still runs of this kind."""
        before = self._tasks.get(kind)
        if instead and before is not None:
            before.cancel()
        with contextlib.suppress(RuntimeError):  # the program is quitting
            self._tasks[kind] = self._scope.spawn(self._told(work), name=f"models: {kind}")

    async def _told(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except LoupeError as error:
            if isValid(self):
                self._tell(error)

    def _tell(self, error: LoupeError) -> None:
        """The window's own bar is below an open picker."""
        if self._shown is None:
            self.failed.emit(error)
            return
        self._problem = error
        self._draw()

    # --- reading -----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the disk again; what is shown stays until then. How much room there is, is asked at each
        opening and for each engine."""
        self._spawn("read", self._read, instead=True)
        if self._room_of != self._engines.engine:
            self._room_of = self._engines.engine
            self._spawn("room", self._ask_room, instead=True)

    async def _ask_room(self) -> None:
        self._room = await self._engines.room()
        self.refresh()

    async def _read(self) -> None:
        engine, room = self._engines.engine, self._room
        self._seen = await asyncio.to_thread(self._look_around, engine, room)
        for state in self._downloads.states:
            here = any(row.id == state.repo and row.revision == state.commit for row in self._seen.stored)
            if state.phase == "ready" and here:
                self._downloads.forget(f"{state.repo}@{state.commit}")
        self._draw()
        self._read_details()
        if self._shown is not None and any(one.elsewhere for one in self._picture.made.values()):
            self._spawn("again", self._read_again, instead=True)

    async def _read_again(self) -> None:
        await asyncio.sleep(_AGAIN)
        if self._shown is not None:
            self.refresh()

    def _look_around(self, engine: Engine, room: Room | None) -> Seen:
        """In a thread: what is on disk, how much room there is, and what fits."""
        stored = self._deeds.store().rows()
        place = place_of(engine, self._settings.value, self._paths.models, room)
        return Seen(stored, fits_of(self._entries(stored), place), place)

    def _entries(self, stored: tuple[StoredModel, ...] | None = None) -> dict[str, Entry]:
        return entries(
            self._seen.stored if stored is None else stored,
            self._downloads.states,
            self._hub.found,
            self._hub.looked,
            self._engines.running,
            self._hub.named,
            self._keys,
        )

    def _entry(self, key: str) -> Entry | None:
        return self._entries().get(key)

    # --- showing -----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        picker = self._shown
        if picker is None:
            return
        machine = {"machine": self._seen.place.machine} if self._seen.place is not None else {}
        picker.change(
            rows=self._picture.whole(self._entries(), self._seen.fits, self._hub.words),
            speed=self._speed,
            busy=self._hub.busy,
            trouble=problem_of(self._problem) or trouble_of(self._hub.trouble),
            **machine,
        )
        self._draw_detail()

    @property
    def _speed(self) -> float:
        return sum(state.speed for state in self._downloads.states)

    def _draw_detail(self) -> None:
        picker = self._shown
        if picker is None:
            return
        entry = self._picture.made.get(picker.key)
        if entry is None:
            picker.set_detail(None)
            return
        key, looked = self._looked
        detail = detail_of(
            entry,
            looked if key == entry.key else Looked(),
            self._seen.fits.get(entry.key),
            page=self._page(entry.id),
            use=self._engines.engine == "local",
            start_after=self.one_click.is_coming(entry),
            check=self._check.view(entry),
            used_by=self._engines.user_of(entry.stored.folder) if entry.stored is not None else "",
        )
        picker.set_detail(detail)

    def _select(self, key: str) -> None:
        self._draw_detail()
        self._read_details()
        entry = self._picture.made.get(key)
        if entry is not None and entry.stored is None and entry.download is None:
            self._hub.look(entry.id, entry.revision)

    def _read_details(self) -> None:
        picker = self._shown
        entry = self._picture.made.get(picker.key) if picker is not None else None
        if entry is not None:
            self._spawn("details", lambda: self._look_at(entry), instead=True)

    async def _look_at(self, entry: Entry) -> None:
        found = await asyncio.to_thread(look, entry, self._paths.models, self._deeds.store())
        if (entry.key, found) != self._looked:
            self._looked = entry.key, found
            self._draw_detail()

    def _downloads_moved(self) -> None:
        """Progress is shown at a pace; what else happens makes the disk be read again."""
        states = self._downloads.states
        phases = frozenset((state.repo, state.commit, state.phase) for state in states)
        if phases != self._phases:
            self._phases = phases
            self.wishes.look()
            self._draw()
            if self._shown is not None or any(state.phase == "ready" for state in states):
                self.refresh()
        elif not self._pace.isActive():
            self._pace.start()

    def _draw_downloads(self) -> None:
        self.wishes.look()
        if self._shown is not None:
            self._shown.step(self._picture.moved(self._downloads.states, self._seen.fits), self._speed)
            self._draw_detail()
            self._read_details()

    def _hub_answered(self) -> None:
        self._draw()
        if self._shown is not None and not self._hub.busy:
            self.refresh()  # whether what was found fits

    # --- what the person does ----------------------------------------------------------------------------

    def _open(self, key: str, *, start: bool) -> None:
        entry = self._entry(key)
        if entry is None or entry.state is State.RUNNING:
            return
        if not entry.on_disk and key != BUILT_IN:
            self._spawn("start", lambda: self._fetch_to_start(entry))
            return
        if entry.stored is None or entry.stored.tokenizer_only:
            return
        self.wishes.drop()
        model = BUILT_IN if key == BUILT_IN else entry.stored.folder
        if self.picker is not None:
            self.picker.close_picker()
        if start:
            self._engines.start(model, self._engines.engine)
        else:
            self._engines.choose(model)

    async def _fetch_to_start(self, entry: Entry) -> None:
        if await self.one_click.start(entry, self._seen.place) and self._shown is not None:
            self._shown.close_picker()
        self._draw()

    def _arrived(self, folder: str, engine: Engine) -> None:
        """What was fetched to be started is here and checked."""
        if self._shown is not None:
            self._shown.close_picker()
        self._engines.start(folder, engine)

    def _get(self, key: str) -> None:
        if key == BUILT_IN:
            self._engines.start(BUILT_IN, "local")
        else:
            self._with(key, self._deeds.get)

    def _with(self, key: str, work: Callable[[Entry], Coroutine[Any, Any, None]]) -> None:
        self._spawn("act", lambda: self._in_turn(key, work))

    async def _in_turn(self, key: str, work: Callable[[Entry], Coroutine[Any, Any, None]]) -> None:
        self._problem = None
        async with self._deeds.turn:
            entry = self._entry(key)
            if entry is not None:
                await work(entry)
        self.refresh()

    def _why(self, key: str) -> None:
        entry = self._entry(key)
        if entry is not None:
            self._refusals.explain(entry)

    def _solve(self, code: str) -> None:
        """What the row with the hub's error offers."""
        if code == RETRY:
            self._hub.search(self._hub.words)
        else:
            self.settings_wanted.emit(code)

    def _search(self, words: str) -> None:
        self._problem = None
        self._hub.search(words)
        if (folder := folder_of(words)) is not None:
            self._spawn("folder", lambda: self._add_typed(folder), instead=True)

    # --- folders -----------------------------------------------------------------------------------------

    def _ask_folder(self) -> None:
        folders.ask(self._window, self._settings, self._add_folder)

    def _add_folder(self, path: str) -> None:
        self._spawn("folder", lambda: self._add(path))

    async def _add_typed(self, folder: Path) -> None:
        if await folders.has_model(folder):
            await self._add(str(folder))

    async def _add(self, path: str) -> None:
        self._problem = None
        folder = await folders.add(self._settings, path)
        await self._read()
        if self._shown is not None:
            self._shown.search.clear()
            self._hub.search("")  # or it may be hidden
            key = next((row.id for row in self._seen.stored if row.folder == folder), folder)
            self._shown.select(key)
