"""The history's file as its one thread sees it: opened, migrated, written, read, set aside if damaged."""

from __future__ import annotations

import contextlib
import glob
import logging
import sqlite3
import zlib
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from core.chat import records
from core.chat.messages import Conversation
from core.errors import HistoryError

log = logging.getLogger(__name__)
BUSY_SECONDS = 0.3  # another process may be writing; short, since the history tries again and may be closed
WAL_BYTES = 4_000_000  # what the write-ahead log is cut back to
LEARNED = "learned-*.vocab"
SIDES = ("", "-wal", "-shm")

_CODES = {
    sqlite3.SQLITE_FULL: "history.full",
    sqlite3.SQLITE_CORRUPT: "history.damaged",
    sqlite3.SQLITE_NOTADB: "history.damaged",
    sqlite3.SQLITE_READONLY: "history.unwritable",
    sqlite3.SQLITE_CANTOPEN: "history.unwritable",
    sqlite3.SQLITE_PERM: "history.unwritable",
    sqlite3.SQLITE_AUTH: "history.unwritable",
    sqlite3.SQLITE_IOERR: "history.io",
    sqlite3.SQLITE_BUSY: "history.busy",
    sqlite3.SQLITE_LOCKED: "history.busy",
}


def explain(error: sqlite3.Error | OSError, path: Path) -> HistoryError:
    """SQLite's or the system's words as a typed error."""
    if isinstance(error, OSError):
        code = "history.unwritable"
    else:
        code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "history.failed")
    return HistoryError(code, detail=str(error), path=str(path))


@dataclass(slots=True)
class Write:
    """What is new in one conversation: rows for the statements of `records`, not yet compressed."""

    conversation: records.Row
    messages: list[records.Row] = field(default_factory=list)
    answers: list[records.Row] = field(default_factory=list)
    prompts: list[tuple[str, bytes]] = field(default_factory=list)
    marks: list[tuple[str, bytes]] = field(default_factory=list)
    tokens: list[tuple[str, int, int, bytes, str]] = field(default_factory=list)


class Store:
    """All methods run in one thread. They raise sqlite3.Error, or HistoryError if the file cannot open."""

    def __init__(self, path: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self.path = path
        self._now = now
        self._db: sqlite3.Connection | None = None

    def db(self) -> sqlite3.Connection:
        """The open connection; tries again each time if the file could not be opened before."""
        if self._db is None:
            self._db = self._open()
        return self._db

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                self.path.touch(mode=0o600)  # what people ask is nobody else's to read
        except OSError as error:
            raise explain(error, self.path) from error
        db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        with contextlib.suppress(
            sqlite3.OperationalError
        ):  # busy: the other process has set it, and it stays
            db.execute("PRAGMA journal_mode=WAL")
        db.execute(
            "PRAGMA synchronous=NORMAL"
        )  # with WAL: a power cut costs the last moments, never the file
        db.execute("PRAGMA foreign_keys=ON")
        db.execute("PRAGMA secure_delete=ON")
        db.execute(f"PRAGMA journal_size_limit={WAL_BYTES}")
        if self._version(db) < records.VERSION:
            with self._transaction(db):
                for step in records.MIGRATIONS[self._version(db) :]:
                    step(db)
                db.execute(f"PRAGMA user_version={records.VERSION}")
        records.read_summaries(db)  # damage in the pages that matter first is found now

    def _version(self, db: sqlite3.Connection) -> int:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > records.VERSION:
            raise HistoryError("history.newer", path=str(self.path), version=version)
        return version

    @contextlib.contextmanager
    def _transaction(self, db: sqlite3.Connection):  # type: ignore[no-untyped-def]
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back itself
                db.execute("ROLLBACK")
            raise

    def write(self, write: Write) -> None:
        """All of it or nothing."""
        prompts = [(zlib.compress(raw, 1), message) for message, raw in write.prompts]
        marks = [(zlib.compress(raw, 1), message) for message, raw in write.marks]
        tokens = [
            (message, first, count, zlib.compress(raw, 1), text)
            for message, first, count, raw, text in write.tokens
        ]
        db = self.db()
        with self._transaction(db):
            db.execute(records.PUT_CONVERSATION, write.conversation)
            db.executemany(records.PUT_MESSAGE, write.messages)
            db.executemany(records.PUT_ANSWER, write.answers)
            db.executemany(records.PUT_PROMPT, prompts)
            db.executemany(records.PUT_MARKS, marks)
            # what begins at 0 replaces what an earlier attempt may have left
            db.executemany(records.DROP_TOKENS, [(row[0],) for row in tokens if row[1] == 0])
            db.executemany(records.PUT_TOKENS, tokens)

    def summaries(self) -> list[records.Summary]:
        return records.read_summaries(self.db())

    def conversation(self, conversation_id: str) -> Conversation | None:
        return records.read_conversation(self.db(), conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        self.db().execute("UPDATE conversations SET title=? WHERE id=?", (title, conversation_id))

    def delete(self, conversation_id: str, in_use: Set[str] = frozenset()) -> None:
        """With the files that only it needs: of its attachments, and texts that a server told. `in_use`: the
        names of those that something needs which is not in the history."""
        before = records.read_digests(self.db())
        self.db().execute("DELETE FROM conversations WHERE id=?", (conversation_id,))
        for digest in before - records.read_digests(self.db()) - in_use:
            with contextlib.suppress(OSError):
                (self.path.parent / "media" / digest).unlink(missing_ok=True)
        self.sweep(in_use)

    def sweep(self, in_use: Set[str]) -> None:
        """Remove the texts that a server told and that no answer is read with any more."""
        if any(self.path.parent.glob(f"{glob.escape(self.path.stem)}.damaged-*")):
            return  # its answers may name more
        needed = records.read_vocabularies(self.db()) | in_use
        for file in (self.path.parent / "vocabularies").glob(LEARNED):
            if file.name not in needed:
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def set_aside(self) -> tuple[Path, int]:
        """Move the damaged file out of the way, begin a new one and bring over what can still be read.

        Returns the file's new path and how many conversations were saved. Raises OSError or sqlite3.Error.
        """
        self.close()
        kept = self._free_name()
        for side in SIDES:
            with contextlib.suppress(FileNotFoundError):
                self.path.with_name(self.path.name + side).replace(kept.with_name(kept.name + side))
        log.error("the history was damaged and is kept as %s", kept)
        self.db()
        return kept, self._bring_over(kept)

    def _free_name(self) -> Path:
        stamp = self._now().strftime("%Y-%m-%d-%H%M%S")
        number = 1
        while True:
            tail = "" if number == 1 else f"-{number}"
            kept = self.path.with_name(f"{self.path.stem}.damaged-{stamp}{tail}{self.path.suffix}")
            if not kept.exists():
                return kept
            number += 1

    def _bring_over(self, kept: Path) -> int:
        saved = 0
        try:
            old = sqlite3.connect(kept, timeout=BUSY_SECONDS, isolation_level=None)
        except sqlite3.Error:
            return 0
        with contextlib.closing(old):
            try:
                ids = [row[0] for row in old.execute("SELECT id FROM conversations ORDER BY updated")]
            except sqlite3.Error:
                return 0
            for one in ids:
                try:
                    conversation = records.read_conversation(old, one)
                    if conversation is not None:
                        self.write(whole(conversation))
                        saved += 1
                except (sqlite3.DatabaseError, ValueError, TypeError, LookupError) as error:
                    log.warning("conversation %s cannot be read any more: %s", one, error)
        return saved


def whole(conversation: Conversation) -> Write:
    """Everything of a conversation."""
    write = Write(records.conversation_row(conversation))
    for message in conversation.messages.values():
        write.messages.append(records.message_row(conversation, message))
        answer = message.answer
        if answer is not None:
            write.answers.append(records.answer_row(message.id, answer))
            write.prompts.append((message.id, answer.prompt_ids.tobytes()))
            write.marks.append((message.id, answer.table.columns["mark"].tobytes()))
            write.tokens.append((message.id, 0, len(answer.table), answer.table.raw(), answer.table.text))
    return write
