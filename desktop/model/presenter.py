"""Feeds the Model tab: what the engine in use is and can show, drawn only while the tab is in view."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject

from core.chat.session import Session
from core.chat.state import CAN_ASK, ChatState
from core.engines.abilities import NAMES, Ability
from core.engines.active import ActiveEngine
from core.engines.base import EngineInfo, Finished
from core.engines.local.abilities import abilities as local_abilities
from core.engines.state import EngineState
from core.engines.vllm.abilities import LINES, Seen
from core.engines.vllm.abilities import abilities as server_abilities
from core.engines.vllm.host import ServerEngine
from core.errors import LoupeError
from core.models.catalog import built_in
from core.models.folder import built_in_folder
from core.models.specs import Specs, read_specs
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind, starter
from desktop.model.values import Known, Origin, Speed
from desktop.model.view import ModelView

PAGE = "model"
log = logging.getLogger(__name__)
Key = tuple[str, str, str]  # engine, address, model


class Tabs(Protocol):
    """What the page needs of the centre of the window."""

    def show_tab(self, id_: str) -> None: ...


class ModelPresenter(QObject):
    """Binds the engine in use to the view. What answers showed is kept for each engine and model."""

    def __init__(
        self,
        tabs: Tabs,
        view: ModelView,
        session: Session,
        engine: ActiveEngine,
        settings: SettingsStore,
        scope: TaskScope,
        models: Path,
    ) -> None:
        """`models`: the folder that holds the built-in model."""
        super().__init__(view)
        self._tabs, self._view, self._session, self._engine = tabs, view, session, engine
        self._settings, self._scope, self._models = settings, scope, models
        self._asking = False
        self._info: dict[Key, EngineInfo] = {}  # outlives the state that told it
        self._speed: dict[Key, Speed] = {}
        self._cached: dict[Key, int] = {}
        self._refused: dict[Key, str] = {}
        self._specs: dict[str, Specs | None] = {}  # by folder
        bind(view, engine.state_changed, self._moved)
        bind(view, session.state_changed, self._answered)
        bind(view, settings.changed, lambda _: self.refresh())
        view.seen.connect(self.refresh)
        view.ask_again.connect(starter(scope, self._ask, name="ask the server again"))
        self._moved(engine.state)

    def show_capability(self, name: str) -> None:
        """Open the tab at one line: a name of `core.engines.abilities.NAMES`, or a cell of the matrix."""
        self._tabs.show_tab(PAGE)
        self.refresh()
        self._view.show_ability(name if name in NAMES else LINES.get(name, ""))

    def refresh(self) -> None:
        if self._view.isVisible():
            self._view.show_known(self.known())

    def known(self) -> Known:
        """Everything the page shows, as it is now."""
        state, key = self._engine.state, self._key()
        server = self._server
        info, folder = self._info.get(key), self._folder(self._info.get(key))
        specs = self._specs.get(folder)
        family = self._engine.family
        return Known(
            state=state,
            info=info,
            lines=self._lines(server, info, specs),
            found=server.capabilities if server else None,
            source=server.source if server else None,
            family=family.name if family else "",
            specs=specs,
            origin=self._origin(folder),
            speed=self._speed.get(key, Speed()),
            running=self._session.state not in CAN_ASK,
            asking=self._asking,
        )

    @property
    def _server(self) -> ServerEngine | None:
        host = self._engine.host
        return host if isinstance(host, ServerEngine) else None

    def _key(self) -> Key:
        state = self._engine.state
        return state.engine, state.address, state.model

    def _lines(
        self, server: ServerEngine | None, info: EngineInfo | None, specs: Specs | None
    ) -> tuple[Ability, ...]:
        if server is None:
            stored = self._settings.value.card_candidates
            return local_abilities(info, specs, stored) if info is not None else ()
        found = server.capabilities
        if found is None:
            return ()
        source, key = server.source, self._key()
        seen = Seen(self._cached.get(key), self._refused.get(key, ""), server.compared)
        return server_abilities(
            found, specs, seen, server_text=source is not None and source.kind == "server"
        )

    def _origin(self, folder: str) -> Origin:
        if folder and Path(folder) == built_in_folder(self._models):
            return Origin(built_in().licence, built_in().source)
        return Origin()

    # --- what happens ------------------------------------------------------------------------------------

    def _moved(self, state: EngineState) -> None:
        if state.info is not None:
            self._info[self._key()] = state.info
        folder = self._folder(state.info)
        if folder and folder not in self._specs:
            starter(self._scope, lambda: self._read(folder), name="read config.json")()
        self.refresh()

    def _folder(self, info: EngineInfo | None) -> str:
        """Where the model's config.json lies here; "" = nowhere."""
        server = self._server
        if server is not None:
            return server.files.path if server.files is not None else ""
        return info.folder if info is not None else ""

    async def _read(self, folder: str) -> None:
        """In a thread: the folder may lie on a disk that sleeps."""
        try:
            self._specs[folder] = await asyncio.to_thread(read_specs, Path(folder))
        except LoupeError as error:
            log.warning("%s", error)
            self._specs[folder] = None
        self.refresh()

    def _answered(self, state: ChatState) -> None:
        running = self._session.running
        answer = running[1].answer if running is not None and state in CAN_ASK else None
        key = self._key()
        if answer is not None and answer.finished is not None and answer.info.engine == key[0]:
            self._learn(key, answer.finished)
        self.refresh()

    def _learn(self, key: Key, done: Finished) -> None:
        answers = self._speed.get(key, Speed()).answers + 1
        self._speed[key] = Speed(done.decode_tokens_per_second, done.prefill_ms, answers)
        if done.reused_tokens:
            self._cached[key] = max(done.reused_tokens, self._cached.get(key, 0))
        if done.refused is not None:
            status, words = done.refused
            self._refused[key] = words or f"HTTP {status}"

    async def _ask(self) -> None:
        server = self._server
        if server is None or self._asking or self._session.state not in CAN_ASK:
            return
        self._asking = True
        self.refresh()
        try:
            await server.ask_again()
            self._refused.pop(self._key(), None)
        except LoupeError as error:
            self._view.errors.show_error(error)
        finally:
            self._asking = False
            self.refresh()
