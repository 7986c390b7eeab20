"""Which engine and model run: chooses, opens, cancels and tries again; the ready one goes to the session."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from core.chat.session import Session
from core.chat.thinking import ThinkingMarkers
from core.engines.active import ActiveEngine
from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.engines.vllm.choice import FROM_SERVER, Served, ServerChoice
from core.engines.vllm.host import ServerEngine
from core.errors import LoupeError
from core.keys import Keys
from core.models.catalog import BUILT_IN, built_in
from core.observe import Event
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind
from desktop.picker.choices import remember
from desktop.picker.offers import engine_choices, local_choices
from desktop.picker.ours import DOCKER, OwnServer, device_key, device_of
from desktop.picker.preparation import FILES_UNKNOWN, PreparationCard
from desktop.picker.questions import ReportSheet, ask_folder, ask_hub
from desktop.picker.run_bar import RunBar
from desktop.picker.served import model_choices
from desktop.picker.servers import Servers

log = logging.getLogger(__name__)
_SMALL_MODEL = "small_model"  # notice: said once


class EngineWindow(Protocol):
    """What the choice of an engine needs of the window around it."""

    def set_engine_state(self, state: EngineState) -> None: ...
    def show_small_model_note(self, on: bool) -> None: ...


class EnginePresenter(QObject):
    """One engine with one model at a time; a new choice ends the answer and the opening of the one before.

    `edit_wanted`: address and key of the server in use are to be changed. `state_changed`: that of the engine
    in use, once it is that. `keyed`: addresses whose key is known for this run only.
    """

    edit_wanted = Signal()

    def __init__(
        self,
        window: EngineWindow,
        bar: RunBar,
        card: PreparationCard,
        session: Session,
        engine: ActiveEngine,
        local: LocalEngine,
        server: ServerEngine,
        keys: Keys,
        servers: Servers,
        settings: SettingsStore,
        scope: TaskScope,
        own: OwnServer,
    ) -> None:
        super().__init__(bar)
        self._window, self._bar, self._card = window, bar, card
        self._session, self._engine = session, engine
        self._local, self._server = local, server
        self._keys, self._servers = keys, servers
        self._settings, self._scope, self._own = settings, scope, own
        given = servers.given
        self._address = given.address if given is not None else settings.value.server
        self._task: asyncio.Task[None] | None = None
        self._changes: asyncio.Task[None] | None = None
        self._was_ready = False
        self._changing = False
        self._refused: Served | None = None
        self.state_changed: Event[EngineState] = Event()
        self.keyed: set[str] = set()
        bind(self, engine.state_changed, self._moved)
        bind(self, own.changed, lambda _: self._show_choices())
        bind(self, own.gone, lambda _: session.attach(None, None))
        bar.engine_chosen.connect(self.use)
        bar.model_chosen.connect(self.choose)
        bar.folder_wanted.connect(self._pick_model_folder)
        bar.action.connect(self.act)
        card.action.connect(self.act)
        self._show_choices()
        window.set_engine_state(engine.state)

    @property
    def address(self) -> str:
        """Of the server in use, "docker" = the one of ours, "" = the built-in engine."""
        return self._address

    @property
    def ours(self) -> bool:
        """The server that this program starts is the engine in use."""
        return self._address == DOCKER

    # --- what the person does ----------------------------------------------------------------------------

    def start(self, *, wait: bool = False) -> None:
        """Open what the environment or the settings say. A server of ours is started by the person only.
        `wait`: not the built-in engine either, before it is asked for."""
        if self.ours or wait:
            self._select()
        else:
            self._open()

    def use(self, key: str) -> None:
        """Change to this server, to a device of the server of ours, or with "" to the built-in engine; not if
        it is in use and ready."""
        if (device := device_of(key)) is not None:
            self._use_own(device)
        elif key != self._address or self._engine.state.phase is not Phase.READY:
            self.join(key)

    def _use_own(self, device: str) -> None:
        if self.ours and device == self._own.device:
            return
        again = self.ours and self._own.alive  # on the other device
        self._own.chosen_anew()
        self._address = DOCKER
        self._servers.use(DOCKER)
        self._settings.update(vllm_device=device)
        if again:
            self._open()
        else:
            self._select()

    def join(self, address: str) -> None:
        """Connect to this server, whatever is in use."""
        self._address = address
        self._servers.use(address)
        self._open()

    def join_own(self) -> None:
        """The server of ours that runs already."""
        self._address = DOCKER
        self._servers.use(DOCKER)
        self._open(joining=True)

    def toggle_own(self) -> None:
        """By a key: start the server of ours, or stop it."""
        if self.ours:
            self.act("stop" if self._own.alive else "start")

    def open_own(self) -> None:
        """Start the server of ours by what the settings say now."""
        self.join(DOCKER)

    def start_model(self, model: str, address: str) -> None:
        """With the server of ours ("docker") or the built-in engine (""), whatever is in use."""
        self._own.chosen_anew()
        self._settings.update(model=model)
        self.join(address)

    async def forget(self, address: str) -> None:
        """Out of the menu, its key too. If it is in use, the built-in engine is from now on."""
        self._servers.forget(address)
        self.keyed.discard(address)
        if address == self._address:
            self.use("")
        else:
            self._show_choices()
        await self._keys.forget(address)

    async def key_of(self, address: str) -> str:
        """ "" if there is none."""
        given = self._servers.given
        if given is not None and given.address == address and given.key and address not in self.keyed:
            return given.key
        if self._servers.get(address).key or address in self.keyed:
            return await self._keys.get(address)
        return ""

    async def keep_key(self, address: str, key: str) -> bool:
        """In the keyring if that can be, else for this run: False."""
        kept = await self._keys.put(address, key)
        self.keyed.add(address)
        self._servers.change(address, key=kept)
        return kept

    def choose(self, model: str) -> None:
        """Change to another model of the engine in use, or open the same one again."""
        if not self._address or self.ours:
            self._own.chosen_anew()
            self._settings.update(model=model)
        elif (row := self._row(model)) is not None and row.supported is False:
            self._refused = row
            self._card.set_refused((row.id, row.model_type))
            return
        else:
            self._servers.change(self._address, model=model)
        if self.ours and not self._own.alive:
            self._select()
        else:
            self._open()

    def _row(self, model: str) -> Served | None:
        return next((row for row in self._server.served if row.id == model), None)

    def choose_files(self, files: str) -> None:
        """Where the tokenizer of the served model comes from, remembered for this server and model."""
        known = self._servers.get(self._address)
        model = self._engine.state.model or known.model
        self._servers.change(self._address, model=model, files={**known.files, model: files})
        self._open()

    def act(self, action: str) -> None:
        """A button of the run bar or of the card."""
        if action in ("cancel", "stop") and self.ours:
            self._spawn(self._stop_after(self._task, back=action == "cancel"))
        elif action == "cancel":
            if self._task is not None:
                self._task.cancel()
        elif action in ("start", "retry", "get"):
            self._open()
        elif action == "edit":
            self.edit_wanted.emit()
        elif action == "folder":
            title = self.tr("Choose the folder with the tokenizer")
            ask_folder(self._bar.window(), title, self._settings.value.folders, self.choose_files)
        elif action == "hub":
            model = self._engine.state.model
            known = self._servers.get(self._address).files.get(model, "")
            ask_hub(self._bar.window(), model, known, self.choose_files)
        elif action == "tokenizer":
            self.choose_files(FROM_SERVER)
        elif action == "auto":
            self.choose_files("")
        elif action == "report" and (row := self._refused or self._row(self._engine.state.model)) is not None:
            ReportSheet(self._bar.window(), row.id, row.model_type).open()
        elif action == "dismiss":
            self._refused = None
            self._card.set_refused(None)

    def _pick_model_folder(self) -> None:
        title = self.tr("Open a model folder")
        ask_folder(self._bar.window(), title, self._settings.value.folders, self.choose)

    def said_small(self) -> None:
        """The person has asked something with the note in view: it is not said again."""
        if not self._address and self._settings.value.model == BUILT_IN:
            self._settings.remember(_SMALL_MODEL)

    # --- opening -----------------------------------------------------------------------------------------

    def _open(self, *, joining: bool = False) -> None:
        self._refused = None
        self._own.use(self.ours)
        self._own.want(self.ours)
        self._show_choices()
        self._spawn(self._open_after(self._task, joining))

    def _select(self) -> None:
        """What is chosen is in use from now on, and is not opened yet."""
        self._refused = None
        self._own.use(self.ours)
        self._show_choices()
        self._spawn(self._select_after(self._task))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        with contextlib.suppress(RuntimeError):  # the program is quitting
            self._task = self._scope.spawn(work, name="open engine")

    async def _let_go(self, previous: asyncio.Task[None] | None) -> None:
        """Whatever was in use answers no more."""
        if previous is not None and not previous.done():
            previous.cancel()
            await asyncio.wait({previous})
        self._was_ready = False
        self._session.attach(None, None)
        await self._session.close()  # the answer is on record before its engine goes

    async def _open_after(self, previous: asyncio.Task[None] | None, joining: bool) -> None:
        try:
            await self._let_go(previous)
            if self.ours:
                await self._change_to(self._server)
                await self._server.leave()  # what it was connected to before is not what comes
                self._tell()
                await (self._own.join() if joining else self._own.start())
                return
            await self._own.leave()
            if self._address:
                await self._change_to(self._server)
                await self._open_server(self._address)
            else:
                await self._change_to(self._local)
                await self._local.open(self._settings.value.model)
        except LoupeError as error:
            log.warning("the engine cannot be opened: %s", error)
        finally:
            if self._task is asyncio.current_task():
                self._own.want(False)

    async def _select_after(self, previous: asyncio.Task[None] | None) -> None:
        await self._let_go(previous)
        self._own.want(False)
        if self.ours:
            await self._change_to(self._server)
            if not self._own.alive:
                await self._server.leave()
        self._tell()

    def _tell(self) -> None:
        """What is in use and not open."""
        self._window.set_engine_state(self._engine.state)
        self.state_changed.emit(self._engine.state)

    async def _stop_after(self, previous: asyncio.Task[None] | None, *, back: bool) -> None:
        await self._let_go(previous)
        self._own.want(False)
        try:
            await (self._own.cancel() if back else self._own.stop())
        except LoupeError as error:  # it stands in its state too
            log.warning("the server of ours cannot be stopped: %s", error)
        if not self._own.alive:
            await self._server.leave()

    async def _change_to(self, host: LocalEngine | ServerEngine) -> None:
        """Whatever becomes of whoever waits for it: an engine that is left gives its model back."""
        while self._changes is not None and not self._changes.done():
            await asyncio.wait({self._changes})
        self._changes = self._scope.spawn(self._use(host), name="change engine")
        await asyncio.shield(self._changes)

    async def _use(self, host: LocalEngine | ServerEngine) -> None:
        """Not told to the window: what the engine was when it was left says nothing."""
        self._changing = True
        try:
            await self._engine.use(host)
        finally:
            self._changing = False

    async def _open_server(self, address: str) -> None:
        saved, key = self._servers.get(address), await self.key_of(address)
        files = saved.files.get(saved.model, "")
        await self._server.open(ServerChoice(address, saved.model, files), key)

    # --- what the engine says ----------------------------------------------------------------------------

    def _moved(self, state: EngineState) -> None:
        if self._changing:
            return
        if state.engine == "vllm":
            self._server_moved(state)
        if state.phase is Phase.READY:
            self._ready()  # before the window knows: a message that waits is sent at once
        self._window.set_engine_state(state)
        self.state_changed.emit(state)
        if state.phase is Phase.LOST:
            self._session.attach(None, None)
            # one that dies while it loads would die again; a server is waited for by the person
            if self._was_ready and state.engine == "local":
                self._open()

    def _server_moved(self, state: EngineState) -> None:
        found = state.phase is Phase.READY or (state.error is not None and state.error.code == FILES_UNKNOWN)
        if found and not self.ours:
            self._servers.change(self._address, model=state.model)
            self._servers.keep(self._address)
        self._show_choices()

    def _ready(self) -> None:
        self._was_ready = True
        host = self._engine.host
        family = host.family
        markers = ThinkingMarkers(*family.thinking) if family and family.thinking else None
        path = host.vocabulary_path
        self._session.attach(host, host.vocabulary, path.name if path else "", markers)
        value = self._settings.value
        local = not self._address or self.ours
        if local and value.model != BUILT_IN:  # only a folder that opened is worth remembering
            self._settings.update(folders=tuple(remember(value.folders, value.model)))

    # --- the menus ---------------------------------------------------------------------------------------

    def _show_choices(self) -> None:
        key = device_key(self._own.device) if self.ours else self._address
        self._bar.set_engines(engine_choices(self._own, self._servers, self._address), key)
        value = self._settings.value
        if self._address and not self.ours:
            model = self._engine.state.model if self._engine.host is self._server else ""
            served = model_choices(self._server.served)
            self._bar.set_models(served, model or self._servers.get(self._address).model, folders=False)
        else:
            current = (self._own.model if self.ours else "") or value.model
            self._bar.set_models(local_choices(value.folders, current), current)
        small = not self._address and value.model == BUILT_IN and built_in().small
        self._window.show_small_model_note(small and not self._settings.noticed(_SMALL_MODEL))
