"""The chat's desk with a server of ours: a scripted manager, real presenters and widgets around it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from PySide6.QtWidgets import QWidget

from core.engines.state import EngineState, Phase
from core.engines.vllm.choice import ServerChoice
from core.engines.vllm.host import ServerEngine
from core.keys import Keys
from core.models.catalog import BUILT_IN
from core.server.launcher import Doctor
from core.server.spec import LaunchSpec
from core.server.state import ServerState
from desktop.chat.composer_state import readiness
from desktop.picker.preparation import PreparationCard
from desktop.picker.presenter import EnginePresenter
from desktop.picker.run_bar import RunBar
from desktop.picker.servers import Given, Servers
from desktop.server.lookout import Lookout
from desktop.server.pages import ServerPages
from desktop.server.presenter import LaunchPresenter
from desktop.server.quitting import QuitQuestion
from desktop.server.remedies import Remedies
from desktop.server.run_words import ServerText
from tests.fakes.chat_desk import ChatDesk
from tests.fakes.scripted_engine import said
from tests.fakes.scripted_launcher import ScriptedLauncher
from tests.fakes.scripted_server import ScriptedKeys, ScriptedServer

BUILT_IN_FOLDER = "/models/built-in/small"


class LaunchDesk(ChatDesk):
    """`page`: what stands in place of the chat. `text`: of the run bar. `problem`: the plan fails with it."""

    def __init__(
        self,
        *scripts: list[object],
        found: ServerState | None = None,
        server: str = "docker",
        model: str = BUILT_IN,
        given: Given | None = None,
        key: str = "",
        **engine: Any,
    ) -> None:
        super().__init__(*scripts, **engine)
        self.session.attach(None, None)
        self.settings.update(server=server, model=model, vllm_device="cpu")
        self.server, self.keys = ScriptedServer([said("served"), said("more")]), ScriptedKeys()
        self.bar, self.card, self.parent = RunBar(), PreparationCard(), QWidget()
        self.engine_state, self.own, self.wanted = self.active.state, cast(ServerState | None, None), False
        self.page, self.text = "", cast(ServerText | None, None)
        self.problem: Exception | None = None
        self.launcher = ScriptedLauncher(self._ask, found)
        self.pages = ServerPages(self.parent)
        self.remedies = Remedies(self.settings, lambda: "")
        self.lookout = Lookout(self.pages, self.launcher, self.scope)
        self.launch = LaunchPresenter(
            self,
            self.pages,
            self.launcher,
            self.lookout,
            self.remedies,
            self.settings,
            self.scope,
            self._plan,
            self._ask,
            self._connected,
            lambda: False,
            built_in_folder=BUILT_IN_FOLDER,
            key=key,
        )
        self.engines = EnginePresenter(
            self, self.bar, self.card, self.session, self.active, self.local,
            cast(ServerEngine, self.server), cast(Keys, self.keys), Servers(self.settings, given),
            self.settings, self.scope, self.launch,
        )  # fmt: skip
        self.quit_question = QuitQuestion(self.parent, self.settings, self.launch)
        self.launch.start_wanted.connect(self.engines.open_own)
        self.launch.join_wanted.connect(self.engines.join_own)
        self.launch.cause_changed.connect(self.chat.set_cause)
        self.composer.connect_wanted.connect(lambda: self.engines.act("retry"))
        self.chat.engine_wanted.connect(lambda: self.engines.act("retry"))

    # the window

    def set_engine_state(self, state: EngineState) -> None:
        self.engine_state = state
        self.bar.set_state(state)
        self._tell_composer()

    def set_server(
        self, state: ServerState | None, text: ServerText | None, *, wanted: bool, model: str
    ) -> None:
        self.own, self.text, self.wanted = state, text, wanted
        self._tell_composer()

    def _tell_composer(self) -> None:
        ready = readiness(self.engine_state, self.own, self.wanted)
        self.composer.set_phase(ready.phase, connects=ready.connects, starts=ready.starts)

    def show_server_page(self, name: str) -> None:
        self.page = name

    def show_small_model_note(self, on: bool) -> None:
        """Nothing of the server's."""

    # the rest of the program

    async def _plan(self, doctor: Doctor) -> LaunchSpec:
        if self.problem is not None:
            raise self.problem
        value = self.settings.value
        folder = BUILT_IN_FOLDER if value.model == BUILT_IN else value.model
        device = doctor.device if value.vllm_device == "auto" else value.vllm_device
        return LaunchSpec(
            model=folder.rpartition("/")[2], folder=folder, device=device, gpu_share=value.vllm_gpu_share
        )

    async def _ask(self, address: str, spec: LaunchSpec, key: str) -> None:
        await self.server.open(ServerChoice(address, spec.model, spec.folder), key)

    def _connected(self, address: str) -> bool:
        state = self.server.state
        return state.phase is Phase.READY and state.address == address

    async def turns(self, count: int = 40) -> None:
        for _ in range(count):
            await asyncio.sleep(0)

    async def close(self) -> None:
        for widget in (self.bar, self.card, self.parent):
            widget.deleteLater()
        await super().close()
