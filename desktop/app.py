"""The composition root of the window: makes every part, connects them, and ends them in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Final

from PySide6.QtWidgets import QApplication

from core import __version__
from core.chat.history import History
from core.chat.session import Session
from core.engines.active import ActiveEngine
from core.engines.local.engine import LocalEngine
from core.engines.state import EngineState, Phase
from core.engines.vllm.host import ServerEngine
from core.keys import Keys
from core.log_lines import LogBuffer
from core.logs import Logs
from core.models.hub_files import fetcher
from core.models.ledger import Ledger, Permit
from core.paths import Paths, default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import WorkerClient, library_worker
from desktop import loop
from desktop.app_models import ModelParts
from desktop.app_server import OwnServerParts
from desktop.app_settings import SettingsParts
from desktop.chat.attaching import Attaching
from desktop.chat.presenter import ChatPresenter
from desktop.chat.view import TranscriptView
from desktop.context.tab import ContextTab
from desktop.conversations.presenter import ConversationsPresenter
from desktop.inspector.answers import facts_of
from desktop.inspector.presenter import InspectorPresenter
from desktop.inspector.values import AnswerFacts
from desktop.kit.appearance import Appearance
from desktop.kit.bridge import bind
from desktop.kit.collector import Collector
from desktop.kit.errors_text import describe, joined
from desktop.kit.focus import FocusRing
from desktop.kit.i18n import Language
from desktop.kit.log_out import LogOut
from desktop.kit.reporter import Reporter
from desktop.kit.single import Claim, SingleInstance
from desktop.log.saving import save as save_log
from desktop.model.presenter import PAGE, ModelPresenter
from desktop.picker.presenter import EnginePresenter
from desktop.picker.server_presenter import ServerPresenter
from desktop.picker.servers import Servers, from_environment
from desktop.settings.apply import follow
from desktop.window.geometry import WindowMemory
from desktop.window.main_window import MainWindow
from desktop.window.placement import Panel

log = logging.getLogger(__name__)

# Seconds. Together less than what the loop gives `run()` to end in, so that each step comes to its turn.
END_WITHIN: Final = 3.3
# more, where a server of ours is to be stopped: its container ends, or Docker is told to end it
OWN_SERVER_MORE: Final = 15.0
ANSWER_WITHIN: Final = 1.0
TASKS_WITHIN: Final = 0.7


class Application:
    """Everything of one run. `run()` returns when all of it has ended."""

    def __init__(self, app: QApplication, paths: Paths) -> None:
        self._app, self._paths = app, paths
        self.reporter = Reporter()
        self.quitting = loop.Quitting()
        self.settings = SettingsStore(paths.settings)
        self.appearance = Appearance(app)
        self.language = Language(app)
        follow(self.settings, self.appearance, self.language)
        FocusRing(app, self.appearance)
        Collector(app)
        self.log_lines = LogBuffer()
        self.scope = TaskScope(self.reporter.report)
        self.worker, self.library = WorkerClient(), library_worker()
        self.keys, self.ledger = Keys(self.library), Ledger(paths.data)
        self.permit = Permit(self.ledger, lambda: self.settings.value.offline)
        self.local = LocalEngine(self.worker, paths, self.permit)
        small_files = fetcher(lambda: self.models.way(), self.ledger.note)
        self.server = ServerEngine(
            self.worker, paths, library=self.library, fetch=small_files, permit=self.permit
        )
        self.engine = ActiveEngine(self.local)
        self.history = History(paths.history)
        self.session = Session(self.scope, self.engine, self.history)
        self._make_window()
        self._connect()

    def _make_window(self) -> None:
        value = self.settings.value
        memory = WindowMemory(value.window_geometry, value.window_state)
        self.view = TranscriptView()
        self.window = MainWindow(
            self.view, self.appearance, self.log_lines, memory, about=f"Token Loupe {__version__}"
        )
        window, keys = self.window, self.keys
        servers = Servers(self.settings, from_environment(os.environ))
        self.given = servers.given is not None
        self.ours = OwnServerParts(
            window,
            self.server,
            self.library,
            self.session,
            self.settings,
            self.scope,
            self.log_lines,
            self._paths,
        )
        self.engines = EnginePresenter(
            window,
            window.run_bar,
            window.centre.preparation,
            self.session,
            self.engine,
            self.local,
            self.server,
            keys,
            servers,
            self.settings,
            self.scope,
            self.ours.launch,
        )
        self.servers = ServerPresenter(window, self.engines, keys, servers, self.scope)
        self._make_models()
        attaching = Attaching(window.composer, self.engine, self.library, self._paths.media, self.scope.spawn)
        self.history.users.append(attaching.files)
        self.chat = ChatPresenter(
            window,
            self.view,
            window.composer,
            window.sampling,
            self.session,
            self.engine,
            self.settings,
            self.scope,
            self._paths.vocabularies,
            attaching=attaching,
        )
        self.conversations = ConversationsPresenter(
            window.conversations, self.session, self.history, self.chat, self.scope
        )
        self.inspector = InspectorPresenter(self.view, self._facts_for, self.settings)
        self.inspector.again_wanted.connect(self.chat.ask_again)
        self.context = ContextTab(
            window.centre,
            window.side,
            window.composer.rested,
            self.session,
            self.engine,
            self.scope,
            self.chat.vocabulary_of,
            lambda: window.show_panel(Panel.SAMPLING, True),
        )
        self.model = ModelPresenter(
            window.centre,
            self.session,
            self.engine,
            self.settings,
            self.scope,
            models=self._paths.models,
            about=f"Token Loupe {__version__}",
        )
        window.centre.add_page(PAGE, self.model.page, self.model.page.title)
        self.inspector.capability_wanted.connect(self.model.show_capability)
        self.window.escape_handlers += [self.settings_page.close, self.inspector.close]

    def _make_models(self) -> None:
        self.models = ModelParts(
            self.window,
            self.appearance,
            self.engines,
            self.ours,
            self.local,
            self.library,
            self.keys,
            self.ledger,
            self.settings,
            self.scope,
            self._paths,
            self._log_line,
        )
        self.settings_page = SettingsParts(
            self.window,
            self.appearance,
            self.settings,
            self.keys,
            self.ledger,
            self.scope,
            self._paths,
            lambda view: self.ours.connect_settings(view.page.server, self.engines),
        )
        self.models.settings_wanted.connect(self.settings_page.open)
        self.settings_page.token_changed.connect(lambda _: self.models.again())

    def _connect(self) -> None:
        window, errors = self.window, self.window.centre.errors
        window.action.connect(self.chat.act)
        window.delete_confirmed.connect(self.conversations.delete)
        self.language.changed.connect(lambda _: self.chat.retranslate())
        self.language.changed.connect(lambda _: self.context.retranslate())
        self.appearance.changed.connect(self.context.set_theme)
        self.context.set_theme(self.appearance.theme)
        window.centre.heat.set_mode(self.settings.value.heat)
        bind(window, self.settings.changed, lambda value: window.centre.heat.set_mode(value.heat))
        self.appearance.changed.connect(self.view.set_theme)
        self.view.set_theme(self.appearance.theme)
        self.appearance.changed.connect(self.model.set_theme)
        self.model.set_theme(self.appearance.theme)
        self.reporter.failed.connect(errors.show_error)
        bind(window, self.settings.failed, errors.show_error)
        bind(window, self.history.problem, errors.show_error)
        for worker in (self.worker, self.library):
            bind(window, worker.lines, self._log_line)
        bind(window, self.engines.state_changed, self._engine_moved)
        window.centre.heat.chosen.connect(lambda mode: self.settings.update(heat=mode))
        window.centre.heat.why_wanted.connect(lambda: window.centre.show_tab(PAGE))
        window.composer.send_requested.connect(lambda _: self.engines.said_small())
        window.composer.connect_wanted.connect(lambda: self.engines.act("retry"))
        for wanted in (window.run_bar.server_wanted, window.centre.empty.server_wanted):
            wanted.connect(self.servers.open)
        self.engines.edit_wanted.connect(self.servers.open)
        self.servers.not_kept.connect(errors.show_error)
        self.chat.engine_wanted.connect(lambda: self.engines.act("retry"))
        self.chat.log_wanted.connect(lambda: window.show_panel(Panel.LOG, True))
        window.action.connect(lambda id_: self.settings_page.open() if id_ == "settings" else None)
        window.action.connect(lambda id_: self.engines.toggle_own() if id_ == "server" else None)
        window.log.save_wanted.connect(self._save_log)
        self.ours.connect_parts(self.engines, self.chat, self.servers, self.settings_page.open)
        window.quit_requested.connect(self._wish_to_quit)
        self.log_out = LogOut(self._app, self.chat.keep_draft)
        for problem in self.settings.problems:
            errors.show_error(problem)

    def _log_line(self, line: str) -> None:
        self.log_lines.add(line)
        self.window.log_added()
        self.window.status.set_line(self.log_lines.last)

    def _engine_moved(self, state: EngineState) -> None:
        """A server of somebody else has its log elsewhere; what is seen of it from here stands in ours."""
        self.window.centre.empty.show_server_hint(state.engine == "local")
        if self.engines.ours:
            return  # its own log is there
        if state.engine == "vllm" and state.phase in (Phase.READY, Phase.LOST, Phase.FAILED):
            if state.error is None:
                self._log_line(f"INFO {state.address} {state.phase.value}")
            else:
                text = describe(state.error)
                place = "" if state.address in text.what else f"{state.address} "
                self._log_line(f"ERROR {place}{joined(text.what, text.detail)}")

    def _facts_for(self, answer_id: str) -> AnswerFacts:
        """What the card must know of an answer beside its numbers."""
        answer = self.session.conversation.messages[answer_id].answer
        assert answer is not None
        return facts_of(answer)

    def _save_log(self, path: str) -> None:
        with contextlib.suppress(RuntimeError):  # the program is quitting
            self.scope.spawn(save_log(self.window.log.view.rows, path), name="save the log")

    # --- life --------------------------------------------------------------------------------------------

    def _wish_to_quit(self) -> None:
        """The person's wish asks about a server that runs; a log-out, like a signal, asks nothing."""
        if self.log_out.now:
            self.quitting.request("log-out")
        else:
            self.ours.ask_to_quit(lambda: self.quitting.request("the window"))

    async def run(self) -> int:
        """Show the window, work until somebody quits, end everything."""
        self.window.show()
        try:
            self.ours.begin(self.engines, given=self.given)
            self.conversations.refresh()  # opens the history, however long its disk takes
            self.models.begin()
            # what is there now stays: a full collection need not walk it, 30 ms in the middle of an answer
            gc.freeze()
            await self.quitting.wait()
        finally:
            await self._end()
        return 0

    def time_to_end(self) -> float:
        """Seconds, by what there is to end."""
        return loop.LIMIT_S + (OWN_SERVER_MORE / 0.7 if self.ours.launch.holds else 0.0)

    async def _end(self) -> None:
        """Every step, whatever becomes of the others, in the time there is."""
        time = asyncio.get_running_loop().time
        more = OWN_SERVER_MORE if self.ours.launch.holds else 0.0
        end = time() + END_WITHIN + more
        self._try("the draft", self.chat.keep_draft)
        self._try("the window's place", self._keep_window)
        self._try("hiding the window", self.window.hide)
        try:
            await asyncio.gather(
                # first: a start that ends with the program would pause its download, which is to go on
                self._within(ANSWER_WITHIN + TASKS_WITHIN, "downloads", self.models.close()),
                self._within(ANSWER_WITHIN + TASKS_WITHIN + more, "the server of ours", self.ours.close()),
                self._end_tasks(),
            )
            await asyncio.gather(
                self._within(end - time(), "the server", self.server.close()),
                self._within(end - time(), "the worker", self.worker.close()),
                self._within(end - time(), "the library", self.library.close()),
                self._within(end - time(), "the history", self.history.close()),
            )
        finally:
            self._try("cards", self.inspector.close_all)
            self._try("the window", self.window.close_for_real)

    async def _end_tasks(self) -> None:
        await self._within(ANSWER_WITHIN, "the answer", self.session.close())
        await self._within(TASKS_WITHIN, "tasks", self.scope.close())

    def _keep_window(self) -> None:
        memory = self.window.memory()
        self.settings.update(window_geometry=memory.geometry, window_state=memory.state)

    def _try(self, what: str, step: Callable[[], object]) -> None:
        try:
            step()
        except Exception as error:
            self.reporter.report(error, f"quitting: {what}")

    async def _within(self, limit: float, what: str, step: Coroutine[Any, Any, object]) -> None:
        try:
            async with asyncio.timeout(limit):
                await step
        except TimeoutError:
            log.error("quitting: %s did not end within %.1f s", what, limit)
        except Exception as error:
            self.reporter.report(error, f"quitting: {what}")


def main() -> int:
    """Open the window; returns the exit code. Whether Qt can run here was asked before it was imported."""
    paths = default_paths()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Token Loupe")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("tokenloupe")
    single = SingleInstance(paths.runtime)
    claim = single.claim()
    if claim is not Claim.FIRST:
        if claim is Claim.SILENT and sys.stderr is not None:
            sys.stderr.write("Token Loupe is running already, but its window does not answer.\n")
        return 0 if claim is Claim.RAISED else 1
    with Logs(paths.logs):
        application = Application(app, paths)
        single.raise_requested.connect(application.window.come_forward)
        try:
            return loop.run(
                application.run,
                reporter=application.reporter,
                quitting=application.quitting,
                limit=application.time_to_end,
            )
        finally:
            single.close()
