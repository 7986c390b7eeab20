"""The room left and the draft: both belong to the text as it stands, and to one conversation."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.chat.history import History
from core.engines.state import Phase
from core.errors import PromptError
from tests.fakes.chat_desk import ChatDesk, play

Run = Any


# --- room ------------------------------------------------------------------------------------------------


def test_the_room_is_counted_for_the_text_as_it_is_with_all_before_it(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        desk.composer.rested.emit("two")
        await desk.rest()
        said_before = "user:one;assistant:fine;user:two;"
        assert desk.composer._left == 1000 - len(said_before)

    play(run_qt, steps)


def test_an_answer_takes_of_the_room_of_the_next_question(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        assert desk.composer._left == 1000 - len("user:one;assistant:fine;user:;")

    play(run_qt, steps)


@pytest.mark.parametrize("phase", [Phase.CONNECTING, Phase.LOADING, Phase.FAILED, Phase.LOST])
def test_nothing_is_said_of_the_room_of_an_engine_that_is_not_ready(phase: Phase, run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.rest()
        assert desk.composer._left is not None
        desk.engine.move(phase)
        assert desk.composer._left is None
        desk.engine.move(Phase.READY)
        await desk.rest()
        assert desk.composer._left == 1000 - len("user:;")

    play(run_qt, steps)


def test_a_count_that_was_overtaken_is_dropped(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.rest()
        desk.prompter.hold = asyncio.Event()
        desk.composer.rested.emit("a long text")
        await desk.prompter.reached.wait()
        hold, desk.prompter.hold = desk.prompter.hold, None
        desk.composer.rested.emit("x")
        for _ in range(5):
            await asyncio.sleep(0)
        assert desk.composer._left == 1000 - len("user:x;")
        hold.set()
        await desk.rest()
        assert desk.composer._left == 1000 - len("user:x;")

    play(run_qt, steps)


@pytest.mark.parametrize("what", ["prompt", "engine"])
def test_room_that_cannot_be_counted_is_not_known_and_no_error(run_qt: Run, what: str) -> None:
    """The engine may lose its model between the keystroke and the count."""

    async def steps(desk: ChatDesk) -> None:
        await desk.rest()
        if what == "prompt":
            desk.prompter.refuse = lambda *_: PromptError("prompt.refused")
        else:
            desk.engine.lost = True
        desk.composer.rested.emit("x")
        await desk.rest()
        assert desk.composer._left is None
        assert desk.unexpected == []

    play(run_qt, steps)


def test_without_an_engine_nothing_is_counted(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.rest()
        desk.engine.move(Phase.LOADING)
        asked = len(desk.prompter.asked)
        desk.composer.rested.emit("x")
        await desk.rest()
        assert desk.composer._left is None and len(desk.prompter.asked) == asked

    play(run_qt, steps)


# --- drafts ------------------------------------------------------------------------------------------------


def type_in(desk: ChatDesk, text: str) -> None:
    """Typed this moment: the rest of 150 ms has not passed."""
    desk.composer.edit.set_exact_text(text)


def test_ctrl_n_keeps_what_was_typed_this_moment(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        await desk.ask("one")
        first = desk.session.conversation
        type_in(desk, "just typed")
        desk.chat.act("new_chat")
        assert desk.composer.text() == "" and desk.window.empty is True
        assert first.draft == "just typed"
        type_in(desk, "in the new one")
        desk.session.open(first)
        desk.chat.show()
        assert desk.composer.text() == "just typed"

    play(run_qt, steps)


def test_what_is_typed_while_another_chat_is_read_stays_with_its_chat(run_qt: Run, tmp_path: Path) -> None:
    async def steps(desk: ChatDesk) -> None:
        assert desk.history is not None
        await desk.ask("one")
        first = desk.session.conversation
        desk.chat.act("new_chat")
        await desk.ask("two")
        second = desk.session.conversation
        assert await desk.history.save(first)

        opening = desk.scope.spawn(desk.chat.open(first.id))
        await asyncio.sleep(0)
        type_in(desk, "typed while it is read")
        await opening
        assert desk.session.conversation.id == first.id
        assert desk.composer.text() == ""
        assert second.draft == "typed while it is read"
        await desk.chat.open(second.id)
        assert desk.composer.text() == "typed while it is read"

    play(run_qt, steps, make=lambda *scripts: ChatDesk(*scripts, history=History(tmp_path / "h.sqlite3")))


def test_the_draft_of_the_last_moment_is_kept_at_the_end(run_qt: Run) -> None:
    async def steps(desk: ChatDesk) -> None:
        type_in(desk, "not sent")
        desk.chat.keep_draft()
        assert desk.session.conversation.draft == "not sent"

    play(run_qt, steps)
