"""What of a conversation goes into the next prompt: text without markers, and always alternating turns."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.chat.messages import Answer, Conversation, Message
from core.chat.state import ChatState
from core.engines.base import Sampling
from core.errors import PromptError
from core.prompt.base import ChatMessage, Prompt
from core.tokens.table import MARK_SPECIAL

NOT_SENT = "not_sent"  # note on a turn that the next prompt leaves out
_SPECIAL = bytes(1 if mark & MARK_SPECIAL else 0 for mark in range(256))


class Dialogue(msgspec.Struct, frozen=True):
    """`messages` alternate, system text first if there is any; `sources` names the message of each ("" for
    the system text). `left_out`: messages of the path that are not sent."""

    messages: tuple[ChatMessage, ...]
    sources: tuple[str, ...]
    left_out: frozenset[str]


def spoken(answer: Answer) -> str:
    """The answer as text: no special tokens, nothing from a stop string on, no thinking."""
    table = answer.table
    first, start = (answer.thinking.tokens, answer.thinking.units) if answer.thinking else (0, 0)
    if answer.thinking and not answer.thinking.closed:
        return ""
    end = table.length if answer.cut is None else answer.cut
    special = table.columns["mark"].tobytes().translate(_SPECIAL)
    units = table.text.encode("utf-16-le", "surrogatepass")
    parts: list[bytes] = []
    at = start
    index = special.find(1, first)
    while index >= 0 and at < end:
        parts.append(units[2 * at : 2 * min(table.text_start(index), end)])
        at = max(at, table.text_end(index))
        index = special.find(1, index + 1)
    parts.append(units[2 * at : 2 * end])
    text = b"".join(parts).decode("utf-16-le", "replace")
    return text.lstrip("\r\n") if answer.thinking else text


def is_sent(message: Message) -> bool:
    """True for an answer that ended well, or was stopped, and says something."""
    answer = message.answer
    if answer is None or answer.state not in (ChatState.FINISHED, ChatState.STOPPED):
        return False
    return bool(spoken(answer).strip())


def dialogue(system: str, path: Sequence[Message]) -> Dialogue:
    """The messages for the last question of `path`. A question without an answer that can be sent is left out
    with it, so that templates which insist on alternating turns never break a chat."""
    messages: list[ChatMessage] = []
    sources: list[str] = []
    left_out: set[str] = set()
    question: Message | None = None
    if system.strip():
        messages.append(ChatMessage("system", system))
        sources.append("")
    for message in path:
        if message.role == "user":
            if question is not None:
                left_out.add(question.id)
            question = message
        elif question is not None and is_sent(message) and message.answer is not None:
            messages.append(ChatMessage("user", question.text, question.attachments))
            messages.append(ChatMessage("assistant", spoken(message.answer)))
            sources += [question.id, message.id]
            question = None
        else:
            left_out.add(message.id)
            if question is not None:
                left_out.add(question.id)
            question = None
    if question is not None:
        messages.append(ChatMessage("user", question.text, question.attachments))
        sources.append(question.id)
    return Dialogue(tuple(messages), tuple(sources), frozenset(left_out))


def notes(conversation: Conversation) -> dict[str, str]:
    """Message id → NOT_SENT for the turns of the chosen path that the next prompt will not contain."""
    path = conversation.path()
    if path and path[-1].answer is not None and path[-1].answer.live:
        path = path[:-1]
    return dict.fromkeys(dialogue("", path).left_out, NOT_SENT)


def fit(prompt: Prompt, messages: Sequence[ChatMessage], sampling: Sampling, limit: int | None) -> Sampling:
    """The sampling with `max_tokens` cut to the room that is left; `limit`: the context in tokens.

    Raises PromptError("prompt.context_full") before the engine would, with the numbers of what could be
    shortened: tokens of the system text, of earlier turns and of this question.
    """
    tokens = len(prompt.ids)
    if not tokens:
        raise PromptError("prompt.empty")
    if limit is None:
        return sampling
    room = limit - tokens
    if room <= 0:
        has_system = bool(messages) and messages[0].role == "system"
        question = prompt.origins.count(len(messages) - 1)
        system = prompt.origins.count(0) if has_system else 0
        raise PromptError(
            "prompt.context_full",
            tokens=tokens,
            limit=limit,
            over=1 - room,
            system=system,
            earlier=sum(origin >= 0 for origin in prompt.origins) - question - system,
            question=question,
        )
    if sampling.max_tokens is not None and sampling.max_tokens > room:
        return msgspec.structs.replace(sampling, max_tokens=room)
    return sampling
