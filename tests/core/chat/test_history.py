"""The history: what comes back is what was there, whenever the program or the disk gave up."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chat.history import History
from core.chat.messages import Conversation, Message, PromptFacts
from core.chat.state import ChatState
from core.chat.writer import AnswerWriter
from core.engines.base import Finished, Sampling
from core.errors import EngineError, WorkerLost
from core.prompt.base import PromptOptions
from core.tokens.row import Candidate, TokenRow
from tests.core.chat.desk import MARKERS, VOCABULARY
from tests.core.chat.saved import answer, chat, read, same, same_answer, same_table, with_history
from tests.fakes.scripted_engine import THINK, finished, row, rows

S = ChatState


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite3"


def test_a_conversation_comes_back_with_everything(path: Path) -> None:
    conversation = chat()
    conversation.sampling = Sampling(top_k=5, stop_token_ids=(3, 4))
    conversation.options = PromptOptions(thinking=False, fold_system=True, plain=True)
    conversation.draft = "not yet\tsent \n"
    first = conversation.path()[0]
    lost = WorkerLost("worker.lost", detail="killed \ud800", reason="SIGKILL", code_=9, other=[1])
    conversation.add_answer(first.id, answer("half", S.FAILED, error=lost), 3.0)
    conversation.add_answer(first.id, answer("part", S.STOPPED), 4.0)
    conversation.select(conversation.children(first.id)[0].id)
    conversation.add_question("two\x00 \u2028 ", 5.0)

    async def play(history: History) -> None:
        assert await history.save(conversation)

    assert with_history(path, play) == []
    back = read(path, conversation.id)
    error = conversation.children(first.id)[1].answer.error  # type: ignore[union-attr]
    assert error is not None
    error.params = {**error.params, "other": "[1]"}  # what is no plain value is kept as its words
    restored = back.children(first.id)[1].answer.error  # type: ignore[union-attr]
    assert isinstance(restored, WorkerLost)
    assert (restored.code, restored.detail, restored.params) == (error.code, error.detail, error.params)
    for one in (conversation, back):
        one.children(first.id)[1].answer.error = None  # type: ignore[union-attr]
    same(conversation, back)


def test_the_list_is_ordered_by_last_use(path: Path) -> None:
    chats = [chat("a", updated=5.0), chat("b", updated=9.0), chat("c", updated=7.0)]

    async def play(history: History) -> None:
        changes: list[None] = []
        history.changed.connect(changes.append)
        for one in chats:
            await history.save(one)
        assert [one.title for one in await history.load_list()] == ["b", "c", "a"]
        await history.rename(chats[0].id, "renamed")
        await history.delete(chats[1].id)
        listed = await history.load_list()
        assert [(one.title, one.updated) for one in listed] == [("c", 7.0), ("renamed", 5.0)]
        assert await history.load(chats[1].id) is None
        history.post(chats[1])  # late: an answer may end after its conversation was deleted
        assert len(await history.load_list()) == 2
        assert len(changes) >= 5

    assert with_history(path, play) == []
    with sqlite3.connect(path) as db:
        for table in ("messages", "answers", "tokens"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] in (2, 4)
    db.close()


def test_an_empty_conversation_is_not_kept_but_a_draft_is(path: Path) -> None:
    async def play(history: History) -> None:
        empty, draft = Conversation(), Conversation(draft="to be")
        assert not await history.save(empty)
        assert await history.save(draft)
        draft.draft = ""
        assert await history.save(draft)  # emptied again: that is news
        assert [one.id for one in await history.load_list()] == [draft.id]

    with_history(path, play)


def test_only_new_rows_are_written(path: Path) -> None:
    conversation = Conversation()
    question = conversation.add_question("q", 0.0)
    growing = answer("", S.DECODING)
    conversation.add_answer(question.id, growing, 0.0)
    writer = AnswerWriter(growing, VOCABULARY, MARKERS)

    async def play(history: History) -> None:
        for part in ("<thi", "nk>", "hm 👩", "", "</think>\n", "yes\nUser:"):
            writer.add(rows(part))
            await history.save(conversation)
        growing.state = S.FINISHED
        writer.close(finished(40, stop_reason="\nUser:"))
        await history.save(conversation)

    assert with_history(path, play) == []
    with sqlite3.connect(path) as db:
        pieces = db.execute("SELECT first, count FROM tokens ORDER BY first").fetchall()
    db.close()
    assert pieces == [(0, 4), (4, 3), (7, 7), (14, 9), (23, 9)]
    back = read(path, conversation.id).path()[-1].answer
    assert back is not None
    same_answer(growing, back)  # marks that came later are there too
    assert back.cut is not None and back.thinking is not None and back.thinking.closed


def test_a_loaded_conversation_goes_on_and_only_what_is_new_is_written(path: Path) -> None:
    conversation = chat()

    async def first(history: History) -> None:
        await history.save(conversation)

    async def second(history: History) -> None:
        loaded = await history.load(conversation.id)
        assert loaded is not None
        question = loaded.add_question("two", 6.0)
        loaded.add_answer(question.id, answer("2"), 7.0)
        loaded.select(loaded.path()[1].id)
        loaded.updated = 7.0
        await history.save(loaded)
        conversation.messages = loaded.messages

    with_history(path, first)
    with_history(path, second)
    back = read(path, conversation.id)
    assert [message.text for message in back.path()] == ["one", "", "two", ""]
    assert back.updated == 7.0
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM tokens").fetchone()[0] == 2
    db.close()


numbers = st.one_of(st.none(), st.floats(-50, 0, width=32))
counts = st.one_of(st.none(), st.integers(0, 2**32 - 2))
candidates = st.builds(Candidate, st.integers(0, 258), numbers, counts, st.one_of(st.none(), st.booleans()))
token_rows = st.builds(
    TokenRow,
    st.integers(0, 260),
    st.floats(0, 1e6, width=32),
    numbers,
    counts,
    numbers,
    st.lists(candidates, max_size=6).map(tuple),
    numbers,
    counts,
    numbers,
    st.one_of(st.none(), st.booleans()),
)


@settings(max_examples=40)  # each opens a file twice
@given(st.lists(st.lists(token_rows, max_size=12), max_size=5), st.sampled_from(["stop", "", "\n", 10, None]))
def test_loading_gives_equal_tables_however_they_were_cut(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[TokenRow]], stop: str | int | None
) -> None:
    conversation = Conversation()
    question = conversation.add_question("q", 0.0)
    growing = answer("", S.DECODING)
    conversation.add_answer(question.id, growing, 0.0)
    writer = AnswerWriter(growing, VOCABULARY, MARKERS)

    async def play(history: History) -> None:
        for batch in batches:
            writer.add(batch)
            history.post(conversation)
        writer.close(finished(1, stop_reason=stop))
        growing.state = S.FINISHED
        history.post(conversation)

    path = tmp_path_factory.mktemp("rows") / "history.sqlite3"
    assert with_history(path, play) == []
    back = read(path, conversation.id).path()[-1].answer
    assert back is not None
    same_answer(growing, back)


def test_an_answer_that_was_running_is_shown_as_interrupted_with_what_came(path: Path) -> None:
    conversation = Conversation()
    question = conversation.add_question("q", 0.0)
    growing = answer("", S.DECODING)
    conversation.add_answer(question.id, growing, 0.0)
    AnswerWriter(growing, VOCABULARY, MARKERS).add([row(THINK, 1.0), *rows("half")])

    async def play(history: History) -> None:
        await history.save(conversation)

    with_history(path, play)
    back = read(path, conversation.id).path()[-1].answer
    assert back is not None
    assert back.state is S.FAILED and not back.live
    assert isinstance(back.error, EngineError) and back.error.code == "answer.interrupted"
    assert back.table.text == "<think>half"
    assert back.prompt_ids == growing.prompt_ids and back.sampling.seed == 11
    same_table(growing.table, back.table)


def test_the_living_conversation_is_loaded_while_it_is_not_written(path: Path) -> None:
    conversation = chat()

    async def play(history: History) -> None:
        history.post(conversation)
        assert await history.load(conversation.id) is conversation
        assert await history.save(conversation)
        await asyncio.sleep(0)  # the writer's word arrives
        loaded = await history.load(conversation.id)
        assert loaded is not None and loaded is not conversation
        same(conversation, loaded)

    assert with_history(path, play) == []


def test_closing_writes_everything_and_later_calls_do_no_harm(path: Path) -> None:
    conversation = chat()

    async def play(history: History) -> None:
        history.post(conversation)
        await history.close()
        await history.close()
        history.post(conversation)
        assert not await history.save(conversation)
        assert await history.load_list() == []
        await history.rename(conversation.id, "x")

    assert with_history(path, play) == []
    same(conversation, read(path, conversation.id))


def test_a_cancelled_save_is_written_all_the_same(path: Path) -> None:
    conversation = chat()

    async def play(history: History) -> None:
        saving = asyncio.ensure_future(history.save(conversation))
        await asyncio.sleep(0)
        saving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saving

    with_history(path, play)
    same(conversation, read(path, conversation.id))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are another matter there")
def test_the_file_is_for_its_owner_only(path: Path) -> None:
    async def play(history: History) -> None:
        await history.save(chat())
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file

    with_history(path, play)


def test_what_was_deleted_is_not_left_in_the_file(path: Path) -> None:
    conversation = chat("a secret nobody should find")

    async def play(history: History) -> None:
        await history.save(conversation)
        await history.delete(conversation.id)

    with_history(path, play)
    assert b"a secret nobody" not in path.read_bytes()


def test_values_of_another_version_do_not_lose_the_conversation(path: Path) -> None:
    conversation = chat()

    async def play(history: History) -> None:
        await history.save(conversation)

    with_history(path, play)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE conversations SET options='{\"thinking\": 7}', chosen='['")
        db.execute("UPDATE answers SET sampling='{\"warmth\": 1}', info='{}', error='{\"kind\": \"Event\"}'")
    db.close()
    back = read(path, conversation.id)
    assert back.options == PromptOptions()
    reply = back.path()[-1].answer
    assert reply is not None and reply.table.text == "fine 👩"
    assert (reply.info.engine, reply.info.model, reply.info.revision) == ("local", "m", "r1")
    # the default values must not pass for those the answer was drawn with
    assert reply.error is not None and reply.error.code == "history.answer_damaged"


def test_finished_keeps_all_its_timings(path: Path) -> None:
    conversation = chat()
    timed = Finished("length", None, 5, 10, 20, 3, 12.5, 33.25)
    reply = conversation.path()[-1].answer
    assert reply is not None
    reply.finished = timed

    async def play(history: History) -> None:
        await history.save(conversation)

    with_history(path, play)
    back = read(path, conversation.id).path()[-1].answer
    assert back is not None and back.finished == timed


def test_a_stray_message_does_not_break_the_tree(path: Path) -> None:
    conversation = chat()
    conversation.messages["stray"] = Message("stray", "gone", "user", "?", 9.0)

    async def play(history: History) -> None:
        await history.save(conversation)

    with_history(path, play)
    assert "stray" not in read(path, conversation.id).messages


def test_a_file_of_the_first_version_is_taken_over(path: Path) -> None:
    """Without the columns of how the prompt was made and of what servers were asked for."""
    conversation = chat()
    save_all_as_version_1(path, conversation)
    back = read(path, conversation.id)
    answer = back.path()[-1].answer
    assert answer is not None and answer.prompt == PromptFacts()
    answer.prompt = conversation.path()[-1].answer.prompt  # type: ignore[union-attr]
    same(conversation, back)


def save_all_as_version_1(path: Path, conversation: Conversation) -> None:
    async def play(history: History) -> None:
        assert await history.save(conversation)

    assert with_history(path, play) == []
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE answers DROP COLUMN prompt")
        db.execute("ALTER TABLE messages DROP COLUMN attachments")
        for name in ("answers", "conversations"):
            db.execute(f"ALTER TABLE {name} DROP COLUMN extras")
        db.execute("PRAGMA user_version=1")
    db.close()
