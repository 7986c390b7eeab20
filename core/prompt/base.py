"""What a prompt is: exact token ids, and where each of them came from. Never a string."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

Role = Literal["system", "user", "assistant"]
MediaKind = Literal["image", "sound", "video"]
TEMPLATE = -1  # origin of a token that the chat template (or the tokenizer) wrote


class Attachment(msgspec.Struct, frozen=True):
    """A picture, sound or video, ready to be sent. `name`: the file's, as the person knows it. `digest`:
    SHA-256 of what is sent, which is kept under it. `width`, `height` in pixels, 0 = none or not known;
    `seconds` None: the same. `first_of`: so many pictures the file has, of which the first is sent."""

    kind: MediaKind
    name: str
    digest: str
    mime: str
    bytes: int
    width: int = 0
    height: int = 0
    seconds: float | None = None
    first_of: int = 1


class ChatMessage(msgspec.Struct, frozen=True):
    """One message as the template sees it; `attachments` stand before its text."""

    role: Role
    content: str
    attachments: tuple[Attachment, ...] = ()


class MediaSpan(msgspec.Struct, frozen=True):
    """Tokens [first, first + count) that stand for `attachment`, of message number `message`. One placeholder
    as it is sent; a server that is known to have put others in its place: those, and `expanded`."""

    attachment: Attachment
    message: int
    first: int
    count: int = 1
    expanded: bool = False


class PromptOptions(msgspec.Struct, frozen=True):
    """`thinking`: value for `enable_thinking`, None = the template's default. `fold_system`: put the system
    text into the first question, for templates that take no system message. `plain`: no template; the
    last message's text is completed as it is."""

    thinking: bool | None = None
    fold_system: bool = False
    plain: bool = False


def folded(messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], list[int]]:
    """The system text in front of the first question; the indices say which message each came from."""
    if len(messages) < 2 or messages[0].role != "system":
        return list(messages), list(range(len(messages)))
    system, first, *rest = messages
    first = msgspec.structs.replace(first, content=f"{system.content}\n\n{first.content}")
    return [first, *rest], list(range(1, len(messages)))


class Prompt(msgspec.Struct, frozen=True):
    """`origins[i]`: index into the messages, or TEMPLATE. `typed_special`: positions of special tokens that a
    person typed. `thinking_open`: the prompt ends inside an opened thinking block. `bos_removed`: begin
    tokens dropped because more than one came. `media`: the placeholders, in order."""

    ids: array[int]
    origins: array[int]
    text: str
    typed_special: tuple[int, ...] = ()
    thinking_open: bool = False
    bos_removed: int = 0
    media: tuple[MediaSpan, ...] = ()


class Prompter(Protocol):
    """Turns messages into a prompt. Raises PromptError."""

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt: ...
