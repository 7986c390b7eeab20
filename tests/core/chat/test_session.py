"""The session from question to answer: order of events, what is sent, what is kept on record."""

from __future__ import annotations

import asyncio

import pytest

from core.chat.dialogue import spoken
from core.chat.messages import Thinking
from core.chat.state import ChatState
from core.engines.base import NOTHING, EngineInfo, Extras, Prefilling, Sampling, TokenBatch
from core.errors import EngineError, LoupeError
from tests.core.chat.desk import Desk, work
from tests.fakes.scripted_engine import END_THINK, HELD, PlainPrompter, finished, row, rows, said

S = ChatState


def test_an_answer_that_goes_well() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("What is it?")

    desk = work(play, said("fine 👩"))
    assert desk.states == [S.PREPARING, S.PREFILLING, S.DECODING, S.FINISHED]
    question, reply = desk.session.conversation.path()
    assert (question.role, question.text, question.parent) == ("user", "What is it?", None)
    assert desk.grown == [reply.id] * 7  # five letters, the woman in one piece, the end
    assert desk.turned[-1] == desk.session.conversation.id
    answer = desk.answer
    assert answer.table.text == "fine 👩<|end|>"
    assert spoken(answer) == "fine 👩"
    assert bytes(answer.prompt_ids) == b"".join(value.to_bytes(4, "little") for value in b"user:What is it?;")
    assert answer.state is S.FINISHED and not answer.live
    assert answer.finished is not None and answer.finished.prefill_ms == 100.0
    assert answer.vocabulary == "v.vocab"
    assert answer.info.model == "scripted"
    assert answer.started == 1000.0
    assert desk.failures == []
    assert desk.session.running is None


def test_the_conversation_goes_on_with_what_was_said() -> None:
    async def play(desk: Desk) -> None:
        desk.session.set_system("Be brief.")
        await desk.session.ask("one")
        desk.clock.at = 2000.0
        await desk.session.ask("two")

    desk = work(play, said("1"), said("2"))
    assert desk.prompter.last == [
        ("system", "Be brief."), ("user", "one"), ("assistant", "1"), ("user", "two"),
    ]  # fmt: skip
    conversation = desk.session.conversation
    assert conversation.title == "one"
    assert (conversation.created, conversation.updated) == (1000.0, 2000.0)


def test_pasted_text_arrives_as_it_is() -> None:
    text = "a\tb  c\r\nd\u00a0e \u2028 trailing  "

    async def play(desk: Desk) -> None:
        await desk.session.ask(text)

    desk = work(play)
    assert desk.prompter.last == [("user", text)]


def test_asking_again_makes_a_sibling_and_the_siblings_can_be_stepped_through() -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        await session.ask("one")
        first = desk.answer_id
        await session.ask_again(first)
        second = desk.answer_id
        assert first != second
        assert session.conversation.place(second) == (2, 2)
        assert desk.prompter.last == [("user", "one")]
        session.select_sibling(second, -1)
        assert desk.answer_id == first
        session.select_sibling(first, -1)  # at the end nothing happens
        assert desk.answer_id == first
        await session.ask("two")
        assert desk.prompter.last == [("user", "one"), ("assistant", "first"), ("user", "two")]

    work(play, said("first"), said("second"), said("third"))


def test_asking_an_earlier_question_again_leaves_the_later_turns_on_their_branch() -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        await session.ask("one")
        first = desk.answer_id
        await session.ask("two")
        await session.ask_again(first)
        assert [message.text for message in session.conversation.path()] == ["one", ""]
        session.select_sibling(desk.answer_id, -1)
        assert [message.text for message in session.conversation.path()] == ["one", "", "two", ""]

    work(play)


def test_a_seed_is_drawn_once_used_and_kept() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        await desk.session.ask("two")

    desk = work(play)
    seeds = [asked[1].seed for asked in desk.engine.asked]
    assert None not in seeds and seeds[0] != seeds[1]
    assert desk.answer.sampling.seed == seeds[1]


def test_a_given_seed_is_used_and_the_engines_word_counts() -> None:
    async def play(desk: Desk) -> None:
        desk.session.set_sampling(Sampling(temperature=0.5, seed=7))
        await desk.session.ask("one")
        assert desk.answer.sampling.seed == 7
        await desk.session.ask("two")
        assert desk.answer.sampling == Sampling(temperature=0.5, seed=99)

    work(play, said("x"), said("x", seed=99))


def test_greedy_draws_no_seed() -> None:
    async def play(desk: Desk) -> None:
        desk.session.set_sampling(Sampling(temperature=0.0))
        await desk.session.ask("one")

    assert work(play).answer.sampling.seed is None


def test_sampling_starts_at_the_models_recommendation() -> None:
    recommended = Sampling(temperature=0.2, top_p=0.9, seed=3)

    async def play(desk: Desk) -> None:
        desk.engine.info = EngineInfo("local", "m", recommended=recommended)
        desk.session.top_candidates = 12
        await desk.session.ask("one")

    desk = work(play)
    assert desk.answer.sampling == recommended
    assert desk.engine.asked[0][1:] == (recommended, 12)


def test_a_full_context_is_refused_before_the_engine_is_asked() -> None:
    async def play(desk: Desk) -> None:
        desk.engine.info = EngineInfo("local", "m", context_limit=16)
        await desk.session.ask("x" * 20)

    desk = work(play)
    assert desk.engine.asked == []
    assert desk.states == [S.PREPARING, S.FAILED]
    assert desk.failures == ["prompt.context_full"]
    assert desk.answer.error is not None and desk.answer.error.params["question"] == 20


def test_an_answer_that_fills_the_context_says_so() -> None:
    async def play(desk: Desk) -> None:
        desk.engine.info = EngineInfo("local", "m", context_limit=16)
        desk.session.set_sampling(Sampling(max_tokens=500))
        await desk.session.ask("12345")  # 11 tokens with its frame

    desk = work(play, [Prefilling(11, 0), TokenBatch(rows("abcde")), finished(5, reason="length")])
    assert desk.engine.asked[0][1].max_tokens == 5
    assert desk.answer.sampling.max_tokens == 500
    assert desk.answer.finished is not None and desk.answer.finished.reason == "context"


def test_the_persons_own_limit_stays_a_length() -> None:
    async def play(desk: Desk) -> None:
        desk.session.set_sampling(Sampling(max_tokens=2))
        await desk.session.ask("one")

    desk = work(play, [TokenBatch(rows("ab")), finished(2, reason="length", stop_reason=None)])
    assert desk.answer.finished is not None and desk.answer.finished.reason == "length"


def test_tokens_past_a_stop_string_are_never_part_of_the_next_prompt() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        await desk.session.ask("two")

    past = [TokenBatch(rows("yes\nUser: more")), finished(14, stop_reason="\nUser:")]
    desk = work(play, past, said("ok"))
    assert desk.prompter.last == [("user", "one"), ("assistant", "yes"), ("user", "two")]


def test_thinking_that_starts_in_the_prompt_is_known_and_not_sent_again() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        assert desk.answer.thinking == Thinking(3, 2 + len("</think>"), closed=True)
        await desk.session.ask("two")

    script = [TokenBatch([*rows("hm"), row(END_THINK, 1.0), *rows("\n\nyes")]), finished(8)]
    desk = work(play, script, said("ok"), make=lambda engine: Desk(engine, PlainPrompter(opened=True)))
    assert desk.prompter.last == [("user", "one"), ("assistant", "yes"), ("user", "two")]


def test_reading_the_prompt_is_told_while_it_lasts() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        assert desk.session.state is S.PREFILLING
        assert desk.session.reading == (1240, 40)
        desk.engine.go.set()
        await asking
        assert desk.session.reading is None

    work(play, [Prefilling(1240, 40), HELD, TokenBatch(rows("a")), finished(1)])


def test_asking_while_an_answer_runs_or_without_an_engine_changes_nothing() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        assert not desk.session.can_ask
        with pytest.raises(LoupeError) as busy:
            await desk.session.ask("second")
        assert busy.value.code == "chat.busy"
        desk.engine.go.set()
        await asking
        desk.session.attach(None, None)
        assert not desk.session.can_ask
        with pytest.raises(EngineError) as none:
            await desk.session.ask("third")
        assert none.value.code == "engine.no_model"
        assert [message.text for message in desk.session.conversation.path()] == ["hello", ""]

    work(play, [HELD, *said("ok")])


def test_a_blank_question_is_not_asked() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask(" \n\t")
        assert desk.session.conversation.path() == []

    assert work(play).states == []


def test_changing_the_engine_does_not_disturb_a_running_answer() -> None:
    async def play(desk: Desk) -> None:
        asking = desk.start()
        await desk.engine.reached.wait()
        desk.session.attach(None, None)
        desk.engine.go.set()
        await asking
        assert spoken(desk.answer) == "ok"

    work(play, [HELD, *said("ok")])


def test_an_answer_goes_on_in_its_own_conversation_when_another_is_opened() -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        asking = desk.start()
        await desk.engine.reached.wait()
        first = session.conversation
        running = session.running
        assert running is not None and running[0] is first
        other = session.new()
        assert session.conversation is other and session.state is S.PREFILLING
        assert await session.switch(first.id)
        assert session.conversation is first
        session.open(other)
        desk.engine.go.set()
        await asking
        assert spoken(running[1].answer) == "ok"  # type: ignore[arg-type]
        assert session.conversation is other and other.path() == []

    work(play, [HELD, *said("ok")])


def test_opening_another_conversation_rests_the_state() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        desk.session.new()
        assert desk.session.state is S.IDLE
        assert not await desk.session.switch("nobody")

    work(play)


def test_renaming_and_giving_the_title_back() -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        conversation = desk.session.conversation
        await desk.session.rename(conversation.id, "  my \n chat ")
        assert conversation.title == "my chat"
        await desk.session.rename(conversation.id, " ")
        assert conversation.title == "one"

    work(play)


def test_deleting_the_conversation_that_answers_stops_it_first() -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        asking = desk.start()
        await desk.engine.reached.wait()
        gone = session.conversation
        await session.delete(gone.id)
        await asking
        assert session.conversation is not gone and session.state is S.IDLE
        assert desk.engine.closed == 1

    work(play, [HELD])


def test_a_listener_may_stop_the_answer_at_any_state() -> None:
    for at in (S.PREPARING, S.PREFILLING, S.DECODING):

        async def play(desk: Desk, at: ChatState = at) -> None:
            desk.session.state_changed.connect(lambda state: desk.session.stop() if state is at else None)
            await desk.session.ask("one")
            assert desk.session.state is S.STOPPED, at

        work(play, [*said("a")[:-1], HELD])


def test_asking_is_possible_from_a_listener_after_the_end() -> None:
    async def play(desk: Desk) -> None:
        tasks: list[asyncio.Task[None]] = []
        desk.session.state_changed.connect(
            lambda state: tasks.append(desk.start("two")) if state is S.FINISHED and not tasks else None
        )
        await desk.session.ask("one")
        await tasks[0]
        assert len(desk.session.conversation.path()) == 4

    work(play)


def test_an_answer_has_the_form_and_fields_it_was_asked_for_and_once_no_numbers() -> None:
    extras = Extras(fields={"min_tokens": 3})

    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        assert (desk.engine.extras, desk.answer.extras) == (NOTHING, NOTHING)
        desk.session.set_extras(extras)
        await desk.session.ask("two")
        assert (desk.engine.extras, desk.answer.extras) == (extras, extras)
        await desk.session.ask_again(desk.answer_id, numbers=False)
        bare = Extras(fields={"min_tokens": 3}, numbers=False)
        assert (desk.engine.extras, desk.answer.extras) == (bare, bare)
        assert desk.session.conversation.extras == extras  # the next one has numbers again

    work(play)
