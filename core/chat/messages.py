"""A conversation: a tree of questions and answers with one chosen path through it. No input or output."""

from __future__ import annotations

import unicodedata
import uuid
from array import array
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from core.chat.state import RUNNING, ChatState
from core.engines.base import NOTHING, EngineInfo, Extras, Finished, Sampling
from core.errors import LoupeError
from core.prompt.base import Attachment, MediaSpan, PromptOptions
from core.tokens.table import TokenTable

TITLE_LENGTH = 60


class Thinking(msgspec.Struct, frozen=True):
    """The part of an answer that is thinking, its markers included; it always begins with the first token.

    `tokens`: how many. `units`: UTF-16 units of the table's text. `closed`: the closing marker came; an
    answer that ended without it is unfinished.
    """

    tokens: int
    units: int
    closed: bool


class PromptFacts(msgspec.Struct, frozen=True):
    """What is worth telling of how an answer's prompt was made. `plain`: without a template, so that `unsent`
    messages before the question (system text, earlier turns) were no part of it. `bos_removed`: begin tokens
    that came twice. `media`: which prompt tokens stand for attachments, as far as the server told."""

    plain: bool = False
    unsent: int = 0
    bos_removed: int = 0
    media: tuple[MediaSpan, ...] = ()


@dataclass(slots=True, eq=False)
class Answer:
    """One generation: what went in, what came out and how it ended. Only its writer changes it.

    `vocabulary`: file name of the blob that turns its ids into bytes. `sampling`: as used, with the seed;
    `extras`: as asked for.
    `cut`: UTF-16 offset in the table's text where the answer's text ends because of a stop string.
    `started`: seconds since the epoch.
    """

    table: TokenTable
    vocabulary: str
    sampling: Sampling
    info: EngineInfo
    started: float
    prompt_ids: array[int] = field(default_factory=lambda: array("I"))
    prompt: PromptFacts = field(default_factory=PromptFacts)
    state: ChatState = ChatState.PREPARING
    finished: Finished | None = None
    error: LoupeError | None = None
    thinking: Thinking | None = None
    cut: int | None = None
    extras: Extras = NOTHING

    @property
    def live(self) -> bool:
        return self.state in RUNNING


@dataclass(slots=True, eq=False)
class Message:
    """A node of the tree. `parent` None: a first question. An assistant's text is in `answer`."""

    id: str
    parent: str | None
    role: Literal["user", "assistant"]
    text: str
    created: float
    answer: Answer | None = None
    attachments: tuple[Attachment, ...] = ()


def new_id() -> str:
    return uuid.uuid4().hex


@dataclass(slots=True, eq=False)
class Conversation:
    """`sampling` None: the model's recommended values. `extras`: what servers are asked for beside them.
    `draft`: typed and not yet sent."""

    id: str = field(default_factory=new_id)
    title: str = ""
    created: float = 0.0
    updated: float = 0.0
    system: str = ""
    sampling: Sampling | None = None
    extras: Extras = NOTHING
    options: PromptOptions = field(default_factory=PromptOptions)
    draft: str = ""
    messages: dict[str, Message] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)  # parent ("" = none) → child; default: the newest
    _children: dict[str, list[str]] = field(default_factory=dict)

    def add(self, message: Message) -> Message:
        """Put a message into the tree and the path through it. Raises KeyError if its parent is unknown."""
        if message.parent is not None:
            self.messages[message.parent]
        self.messages[message.id] = message
        self._children.setdefault(message.parent or "", []).append(message.id)
        self.chosen[message.parent or ""] = message.id
        return message

    def add_question(self, text: str, created: float, attachments: tuple[Attachment, ...] = ()) -> Message:
        """A question at the end of the chosen path; the first one gives a conversation its title."""
        path = self.path()
        if not self.title and not path:
            self.title = title_of(text) or next((one.name for one in attachments), "")
        parent = path[-1].id if path else None
        return self.add(Message(new_id(), parent, "user", text, created, None, attachments))

    def add_answer(self, question_id: str, answer: Answer, created: float) -> Message:
        """An answer to this question, beside the ones it has."""
        if self.messages[question_id].role != "user":
            raise ValueError("only a question can be answered")
        return self.add(Message(new_id(), question_id, "assistant", "", created, answer))

    def children(self, message_id: str | None) -> list[Message]:
        """In the order they were added; of None: the first questions."""
        return [self.messages[child] for child in self._children.get(message_id or "", ())]

    def siblings(self, message_id: str) -> list[Message]:
        """The message and its alternatives."""
        return self.children(self.messages[message_id].parent)

    def place(self, message_id: str) -> tuple[int, int]:
        """(which, of how many), from 1: what stands between ‹ and ›."""
        ids = self._children[self.messages[message_id].parent or ""]
        return ids.index(message_id) + 1, len(ids)

    def path(self) -> list[Message]:
        """The chosen messages from the first question to the end."""
        return self._down("")

    def path_to(self, message_id: str) -> list[Message]:
        """From the first question to this message, whatever is chosen."""
        found: list[Message] = []
        at: str | None = message_id
        while at is not None:
            message = self.messages[at]
            found.append(message)
            at = message.parent
        return found[::-1]

    def select(self, message_id: str) -> None:
        """Choose the path through this message; below it the path stays as it was last."""
        for message in self.path_to(message_id):
            self.chosen[message.parent or ""] = message.id

    def _down(self, at: str) -> list[Message]:
        found: list[Message] = []
        while children := self._children.get(at):
            chosen = self.chosen.get(at, "")
            at = chosen if chosen in children else children[-1]
            found.append(self.messages[at])
        return found


def clean(text: str) -> str:
    """`text` as it is, except that halves of surrogate pairs, which are no text, become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def title_of(text: str) -> str:
    """The first line with text in it, shortened at a word if there is one and never inside a sign."""
    line = next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    if len(line) <= TITLE_LENGTH:
        return line
    end = TITLE_LENGTH - 1
    while end > 1 and _joins(line[end - 1], line[end]):
        end -= 1
    short = line[:end]
    word = short.rfind(" ")
    if line[end] != " " and word > TITLE_LENGTH // 2:
        short = short[:word]
    return short.rstrip(" ,;:.-–—") + "…"


def _joins(before: str, after: str) -> bool:
    """True if the two characters are shown as parts of one sign."""
    joiner, modifiers = "\u200d", "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
    return (
        joiner in (before, after)
        or after in modifiers
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
        or (all("\U0001f1e6" <= sign <= "\U0001f1ff" for sign in (before, after)))
    )
