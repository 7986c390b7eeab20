"""The chat's presenter with a scripted engine: turns, footers, ways out, asking again, words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from core.chat.state import ChatState
from core.engines.base import Prefilling, Sampling, TokenBatch
from core.engines.state import Phase
from core.errors import EngineError, PromptError, WorkerLost
from core.prompt.base import PromptOptions
from desktop.kit.i18n import Language
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import HELD, rows, said

Run = Any


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[Language]:
    """With its plurals; without, the source text shows "token(s)"."""
    language = Language(qapp)
    language.apply("en")
    yield language
    for translator in language._translators:
        QCoreApplication.removeTranslator(translator)


# --- turns and footers ----------------------------------------------------------------------------------


def test_a_question_and_its_answer_are_turns_with_a_footer(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert desk.window.empty is True
        await desk.ask("What is it?")
        assert desk.window.empty is False
        assert desk.texts == ["What is it?", "fine<|end|>"]
        assert desk.notes == [""]
        assert desk.facts.startswith("5 tokens · 50.0 tok/s · first token 0.10 s · perplexity 2.00")
        assert desk.actions == ["copy", "again"]
        assert desk.window.speed == 50.0
        assert desk.window.context == (len("user:What is it?;") + 5, 1000)
        assert desk.composer.text() == ""
        await desk.ask("And?")
        assert desk.texts == ["What is it?", "fine<|end|>", "And?", "fine<|end|>"]

    play(run_qt, steps)


def test_a_running_answer_shows_its_figures_at_each_beat_and_no_buttons(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        desk.chat._beat()
        assert desk.facts.startswith("4 tokens") and desk.facts.endswith("streaming")
        assert desk.actions == []
        assert desk.chat._tick.isActive()
        assert desk.window.states == [ChatState.PREPARING, ChatState.PREFILLING, ChatState.DECODING]
        desk.composer.button.click()  # Stop
        await desk.rest()
        assert desk.facts.endswith("stopped by you")
        assert desk.texts[-1] == "half"
        assert not desk.chat._tick.isActive()

    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD])


def test_reading_a_long_prompt_is_said_after_a_second(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        desk.chat._beat()
        assert desk.answers[-1].status == ""
        desk.clock.at += 1.5
        desk.chat._beat()
        assert desk.answers[-1].status == "reading 1,200 tokens, 1.5 s · 34 known from before"
        desk.session.stop()

    play(run_qt, steps, [Prefilling(1234, 34), HELD])


def test_siblings_are_stepped_through_by_the_footer_and_by_key(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        desk.press("again")
        await desk.rest()
        assert desk.texts == ["one", "second<|end|>"]
        desk.press("previous")
        assert desk.texts == ["one", "first<|end|>"]
        assert desk.answers[-1].footer is not None and desk.answers[-1].footer.branch == (1, 2)
        desk.chat.act("branch_after")
        assert desk.texts == ["one", "second<|end|>"]
        desk.chat.act("ask_again")
        await desk.rest()
        assert desk.texts == ["one", "third<|end|>"]

    play(run_qt, steps, said("first"), said("second"), said("third"))


def test_a_question_without_an_answer_says_that_it_is_not_sent(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        assert desk.notes == ["Not sent with the next question: it has no answer."]
        assert desk.answers[0].footer is not None and desk.answers[0].footer.banner is not None
        await desk.ask("two")
        sent = [[(one.role, one.content) for one in messages] for messages, _ in desk.prompter.asked]
        assert [("user", "two")] in sent
        assert desk.notes[0] != "" and desk.notes[1] == ""

    play(run_qt, steps, [EngineError("engine.failed")], said("fine"))


def test_an_answer_of_a_model_whose_vocabulary_is_gone_is_shown(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        assert len(desk.answers[-1].turn.vocabulary) == 0
        assert desk.texts[-1] == "fine<|end|>"

    play(run_qt, steps)


# --- ways out -------------------------------------------------------------------------------------------


def test_t22_a_template_without_a_system_role_has_a_button_that_folds(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.set_system("Be brief.")
        refusal = PromptError("prompt.no_system_role")
        desk.prompter.refuse = lambda _, options: None if options.fold_system else refusal
        await desk.ask("one")
        assert desk.actions[:2] == ["fold", "again"]
        desk.press("fold")
        await desk.rest()
        assert desk.prompter.asked[-1][1].fold_system
        assert desk.texts == ["one", "fine<|end|>"]
        assert desk.answers[-1].footer is not None and desk.answers[-1].footer.banner is None

    play(run_qt, steps)


def test_t24_a_model_without_a_template_has_a_button_that_completes_and_says_what_is_lost(
    run_qt: Run,
) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.set_system("Be brief.")
        desk.prompter.refuse = lambda _, options: None if options.plain else PromptError("prompt.no_template")
        await desk.ask("Once upon")
        footer = desk.answers[-1].footer
        assert footer is not None and footer.banner is not None
        assert desk.actions[:2] == ["plain", "again"]
        assert "no system prompt and no earlier messages" in footer.banner.why
        desk.press("plain")
        await desk.rest()
        assert [options.plain for _, options in desk.prompter.asked][-1]
        assert desk.texts == ["Once upon", "fine<|end|>"]
        assert "Sent without a template: only this text" in desk.notes[0]
        await desk.ask("a time")
        assert "only this text" in desk.notes[1]

    play(run_qt, steps)


def test_what_a_prompt_lost_is_said_while_the_answer_still_runs(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.use_plain()
        desk.prompter.bos_removed = 2
        desk.composer.ask("one")
        await desk.engine.reached.wait()
        assert desk.notes == ["Sent without a template. 2 begin tokens too many taken out of the prompt."]
        desk.session.stop()

    play(run_qt, steps, [HELD])


def test_the_ordinary_prompt_has_no_note(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        assert desk.prompter.asked[-1][1] == PromptOptions()
        assert desk.notes == [""]

    play(run_qt, steps)


# --- asking when that is not possible ---------------------------------------------------------------------


def test_try_again_waits_until_the_engine_is_ready(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        desk.session.attach(None, None)
        desk.engine.move(Phase.LOST)
        desk.press("again")
        await desk.rest()
        assert len(desk.engine.asked) == 1
        desk.engine.move(Phase.LOADING)
        desk.attach()
        desk.engine.move(Phase.READY)
        await desk.rest()
        assert desk.texts == ["one", "fine<|end|>"]
        desk.engine.move(Phase.READY)  # it was asked for once
        await desk.rest()
        assert len(desk.engine.asked) == 2

    play(run_qt, steps, [TokenBatch(rows("half")), WorkerLost()], said("fine"))


def test_a_send_that_cannot_begin_gives_the_text_back(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.session.attach(None, None)
        desk.composer.send_requested.emit("my question")
        await desk.rest()
        assert [error.code for error in desk.window.errors] == ["engine.no_model"]
        assert desk.composer.text() == "my question"
        assert desk.texts == []

    play(run_qt, steps)


def test_send_when_ready(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.engine.move(Phase.LOADING)
        desk.composer.set_phase(Phase.LOADING)
        desk.composer.ask("one")
        assert desk.composer.queued
        desk.attach()
        desk.engine.move(Phase.READY)
        desk.composer.set_phase(Phase.READY)
        await desk.rest()
        assert desk.texts == ["one", "fine<|end|>"]

    play(run_qt, steps)


# --- values, settings, languages ---------------------------------------------------------------------------


def test_recommended_values_are_no_choice_of_the_person(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.sampling.form.changed.emit(Sampling(temperature=0.2))
        assert desk.session.conversation.sampling == Sampling(temperature=0.2)
        desk.sampling.form.changed.emit(desk.engine.info.recommended)
        assert desk.session.conversation.sampling is None
        desk.engine.move(Phase.LOST)
        desk.sampling.form.changed.emit(Sampling(temperature=0.3))  # no engine: no error
        assert desk.session.conversation.sampling == Sampling(temperature=0.3)

    play(run_qt, steps)


def test_the_thinking_switch_is_there_for_models_that_have_one(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert desk.composer.chips.thinking.isHidden()
        desk.engine.thinking_switch = True
        desk.engine.move(Phase.READY)
        assert not desk.composer.chips.thinking.isHidden() and desk.composer.chips.thinking.isChecked()
        desk.composer.chips.thinking.click()
        assert desk.session.conversation.options.thinking is False

    play(run_qt, steps)


def test_settings_reach_session_and_footers(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        assert "0 doubtful" in desk.facts
        desk.settings.update(doubt_threshold=0.6, card_candidates=9)
        assert "5 doubtful" in desk.facts  # all tokens have 50 %
        assert desk.session.top_candidates == 9

    play(run_qt, steps)


def test_a_change_of_language_changes_notes_footers_and_banners(run_qt: Run, english: Language) -> None:
    async def steps(desk: ChatDesk) -> None:
        language = english
        await desk.ask("one")
        footer = desk.answers[-1].footer
        assert footer is not None and footer.banner is not None
        before = (desk.notes[0], footer.banner.what, footer.banner.actions[0][1])
        try:
            language.apply("zh_TW")
            desk.chat.retranslate()
            footer = desk.answers[-1].footer
            assert footer is not None and footer.banner is not None
            after = (desk.notes[0], footer.banner.what, footer.banner.actions[0][1])
            assert all(any("\u4e00" <= sign <= "\u9fff" for sign in words) for words in after)
            assert "不會跟著下一個問題送出" in after[0]
        finally:
            language.apply("en")
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LanguageChange)
        desk.chat.retranslate()
        footer = desk.answers[-1].footer
        assert footer is not None and footer.banner is not None
        assert (desk.notes[0], footer.banner.what, footer.banner.actions[0][1]) == before

    play(run_qt, steps, [EngineError("engine.failed")])


def test_an_answer_in_another_chat_does_not_disturb_the_one_in_view(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        answering = desk.session.conversation
        desk.chat.act("new_chat")
        assert desk.texts == []
        desk.chat._beat()
        desk.engine.go.set()
        await desk.rest()
        assert desk.texts == [] and desk.window.empty is True
        desk.session.open(answering)
        desk.chat.show()
        assert desk.texts == ["long?", "half and the rest<|end|>"]

    script = said(" and the rest")[1:]
    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD, *script])


def test_after_the_end_nothing_is_started(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.rest()
        await desk.scope.close()
        desk.composer.send_requested.emit("too late")
        desk.composer.rested.emit("too late")

    play(run_qt, steps)
