"""How a conversation is laid out in SQLite: the schema, and each object as a row and back."""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from array import array
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from core import errors
from core.chat.messages import Answer, Conversation, Message, PromptFacts, Thinking, clean
from core.chat.state import RUNNING, ChatState
from core.engines.base import NOTHING, EngineInfo, Extras, Finished, Sampling
from core.errors import EngineError, HistoryError, LoupeError
from core.prompt.base import Attachment, PromptOptions
from core.tokens.table import TokenTable

log = logging.getLogger(__name__)
S = TypeVar("S")
Row = tuple[Any, ...]  # as SQLite gives it


class Summary(msgspec.Struct, frozen=True):
    """A conversation as the list shows it; times in seconds since the epoch."""

    id: str
    title: str
    created: float
    updated: float
    answers: int = 0


def _create(db: sqlite3.Connection) -> None:
    for statement in (
        """CREATE TABLE conversations (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
            system TEXT NOT NULL, sampling TEXT, options TEXT NOT NULL, chosen TEXT NOT NULL,
            draft TEXT NOT NULL)""",
        """CREATE TABLE messages (
            id TEXT PRIMARY KEY,
            conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
            parent TEXT, role TEXT NOT NULL, text TEXT NOT NULL, created REAL NOT NULL)""",
        "CREATE INDEX messages_of ON messages(conversation)",
        """CREATE TABLE answers (
            message TEXT PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
            state TEXT NOT NULL, vocabulary TEXT NOT NULL, engine TEXT NOT NULL, model TEXT NOT NULL,
            revision TEXT NOT NULL, info TEXT NOT NULL, sampling TEXT NOT NULL, timings TEXT, error TEXT,
            thinking TEXT, cut INTEGER, started REAL NOT NULL, prompt_ids BLOB, marks BLOB)""",
        """CREATE TABLE tokens (
            message TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
            first INTEGER NOT NULL, count INTEGER NOT NULL, packed BLOB NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY (message, first))""",
    ):
        db.execute(statement)


def _add_prompt(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE answers ADD COLUMN prompt TEXT")


def _add_extras(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE conversations ADD COLUMN extras TEXT")
    db.execute("ALTER TABLE answers ADD COLUMN extras TEXT")


def _add_attachments(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE messages ADD COLUMN attachments TEXT")


# MIGRATIONS[n] takes a file from version n to n + 1, within a transaction
MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _create,
    _add_prompt,
    _add_extras,
    _add_attachments,
)
VERSION = len(MIGRATIONS)

PUT_CONVERSATION = """INSERT INTO conversations VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET
    title=excluded.title, updated=excluded.updated, system=excluded.system, sampling=excluded.sampling,
    options=excluded.options, chosen=excluded.chosen, draft=excluded.draft, extras=excluded.extras"""
PUT_MESSAGE = "INSERT INTO messages VALUES (?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET text=excluded.text"
PUT_ANSWER = """INSERT INTO answers VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,NULL,?,?)
    ON CONFLICT(message) DO UPDATE SET state=excluded.state, info=excluded.info, sampling=excluded.sampling,
    timings=excluded.timings, error=excluded.error, thinking=excluded.thinking, cut=excluded.cut,
    prompt=excluded.prompt"""
PUT_PROMPT = "UPDATE answers SET prompt_ids=? WHERE message=?"
PUT_MARKS = "UPDATE answers SET marks=? WHERE message=?"
PUT_TOKENS = "INSERT INTO tokens VALUES (?,?,?,?,?)"
DROP_TOKENS = "DELETE FROM tokens WHERE message=?"


def conversation_row(conversation: Conversation) -> Row:
    return (
        conversation.id,
        clean(conversation.title),
        conversation.created,
        conversation.updated,
        clean(conversation.system),
        _json(conversation.sampling),
        _json(conversation.options),
        _json(conversation.chosen),
        clean(conversation.draft),
        _extras(conversation.extras),
    )


def message_row(conversation: Conversation, message: Message) -> Row:
    text, attachments = clean(message.text), _json(message.attachments or None)
    return (message.id, conversation.id, message.parent, message.role, text, message.created, attachments)


def answer_row(message_id: str, answer: Answer) -> Row:
    """Everything but the two large columns."""
    return (
        message_id,
        answer.state.value,
        answer.vocabulary,
        answer.info.engine,
        answer.info.model,
        answer.info.revision,
        _json(answer.info),
        _json(answer.sampling),
        _json(answer.finished),
        _error_to_json(answer.error),
        _json(answer.thinking),
        answer.cut,
        answer.started,
        _json(answer.prompt),
        _extras(answer.extras),
    )


def read_summaries(db: sqlite3.Connection) -> list[Summary]:
    """All conversations, the one used last first."""
    rows = db.execute(
        "SELECT id, title, created, updated, (SELECT COUNT(*) FROM messages"
        " WHERE conversation = conversations.id AND role = 'assistant')"
        " FROM conversations ORDER BY updated DESC, rowid DESC"
    )
    return [Summary(*row) for row in rows]


def read_conversation(db: sqlite3.Connection, conversation_id: str) -> Conversation | None:
    """The whole conversation, None if there is none of this id. Raises sqlite3.Error."""
    row = db.execute("SELECT * FROM conversations WHERE id=?", (conversation_id,)).fetchone()
    if row is None:
        return None
    found = Conversation(*row[:5])
    found.sampling = _read(row[5], Sampling | None, None)
    found.options = _read(row[6], PromptOptions, PromptOptions())
    answers = _answers(db, conversation_id)
    for identity, parent, role, text, created, attachments in db.execute(
        "SELECT id, parent, role, text, created, attachments FROM messages WHERE conversation=?"
        " ORDER BY rowid",
        (conversation_id,),
    ):
        if parent is None or parent in found.messages:
            attached = _read(attachments, tuple[Attachment, ...], ())
            found.add(Message(identity, parent, role, text, created, answers.get(identity), attached))
    found.chosen = _read(row[7], dict[str, str], {})
    found.draft = row[8]
    found.extras = _read(row[9], Extras, NOTHING)
    return found


def read_digests(db: sqlite3.Connection) -> set[str]:
    """Of every attachment of every conversation."""
    rows = db.execute("SELECT DISTINCT attachments FROM messages WHERE attachments IS NOT NULL")
    none: tuple[Attachment, ...] = ()
    return {one.digest for (text,) in rows for one in _read(text, tuple[Attachment, ...], none)}


def read_vocabularies(db: sqlite3.Connection) -> set[str]:
    """File names of all that answers are read with."""
    return {name for (name,) in db.execute("SELECT DISTINCT vocabulary FROM answers")}


def _answers(db: sqlite3.Connection, conversation_id: str) -> dict[str, Answer]:
    mine = "SELECT id FROM messages WHERE conversation=?"
    tables: dict[str, TokenTable] = {}
    damaged: set[str] = set()
    for message, first, packed, text in db.execute(
        f"SELECT message, first, packed, text FROM tokens WHERE message IN ({mine}) ORDER BY message, first",
        (conversation_id,),
    ):
        table = tables.setdefault(message, TokenTable())
        try:
            if message in damaged or first != len(table):
                raise ValueError("a piece is missing")
            table.extend_packed(packed, text)
        except ValueError as error:
            log.warning("answer %s: %s", message, error)
            damaged.add(message)
    rows = db.execute(f"SELECT * FROM answers WHERE message IN ({mine})", (conversation_id,))
    return {row[0]: _answer(row, tables.get(row[0], TokenTable()), row[0] in damaged) for row in rows}


def _answer(row: Row, table: TokenTable, damaged: bool) -> Answer:
    _, state, vocabulary, engine, model, revision, info, sampling, timings, error, thinking, cut, started = (
        row[:13]
    )
    known_sampling = _read(sampling, Sampling, None)
    damaged = damaged or known_sampling is None  # other values must not pass for those it was drawn with
    answer = Answer(
        table=table,
        vocabulary=str(vocabulary),
        sampling=known_sampling or Sampling(),
        info=_read(
            info,
            EngineInfo,
            EngineInfo("vllm" if engine == "vllm" else "local", str(model), revision=str(revision)),
        ),
        started=float(started),
        finished=_read(timings, Finished | None, None),
        error=_error_from_json(error),
        thinking=_read(thinking, Thinking | None, None),
        cut=cut,
        prompt=_read(row[15], PromptFacts, PromptFacts()),
        extras=_read(row[16], Extras, NOTHING),
    )
    try:
        answer.state = ChatState(state)
        if row[13] is not None:
            answer.prompt_ids.frombytes(zlib.decompress(row[13]))
        if row[14] is not None:
            marks = array("B", zlib.decompress(row[14]))
            if len(marks) == len(table):
                table.columns["mark"] = marks
    except (ValueError, zlib.error):
        damaged = True
    if damaged:
        answer.state, answer.error = ChatState.FAILED, HistoryError("history.answer_damaged")
    elif answer.state in RUNNING:  # its program was killed; one that runs elsewhere looks the same from here
        answer.state, answer.error = ChatState.FAILED, EngineError("answer.interrupted")
    return answer


def _json(value: object) -> str | None:
    # the standard library's JSON takes any string, halves of surrogate pairs in foreign words too
    return None if value is None else json.dumps(msgspec.to_builtins(value))


def _extras(extras: Extras) -> str | None:
    return None if extras == NOTHING else _json(extras)


def _read(text: object, kind: Any, default: S) -> S:
    """What a newer or older version wrote may not fit: that is no reason to lose the conversation."""
    if text is None:
        return default
    try:
        value: S = msgspec.convert(json.loads(str(text)), kind)
        return value
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        log.warning("history: %s", error)
        return default


class _Error(msgspec.Struct):
    kind: str
    code: str
    detail: str = ""
    params: dict[str, object] = {}


def _error_to_json(error: LoupeError | None) -> str | None:
    if error is None:
        return None
    plain: dict[str, object] = {
        key: value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
        for key, value in error.params.items()
    }
    return _json(_Error(type(error).__name__, error.code, error.detail, plain))


def _error_from_json(text: object) -> LoupeError | None:
    stored = _read(text, _Error | None, None)
    if stored is None:
        return None
    kind = getattr(errors, stored.kind, LoupeError)
    if not (isinstance(kind, type) and issubclass(kind, LoupeError)):
        kind = LoupeError
    return kind(stored.code, detail=stored.detail, **stored.params)
