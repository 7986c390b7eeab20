"""The list of chats from the real history: opened, renamed, deleted, and read anew as rarely as it can be."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.chat.history import History
from core.engines.base import Prefilling, TokenBatch
from desktop.conversations.panel import ConversationsPanel
from desktop.conversations.presenter import ConversationsPresenter
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.scripted_engine import HELD, rows, said

Run = Any


class Desk(ChatDesk):
    """With the list; `titles` as they stand in it."""

    def __init__(self, *scripts: list[object], history: History, **engine: Any) -> None:
        super().__init__(*scripts, history=history, **engine)
        self.panel = ConversationsPanel()
        self.reads = 0
        read = history.load_list

        async def counted() -> Any:
            self.reads += 1
            return await read()

        history.load_list = counted  # type: ignore[method-assign]
        self.list = ConversationsPresenter(self.panel, self.session, history, self.chat, self.scope)

    @property
    def titles(self) -> list[str]:
        return [row.title for row in self.panel._rows]

    async def settled(self) -> None:
        """The writer's words arrive between two tasks."""
        assert self.history is not None
        await self.rest()
        await self.history.open()
        await self.rest()

    async def close(self) -> None:
        await super().close()
        self.panel.deleteLater()


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3")


def of(desk: ChatDesk) -> Desk:
    assert isinstance(desk, Desk)
    return desk


async def two_chats(desk: Desk) -> tuple[str, str]:
    await desk.ask("first")
    first = desk.session.conversation.id
    desk.chat.act("new_chat")
    desk.clock.at += 10
    await desk.ask("second")
    await desk.settled()
    return first, desk.session.conversation.id


def test_chats_appear_with_their_first_question_the_last_used_first(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        desk.list.refresh()
        await desk.settled()
        assert desk.titles == []
        _, second = await two_chats(desk)
        assert desk.titles == ["second", "first"]
        assert desk.panel._current == second
        assert [row.answers for row in desk.panel._rows] == [1, 1]

    play(run_qt, steps, make=Desk, history=history)


def test_a_click_opens_with_turns_and_draft(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        first, second = await two_chats(desk)
        desk.composer.edit.set_exact_text("for later")
        desk.panel.opened.emit(first)
        await desk.settled()
        assert desk.session.conversation.id == first and desk.panel._current == first
        assert desk.texts == ["first", "fine<|end|>"]
        desk.panel.opened.emit(second)
        await desk.settled()
        assert desk.composer.text() == "for later"

    play(run_qt, steps, make=Desk, history=history)


def test_renaming_the_open_chat_and_another_one(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        first, second = await two_chats(desk)
        desk.panel.renamed.emit(first, "  the  older one ")
        await desk.settled()
        desk.panel.renamed.emit(second, "the newer one")
        await desk.settled()
        assert desk.titles == ["the newer one", "the older one"]
        desk.panel.renamed.emit(second, "")  # its first question's again
        await desk.settled()
        assert desk.titles == ["second", "the older one"]

    play(run_qt, steps, make=Desk, history=history)


def test_deleting_the_open_chat_shows_a_new_one(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        _, second = await two_chats(desk)
        desk.composer.edit.set_exact_text("goes with it")
        desk.list.delete(second)
        await desk.settled()
        assert desk.titles == ["first"]
        assert desk.texts == [] and desk.window.empty is True and desk.composer.text() == ""
        assert not await desk.session.switch(second)

    play(run_qt, steps, make=Desk, history=history)


def test_deleting_another_chat_leaves_the_one_in_view_alone(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        first, _ = await two_chats(desk)
        desk.composer.edit.set_exact_text("being typed")
        desk.list.delete(first)
        await desk.settled()
        assert desk.titles == ["second"]
        assert desk.texts == ["second", "fine<|end|>"] and desk.composer.text() == "being typed"

    play(run_qt, steps, make=Desk, history=history)


def test_deleting_a_chat_in_which_an_answer_runs_stops_it(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        desk.list.delete(desk.session.conversation.id)
        await desk.settled()
        assert desk.session.running is None and desk.titles == []
        assert desk.engine.closed == 1

    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD], make=Desk, history=history)


def test_changes_that_come_together_are_one_reading(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        await desk.settled()
        desk.reads = 0
        for _ in range(50):
            desk.list.refresh()
        await desk.settled()
        assert desk.reads == 1
        desk.list.refresh()
        await asyncio.sleep(0)  # it is being read
        for _ in range(50):
            desk.list.refresh()
        await desk.settled()
        assert desk.reads == 3

    play(run_qt, steps, make=Desk, history=history)


def test_a_growing_answer_does_not_read_the_list(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        desk.composer.ask("long?")
        await desk.engine.reached.wait()
        await asyncio.sleep(0)
        before = desk.reads
        answer = desk.session.running
        assert answer is not None
        for _ in range(100):
            desk.session.grew.emit(answer[1].id)
        await asyncio.sleep(0)
        assert desk.reads == before
        desk.session.stop()

    play(run_qt, steps, [Prefilling(3, 0), TokenBatch(rows("half")), HELD], make=Desk, history=history)


def test_after_the_end_nothing_is_read(run_qt: Run, history: History) -> None:
    async def steps(some: ChatDesk) -> None:
        desk = of(some)
        await desk.settled()
        await desk.scope.close()
        before = desk.reads
        desk.list.refresh()
        desk.list.delete("x")
        desk.panel.opened.emit("x")
        assert desk.reads == before

    play(run_qt, steps, said("fine"), make=Desk, history=history)
