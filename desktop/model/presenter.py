"""Feeds the Model tab: what the engine in use is and can show, made and drawn only when it is looked at."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.chat.session import Session
from core.chat.state import CAN_ASK, ChatState
from core.engines.active import ActiveEngine
from core.engines.base import Finished
from core.engines.state import EngineState
from core.engines.vllm.host import ServerEngine
from core.errors import LoupeError
from core.models.specs import Specs, read_specs
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind, starter
from desktop.kit.theme import LIGHT, Theme
from desktop.model.values import Learnt, Speed

if TYPE_CHECKING:
    from desktop.model.view import ModelView

PAGE: Final = "model"
log = logging.getLogger(__name__)
Key = tuple[str, str, str]  # engine, address, model


class Tabs(Protocol):
    """What the page needs of the centre of the window."""

    @property
    def tabs(self) -> QWidget: ...
    def show_tab(self, id_: str) -> None: ...


class ModelPage(QWidget):
    """The place of the page. `seen`: it came into view."""

    seen = Signal()

    def title(self) -> str:
        """Of the tab."""
        return self.tr("Model")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()


class ModelPresenter(QObject):
    """Binds the engine in use to `page`. What answers showed is kept for each engine and model."""

    def __init__(
        self,
        tabs: Tabs,
        session: Session,
        engine: ActiveEngine,
        settings: SettingsStore,
        scope: TaskScope,
        *,
        models: Path,
        about: str = "Token Loupe",
    ) -> None:
        """`models`: the folder that holds the built-in model; `about`: first line of copied error reports."""
        self.page = ModelPage()
        super().__init__(self.page)
        self._tabs, self._session, self._engine = tabs, session, engine
        self._settings, self._scope = settings, scope
        self._models, self._about = models, about
        self._view: ModelView | None = None
        self._theme = LIGHT
        self._asking = False
        self._learnt: dict[Key, Learnt] = {}
        self._specs: dict[str, Specs | None] = {}  # by folder; None = being read, or not readable
        bind(self.page, engine.state_changed, self._moved)
        bind(self.page, session.state_changed, self._answered)
        bind(self.page, settings.changed, lambda _: self.refresh())
        self.page.seen.connect(self.refresh)
        self._moved(engine.state)

    @property
    def view(self) -> ModelView:
        if self._view is None:
            # not at the start: its code and its two hundred widgets take time that nobody waits for there
            from desktop.model.view import ModelView

            self._view = view = ModelView(about=self._about, parent=self.page)
            layout = QVBoxLayout(self.page)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(view)
            view.order_after(self._tabs.tabs)
            view.show()  # else only with the next turn of the loop, where the page is in view already
            view.set_theme(self._theme)
            view.ask_again.connect(starter(self._scope, self._ask, name="ask the server again"))
        return self._view

    def show_capability(self, name: str) -> None:
        """Open the tab at one line: one of `core.engines.abilities.NAMES`, or a cell of a server's matrix."""
        self._tabs.show_tab(PAGE)
        self.view.show_ability(name)

    def set_theme(self, theme: Theme) -> None:
        """A new look, or a new zoom."""
        self._theme = theme
        if self._view is not None:
            self._view.set_theme(theme)

    def refresh(self) -> None:
        """Show what is known now, if somebody looks."""
        if not self.page.isVisible():
            return
        from desktop.model.known import known

        folder = self._folder()
        if folder and folder not in self._specs:
            self._specs[folder] = None
            starter(self._scope, lambda: self._read(folder), name="read config.json")()
        self.view.show_known(
            known(
                self._engine,
                self._learnt.get(self._key(), Learnt()),
                self._specs.get(folder),
                stored=self._settings.value.card_candidates,
                models=self._models,
                running=self._session.state not in CAN_ASK,
                asking=self._asking,
            )
        )

    def _key(self) -> Key:
        state = self._engine.state
        return state.engine, state.address, state.model

    def _learn(self, **changes: object) -> None:
        key = self._key()
        self._learnt[key] = replace(self._learnt.get(key, Learnt()), **changes)  # type: ignore[arg-type]

    def _folder(self) -> str:
        """Where the model's config.json lies here; "" = nowhere."""
        host = self._engine.host
        if isinstance(host, ServerEngine):
            return host.files.path if host.files is not None else ""
        info = self._learnt.get(self._key(), Learnt()).info
        return info.folder if info is not None else ""

    async def _read(self, folder: str) -> None:
        """In a thread: the folder may lie on a disk that sleeps."""
        try:
            self._specs[folder] = await asyncio.to_thread(read_specs, Path(folder))
        except LoupeError as error:
            log.warning("%s", error)
        self.refresh()

    # --- what happens ------------------------------------------------------------------------------------

    def _moved(self, state: EngineState) -> None:
        if state.info is not None:
            self._learn(info=state.info)
        self.refresh()

    def _answered(self, state: ChatState) -> None:
        running = self._session.running
        answer = running[1].answer if running is not None and state in CAN_ASK else None
        if answer is not None and answer.finished is not None:
            self._take(answer.finished)
        self.refresh()

    def _take(self, done: Finished) -> None:
        """What this answer, the engine's last, showed."""
        before = self._learnt.get(self._key(), Learnt())
        if not done.completion_tokens:
            return  # stopped before its first token
        speed = Speed(done.decode_tokens_per_second, done.prefill_ms, before.speed.answers + 1)
        self._learn(speed=speed)
        if done.reused_tokens is not None:
            self._learn(cached=max(done.reused_tokens, before.cached or 0))
        if done.refused is not None:
            status, words = done.refused
            self._learn(refused=words or f"HTTP {status}")

    async def _ask(self) -> None:
        server = self._engine.host
        if not isinstance(server, ServerEngine) or self._asking or self._session.state not in CAN_ASK:
            return
        self._asking = True
        self.refresh()
        try:
            await server.ask_again()
            self._learn(refused="")
        except LoupeError as error:
            self.view.errors.show_error(error)
        finally:
            self._asking = False
            self.refresh()
