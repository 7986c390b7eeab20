"""The server of ours towards the window: what it does is shown, what the person wants of it is done."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from core.errors import DockerError, LoupeError
from core.models.catalog import BUILT_IN, built_in
from core.models.manifest import shown_name
from core.observe import Event
from core.server.choose import DEVICE_VARIABLE
from core.server.finding import Finding
from core.server.launcher import Doctor, Launcher
from core.server.spec import Device, LaunchSpec
from core.server.state import ServerPhase, ServerState
from core.server.tools import NotStarted, finding_of
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.tokens import figures
from desktop.kit.bridge import bind
from desktop.server import words
from desktop.server.lookout import Lookout
from desktop.server.pages import LaunchWindow, ServerPages
from desktop.server.remedies import Remedies
from desktop.server.run_words import cause, not_begun, server_text

log = logging.getLogger(__name__)
P = ServerPhase
_AT_REST: Final = frozenset({P.ABSENT, P.STOPPED, P.FAILED, P.LOST})
_TICK_MS: Final = 1_000  # while a start runs
_FRESH_MS: Final = 10_000  # in the first minute after that
_LEFT_SECONDS: Final = 3.0  # for what is left of a dead server, which is to hold up nothing
_UNTOLD: Final = DockerError("docker.not_started")  # of another window, which has not said why
_MINUTE_MS: Final = 60_000  # while it is ready: "up 12 min"
Connect = Callable[[str, LaunchSpec, str], Awaitable[None]]
Plan = Callable[[Doctor], Awaitable[LaunchSpec]]


class LaunchPresenter(QObject):
    """Implements the picker's OwnServer. `start_wanted`, `join_wanted`: the choice of an engine decides how.
    `cause_changed`: why the server is gone, "" = it is not. `log_line_wanted`: show this line. `failed`: what
    no state of the server says, a LoupeError."""

    start_wanted = Signal()
    join_wanted = Signal()
    cause_changed = Signal(str)
    log_line_wanted = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        window: LaunchWindow,
        pages: ServerPages,
        launcher: Launcher,
        lookout: Lookout,
        remedies: Remedies,
        settings: SettingsStore,
        scope: TaskScope,
        plan: Plan,
        connect: Connect,
        connected: Callable[[str], bool],
        told: Callable[[], bool],
        *,
        built_in_folder: str,
        forced: Device | None = None,
        key: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`plan`: the LaunchSpec that the settings say, raises LoupeError. `connect`: as the launcher asks a
        server that is ready; `connected`: to the one at this address. `told`: the answer in view
        says itself that the server is gone. `forced`: the device that the environment says.
        `key`: what the server is to demand."""
        super().__init__(pages)
        self._window, self._pages, self._launcher = window, pages, launcher
        self._lookout, self.remedies = lookout, remedies
        self._settings, self._scope = settings, scope
        self._plan, self._connect, self._connected, self._key = plan, connect, connected, key
        self._forced = forced
        self._told, self._built_in_folder, self._clock = told, built_in_folder, clock
        self.changed: Event[None] = Event()
        self.gone: Event[None] = Event()
        self._used = self._wanted = self._first_run = False
        self._asked = (0.0, "")  # the clock's time when it was wanted, and the last launch by then
        self._kept = ("", 0, 0)  # of a model that is not whole: its folder to be, bytes here, all bytes
        self._held = False  # it was started or joined here, or what is left of that
        self._kept_spec: LaunchSpec | None = None  # of the server that the start would replace
        self._refused: LoupeError | None = None  # why it was not replaced
        self._before = launcher.state
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.refresh)
        bind(self, launcher.state_changed, self._moved)
        bind(self, settings.changed, lambda _: self.refresh())
        self._connect_pages()
        lookout.doctor_changed.connect(lambda _: self.changed.emit(None))
        lookout.join_wanted.connect(self.join_wanted)

    def _connect_pages(self) -> None:
        pages, remedies = self._pages, self.remedies
        pages.card.fix_wanted.connect(remedies.do)
        pages.card.log_wanted.connect(self.log_line_wanted)
        pages.card.back_wanted.connect(self.dismiss)
        pages.card.report_wanted.connect(lambda: QGuiApplication.clipboard().setText(self._launcher.report()))
        pages.stopped.start_wanted.connect(self.start_wanted)
        remedies.start_wanted.connect(self.start_wanted)
        remedies.check_wanted.connect(self._check_again)

    # --- what it is --------------------------------------------------------------------------------------

    @property
    def state(self) -> ServerState:
        return self._launcher.state

    @property
    def doctor(self) -> Doctor | None:
        return self._lookout.doctor

    @property
    def used(self) -> bool:
        """It is the engine in use."""
        return self._used

    @property
    def alive(self) -> bool:
        return self._wanted or self.state.starting or self.state.phase is P.READY

    @property
    def model(self) -> str:
        spec = self.state.spec
        if not self.alive or spec is None or not spec.folder:
            return ""
        return BUILT_IN if spec.folder == self._built_in_folder else spec.folder

    @property
    def device(self) -> Device | None:
        spec, chosen = self.state.spec, self._settings.value.vllm_device
        if self.alive and spec is not None and not self._wanted:
            return spec.device
        if self._forced is not None or chosen != "auto":
            return self._forced or chosen  # type: ignore[return-value]
        return self.doctor.device if self.doctor is not None else None

    def devices(self) -> Sequence[tuple[Device, str]]:
        return ("gpu", self._why_not("gpu")), ("cpu", self._why_not("cpu"))

    def _why_not(self, device: Device) -> str:
        doctor = self.doctor
        if self._forced not in (None, device):
            return self.tr("{name} says {value}").format(name=DEVICE_VARIABLE, value=self._forced)
        if doctor is None:
            return ""
        finding = doctor.finding or (doctor.no_gpu if device == "gpu" else doctor.no_cpu)
        return words.finding_text(finding).what if finding is not None else ""

    @property
    def name(self) -> str:
        """What to call the model that runs or would."""
        spec = self.state.spec
        if self.alive and spec is not None and not self._wanted:
            if spec.folder == self._built_in_folder:
                return built_in().name
            return shown_name(Path(spec.folder)) or spec.model
        model = self._settings.value.model
        return built_in().name if model == BUILT_IN else shown_name(Path(model)) or model

    # --- what the choice of an engine wants --------------------------------------------------------------

    def use(self, on: bool) -> None:
        if on != self._used:
            self._used = on
            self.refresh()
            self.changed.emit(None)

    def chosen_anew(self) -> None:
        self.remedies.forget()

    def want(self, on: bool) -> None:
        if on != self._wanted:
            self._wanted, self._asked = on, (self._clock(), self.state.launch)
            self.refresh()
            self.changed.emit(None)

    async def start(self) -> None:
        self._pages.found.hide()
        try:
            if self._settings.value.vllm_device == "auto":
                await self._lookout.be_told()
            spec = await self._plan(self.doctor or Doctor())
        except LoupeError as error:  # the launcher knows nothing of it, so no state says it
            self.failed.emit(error)
            raise
        spec = msgspec.structs.replace(spec, **self.remedies.changes)
        self.remedies.started()
        self._kept_spec = self.state.spec if self.state.phase is P.READY else None
        held, self._held = self._held, True
        try:
            await self._launcher.start(spec, key=self._key)
        except LoupeError as error:
            await self._not_started(error, held)
            raise
        await self._be_connected()

    async def _not_started(self, error: LoupeError, held: bool) -> None:
        """`held`: what was there before was to end with this program."""
        kept = self._is_kept()
        self._held = held if kept else self._leaves(error)
        if kept:
            self._refused = error
            self.refresh()
            await self._be_connected()
        else:
            self._tell(error)

    def _leaves(self, error: BaseException) -> bool:
        """A container that has ended, and that nobody else would remove."""
        return isinstance(error, NotStarted) and bool(self.state.container)

    def _tell(self, error: LoupeError) -> None:
        """As when another window is at it: then the state says what that does."""
        if self.state.phase is not P.FAILED:
            self.failed.emit(error)

    def _is_kept(self) -> bool:
        return self.state.phase is P.READY and self.state.spec == self._kept_spec

    async def cancel(self) -> None:
        if self._is_kept():
            await self.join()
        else:
            await self.stop()

    def dismiss(self) -> None:
        """Why a start did not replace the server that runs has been read."""
        self._refused = None
        self.refresh()

    async def join(self) -> None:
        self._pages.found.hide()
        self._held = True
        try:
            await self._launcher.join()
        except (asyncio.CancelledError, LoupeError) as error:
            self._held = self._leaves(error)
            if isinstance(error, LoupeError):
                self._tell(error)
            raise
        await self._be_connected()

    async def _be_connected(self) -> None:
        """The launcher asks only what it had to start or to follow."""
        spec = self.state.spec
        if self.state.phase is P.READY and spec is not None and not self._connected(spec.address):
            await self._connect(spec.address, spec, self._key)

    async def stop(self) -> None:
        self._pages.found.hide()
        await self._launcher.stop()

    async def leave(self) -> None:
        """What was started by hand is left to that hand, what another window uses too is left to that."""
        if self._held and self._stays and self.state.by != "hand":
            self._pages.found.hide()
            alive = self.alive
            try:
                async with asyncio.timeout(None if alive else _LEFT_SECONDS):
                    await self._launcher.leave()
            except (LoupeError, TimeoutError) as error:
                if alive:
                    raise
                log.warning("what is left of the server stays: %r", error)
        self._held = False

    @property
    def holds(self) -> bool:
        """It, or what is left of it, ends with this program; of the command line or a hand nothing does."""
        return self._held and self._stays and self.state.by not in ("hand", "cli")

    @property
    def _stays(self) -> bool:
        """Something is there that nobody else would end: one that is gone or dead has its container still."""
        return self.alive or self.state.alive or bool(self.state.container)

    @property
    def shared(self) -> bool:
        """Another program uses it, too: then it ends with the last of them."""
        return self._launcher.shared

    async def close(self, *, leave: bool) -> None:
        """The program ends."""
        await self._launcher.close(leave=leave)

    # --- what it does ------------------------------------------------------------------------------------

    def show_first_run(self, on: bool) -> None:
        """The built-in model is not on disk, and nothing else was chosen."""
        if on != self._first_run:
            self._first_run = on
            self.refresh()

    def show_kept(self, model: str, done: int, total: int) -> None:
        """Of a model as in the settings that was fetched in part; 0 bytes: nothing of it is here."""
        if (model, done, total) != self._kept:
            self._kept = model, done, total
            self.refresh()

    def _check_again(self) -> None:
        """After the person has changed something: a start that failed is tried again."""
        self._lookout.ask_doctor()
        if self._used and (self.state.phase is P.FAILED or self._refused is not None):
            self.start_wanted.emit()

    def _moved(self, state: ServerState) -> None:
        before, self._before = self._before, state
        if not self._wanted and not state.ours and state.launch != before.launch:
            self._held = False  # another program has started it, in place of what was there
        if state.phase is not P.READY:
            self._refused = None
        if before.phase is P.READY and state.phase is not P.READY:
            self.gone.emit(None)
        if before.phase is not state.phase:
            self.cause_changed.emit(self._cause(state))
        self.refresh()
        if before.phase is not state.phase or before.spec != state.spec:
            self._lookout.moved(state, apart=not (self._used or self._wanted or self._held))
            self.changed.emit(None)
        arrived = state.phase is P.READY and before.phase is not P.READY
        if arrived and self._used and not self._wanted and not state.ours:
            self.join_wanted.emit()  # another window or the command line has started it

    def _cause(self, state: ServerState) -> str:
        if not self._used or state.phase is not P.LOST:
            return ""
        return words.finding_text(state.finding).what if state.finding is not None else cause(state)

    def refresh(self) -> None:
        """Show it as it is now."""
        state = self.state
        if not self._used:
            self._timer.stop()
            self._window.set_server(None, None, wanted=False, model="")
            self._pages.stopped.set_model("")
            self._window.show_server_page("first_run" if self._first_run else "")
            return
        shown = state
        if self._wanted and state.phase in _AT_REST and state.launch == self._asked[1]:
            shown = not_begun(self._asked[0])
        text = server_text(shown, self._clock())
        if not state.ours and (shown.starting or state.phase is P.READY):
            detail = " · ".join(filter(None, (text.detail, words.who(state.by))))
            text = dataclasses.replace(text, detail=detail)
        self._window.set_server(state, text, wanted=self._wanted, model=self.name)
        self._keep_time(shown)
        idle = not self._wanted and (
            state.phase in (P.ABSENT, P.STOPPED) or (state.phase is P.LOST and not self._told())
        )
        self._pages.stopped.set_model(self.name if idle else "", self._kept_words())
        if shown.starting:
            self._pages.timeline.set_state(shown, self.name)
            self._window.show_server_page("timeline")
        elif state.phase is P.FAILED and not self._wanted:
            self._show_card(state.finding, state.error, "")
        elif self._refused is not None:
            self._show_card(finding_of(self._refused), self._refused, self.name)
        elif not self._wanted:
            self._window.show_server_page("")

    def _show_card(self, finding: Finding | None, error: LoupeError | None, runs: str) -> None:
        card = self._pages.card
        card.set_runs(runs)
        if finding is not None:
            card.set_finding(finding)
        else:
            card.set_error(error or _UNTOLD)
        self._window.show_server_page("card")

    def _kept_words(self) -> str:
        model, done, total = self._kept
        if model != self._settings.value.model or not done:
            return ""
        words_ = self.tr("{done} of {total} downloaded")
        return words_.format(done=figures.size(done), total=figures.size(total))

    def _keep_time(self, state: ServerState) -> None:
        pace = _TICK_MS if state.starting else 0
        if state.phase is P.READY:
            fresh = state.ready_at is not None and self._clock() - state.ready_at < 60
            pace = _FRESH_MS if fresh else _MINUTE_MS
        if not pace:
            self._timer.stop()
        elif not self._timer.isActive() or self._timer.interval() != pace:
            self._timer.start(pace)
