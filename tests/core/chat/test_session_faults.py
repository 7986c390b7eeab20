"""Stop, lost workers, refusing templates, cancellation: what came is kept, and the chat can go on."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from core.chat.dialogue import NOT_SENT, spoken
from core.chat.messages import PromptFacts
from core.chat.state import ChatState
from core.engines.base import Prefilling, TokenBatch
from core.errors import EngineError, LoupeError, PromptError, WorkerLost
from core.prompt.base import PromptOptions
from tests.core.chat.desk import Desk, work
from tests.fakes.scripted_engine import HELD, PlainPrompter, finished, rows, said

S = ChatState


def test_stop_keeps_what_came_and_the_next_question_works_at_once() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start("one")
        await desk.engine.reached.wait()
        assert desk.session.can_stop
        desk.session.stop()
        assert desk.session.state is S.STOPPING and not desk.session.can_stop
        desk.session.stop()  # a second press does nothing
        await asking
        assert desk.engine.closed == 1
        stopped = desk.answer
        assert stopped.state is S.STOPPED and stopped.error is None
        assert spoken(stopped) == "half an"
        assert stopped.finished is not None
        assert stopped.finished.reason == "stopped"
        assert stopped.finished.completion_tokens == 7
        assert stopped.finished.reused_tokens == 2
        assert stopped.finished.prompt_tokens == len(stopped.prompt_ids)
        assert stopped.finished.prefill_ms == 100.0
        assert stopped.finished.decode_tokens_per_second == pytest.approx(50.0)
        assert stopped.finished.seed == stopped.sampling.seed is not None
        await desk.session.ask("two")

    desk = work(play, [Prefilling(3, 2), TokenBatch(rows("half an")), HELD], said("ok"))
    assert desk.states[:5] == [S.PREPARING, S.PREFILLING, S.DECODING, S.STOPPING, S.STOPPED]
    assert desk.prompter.last == [("user", "one"), ("assistant", "half an"), ("user", "two")]


def test_a_stopped_answer_that_came_in_one_burst_has_no_speed() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start("one")
        await desk.engine.reached.wait()
        desk.session.stop()
        await asking
        stopped = desk.answer.finished
        assert stopped is not None and stopped.completion_tokens == 7
        assert (stopped.prefill_ms, stopped.decode_tokens_per_second) == (None, None)

    at_once = [msgspec.structs.replace(row, t_ms=100.3) for row in rows("half an")]
    work(play, [Prefilling(3, 2), TokenBatch(at_once), HELD])


def test_stop_in_the_middle_of_a_character_keeps_its_tokens() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        desk.session.stop()
        await asking

    desk = work(play, [TokenBatch(rows("a👩".encode()[:3])), HELD])
    assert len(desk.answer.table) == 3
    assert desk.answer.table.text == "a\ufffd"
    assert desk.answer.finished is not None and desk.answer.finished.completion_tokens == 3


def test_stop_before_the_first_token_and_while_preparing() -> None:
    async def prefilling(desk: Desk) -> None:
        asking = desk.start("lost")
        await desk.engine.reached.wait()
        desk.session.stop()
        await asking
        assert desk.answer.finished is not None
        assert desk.answer.finished.prefill_ms is None
        assert set(desk.session.notes().values()) == {NOT_SENT}
        await desk.session.ask("two")

    desk = work(prefilling, [Prefilling(9, 0), HELD], said("ok"))
    assert desk.prompter.last == [("user", "two")]

    async def preparing(desk: Desk) -> None:
        asking = desk.start("lost")
        await desk.prompter.reached.wait()
        assert desk.session.state is S.PREPARING
        desk.session.stop()
        await asking
        assert desk.answer.state is S.STOPPED
        assert desk.answer.finished is None  # nothing was counted, so nothing is said

    desk = work(preparing, make=lambda engine: Desk(engine, PlainPrompter(hold=asyncio.Event())))
    assert desk.engine.asked == []


def test_a_lost_worker_keeps_the_partial_answer_and_try_again_works() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        failed = desk.answer
        assert failed.state is S.FAILED
        assert isinstance(failed.error, WorkerLost) and failed.error.params == {"reason": "SIGKILL"}
        assert failed.table.text == "half an\ufffd"  # what was held is shown too
        assert failed.finished is None
        await desk.session.ask_again(desk.answer_id)
        assert spoken(desk.answer) == "whole"
        assert desk.session.conversation.place(desk.answer_id) == (2, 2)

    lost = WorkerLost("worker.lost", reason="SIGKILL")
    desk = work(play, [TokenBatch(rows(b"half an\xe4\xb8")), lost], said("whole"))
    assert desk.failures == ["worker.lost"]
    assert desk.states[3] is S.FAILED and desk.states[-1] is S.FINISHED


def test_an_error_before_the_first_token_and_a_worker_that_stays_dead() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        await desk.session.ask_again(desk.answer_id)
        await desk.session.ask("two")

    desk = work(play, [WorkerLost()])
    assert desk.failures == ["worker.lost"] * 3
    assert desk.prompter.last == [("user", "two")]


def test_a_fault_of_the_engines_code_is_an_error_and_not_the_end(caplog: pytest.LogCaptureFixture) -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        assert desk.answer.error is not None and "ZeroDivisionError" in desk.answer.error.detail
        await desk.session.ask("two")

    desk = work(play, [TokenBatch(rows("a")), ZeroDivisionError("oh")], said("ok"))
    assert desk.failures == ["engine.failed"]
    assert "the answer failed" in caplog.text


def test_an_engine_that_just_ends_is_an_error() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")

    assert work(play, [TokenBatch(rows("a"))]).failures == ["engine.ended_early"]


def test_an_error_after_the_end_does_not_spoil_the_answer() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")

    class Grumpy(Desk):
        def __post_init__(self) -> None:
            inner = self.engine.generate

            async def generate(*args: object, **kwargs: object):  # type: ignore[no-untyped-def]
                try:
                    async for event in inner(*args, **kwargs):  # type: ignore[arg-type]
                        yield event
                finally:
                    raise EngineError("engine.failed")

            self.engine.generate = generate  # type: ignore[method-assign]
            super().__post_init__()

        async def close(self) -> None:
            await self.session.close()
            await self.scope.close()

    desk = work(play, said("ok"), make=Grumpy)
    assert desk.answer.state is S.FINISHED and desk.failures == []


def test_an_engine_that_says_stopped_by_itself_is_stopped() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")

    desk = work(play, [TokenBatch(rows("a")), finished(1, reason="stopped", stop_reason=None)])
    assert desk.answer.state is S.STOPPED


# --- templates -----------------------------------------------------------------------------------------


def test_a_template_that_takes_no_system_text_has_a_way_out() -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        session.set_system("Be brief.")
        await session.ask("one")
        assert desk.answer.error is not None
        assert desk.answer.error.code == "prompt.no_system_role"
        assert desk.answer.error.detail == "System role not supported"
        session.fold_system()
        await session.ask_again(desk.answer_id)
        assert spoken(desk.answer) == "fine"
        assert session.conversation.system == "Be brief."

    refusal = PromptError("prompt.no_system_role", detail="System role not supported")
    desk = work(play, make=lambda engine: Desk(engine, PlainPrompter(errors=[refusal])))
    assert desk.prompter.asked[0][1] == PromptOptions()
    assert desk.prompter.asked[1][1] == PromptOptions(fold_system=True)
    assert desk.prompter.last == [("system", "Be brief."), ("user", "one")]
    assert desk.failures == ["prompt.no_system_role"]


def test_an_answer_keeps_how_its_prompt_was_made() -> None:
    """What a plain prompt leaves out, and begin tokens that came twice."""

    async def play(desk: Desk) -> None:
        desk.session.set_system("Be brief.")
        await desk.session.ask("one")
        assert desk.answer.prompt == PromptFacts()
        desk.prompter.bos_removed = 1
        await desk.session.ask("two")
        assert desk.answer.prompt == PromptFacts(bos_removed=1)
        desk.session.use_plain()
        await desk.session.ask("three")
        assert desk.answer.prompt == PromptFacts(plain=True, unsent=5, bos_removed=1)

    work(play)


def test_a_model_without_a_template_can_be_used_plainly() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("Once upon")
        desk.session.use_plain()
        await desk.session.ask_again(desk.answer_id)
        desk.session.set_thinking(False)
        await desk.session.ask("a time")

    errors: list[LoupeError] = [PromptError("prompt.no_template")]
    desk = work(play, make=lambda engine: Desk(engine, PlainPrompter(errors=errors)))
    assert desk.prompter.asked[1][1] == PromptOptions(plain=True)
    assert desk.prompter.asked[2][1] == PromptOptions(plain=True, thinking=False)


def test_the_options_belong_to_their_conversation() -> None:
    async def play(desk: Desk) -> None:
        desk.session.use_plain()
        await desk.session.ask("one")
        desk.session.new()
        await desk.session.ask("two")

    assert work(play).prompter.asked[1][1] == PromptOptions()


# --- cancellation --------------------------------------------------------------------------------------


def test_cancelling_who_asked_stops_the_answer_and_is_not_swallowed() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert desk.engine.closed == 1
        assert desk.session.state is S.STOPPED
        assert spoken(desk.answer) == "half"
        await desk.session.ask("two")

    work(play, [TokenBatch(rows("half")), HELD], said("ok"))


def test_closing_the_scope_in_mid_answer_leaves_a_stopped_answer() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        await desk.scope.close()
        assert asking.cancelled()
        assert desk.engine.closed == 1
        assert desk.answer.state is S.STOPPED and desk.session.running is None
        with pytest.raises(RuntimeError):  # nothing runs in a closed scope, and nothing is left half done
            await desk.session.ask("two")
        assert desk.answer.state is S.STOPPED and desk.session.running is None

    work(play, [TokenBatch(rows("half")), HELD])


@pytest.mark.parametrize("steps", range(12))
def test_stopping_after_any_number_of_steps_of_the_loop(steps: int) -> None:
    """Whenever Stop comes, the session ends at rest, the engine is closed and the next question works."""

    async def play(desk: Desk) -> None:
        asking = desk.start("one")
        for _ in range(steps):
            await asyncio.sleep(0)
        desk.session.stop()
        await asking
        assert desk.session.state in (S.STOPPED, S.FINISHED, S.FAILED)
        assert not desk.answer.live
        await desk.session.ask("two")
        assert desk.session.state is S.FINISHED

    slow = [Prefilling(3, 0), TokenBatch(rows("ab")), *said("cd")]
    work(play, slow, said("ok"))


@pytest.mark.parametrize("steps", range(12))
def test_closing_after_any_number_of_steps_of_the_loop(steps: int) -> None:
    async def play(desk: Desk) -> None:
        desk.start("one")
        for _ in range(steps):
            await asyncio.sleep(0)
        await desk.session.close()
        await desk.scope.close()
        assert desk.session.running is None

    work(play, [Prefilling(3, 0), TokenBatch(rows("ab")), HELD])
