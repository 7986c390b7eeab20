"""The sampling dock at work: forms and fields of a chat, and what a server does not take."""

from __future__ import annotations

from typing import Any

from core.engines.base import NOTHING, EngineInfo, Extras, Sampling, Structured
from core.engines.state import Phase
from core.errors import EngineError
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import said

Run = Any

FORM = Extras(Structured("choice", ["a", "b"]))


def server(desk: ChatDesk, **info: Any) -> None:
    known = EngineInfo("vllm", "m", context_limit=1000, **info)
    desk.engine.info = known
    desk.engine.move(Phase.READY, info=known)


def test_what_is_written_goes_to_the_chat_and_with_the_next_answer(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        server(desk)
        desk.sampling.form.extras_changed.emit(FORM)
        assert desk.session.conversation.extras == FORM
        await desk.ask("one")
        assert desk.engine.extras == FORM and "form: one of several texts" in desk.facts
        desk.session.new()
        desk.chat.show()
        assert desk.sampling.form.more.form.kind.currentData() == ""

    play(run_qt, steps)


def test_values_that_the_server_refuses_are_moved_and_stay_so(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.set_sampling(Sampling(temperature=0.0))
        server(desk, refuses=("greedy",))
        assert desk.session.conversation.sampling == Sampling(temperature=0.05, top_k=128)
        assert desk.sampling.form.rows["temperature"].box.value() == 0.05
        desk.session.set_sampling(None)
        server(desk, refuses=("greedy",), recommended=Sampling(temperature=0.5, top_k=20))
        assert desk.session.conversation.sampling is None  # recommended ones are the engine's to move

    play(run_qt, steps)


def test_the_built_in_engines_refusal_has_a_way_out(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.set_extras(FORM)
        await desk.ask("one")
        assert desk.actions[:2] == ["clear", "again"]
        desk.press("clear")
        await desk.rest()
        assert desk.session.conversation.extras == NOTHING and desk.texts[-1].startswith("fine")

    play(run_qt, steps, [EngineError("engine.no_extras")], said("fine"))


def test_T07_an_answer_that_numbers_broke_is_asked_again_without_them(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        server(desk)
        await desk.ask("one")
        assert desk.actions[:2] == ["again", "bare"]
        desk.press("bare")
        await desk.rest()
        assert not desk.engine.extras.numbers and desk.session.conversation.extras == NOTHING
        assert "asked without token numbers" in desk.facts

    play(run_qt, steps, [EngineError("server.said", detail="-inf")], said("fine"))
