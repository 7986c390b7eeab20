"""What a model reads, token by token: who each token comes from, and the room that is left.

Pure values. The ids and origins are exact; to which of two neighbours a template's own token is counted is a
matter of looks: the marker that ends a message to that message, the one that begins the next to the next.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from enum import Enum

import msgspec

from core.prompt.base import TEMPLATE, ChatMessage, MediaKind, Prompt
from core.tokens.vocabulary import Vocabulary


class Who(Enum):
    """Where a group of tokens comes from."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    THINKING = "thinking"
    TEMPLATE = "template"  # a text that the template has of its own
    NEXT = "next"  # what stands after the last message: the next answer begins there
    PROMPT = "prompt"  # all of it: who wrote which part is not known


class Group(msgspec.Struct, frozen=True):
    """Tokens [first, last)."""

    who: Who
    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last - self.first


class Media(msgspec.Struct, frozen=True):
    """Placeholder tokens [first, last) that stand for one picture, sound or video. Not `expanded`: the server
    puts others in their place, how many is not known."""

    first: int
    last: int
    kind: MediaKind
    expanded: bool = True


class Context(msgspec.Struct, frozen=True):
    """`groups` cover all ids in order. `typed`: positions of special tokens that a person typed. `read`: so
    many are the prompt, the rest was written by the model."""

    ids: array[int]
    groups: tuple[Group, ...]
    typed: frozenset[int] = frozenset()
    read: int = 0
    media: tuple[Media, ...] = ()


class Budget(msgspec.Struct, frozen=True):
    """`reused`: prompt tokens that came from the KV cache; `limit`: the context. None: not told."""

    read: int
    written: int = 0
    reused: int | None = None
    limit: int | None = None

    @property
    def total(self) -> int:
        return self.read + self.written

    @property
    def to_read(self) -> int:
        return self.read - (self.reused or 0)

    @property
    def left(self) -> int | None:
        """Negative: so many too many."""
        return None if self.limit is None else self.limit - self.total


_ROLES = (b"system", b"user", b"assistant")
_WHO = {"system": Who.SYSTEM, "user": Who.USER, "assistant": Who.ASSISTANT}


def prompt_context(prompt: Prompt, messages: Sequence[ChatMessage], vocabulary: Vocabulary) -> Context:
    """A rendered prompt, by message."""
    groups = tuple(_groups(prompt, messages, vocabulary))
    media = tuple(
        Media(span.first, span.first + span.count, span.attachment.kind, span.expanded)
        for span in prompt.media
    )
    return Context(prompt.ids, groups, frozenset(prompt.typed_special), len(prompt.ids), media)


def unknown_context(ids: array[int]) -> Context:
    """A prompt of which only the ids are known."""
    return Context(ids, (Group(Who.PROMPT, 0, len(ids)),) if ids else (), frozenset(), len(ids))


def with_answer(context: Context, ids: array[int], thinking: int = 0) -> Context:
    """The prompt and the answer to it so far, whose first `thinking` tokens are thinking. The opening that
    the template wrote is counted to it, as it will be when it is part of the next prompt."""
    if not ids:
        return context
    groups = list(context.groups)
    first = groups.pop().first if groups and groups[-1].who is Who.NEXT else len(context.ids)
    turn = len(context.ids) + thinking
    last = len(context.ids) + len(ids)
    if thinking:
        groups.append(Group(Who.THINKING, first, turn))
        first = turn
    if first < last:
        groups.append(Group(Who.ASSISTANT, first, last))
    return msgspec.structs.replace(context, ids=context.ids + ids, groups=tuple(groups))


def _groups(prompt: Prompt, messages: Sequence[ChatMessage], vocabulary: Vocabulary) -> Iterator[Group]:
    parts = _messages(prompt)
    if not parts:
        yield from unknown_context(prompt.ids).groups
        return
    template = _Template(prompt.ids, vocabulary)
    opener = template.opener(parts)
    at = 0  # where the group that is being made begins
    for number, (message, first, last) in enumerate(parts):
        begin = template.begin(at, first, opener)
        if begin > at:
            yield Group(Who.TEMPLATE, at, begin)
        following = parts[number + 1][1] if number + 1 < len(parts) else len(prompt.ids)
        at = template.end(last, following)
        yield Group(_WHO[messages[message].role], begin, at)
    if at < len(prompt.ids):
        yield Group(Who.NEXT, at, len(prompt.ids))


def _messages(prompt: Prompt) -> list[tuple[int, int, int]]:
    """(message, first, last) of every message that has a token of its own, in order of place."""
    origins = prompt.origins[:]
    for span in prompt.media:
        for at in range(span.first, span.first + span.count):
            origins[at] = span.message
    found: list[tuple[int, int, int]] = []
    for at, message in enumerate(origins):
        if message == TEMPLATE:
            continue
        if found and found[-1][0] == message:
            found[-1] = (message, found[-1][1], at + 1)
        else:
            found.append((message, at, at + 1))
    return found


class _Template:
    """Splits what the template wrote between two messages into the end of one and the beginning of the
    next."""

    def __init__(self, ids: array[int], vocabulary: Vocabulary) -> None:
        self._ids, self._vocabulary = ids, vocabulary

    def end(self, first: int, last: int) -> int:
        """Where the message before [first, last) ends: after its closing marker and the blanks behind it."""
        vocabulary = self._vocabulary
        special = next((i for i in range(first, last) if vocabulary.is_special(self._ids[i])), None)
        if special is None or self._names_a_role(special):
            return first
        end = special + 1
        while end < last and self._is_blank(end):
            end += 1
        return end

    def opener(self, parts: list[tuple[int, int, int]]) -> int | None:
        """The marker that begins a message, as seen after the first one."""
        last = parts[0][2]
        following = parts[1][1] if len(parts) > 1 else len(self._ids)
        at = self.end(last, following)
        return self._ids[at] if at < following and self._vocabulary.is_special(self._ids[at]) else None

    def begin(self, first: int, last: int, opener: int | None) -> int:
        """Where in [first, last) the message after it begins: before that is text of the template's own."""
        opening = next((i for i in range(last - 1, first - 1, -1) if self._ids[i] == opener), first)
        vocabulary = self._vocabulary
        own = any(not vocabulary.is_special(token) for token in self._ids[first:opening])
        return opening if own else first

    def _names_a_role(self, at: int) -> bool:
        name = self._vocabulary.bytes_of(self._ids[at]).lower()
        return any(role in name for role in _ROLES)

    def _is_blank(self, at: int) -> bool:
        raw = self._vocabulary.bytes_of(self._ids[at])
        return bool(raw) and not raw.strip()
