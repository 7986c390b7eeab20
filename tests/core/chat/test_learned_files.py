"""Texts that a server told are removed when no answer is read with them any more, and never before."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.chat.history import History
from tests.core.chat.desk import VOCABULARY, Desk
from tests.core.chat.saved import with_history
from tests.fakes.scripted_engine import ScriptedEngine, said


def files(folder: Path, *names: str) -> Path:
    vocabularies = folder / "vocabularies"
    vocabularies.mkdir(exist_ok=True)
    for name in names:
        (vocabularies / name).touch()
    return vocabularies


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def asked(history: History, vocabulary: str) -> Desk:
    """A chat whose answer is read with this file."""
    desk = Desk(ScriptedEngine([said("fine")]), history=history)
    desk.session.attach(desk.engine, VOCABULARY, vocabulary)
    await desk.session.ask("hi")
    await history.save(desk.session.conversation)
    desk.session.attach(None, None)
    return desk


def test_they_go_with_the_last_answer_that_names_them(tmp_path: Path) -> None:
    folder = files(tmp_path, "learned-a.vocab", "learned-b.vocab", "own.vocab")

    async def play(history: History) -> None:
        first, second = await asked(history, "learned-a.vocab"), await asked(history, "learned-a.vocab")
        third = await asked(history, "learned-b.vocab")
        await history.delete(first.session.conversation.id)
        assert names(folder) == {"learned-a.vocab", "learned-b.vocab", "own.vocab"}
        await history.delete(second.session.conversation.id)
        assert names(folder) == {"learned-b.vocab", "own.vocab"}
        third.session.attach(third.engine, VOCABULARY, "learned-b.vocab")
        await history.delete(third.session.conversation.id)
        assert names(folder) == {"learned-b.vocab", "own.vocab"}  # the next answer is read with it

    assert with_history(tmp_path / "history.sqlite3", play) == []


def test_what_nothing_names_goes_at_the_start(tmp_path: Path) -> None:
    folder = files(tmp_path, "learned-a.vocab", "learned-gone.vocab", "own.vocab")

    async def play(history: History) -> None:
        await asked(history, "learned-a.vocab")

    assert with_history(tmp_path / "history.sqlite3", play) == []

    async def start(history: History) -> None:
        assert len(await history.load_list()) == 1
        assert names(folder) == {"learned-a.vocab", "own.vocab"}

    assert with_history(tmp_path / "history.sqlite3", start) == []


def test_nothing_goes_while_a_chat_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer names a file, too."""
    folder = files(tmp_path, "learned-a.vocab")

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("disk is full")

    async def play(history: History) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("core.chat.store.Store.write", full)
            await asked(history, "learned-a.vocab")
        await history.load_list()
        assert names(folder) == {"learned-a.vocab"}

    assert with_history(tmp_path / "history.sqlite3", play) != []


def test_nothing_goes_after_a_history_was_damaged(tmp_path: Path) -> None:
    """Its answers may still be wanted back."""
    folder = files(tmp_path, "learned-a.vocab")
    (tmp_path / "history.damaged-2026-01-01-000000.sqlite3").touch()

    async def start(history: History) -> None:
        await history.load_list()

    assert with_history(tmp_path / "history.sqlite3", start) == []
    assert names(folder) == {"learned-a.vocab"}
