"""Composes the server of ours: its manager, its pages, the log, and the question at the end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.chat.session import Session
from core.engines.state import EngineState, Phase
from core.engines.vllm.address import normalise
from core.engines.vllm.choice import ServerChoice
from core.engines.vllm.host import ServerEngine
from core.errors import EngineError
from core.log_lines import LogBuffer
from core.models.catalog import BUILT_IN, built_in
from core.models.embedded import built_in_state
from core.models.folder import built_in_folder
from core.models.ledger import Ledger, Permit
from core.paths import Paths, clean
from core.server.access import LogPiece
from core.server.choose import (
    DEVICE_VARIABLE,
    Speculation,
    coming,
    doctor_looks_for,
    model_folder,
    read_model,
    spec_from,
    spec_of_coming,
    speculation,
)
from core.server.launcher import Doctor, Launcher
from core.server.spec import Device, LaunchSpec
from core.settings import Settings, SettingsStore
from core.tasks import TaskScope
from core.worker.client import SERVER_KEY, WorkerClient
from desktop.chat.banners import GONE
from desktop.chat.presenter import ChatPresenter
from desktop.kit.bridge import bind
from desktop.picker.presenter import EnginePresenter
from desktop.picker.server_presenter import ServerPresenter
from desktop.server.doctor_sheet import DoctorSheet, endpoint_text
from desktop.server.doctor_view import ModelRow
from desktop.server.guessing import GuessPresenter
from desktop.server.late import LateLauncher
from desktop.server.lookout import Lookout
from desktop.server.presenter import Connect, LaunchPresenter
from desktop.server.quitting import QuitQuestion
from desktop.server.remedies import Remedies
from desktop.window.main_window import MainWindow

if TYPE_CHECKING:
    from core.models.download import Downloads
    from core.models.search import HubModel
    from desktop.settings.server_section import ServerSection


class Models(Protocol):
    """Models that are not on disk yet, as core.server.fetching.HubSource asks for them."""

    async def made_downloads(self) -> Downloads: ...
    async def look(self, named: str) -> HubModel: ...


class OwnServerParts:
    """`launch` is the picker's OwnServer. `connect_parts` once the other presenters are made; `models`: what
    a start needs of the downloads, None = only what is on disk can be started."""

    def __init__(
        self,
        window: MainWindow,
        server: ServerEngine,
        library: WorkerClient,
        session: Session,
        settings: SettingsStore,
        scope: TaskScope,
        lines: LogBuffer,
        paths: Paths,
    ) -> None:
        self._window, self._server, self._session = window, server, session
        self._settings, self._scope, self._lines, self._paths = settings, scope, lines, paths
        self._key = os.environ.get(SERVER_KEY, "")
        self.models: Models | None = None
        self.launcher: Launcher = LateLauncher(
            _import_manager, lambda: manager(library, paths, self._ask, lambda: settings.value, self.models)
        )
        pages = window.centre.server
        self.remedies = Remedies(settings, self._docker_context, window)
        self.lookout = Lookout(pages, self.launcher, scope)
        self.launch = LaunchPresenter(
            window,
            pages,
            self.launcher,
            self.lookout,
            self.remedies,
            settings,
            scope,
            self._plan,
            self._ask,
            self._connected,
            lambda: self.cut_off,
            built_in_folder=str(built_in_folder(paths.models)),
            forced=_forced(os.environ),
            key=self._key,
        )
        self.guessing = GuessPresenter(
            window, window.sampling.guessing, self.launch, settings, scope, self._guesses
        )
        window.sampling.guessing.chosen.connect(self.guessing.chosen)
        self.quit_question = QuitQuestion(window, settings, self.launch)
        self._doctor_sheet: DoctorSheet | None = None
        bind(window, self.launcher.log, self._logged)
        bind(window, self.launcher.log_cleared, lambda _: window.log.clear())

    async def _ask(self, address: str, spec: LaunchSpec, key: str) -> None:
        """The model's own folder is the source of tokenizer and template. One that another process has
        started is asked with the key that would be given here."""
        await self._server.open(ServerChoice(address, spec.model, spec.folder), key or self._key)

    def _connected(self, address: str) -> bool:
        choice = self._server.choice
        ready = self._server.state.phase is Phase.READY
        return ready and choice is not None and choice.address == address

    async def _plan(self, doctor: Doctor) -> LaunchSpec:
        return await asyncio.to_thread(_plan, self._settings.value, self._paths, doctor)

    async def _guesses(self, model: str, device: Device) -> Speculation:
        return await asyncio.to_thread(_guesses, model, device, self._paths)

    def _docker_context(self) -> str:
        doctor = self.launch.doctor
        return doctor.endpoint.context if doctor is not None and doctor.endpoint is not None else ""

    # --- connections -------------------------------------------------------------------------------------

    def connect_parts(
        self,
        engines: EnginePresenter,
        chat: ChatPresenter,
        servers: ServerPresenter,
        open_settings: Callable[[], None],
    ) -> None:
        window, launch, remedies = self._window, self.launch, self.remedies
        first = window.centre.server.first_run
        launch.start_wanted.connect(engines.open_own)
        launch.join_wanted.connect(engines.join_own)
        self.guessing.restart_wanted.connect(engines.open_own)
        launch.cause_changed.connect(chat.set_cause)
        launch.log_line_wanted.connect(window.show_log_line)
        launch.failed.connect(window.show_error)
        remedies.built_in_wanted.connect(lambda: engines.use(""))
        remedies.models_wanted.connect(window.run_bar.open_models)
        remedies.settings_wanted.connect(open_settings)
        remedies.server_wanted.connect(servers.open)
        first.fix_wanted.connect(remedies.do)
        first.start_wanted.connect(engines.open_own)
        first.models_wanted.connect(window.run_bar.open_models)
        first.built_in_wanted.connect(lambda: engines.act("get"))
        first.connect_wanted.connect(lambda typed: self._join(engines, typed))
        window.run_bar.menu_opened.connect(self.lookout.ask_doctor)
        window.run_bar.doctor_wanted.connect(self.show_doctor)
        window.composer.send_requested.connect(lambda _: launch.dismiss())
        bind(window, engines.state_changed, self._engine_moved)
        bind(window, self._session.state_changed, lambda _: launch.refresh())  # an answer may say it itself

    def connect_settings(self, section: ServerSection, engines: EnginePresenter) -> None:
        """The page was made."""
        launch = self.launch
        bind(section, launch.changed, lambda _: section.set_alive(launch.alive and engines.ours))
        self.lookout.doctor_changed.connect(lambda doctor: section.set_endpoint(endpoint_text(doctor)))
        section.set_alive(launch.alive and engines.ours)
        section.set_endpoint(endpoint_text(launch.doctor))
        section.restart_wanted.connect(engines.open_own)
        section.doctor_wanted.connect(self.show_doctor)

    def _join(self, engines: EnginePresenter, typed: str) -> None:
        try:
            engines.join(normalise(typed))
        except EngineError as error:
            self._window.show_error(error)

    def _engine_moved(self, state: EngineState) -> None:
        """The page of a first run gives way to whatever is chosen."""
        if state.phase is not Phase.ABSENT or state.engine != "local":
            self.launch.show_first_run(False)

    def _logged(self, pieces: tuple[LogPiece, ...]) -> None:
        for piece in pieces:
            self._lines.add(piece.text, at=piece.time)
        self._window.log_added()
        self._window.status.set_line(self._lines.last)

    def show_doctor(self) -> None:
        """What was found about Docker, in a sheet of its own."""
        if self._doctor_sheet is not None:
            self._doctor_sheet.raise_()
            return
        sheet = self._doctor_sheet = DoctorSheet(self._window, self.launch.doctor)
        self.lookout.doctor_changed.connect(sheet.set_doctor)
        sheet.fix_wanted.connect(self.remedies.do)
        sheet.check_wanted.connect(self.lookout.ask_doctor)
        sheet.finished.connect(self._doctor_closed)
        self.lookout.ask_doctor()
        sheet.open()

    def _doctor_closed(self) -> None:
        self._doctor_sheet = None

    # --- life --------------------------------------------------------------------------------------------

    def begin(self, engines: EnginePresenter, *, given: bool) -> None:
        """`given`: the environment names the server to be used."""
        value = self._settings.value
        model, known = value.model, built_in()
        first = not engines.address and model == BUILT_IN and built_in_state(self._paths.models) != "ready"
        pages = self._window.centre.server
        if first:
            size = known.package.wheel_bytes if known.package is not None else 0
            pages.first_run.set_built_in(known.name, size)
            folder = value.folders[0] if value.folders else ""
            pages.first_run.set_model(ModelRow(folder.rpartition("/")[2], folder) if folder else None)
        self.launch.show_first_run(first)
        engines.start(wait=first)
        self.lookout.begin(joins=self.launch.used, quiet=given)

    def ask_to_quit(self, quit_: Callable[[], None]) -> None:
        self.quit_question.ask(self.launch.name, quit_)

    async def close(self) -> None:
        """The server stops with the program, or goes on, by what was answered."""
        await self.launch.close(leave=self.quit_question.leave)

    @property
    def cut_off(self) -> bool:
        """The last answer in view says itself that the server is gone."""
        path = self._session.conversation.path()
        answer = path[-1].answer if path else None
        return answer is not None and answer.error is not None and answer.error.code in GONE


def _plan(settings: Settings, paths: Paths, doctor: Doctor) -> LaunchSpec:
    if coming(Path(settings.model), paths.models):
        return spec_of_coming(settings, Path(settings.model), os.environ, doctor)
    folder = read_model(model_folder(settings.model, paths.models), paths.models)
    return spec_from(settings, folder, os.environ, doctor, models=paths.models)


def _guesses(model: str, device: Device, paths: Paths) -> Speculation:
    if coming(Path(model), paths.models):
        return Speculation(why="absent" if device == "gpu" else "device")
    folder = read_model(model_folder(model, paths.models), paths.models)
    return speculation(folder, device, paths.models)


def _forced(environ: Mapping[str, str]) -> Device | None:
    """A value that is none is told when a server is to be started."""
    said = clean(environ.get(DEVICE_VARIABLE, "")).lower()
    return "gpu" if said == "gpu" else "cpu" if said == "cpu" else None


def _import_manager() -> None:
    import core.server.controller
    import core.server.docker  # noqa: F401


def manager(
    library: WorkerClient,
    paths: Paths,
    ask: Connect,
    settings: Callable[[], Settings],
    models: Models | None = None,
) -> Launcher:
    """Its doctor looks for what the settings say at that moment."""
    from core.server import controller, docker, fetching

    def wanted() -> tuple[int, str]:
        return doctor_looks_for(settings(), os.environ)

    source = None
    if models is not None:
        source = fetching.HubSource(
            paths.models, models.made_downloads, models.look, lambda: settings().speculation
        )
    permit = Permit(Ledger(paths.data), lambda: settings().offline)
    cli = docker.DockerCli(library)
    return controller.ServerController(cli, paths, ask, source=source, permit=permit, wanted=wanted)
