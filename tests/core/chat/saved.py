"""Conversations to save, and the comparison of what comes back."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from core.chat.history import History
from core.chat.messages import Answer, Conversation, PromptFacts
from core.chat.state import ChatState
from core.chat.writer import AnswerWriter
from core.engines.base import EngineInfo, Sampling
from core.errors import HistoryError
from core.tokens.table import TokenTable
from tests.core.chat.desk import MARKERS, VOCABULARY, Clock
from tests.fakes.scripted_engine import finished, rows

S = ChatState


def answer(text: str = "", state: ChatState = S.FINISHED, **changes: Any) -> Answer:
    made = Answer(
        TokenTable(),
        "abc.vocab",
        Sampling(temperature=0.7, seed=11, stop=("\nUser:", "👩")),
        EngineInfo("local", "m", folder="/m", revision="r1", dtype="bfloat16", context_limit=8192),
        5.0,
        prompt_ids=array("I", [1, 2, 70000]),
        prompt=PromptFacts(plain=True, unsent=3, bos_removed=1),
        state=state,
    )
    writer = AnswerWriter(made, VOCABULARY, MARKERS)
    writer.add(rows(text))
    writer.close(finished(len(text)) if state in (S.FINISHED, S.STOPPED) else None)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def chat(title: str = "one", *, updated: float = 2.0, text: str = "fine 👩") -> Conversation:
    conversation = Conversation(created=1.0, updated=updated, system="Be brief.")
    question = conversation.add_question(title, 1.5)
    conversation.add_answer(question.id, answer(text), 1.6)
    return conversation


def same(left: Conversation, right: Conversation) -> None:
    for name in ("id", "title", "created", "updated", "system", "sampling", "extras", "options", "draft"):
        assert getattr(left, name) == getattr(right, name), name
    assert [one.id for one in left.path()] == [one.id for one in right.path()]
    assert list(left.messages) == list(right.messages)
    for mine, theirs in zip(left.messages.values(), right.messages.values(), strict=True):
        for name in ("id", "parent", "role", "text", "created", "attachments"):
            assert getattr(mine, name) == getattr(theirs, name), name
        assert (mine.answer is None) == (theirs.answer is None)
        if mine.answer is not None and theirs.answer is not None:
            same_answer(mine.answer, theirs.answer)


def same_answer(left: Answer, right: Answer) -> None:
    names = (
        "vocabulary",
        "sampling",
        "info",
        "started",
        "prompt_ids",
        "state",
        "finished",
        "thinking",
        "cut",
        "prompt",
        "extras",
    )
    for name in (*names, "cut"):
        assert getattr(left, name) == getattr(right, name), name
    assert repr(left.error) == repr(right.error)
    same_table(left.table, right.table)


def same_table(left: TokenTable, right: TokenTable) -> None:
    assert left.text == right.text and left.length == right.length
    assert left.columns.keys() == right.columns.keys()
    for name, column in left.columns.items():
        assert column.tobytes() == right.columns[name].tobytes(), name


def with_history(
    path: Path, play: Callable[[History], Awaitable[None]], *, clock: Clock | None = None
) -> list[HistoryError]:
    """Run `play` with an open history; returns what it complained about."""
    problems: list[HistoryError] = []

    async def body() -> None:
        history = History(path, clock or Clock())
        history.problem.connect(problems.append)
        await history.open()
        try:
            await play(history)
        finally:
            await history.close()

    asyncio.run(body(), debug=True)
    return problems


def read(path: Path, conversation_id: str) -> Conversation:
    found: list[Conversation | None] = []

    async def play(history: History) -> None:
        found.append(await history.load(conversation_id))

    assert with_history(path, play) == []
    assert found[0] is not None
    return found[0]
