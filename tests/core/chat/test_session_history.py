"""Session and history together: how often it writes, and what is there after a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.chat.dialogue import spoken
from core.chat.history import History
from core.chat.state import ChatState
from core.engines.base import Extras, Prefilling, Speculation, Structured, TokenBatch
from tests.core.chat.desk import Clock, Desk, work
from tests.core.chat.saved import read, same
from tests.fakes.scripted_engine import HELD, ScriptedEngine, finished, rows, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def at_desk(path: Path, play: Callable[[Desk], Awaitable[None]], *scripts: list[object]) -> Desk:
    def make(engine: ScriptedEngine) -> Desk:
        clock = Clock()
        return Desk(engine, history=History(path, clock), clock=clock)

    return work(play, *scripts, make=make)


def test_a_growing_answer_is_written_once_a_second_and_whole_at_the_end(path: Path) -> None:
    async def play(desk: Desk) -> None:
        def tick(answer_id: str) -> None:
            desk.clock.at += 0.3

        desk.session.grew.connect(tick)
        await desk.session.ask("one")

    batches = [TokenBatch(rows("word ")) for _ in range(20)]
    desk = at_desk(path, play, [Prefilling(3, 0), *batches, finished(100)])
    with sqlite3.connect(path) as db:
        pieces = [count for (count,) in db.execute("SELECT count FROM tokens ORDER BY first")]
    db.close()
    assert sum(pieces) == 100
    assert pieces == [20, 20, 20, 20, 20]  # four batches are 1.2 s
    same(desk.session.conversation, read(path, desk.session.conversation.id))


def test_what_servers_are_asked_for_and_guesses_told_at_the_end_survive(path: Path) -> None:
    """Rows that were written before their guesses were known are marked in the file too."""
    extras = Extras(Structured("choice", ["yes", "no"]), {"min_tokens": 3, "logit_bias": {"5": -1.5}})
    counts = Speculation(2, 6, 3, (1, 2, 4), (3, 3, 3))

    async def play(desk: Desk) -> None:
        desk.session.set_extras(extras)
        await desk.session.ask("one")

    desk = at_desk(path, play, [TokenBatch(rows("words")), finished(5, speculation=counts)])
    back = read(path, desk.session.conversation.id)
    same(desk.session.conversation, back)
    answer = back.path()[-1].answer
    assert answer is not None and (answer.extras, back.extras) == (extras, extras)
    assert [answer.table.row(index).guess for index in range(5)] == [False, True, True, False, True]
    assert answer.finished is not None and answer.finished.speculation == counts


def test_a_stopped_answer_is_on_record_when_the_program_has_closed(path: Path) -> None:
    async def play(desk: Desk) -> None:
        desk.start("one")
        await desk.engine.reached.wait()

    desk = at_desk(path, play, [TokenBatch(rows("half")), HELD])
    back = read(path, desk.session.conversation.id)
    answer = back.path()[-1].answer
    assert answer is not None
    assert answer.state is ChatState.STOPPED and spoken(answer) == "half"
    assert answer.finished is not None and answer.finished.completion_tokens == 4


def test_choice_title_system_options_and_draft_survive(path: Path) -> None:
    async def play(desk: Desk) -> None:
        session = desk.session
        await session.ask("one")
        await session.ask_again(desk.answer_id)
        session.select_sibling(desk.answer_id, -1)
        session.set_system("Be brief.")
        session.fold_system()
        await session.rename(session.conversation.id, "mine")
        session.set_draft("not yet")
        session.set_draft("not yet sent")

    desk = at_desk(path, play)
    back = read(path, desk.session.conversation.id)
    same(desk.session.conversation, back)
    assert (back.title, back.draft, back.options.fold_system) == ("mine", "not yet sent", True)
    assert back.place(back.path()[-1].id) == (1, 2)


def test_a_restart_goes_on_where_it_was(path: Path) -> None:
    async def before(desk: Desk) -> None:
        await desk.session.ask("one")

    first = at_desk(path, before, said("first"))
    identity = first.session.conversation.id

    async def after(desk: Desk) -> None:
        assert desk.history is not None
        listed = await desk.history.load_list()
        assert [(one.id, one.title) for one in listed] == [(identity, "one")]
        await desk.session.rename(identity, "renamed before it is open")
        assert await desk.session.switch(identity)
        assert desk.session.conversation.title == "renamed before it is open"
        await desk.session.ask("two")

    second = at_desk(path, after, said("second"))
    assert second.prompter.last == [("user", "one"), ("assistant", "first"), ("user", "two")]
    same(second.session.conversation, read(path, identity))


def test_deleting_is_for_good(path: Path) -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        gone = desk.session.conversation.id
        await desk.session.delete(gone)
        assert desk.session.conversation.id != gone
        assert desk.history is not None
        assert await desk.history.load_list() == []
        assert not await desk.session.switch(gone)
        await desk.session.ask("two")

    desk = at_desk(path, play)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT id FROM conversations").fetchall() == [(desk.session.conversation.id,)]
    db.close()


def test_without_a_history_everything_works(path: Path) -> None:
    async def play(desk: Desk) -> None:
        await desk.session.ask("one")
        desk.session.new()
        await desk.session.rename("other", "x")
        await desk.session.delete(desk.session.conversation.id)

    work(play)
    assert not path.exists()
