"""The history: conversations in SQLite, written by one thread; in memory as long as that is not possible."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from core.chat import records
from core.chat.messages import Answer, Conversation
from core.chat.records import Summary
from core.chat.store import Store, Write, explain
from core.errors import HistoryError
from core.observe import Event

T = TypeVar("T")
log = logging.getLogger(__name__)
RETRY_AFTER = 5.0  # seconds between attempts while the disk is full or the file cannot be written
BUSY_ATTEMPTS = 16  # each as long as the file's busy timeout: together about five seconds
CLOSE_WITHIN = 1.0  # seconds; a disk that hangs must not keep the program from ending
SET_ASIDE_AT_MOST = 3  # times in one run: a disk that damages every file is not written to for ever


@dataclass(slots=True, eq=False)
class _Track:
    """What of one conversation was handed to the writer. Once a write failed, all begins anew in another."""

    messages: set[str] = field(default_factory=set)
    rows: dict[str, int] = field(default_factory=dict)
    heads: dict[str, tuple[object, ...]] = field(default_factory=dict)
    prompts: dict[str, int] = field(default_factory=dict)  # how long: a server may expand it
    queued: int = 0
    failed: bool = False


class History:
    """All methods are for the event loop's thread; none blocks it and none raises.

    `users`: asked for the names of files that they need, whatever is in the history; not of those that only
    the conversation of this id needs. `problem`: the first failure of a kind, said once until writing works
    again. What could not be written stays in memory, is listed and loaded from there, and is tried again.
    `changed`: the list may differ.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._store = Store(path, now)  # touched by the writer thread only
        self._clock = clock
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="history")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tracks: dict[str, _Track] = {}
        self._held: dict[str, Conversation] = {}  # not (completely) in the file yet
        self._deleted: set[str] = set()
        self._told: set[str] = set()
        self._retry_at: float | None = None
        self._set_aside = 0
        self._swept = False
        self._closed = False
        self._given_up = False  # read by the writer thread: what is queued is not written any more
        self.users: list[Callable[[str], Iterable[str]]] = []
        self.problem: Event[HistoryError] = Event()
        self.changed: Event[None] = Event()

    # --- reading -----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open or create the file. What is wrong with it is told by `problem`."""
        with contextlib.suppress(HistoryError):
            await self._ask(Store.db)

    async def load_list(self) -> list[Summary]:
        """All conversations, the one used last first; those that are only in memory too."""
        found: dict[str, Summary] = {}
        with contextlib.suppress(HistoryError):
            found = {one.id: one for one in await self._ask(Store.summaries)}
            if not self._swept:
                self._swept, in_use = True, self._in_use("")
                await self._ask(lambda store: store.sweep(in_use))
        for one in self._held.values():
            found[one.id] = summary_of(one)
        listed = [one for one in found.values() if one.id not in self._deleted]
        return sorted(listed, key=lambda one: one.updated, reverse=True)

    async def load(self, conversation_id: str) -> Conversation | None:
        """The conversation with its tables; the living object if it is not written yet. None: not there."""
        held = self._held.get(conversation_id)
        if held is not None or conversation_id in self._deleted:
            return held
        try:
            found = await self._ask(lambda store: store.conversation(conversation_id))
        except HistoryError:
            return None
        if found is not None:
            self._tracks[conversation_id] = _known(found)
        return found

    # --- writing -----------------------------------------------------------------------------------------

    def post(self, conversation: Conversation) -> None:
        """Write what is new in this conversation, soon. Takes its snapshot now: O(what is new)."""
        self._submit(conversation)

    async def save(self, conversation: Conversation) -> bool:
        """As `post`, and wait; True if it is in the file."""
        future = self._submit(conversation)
        return False if future is None else await asyncio.shield(asyncio.wrap_future(future))

    async def rename(self, conversation_id: str, title: str) -> None:
        """A conversation that is not in memory; of one that is, change the title and post it."""
        with contextlib.suppress(HistoryError):
            await self._ask(lambda store: store.rename(conversation_id, title))
        self.changed.emit(None)

    async def delete(self, conversation_id: str) -> None:
        """For good; a later post of it is ignored."""
        self._deleted.add(conversation_id)
        self._held.pop(conversation_id, None)
        self._tracks.pop(conversation_id, None)
        self.changed.emit(None)
        with contextlib.suppress(HistoryError):
            in_use = self._in_use(conversation_id)
            await self._ask(lambda store: store.delete(conversation_id, in_use))

    async def close(self) -> None:
        """Try once more to write what is held, then close the file and end the thread.

        Returns after `CLOSE_WITHIN` seconds at the latest; a thread that hangs in the disk is left to itself.
        """
        if self._closed:
            return
        self._retry_at = None
        for conversation in list(self._held.values()):
            self._submit(conversation)
        self._closed = True
        end = asyncio.wrap_future(self._writer.submit(self._store.close))
        end.add_done_callback(_looked_at)
        done, _ = await asyncio.wait({end}, timeout=CLOSE_WITHIN)
        self._given_up = not done
        if self._given_up:
            log.error("the history did not close in time; chats not saved: %d", len(self._held))
        self._writer.shutdown(wait=not self._given_up)

    # --- inside, event loop's thread ---------------------------------------------------------------------

    def _submit(self, conversation: Conversation) -> Future[bool] | None:
        identity = conversation.id
        empty = not conversation.messages and not conversation.draft and not conversation.system
        if self._closed or identity in self._deleted or (empty and identity not in self._tracks):
            return None
        with contextlib.suppress(RuntimeError):  # a late slot of the window, after the loop has ended
            self._loop = asyncio.get_running_loop()
        self._held[identity] = conversation
        if self._retry_at is not None and self._clock() < self._retry_at:
            return None
        track = self._tracks.get(identity)
        if track is None or track.failed:
            track = self._tracks[identity] = _Track()
        write = _snapshot(conversation, track)
        track.queued += 1
        future = self._writer.submit(self._write, write, track, identity)
        if write.messages:
            self.changed.emit(None)
        return future

    def _settled(self, track: _Track, identity: str, error: HistoryError | None) -> None:
        track.queued -= 1
        if error is None:
            if track is self._tracks.get(identity) and not track.queued and not track.failed:
                self._held.pop(identity, None)
            if self._retry_at is not None:  # it works again: catch up
                self._retry_at = None
                for conversation in list(self._held.values()):
                    self._submit(conversation)
        elif error.code == "history.damaged":
            # there is a new file by now: everything that is in memory goes there
            for conversation in list(self._held.values()):
                self._submit(conversation)
        else:
            self._retry_at = self._clock() + RETRY_AFTER

    def _in_use(self, deleted: str) -> set[str]:
        """Names of files that are needed, and not or not only by what is in the file."""
        names = {name for user in self.users for name in user(deleted)}
        for conversation in self._held.values():
            for message in conversation.messages.values():
                names.update(one.digest for one in message.attachments)
                if message.answer is not None:
                    names.add(message.answer.vocabulary)
        return names

    def _say(self, error: HistoryError) -> None:
        if error.code not in self._told:
            self._told.add(error.code)
            log.error("%s", error)
            self.problem.emit(error)

    async def _ask(self, work: Callable[[Store], T]) -> T:
        if self._closed:
            raise HistoryError("history.closed")
        self._loop = asyncio.get_running_loop()
        future = asyncio.wrap_future(self._writer.submit(self._guard, work))
        future.add_done_callback(_looked_at)
        return await asyncio.shield(future)

    # --- inside, writer thread ---------------------------------------------------------------------------

    def _write(self, write: Write, track: _Track, identity: str) -> bool:
        error: HistoryError | None = HistoryError("history.skipped")
        if not track.failed and not self._given_up:  # rows that follow a failed write would leave a gap
            try:
                self._guard(lambda store: store.write(write))
                error = None
            except HistoryError as caught:
                error = caught
                track.failed = True
        self._call(self._settled, track, identity, error)
        if error is None and self._told:
            self._call(self._told.clear)
        return error is None

    def _guard(self, work: Callable[[Store], T]) -> T:
        """Raises HistoryError, after telling it."""
        attempts = 0
        while True:
            attempts += 1
            try:
                return work(self._store)
            except HistoryError as error:
                failure = error
            except (sqlite3.Error, OSError) as error:
                failure = explain(error, self._store.path)
                if failure.code == "history.busy" and attempts < BUSY_ATTEMPTS and not self._closed:
                    continue
                if failure.code == "history.damaged":
                    failure = self._replace_file(failure)
            except Exception as error:  # the thread's boundary: a record that cannot be made sense of
                log.exception("the history failed")
                failure = HistoryError("history.failed", detail=f"{type(error).__name__}: {error}")
            self._call(self._say, failure)
            raise failure

    def _replace_file(self, failure: HistoryError) -> HistoryError:
        if self._set_aside >= SET_ASIDE_AT_MOST:
            return HistoryError("history.io", detail=failure.detail, path=str(self._store.path))
        self._set_aside += 1
        for track in list(self._tracks.values()):
            track.failed = True
        try:
            kept, saved = self._store.set_aside()
        except (sqlite3.Error, OSError, HistoryError) as error:
            log.warning("the damaged history could not be replaced: %s", error)
            return HistoryError("history.io", detail=str(error), path=str(self._store.path))
        self._call(self.changed.emit, None)
        return HistoryError("history.damaged", detail=failure.detail, kept=str(kept), saved=saved)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there to be told
                loop.call_soon_threadsafe(function, *arguments)


def _looked_at(future: asyncio.Future[Any]) -> None:
    """Whoever awaited it may be cancelled by now; `_guard` has told its error."""
    if not future.cancelled():
        future.exception()


def _head(answer: Answer) -> tuple[object, ...]:
    return (
        answer.state,
        answer.finished,
        answer.error,
        answer.thinking,
        answer.cut,
        answer.sampling,
        answer.prompt,
    )


def _known(conversation: Conversation) -> _Track:
    """The track of a conversation as it was just read."""
    track = _Track(messages=set(conversation.messages))
    for message in conversation.messages.values():
        if message.answer is not None:
            track.rows[message.id] = len(message.answer.table)
            track.heads[message.id] = _head(message.answer)
            track.prompts[message.id] = len(message.answer.prompt_ids)
    return track


def _snapshot(conversation: Conversation, track: _Track) -> Write:
    """What is new since the last one, and a note in the track that it is on its way."""
    write = Write(records.conversation_row(conversation))
    for message in conversation.messages.values():
        if message.id not in track.messages:
            track.messages.add(message.id)
            write.messages.append(records.message_row(conversation, message))
        answer = message.answer
        if answer is None:
            continue
        head = _head(answer)
        if track.heads.get(message.id) != head:
            track.heads[message.id] = head
            write.answers.append(records.answer_row(message.id, answer))
            if not answer.live:
                # a stop string or a thinking marker marks tokens that may have been written before
                write.marks.append((message.id, answer.table.columns["mark"].tobytes()))
        if len(answer.prompt_ids) != track.prompts.get(message.id, 0):
            track.prompts[message.id] = len(answer.prompt_ids)
            write.prompts.append((message.id, answer.prompt_ids.tobytes()))
        first, size = track.rows.get(message.id, 0), len(answer.table)
        if size > first:
            track.rows[message.id] = size
            text = answer.table.text_from(first)
            write.tokens.append((message.id, first, size - first, answer.table.raw(first), text))
    return write


def summary_of(conversation: Conversation) -> Summary:
    answers = sum(message.answer is not None for message in conversation.messages.values())
    return Summary(conversation.id, conversation.title, conversation.created, conversation.updated, answers)
