"""Which model runs: chooses, opens, cancels and tries again, and gives the ready engine to the session."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject

from core.chat.session import Session
from core.chat.thinking import ThinkingMarkers
from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.errors import LoupeError
from core.models.catalog import BUILT_IN, built_in
from core.settings import SettingsStore
from core.tasks import TaskScope
from desktop.kit.bridge import bind
from desktop.kit.dialogs import folder_dialog
from desktop.picker.choices import ModelChoice, folder_choices, remember
from desktop.picker.preparation import PreparationCard
from desktop.picker.run_bar import RunBar

log = logging.getLogger(__name__)
_SMALL_MODEL = "small_model"  # notice: said once


class ModelWindow(Protocol):
    """What the choice of a model needs of the window around it."""

    def set_engine_state(self, state: EngineState) -> None: ...
    def show_small_model_note(self, on: bool) -> None: ...


class ModelPresenter(QObject):
    """One model at a time; a new choice ends the answer and the loading of the one before."""

    def __init__(
        self,
        window: ModelWindow,
        bar: RunBar,
        card: PreparationCard,
        session: Session,
        engine: LocalEngine,
        settings: SettingsStore,
        scope: TaskScope,
    ) -> None:
        super().__init__(bar)
        self._window, self._bar, self._session, self._engine = window, bar, session, engine
        self._settings, self._scope = settings, scope
        self._task: asyncio.Task[None] | None = None
        self._was_ready = False
        bind(self, engine.state_changed, self._moved)
        bar.model_chosen.connect(self.choose)
        bar.folder_wanted.connect(self._pick_folder)
        bar.action.connect(self._act)
        card.action.connect(self._act)
        self._show_choices()
        window.set_engine_state(engine.state)

    def start(self) -> None:
        """Open the model of the settings."""
        self._open(self._settings.value.model)

    def choose(self, model: str) -> None:
        """Change to another model, or open the same one again."""
        self._settings.update(model=model)
        self._show_choices()
        self._open(model)

    def _show_choices(self) -> None:
        value = self._settings.value
        folders = value.folders if value.model == BUILT_IN else remember(value.folders, value.model)
        choices = (ModelChoice(BUILT_IN, built_in().name), *folder_choices(folders))
        self._bar.set_models(choices, value.model)
        small = value.model == BUILT_IN and built_in().small
        self._window.show_small_model_note(small and not self._settings.noticed(_SMALL_MODEL))

    def _pick_folder(self) -> None:
        folders = self._settings.value.folders
        last = Path(folders[0]).parent if folders else None
        dialog = folder_dialog(self._bar.window(), self.tr("Open a model folder"), last)
        dialog.fileSelected.connect(self.choose)
        dialog.open()

    def _act(self, action: str) -> None:
        if action == "cancel" and self._task is not None:
            self._task.cancel()
        elif action in ("retry", "get"):
            self._open(self._settings.value.model)

    def _open(self, model: str) -> None:
        previous = self._task
        with contextlib.suppress(RuntimeError):  # the program is quitting
            self._task = self._scope.spawn(self._open_after(previous, model), name="open model")

    async def _open_after(self, previous: asyncio.Task[None] | None, model: str) -> None:
        if previous is not None and not previous.done():
            previous.cancel()
            await asyncio.wait({previous})
        self._was_ready = False
        self._session.attach(None, None)
        self._session.stop()
        try:
            await self._engine.open(model)
        except LoupeError as error:
            log.warning("the model cannot be opened: %s", error)

    def _moved(self, state: EngineState) -> None:
        if state.phase is Phase.READY:
            self._ready()  # before the window knows: a message that waits is sent at once
        self._window.set_engine_state(state)
        if state.phase is Phase.LOST:
            self._session.attach(None, None)
            if self._was_ready:  # one that dies while it loads would die again
                self._open(self._settings.value.model)

    def _ready(self) -> None:
        self._was_ready = True
        engine = self._engine
        family = engine.family
        markers = ThinkingMarkers(*family.thinking) if family and family.thinking else None
        path = engine.vocabulary_path
        self._session.attach(engine, engine.vocabulary, path.name if path else "", markers)
        value = self._settings.value
        if value.model != BUILT_IN:  # only a folder that opened is worth remembering
            self._settings.update(folders=tuple(remember(value.folders, value.model)))

    def said_small(self) -> None:
        """The person has asked something with the note in view: it is not said again."""
        if self._settings.value.model == BUILT_IN:
            self._settings.remember(_SMALL_MODEL)
