"""Composes the picker of models and the downloads, once the window is shown: they would hold up its start."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint

from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.errors import LoupeError
from core.keys import Keys
from core.models.catalog import BUILT_IN
from core.models.folder import built_in_folder
from core.models.hub_address import Way, hub_of, token_for
from core.models.ledger import Ledger
from core.models.manifest import hub_model
from core.models.orders import DownloadState, HubSettings
from core.observe import Event
from core.paths import Paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import WorkerClient
from desktop.app_server import OwnServerParts
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.bridge import bind
from desktop.kit.theme import SPACE_4
from desktop.picker.ours import DOCKER
from desktop.picker.presenter import EnginePresenter
from desktop.picker.questions import ReportSheet
from desktop.picker.run_text import RunText, phase_word, time_left
from desktop.window.main_window import MainWindow

if TYPE_CHECKING:
    from core.models.download import Downloads
    from core.models.room import Room
    from core.models.search import HubModel
    from desktop.models.fitting import Engine
    from desktop.models.presenter import ModelsPresenter
    from desktop.models.values import User
    from desktop.models.wish import Coming

_NOT_OPEN = frozenset({Phase.ABSENT, Phase.FAILED, Phase.CLOSED})


class ModelParts:
    """`begin` once the window is shown; `downloads` and `presenter` are made by then or by the first wish."""

    def __init__(
        self,
        window: MainWindow,
        appearance: Appearance,
        engines: EnginePresenter,
        ours: OwnServerParts,
        local: LocalEngine,
        library: WorkerClient,
        keys: Keys,
        ledger: Ledger,
        settings: SettingsStore,
        scope: TaskScope,
        paths: Paths,
        log_line: Callable[[str], None],
    ) -> None:
        self._window, self._appearance = window, appearance
        self._engines, self._ours, self._local = engines, ours, local
        self._library, self._keys, self._ledger, self._log_line = library, keys, ledger, log_line
        self._settings, self._scope, self._paths = settings, scope, paths
        self._turn = asyncio.Lock()
        self._hub = self._hub_settings()
        self.settings_wanted: Event[str] = Event()  # at this field of the hub's
        self.downloads: Downloads | None = None
        self.presenter: ModelsPresenter | None = None
        ours.models = self
        window.run_bar.models_wanted.connect(lambda: self._spawn(self._open))
        window.run_bar.action.connect(self._act)
        window.escape_handlers.insert(0, self._escape)
        bind(window, engines.state_changed, self._engine_moved)
        bind(window, settings.changed, lambda _: self._settings_changed())

    def begin(self) -> None:
        """Downloads that were not paused go on."""
        self._spawn(self._made)

    def _spawn(self, work: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the program is quitting, or has not begun
            self._scope.spawn(work(), name="models")  # type: ignore[arg-type]

    async def _made(self) -> ModelsPresenter:
        async with self._turn:
            if self.presenter is None:
                await asyncio.to_thread(_import)
                self.presenter = self._make()
        return self.presenter

    async def made_downloads(self) -> Downloads:
        await self._made()
        assert self.downloads is not None
        return self.downloads

    async def look(self, named: str) -> HubModel:
        """What the hub says of it. Raises ModelError."""
        from core.models.search import resolve

        return await resolve(self._library, named, await self.way(), told=self._ledger.note)

    def _make(self) -> ModelsPresenter:
        from core.models.download import Downloads
        from desktop.models.hub_look import HubLook
        from desktop.models.presenter import ModelsPresenter

        downloads = self.downloads = Downloads(
            self._paths, settings=self._hub_settings, token=self._token, ledger=self._ledger
        )
        hub = HubLook(self._library, self._scope, self.way, self._ledger.note)
        made = ModelsPresenter(
            self._window,
            self._appearance,
            downloads,
            hub,
            self,
            self._settings,
            self._scope,
            self._paths,
            lambda model: f"{hub_of(self._settings.value.hub_endpoint)}/{model}",
        )
        made.failed.connect(self._window.show_error)
        made.report_wanted.connect(lambda model, kind: ReportSheet(self._window, model, kind).open())
        made.settings_wanted.connect(self._to_settings)
        made.wishes.changed.connect(self._show_coming)
        bind(self._window, downloads.lines, self._log_line)
        bind(self._window, downloads.changed, self._show_kept)
        self._spawn(downloads.restore)
        return made

    async def _open(self) -> None:
        made = await self._made()
        button = self._window.run_bar.model
        under = button.mapTo(self._window, button.rect().bottomLeft())
        made.open(under + QPoint(0, fonts.px(SPACE_4)))

    def _to_settings(self, field: str) -> None:
        if self.presenter is not None and self.presenter.picker is not None:
            self.presenter.picker.close_picker()
        self.settings_wanted.emit(field)

    def _escape(self) -> bool:
        return self.presenter is not None and self.presenter.escape()

    def _act(self, action: str) -> None:
        if action == "cancel_download" and self.presenter is not None:
            self._spawn(self.presenter.one_click.cancel)

    async def close(self) -> None:
        """What is being fetched goes on at the next start."""
        if self.downloads is not None:
            await self.downloads.close()

    # --- the hub -----------------------------------------------------------------------------------------

    def _hub_settings(self) -> HubSettings:
        """What is not set is in the environment."""
        value = self._settings.value
        return HubSettings(value.hub_endpoint, value.hub_proxy, value.offline, float(value.hub_seconds))

    async def _token(self) -> str:
        return await token_for(self._settings.value.hub_endpoint, self._kept_token)

    async def _kept_token(self, hub: str) -> str:
        """The keyring, which may want its password, is not asked for what was never put there."""
        known = hub in self._settings.value.hub_tokens or self._keys.has(hub)
        return await self._keys.get(hub) if known else ""

    async def way(self) -> Way:
        hub = self._hub_settings()
        return Way(await self._token(), hub.endpoint, hub.offline, hub.proxy, hub.seconds)

    def _settings_changed(self) -> None:
        hub = self._hub_settings()
        if hub != self._hub:
            self._hub = hub
            self.again()

    def again(self) -> None:
        """The hub is reached in another way now: a download that runs, or that failed for it, goes on so."""
        if self.presenter is not None:
            self._spawn(self.presenter.wishes.go_on)

    # --- the engines, as the picker sees them ------------------------------------------------------------

    @property
    def engine(self) -> Engine:
        if not self._engines.ours:
            return "local"
        return self._ours.launch.device or "cpu"

    @property
    def running(self) -> str:
        """The folder of the model that an engine has open, "" = none."""
        launch, model = self._ours.launch, ""
        if self._engines.ours:
            model = launch.model or (self._settings.value.model if launch.alive else "")
        elif not self._engines.address and self._local.state.phase not in _NOT_OPEN:
            model = self._settings.value.model
        return str(built_in_folder(self._paths.models)) if model == BUILT_IN else model

    def user_of(self, folder: str) -> User:
        """Who has files of it open, whatever engine is in use."""
        server = self._ours.launch.state
        if server.alive and server.spec is not None and server.spec.uses(folder):
            return "server"
        if not self._engines.ours and not self._engines.address and folder == self.running:
            return "local"
        return ""

    async def room(self) -> Room | None:
        """What a start of our server may use at this moment."""
        if (engine := self.engine) == "local":
            return None
        value = self._settings.value
        return await self._ours.launcher.room(engine, version=value.vllm_version, share=value.vllm_gpu_share)

    def choose(self, model: str) -> None:
        self._engines.choose(model)

    def start(self, model: str, engine: Engine) -> None:
        self._engines.start_model(model, "" if engine == "local" else DOCKER)

    def _engine_moved(self, state: EngineState) -> None:
        if self.presenter is not None and self.presenter.picker is not None:
            self.presenter.refresh()
        if state.phase is Phase.READY and (state.engine == "local" or self._engines.ours):
            self._spawn(self._touch)

    async def _touch(self) -> None:
        """It is used now."""
        await asyncio.to_thread(_touch, self._paths, self._settings.value.model)

    # --- the run bar -------------------------------------------------------------------------------------

    def _show_kept(self, states: tuple[DownloadState, ...]) -> None:
        """What is here of the model that would be started."""
        model = self._settings.value.model
        meant = hub_model(Path(model))
        state = next((one for one in states if (one.repo, one.commit) == meant), None)
        whole = state is None or state.phase == "ready" or state.tokenizer_only
        done, total = (0, 0) if state is None or whole else (state.done, state.total)
        self._ours.launch.show_kept(model, done, total)

    def _show_coming(self, coming: Coming | None) -> None:
        if coming is None:
            self._window.run_bar.set_coming(None)
            return
        share = f"{coming.share * 100:.0f} %" if coming.share is not None else ""
        detail = " · ".join(filter(None, (share, time_left(coming.left), coming.name)))
        word = phase_word(Phase.VERIFYING if coming.checking else Phase.FETCHING)
        cancel = QCoreApplication.translate("RunBar", "Cancel")
        self._window.run_bar.set_coming(
            RunText("accent", word, detail, "cancel_download", cancel, coming.share)
        )


def _import() -> None:
    import desktop.models.presenter  # noqa: F401


def _touch(paths: Paths, model: str) -> None:
    from core.models.store import Store

    store = Store(paths)
    found = store.find(model)
    with contextlib.suppress(LoupeError):
        store.touch(found[0].id if found else model)
