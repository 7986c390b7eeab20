"""What is there already: a server of ours that this window has no hand in, and what the doctor says about
Docker."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.server.launcher import Doctor, Launcher
from core.server.state import ServerPhase, ServerState
from core.tasks import TaskScope
from desktop.server.pages import ServerPages


class Lookout(QObject):
    """`join_wanted`: the server that was found is to be used. `doctor_changed`: `doctor` is another."""

    join_wanted = Signal()
    doctor_changed = Signal(object)

    def __init__(self, pages: ServerPages, launcher: Launcher, scope: TaskScope) -> None:
        super().__init__(pages)
        self._pages, self._launcher, self._scope = pages, launcher, scope
        self._asking: asyncio.Task[None] | None = None
        self._quiet = False
        self.doctor: Doctor | None = None
        pages.found.join_wanted.connect(self._join)
        pages.found.stop_wanted.connect(self._clean)
        pages.found.clean_wanted.connect(self._clean)

    def begin(self, *, joins: bool, quiet: bool = False) -> None:
        """At the program's start, in the background. `joins`: a server that runs is used, without asking,
        since it is the engine in use. `quiet`: offer nothing, since the environment names the server."""
        self._quiet = quiet
        self._spawn(self._begin(joins), "look for a server")

    async def _begin(self, joins: bool) -> None:
        state = await self._launcher.look()
        if _runs(state):
            if joins:
                self.join_wanted.emit()
        elif state.container and not self._quiet:
            self._pages.found.show_left_over(_model(state))
        await self.see_doctor()

    def moved(self, state: ServerState, *, apart: bool) -> None:
        """`apart`: this window neither uses the server nor holds it; one that runs is offered then."""
        if apart and _runs(state) and not state.ours and not self._quiet:
            self._pages.found.show_running(_model(state), starting=state.starting)
        else:
            self._pages.found.hide()

    def ask_doctor(self) -> None:
        """Anew, in the background; what was found before holds until then."""
        if self._asking is None or self._asking.done():
            self._asking = self._spawn(self.see_doctor(), "doctor")

    async def see_doctor(self) -> None:
        doctor = self.doctor = await self._launcher.doctor()
        self._pages.first_run.set_doctor(doctor)
        self.doctor_changed.emit(doctor)

    async def be_told(self) -> None:
        """What the doctor says now: an open question is answered first, and where Docker did not answer it is
        asked again."""
        if self._asking is not None and not self._asking.done():
            await asyncio.wait({self._asking})
        if self.doctor is None or self.doctor.info is None:
            await self.see_doctor()

    def _join(self) -> None:
        self._pages.found.hide()
        self.join_wanted.emit()

    def _clean(self) -> None:
        self._pages.found.hide()
        self._spawn(self._launcher.stop(), "stop a server that was found")

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None] | None:
        try:
            return self._scope.spawn(work, name=name)
        except RuntimeError:  # the program is quitting
            return None


def _runs(state: ServerState) -> bool:
    return state.starting or state.phase is ServerPhase.READY


def _model(state: ServerState) -> str:
    return state.spec.model if state.spec is not None else ""
