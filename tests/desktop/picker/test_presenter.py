"""Which model runs: start, switch in mid-answer, cancel, failure, loss, and the note on small models."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from core.chat.state import ChatState
from core.engines.base import Prefilling, TokenBatch
from core.engines.state import Phase
from core.engines.vllm.host import ServerEngine
from core.errors import ModelError, WorkerLost
from core.keys import Keys
from core.models.catalog import BUILT_IN
from core.settings import SavedServer
from desktop.picker.preparation import PreparationCard
from desktop.picker.presenter import EnginePresenter
from desktop.picker.run_bar import RunBar
from desktop.picker.servers import Given, Servers
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import HELD, rows, said
from tests.fakes.scripted_launcher import NoServer
from tests.fakes.scripted_server import ScriptedKeys, ScriptedServer

Run = Any
FOLDER = "/models/other"


class Desk(ChatDesk):
    """With the run bar and its presenter; nothing is open yet."""

    def __init__(
        self, *scripts: list[object], answers: list[object] | None = None, given: Given | None = None,
        servers: tuple[SavedServer, ...] = (), server: str = "", **engine: Any,
    ) -> None:  # fmt: skip
        """`answers`: the server's script. `servers`, `server`: of the settings."""
        super().__init__(*scripts, **engine)
        self.session.attach(None, None)
        self.settings.update(servers=servers, server=server)
        self.server, self.keys = ScriptedServer([answers or said("served")]), ScriptedKeys()
        self.bar, self.card = RunBar(), PreparationCard()
        self.window.parts += [self.bar, self.card]
        self.servers = Servers(self.settings, given)
        self.engines = EnginePresenter(
            self.window, self.bar, self.card, self.session, self.active, self.local,
            cast(ServerEngine, self.server), cast(Keys, self.keys), self.servers, self.settings, self.scope,
            NoServer(),
        )  # fmt: skip
        self.composer.connect_wanted.connect(lambda: self.engines.act("retry"))
        self.chat.engine_wanted.connect(lambda: self.engines.act("retry"))

    async def turns(self) -> None:
        for _ in range(8):
            await asyncio.sleep(0)

    async def close(self) -> None:
        self.bar.deleteLater()
        self.card.deleteLater()
        await super().close()


def test_the_model_of_the_settings_is_opened_and_given_to_the_session(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        assert not desk.session.can_ask
        desk.engines.start()
        await desk.rest()
        assert desk.engine.opened == [BUILT_IN]
        assert desk.session.can_ask
        await desk.ask("one")
        assert desk.texts == ["one", "fine<|end|>"]
        answer = desk.session.conversation.path()[-1].answer
        assert answer is not None and answer.vocabulary == "v.vocab"

    play(run_qt, steps, make=Desk)


def test_another_model_in_mid_answer_stops_it_keeps_it_and_opens(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        desk.engines.start()
        await desk.rest()
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        desk.bar.model_chosen.emit(FOLDER)
        await desk.rest()
        assert desk.engine.opened == [BUILT_IN, FOLDER]
        answer = desk.session.conversation.path()[-1].answer
        assert answer is not None and answer.state is ChatState.STOPPED
        assert desk.texts == ["long?", "half"]
        assert desk.settings.value.model == FOLDER and desk.settings.value.folders == (FOLDER,)
        await desk.ask("next")
        assert desk.texts[-1] == "fine<|end|>"

    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD], said("fine"), make=Desk)


def test_a_model_chosen_while_one_loads_ends_that_first(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        desk.engine.opens[BUILT_IN] = asyncio.Event()
        desk.engines.start()
        await desk.turns()
        assert desk.engine.state.phase is Phase.LOADING and not desk.session.can_ask
        desk.engines.choose(FOLDER)
        await desk.rest()
        assert desk.window.phases[-3:] == [Phase.ABSENT, Phase.LOADING, Phase.READY]
        assert desk.engine.opened == [BUILT_IN, FOLDER]
        assert desk.session.can_ask

    play(run_qt, steps, make=Desk)


def test_many_choices_at_once_end_with_the_last(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        for model in (BUILT_IN, "/a", "/b", BUILT_IN, FOLDER):
            desk.engines.choose(model)
        await desk.rest()
        assert desk.engine.opened[-1] == FOLDER
        assert desk.engine.state.phase is Phase.READY and desk.session.can_ask

    play(run_qt, steps, make=Desk)


def test_cancel_and_get_it_after_all(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        desk.engine.opens[BUILT_IN] = asyncio.Event()
        desk.engines.start()
        await desk.turns()
        desk.card.action.emit("cancel")
        await desk.rest()
        assert desk.engine.state.phase is Phase.ABSENT and not desk.session.can_ask
        assert desk.window.errors == []
        del desk.engine.opens[BUILT_IN]
        desk.bar.action.emit("get")
        await desk.rest()
        assert desk.session.can_ask

    play(run_qt, steps, make=Desk)


def test_a_failure_is_a_state_and_can_be_tried_again(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        desk.engine.opens[BUILT_IN] = ModelError("model.not_found", folder="/x")
        desk.engines.start()
        await desk.rest()
        assert desk.window.phases[-1] is Phase.FAILED and desk.unexpected == []
        del desk.engine.opens[BUILT_IN]
        desk.card.action.emit("retry")
        await desk.rest()
        assert desk.window.phases[-1] is Phase.READY

    play(run_qt, steps, make=Desk)


def test_a_worker_that_dies_is_started_again_but_not_one_that_dies_while_it_loads(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        desk.engines.start()
        await desk.rest()
        desk.engine.move(Phase.LOST, error=WorkerLost())
        await desk.rest()
        assert desk.engine.opened == [BUILT_IN, BUILT_IN] and desk.session.can_ask
        desk.engine.opens[BUILT_IN] = asyncio.Event()
        desk.engines.choose(BUILT_IN)
        await desk.turns()
        desk.engine.move(Phase.LOST, error=WorkerLost())
        await desk.turns()
        assert desk.engine.opened == [BUILT_IN] * 3
        assert not desk.session.can_ask
        desk.engine.opens[BUILT_IN].set()  # type: ignore[union-attr]
        await desk.rest()

    play(run_qt, steps, make=Desk)


def test_a_message_that_waits_is_sent_when_the_model_is_ready(run_qt: Run) -> None:
    """The session has the engine before the window hears that it is ready."""

    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        held = desk.engine.opens[BUILT_IN] = asyncio.Event()
        desk.engines.start()
        await desk.turns()
        desk.composer.ask("one")
        assert desk.composer.queued
        held.set()
        await desk.rest()
        assert desk.window.errors == [] and desk.texts == ["one", "fine<|end|>"]

    play(run_qt, steps, make=Desk)


def test_the_note_on_small_models_is_shown_until_something_was_asked(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        assert desk.window.small_note is True
        desk.engines.choose(FOLDER)
        assert desk.window.small_note is False
        desk.engines.said_small()  # said of no small model: it is still to be said
        desk.engines.choose(BUILT_IN)
        assert desk.window.small_note is True
        desk.engines.said_small()
        desk.engines.choose(BUILT_IN)
        assert desk.window.small_note is False
        await desk.rest()

    play(run_qt, steps, make=Desk)


def test_after_the_end_nothing_is_opened(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert isinstance(desk, Desk)
        await desk.scope.close()
        desk.engines.start()
        assert desk.engine.opened == []

    play(run_qt, steps, make=Desk)
