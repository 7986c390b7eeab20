"""Attachments of questions: sent with each later prompt, kept with the chat; the prompt as it was read."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.chat.history import History
from core.chat.messages import Conversation
from core.engines.base import Expanded
from core.prompt.base import Attachment, MediaSpan
from tests.core.chat.desk import Desk
from tests.core.chat.saved import read, same, with_history
from tests.fakes.scripted_engine import ScriptedEngine, said

CAT = Attachment("image", "cat.png", "a" * 64, "image/png", 10, 8, 8)
DOG = Attachment("image", "dog \udc80.png", "b" * 64, "image/png", 10, 8, 8, first_of=3)


def expanded(first: int) -> Expanded:
    return Expanded((9, 9, 9, 7), (MediaSpan(CAT, 0, first, 3, expanded=True),))


def script(text: str) -> list[object]:
    begin, *rest = said(text)
    return [begin, expanded(0), *rest]


def test_they_go_with_the_question_and_with_every_later_one() -> None:
    async def play() -> None:
        desk = Desk(ScriptedEngine([said("Cat."), said("Dog."), said("Both.")]))
        await desk.session.ask("What is this?", (CAT,))
        await desk.session.ask("", (DOG,))
        await desk.session.ask("And both?")
        messages, _ = desk.prompter.asked[-1]
        assert [message.attachments for message in messages] == [(CAT,), (), (DOG,), (), ()]
        assert [(span.attachment, span.message) for span in desk.engine.media] == [(CAT, 0), (DOG, 2)]
        assert desk.answer.prompt.media == desk.engine.media
        await desk.session.close()

    asyncio.run(play())


def test_a_chat_that_begins_with_a_picture_alone_is_named_after_it() -> None:
    async def play() -> None:
        desk = Desk(ScriptedEngine([said("A cat.")]))
        await desk.session.ask(" ", (CAT,))
        assert desk.session.conversation.title == "cat.png"
        await desk.session.ask("")
        assert len(desk.prompter.asked) == 1
        await desk.session.close()

    asyncio.run(play())


def test_the_prompt_as_the_server_read_it_stands_in_the_history(tmp_path: Path) -> None:
    """Also when the prompt as it was sent had been written before."""
    path = tmp_path / "history.sqlite3"
    kept = []

    async def play(history: History) -> None:
        desk = Desk(ScriptedEngine([script("A cat."), script("Yes.")]), history=history)
        desk.session.state_changed.connect(lambda _: history.post(desk.session.conversation))
        await desk.session.ask("What is this?", (CAT, DOG))
        await desk.session.close()
        answer = desk.answer
        assert list(answer.prompt_ids) == [9, 9, 9, 7]
        assert answer.prompt.media == expanded(0).media
        kept.append(desk.session.conversation)

    assert with_history(path, play) == []
    same(kept[0], read(path, kept[0].id))


def chat(*attachments: Attachment) -> Conversation:
    conversation = Conversation()
    conversation.add_question("What is this?", 1.0, attachments)
    return conversation


def test_a_file_that_waits_to_be_sent_in_another_chat_stays(tmp_path: Path) -> None:
    path, folder = tmp_path / "history.sqlite3", tmp_path / "media"
    folder.mkdir()
    for one in (CAT, DOG):
        (folder / one.digest).touch()
    both, asked = chat(CAT, DOG), []

    def drafts(deleted: str) -> set[str]:
        asked.append(deleted)
        return {CAT.digest}

    async def play(history: History) -> None:
        history.users.append(drafts)
        await history.save(both)
        await history.delete(both.id)
        assert {file.name for file in folder.iterdir()} == {CAT.digest}

    assert with_history(path, play) == []
    assert asked == [both.id]


def test_files_go_with_the_last_chat_that_has_them(tmp_path: Path) -> None:
    path, folder = tmp_path / "history.sqlite3", tmp_path / "media"
    folder.mkdir()
    for one in (CAT, DOG):
        (folder / one.digest).touch()
    (folder / "other").touch()

    both, cat = chat(CAT, DOG), chat(CAT)

    async def play(history: History) -> None:
        await history.save(both)
        await history.save(cat)
        await history.delete(both.id)
        assert {file.name for file in folder.iterdir()} == {CAT.digest, "other"}
        await history.delete(cat.id)
        assert {file.name for file in folder.iterdir()} == {"other"}

    assert with_history(path, play) == []
