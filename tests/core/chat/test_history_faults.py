"""The history when the disk is full, the file damaged, locked or from the future, or the program killed."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
from pathlib import Path

import pytest

from core.chat.history import RETRY_AFTER, History
from core.chat.messages import Conversation
from core.chat.records import Summary
from core.chat.state import ChatState
from core.chat.store import _CODES, Store, Write
from core.errors import HistoryError
from tests.architecture.test_errors import _words
from tests.core.chat.desk import Clock, Desk, work
from tests.core.chat.saved import chat, read, same, with_history
from tests.fakes.scripted_engine import ScriptedEngine, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite3"


def codes(problems: list[HistoryError]) -> list[str]:
    return [problem.code for problem in problems]


async def settle(history: History) -> None:
    """Until the writer is through and its words have arrived."""
    await history.load_list()
    await asyncio.sleep(0)


def save_all(path: Path, *conversations: Conversation) -> None:
    async def play(history: History) -> None:
        for one in conversations:
            assert await history.save(one)

    assert with_history(path, play) == []


def aside(path: Path) -> list[Path]:
    return sorted(path.parent.glob("history.damaged-*.sqlite3"))


def test_every_code_has_its_words() -> None:
    assert set(_CODES.values()) <= set(_words())


# --- full ----------------------------------------------------------------------------------------------


def test_a_full_disk_is_said_once_and_the_chat_goes_on_in_memory_until_there_is_room(path: Path) -> None:
    clock = Clock()
    fits, big = chat("fits"), chat("big", updated=9.0, text="x" * 50_000)

    async def play(history: History) -> None:
        assert await history.save(fits)
        pages = await history._ask(lambda store: store.db().execute("PRAGMA page_count").fetchone()[0])
        await history._ask(lambda store: store.db().execute(f"PRAGMA max_page_count={pages}").close())
        assert not await history.save(big)
        await settle(history)
        for _ in range(3):
            clock.at += RETRY_AFTER
            assert not await history.save(big)
            await settle(history)
        assert [one.title for one in await history.load_list()] == ["big", "fits"]
        assert await history.load(big.id) is big
        assert await history.save(big) is False  # not tried again at once
        await history._ask(lambda store: store.db().execute("PRAGMA max_page_count=100000").close())
        clock.at += RETRY_AFTER
        assert await history.save(fits)
        await settle(history)
        assert await history.load(big.id) is not big

    assert codes(with_history(path, play, clock=clock)) == ["history.full"]
    same(big, read(path, big.id))
    same(fits, read(path, fits.id))


def test_closing_is_one_more_try(path: Path) -> None:
    clock = Clock()
    big = chat("big", text="x" * 50_000)

    async def play(history: History) -> None:
        await history._ask(lambda store: store.db().execute("PRAGMA max_page_count=14").close())
        assert not await history.save(big)
        await settle(history)
        await history._ask(lambda store: store.db().execute("PRAGMA max_page_count=100000").close())

    assert codes(with_history(path, play, clock=clock)) == ["history.full"]
    same(big, read(path, big.id))


def test_an_answer_streams_on_while_the_disk_is_full(path: Path) -> None:
    problems: list[str] = []

    async def play(desk: Desk) -> None:
        assert desk.history is not None
        desk.history.problem.connect(lambda error: problems.append(error.code))
        await desk.history.open()
        await desk.history._ask(lambda store: store.db().execute("PRAGMA max_page_count=14").close())
        await desk.session.ask("x" * 100_000)
        await settle(desk.history)
        await desk.session.ask("two")
        assert desk.answer.state is ChatState.FINISHED
        assert len(await desk.history.load_list()) == 1

    def make(engine: ScriptedEngine) -> Desk:
        return Desk(engine, history=History(path, Clock()))

    desk = work(play, said("fine"), make=make)
    assert problems == ["history.full"]
    assert desk.prompter.last[0] == ("user", "x" * 100_000)


# --- damaged -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [100, 4096, 50_000])
def test_random_bytes_are_set_aside_and_a_new_file_begun(path: Path, size: int) -> None:
    path.parent.mkdir()
    raw = random.Random(size).randbytes(size)
    path.write_bytes(raw)
    conversation = chat()

    async def play(history: History) -> None:
        assert await history.load_list() == []
        assert await history.save(conversation)

    problems = with_history(path, play)
    assert codes(problems) == ["history.damaged"]
    (kept,) = aside(path)
    assert problems[0].params["kept"] == str(kept) and problems[0].params["saved"] == 0
    assert kept.read_bytes() == raw
    same(conversation, read(path, conversation.id))


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_set_aside_and_what_is_readable_brought_over(path: Path, keep: float) -> None:
    chats = [chat(f"chat {number}", updated=number, text="words " * 400) for number in range(30)]
    save_all(path, *chats)
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * keep) // 512 * 512])
    listed: list[str] = []

    async def play(history: History) -> None:
        listed.extend(one.id for one in await history.load_list())
        for one in listed:
            assert await history.load(one) is not None
        assert await history.save(chat("new"))

    problems = with_history(path, play)
    assert codes(problems) == ["history.damaged"]
    assert problems[0].params["saved"] == len(listed)
    assert len(aside(path)) == 1
    by_id = {one.id: one for one in chats}
    for one in listed:
        back = read(path, one)
        assert back.title == by_id[one].title


def test_damage_in_the_middle_is_found_when_it_is_read_and_the_rest_is_saved(path: Path) -> None:
    chats = [chat(f"chat {number}", updated=number, text="words " * 1500) for number in range(20)]
    save_all(path, *chats)
    with path.open("r+b") as file:
        size = path.stat().st_size // 4096
        for page in range(size // 2, size // 2 + 3):
            file.seek(page * 4096)
            file.write(b"\xa5" * 4096)
    living = chat("living", updated=99.0)
    good: list[str] = []

    async def play(history: History) -> None:
        assert len(await history.load_list()) == 20  # the list is not touched
        history.post(living)
        for one in chats:
            found = await history.load(one.id)
            if found is not None:
                good.append(one.id)
        await history.save(living)

    problems = with_history(path, play)
    assert codes(problems)[0] == "history.damaged"
    assert len(aside(path)) == 1
    saved = problems[0].params["saved"]
    assert isinstance(saved, int) and 15 <= saved <= 21
    same(living, read(path, living.id))
    for one in chats:
        if one.id in good:
            assert read(path, one.id).title == one.title


def test_a_damaged_piece_of_an_answer_costs_only_that_answer(path: Path) -> None:
    conversation = chat("one", text="first " * 50)
    question = conversation.add_question("two", 3.0)
    reply = conversation.add_answer(question.id, chat().path()[-1].answer, 3.0)  # type: ignore[arg-type]
    save_all(path, conversation)
    first = conversation.path()[1].id
    with sqlite3.connect(path) as db:
        db.execute("UPDATE tokens SET packed=x'0011' WHERE message=?", (first,))
        db.execute("UPDATE answers SET prompt_ids=x'00' WHERE message=?", (first,))
    db.close()
    back = read(path, conversation.id)
    damaged, good = back.messages[first].answer, back.messages[reply.id].answer
    assert damaged is not None and damaged.error is not None and good is not None
    assert damaged.error.code == "history.answer_damaged" and damaged.state is ChatState.FAILED
    assert good.error is None and good.table.text == "fine 👩"


def test_a_missing_piece_is_noticed_and_what_comes_before_it_kept(path: Path) -> None:
    conversation = Conversation()
    save_all(path, conversation := chat("one", text="abcdef"))
    reply = conversation.path()[-1].id
    with sqlite3.connect(path) as db:
        db.execute("UPDATE tokens SET first=6 WHERE message=?", (reply,))
    db.close()
    back = read(path, conversation.id).messages[reply].answer
    assert back is not None and back.error is not None
    assert back.error.code == "history.answer_damaged" and len(back.table) == 0


# --- locked, unwritable, newer ---------------------------------------------------------------------------


def test_a_file_locked_by_another_program_is_written_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.chat.store.BUSY_SECONDS", 0.0)
    save_all(path, chat("before"))
    clock = Clock()
    late = chat("late")

    async def play(history: History) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert not await history.save(late)
        await settle(history)
        other.execute("COMMIT")
        other.close()
        clock.at += RETRY_AFTER
        assert await history.save(late)

    assert codes(with_history(path, play, clock=clock)) == ["history.busy"]
    same(late, read(path, late.id))


def test_closing_does_not_wait_for_a_lock(path: Path) -> None:
    """One short try for each chat that is held, not the many of other times."""
    save_all(path, chat("before"))
    tries: list[str] = []

    async def play(history: History) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        write = history._store.write

        def counted(one: object) -> None:
            tries.append("write")
            write(one)  # type: ignore[arg-type]

        history._store.write = counted  # type: ignore[method-assign,assignment]
        history.post(chat("late"))
        await history.close()
        other.execute("COMMIT")
        other.close()

    with_history(path, play)
    assert 1 <= len(tries) <= 3


def test_a_reader_that_is_cancelled_leaves_no_error_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of chats is being read when the program quits, and then it fails: said once, by `problem`."""
    goes_on, entered = threading.Event(), threading.Event()

    async def play(history: History) -> None:
        def summaries(store: Store) -> list[Summary]:
            entered.set()
            assert goes_on.wait(60)
            raise sqlite3.OperationalError("gone")

        monkeypatch.setattr(Store, "summaries", summaries)
        reading = asyncio.ensure_future(history.load_list())
        assert await asyncio.to_thread(entered.wait, 60)
        reading.cancel()
        await asyncio.wait({reading})
        goes_on.set()

    assert codes(with_history(path, play)) == ["history.failed"]  # and nothing in asyncio's log


def test_a_disk_that_hangs_does_not_keep_the_history_from_closing(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("core.chat.history.CLOSE_WITHIN", 0.0)
    hangs, entered = threading.Event(), threading.Event()
    written: list[str] = []

    async def play(history: History) -> None:
        store_write = history._store.write

        def write(one: Write) -> None:
            entered.set()
            assert hangs.wait(60)
            store_write(one)
            written.append(str(one.conversation[1]))

        history._store.write = write  # type: ignore[method-assign]
        history.post(chat("hangs"))
        assert await asyncio.to_thread(entered.wait, 60)
        history.post(chat("queued"))
        await history.close()
        assert written == []  # it did not wait
        hangs.set()
        history._writer.shutdown()

    assert with_history(path, play) == []
    assert "did not close in time" in caplog.text
    assert written == ["hangs"]  # what was queued behind it is not begun any more


def test_a_file_that_is_locked_can_be_read_and_opened(path: Path) -> None:
    """Only a new or older file needs a lock to be opened."""
    save_all(path, chat("before"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    titles: list[str] = []

    async def play(history: History) -> None:
        titles.extend(one.title for one in await history.load_list())

    assert with_history(path, play) == []
    assert titles == ["before"]
    other.close()


def test_a_folder_that_cannot_be_is_said_once_and_the_list_is_what_is_in_memory(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    conversation = chat()

    async def play(history: History) -> None:
        assert not await history.save(conversation)
        await settle(history)
        assert [one.title for one in await history.load_list()] == ["one"]
        assert await history.load(conversation.id) is conversation

    assert codes(with_history(tmp_path / "data" / "history.sqlite3", play)) == ["history.unwritable"]


def test_a_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    save_all(path, chat())
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    before = path.read_bytes()

    async def play(history: History) -> None:
        assert not await history.save(chat("new"))
        await settle(history)
        assert [one.title for one in await history.load_list()] == ["new"]

    assert codes(with_history(path, play)) == ["history.newer"]
    assert path.read_bytes() == before and aside(path) == []
