"""The route every vLLM server has: /v1/completions with a prompt of ids."""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from core.engines.vllm.asked import Asked, values
from core.engines.vllm.extras import body_values
from core.engines.vllm.step import Step, Token, id_of, token, usable_id
from core.engines.vllm.wire import (
    CompletionChoice,
    CompletionChunk,
    CompletionLogprobs,
    Reader,
    said,
    status_of,
)

T = TypeVar("T")
PATH = "/v1/completions"


def body(asked: Asked) -> bytes:
    request: dict[str, object] = {
        "model": asked.model,
        "prompt": asked.prompt_ids,
        **values(asked, "completions"),
        "echo": False,
        "add_special_tokens": False,
        "return_token_ids": True,
        "return_tokens_as_token_ids": True,
        "stream": asked.stream,
        **body_values(asked.extras),
    }
    if asked.stream:
        request["stream_options"] = {"include_usage": True}
    return msgspec.json.encode(request)


class Completions:
    """Reads the events of this route."""

    path = PATH

    def __init__(self) -> None:
        self._reader = Reader(CompletionChunk)

    @staticmethod
    def body(asked: Asked) -> bytes:
        return body(asked)

    def read(self, event: bytes) -> Step:
        """Raises EngineError("server.unreadable")."""
        chunk = cast(CompletionChunk, self._reader.read(event))
        if chunk.error is not None:
            return Step(error=said(chunk.error), status=status_of(chunk.error))
        if not chunk.choices:
            return Step(usage=chunk.usage, metrics=chunk.metrics)
        choice = chunk.choices[0]
        tokens, unknown = _tokens(choice)
        prompt = choice.prompt_token_ids
        return Step(
            tokens=tokens,
            finish_reason=choice.finish_reason,
            stop_reason=choice.stop_reason,
            usage=chunk.usage,
            metrics=chunk.metrics,
            prompt_ids=None if prompt is None else tuple(prompt),
            unknown_text=unknown,
        )


def _tokens(choice: CompletionChoice) -> tuple[tuple[Token, ...], str]:
    """The tokens of a choice, and its text where some of them have no id."""
    logprobs = choice.logprobs or CompletionLogprobs()
    names = logprobs.tokens or []
    ids: list[int | None] = list(choice.token_ids or ()) or [id_of(name) for name in names]
    if not ids:
        return (), choice.text or ""
    # Lists of another length cannot be matched to the ids: better no numbers than those of a neighbour.
    own = _matched(logprobs.token_logprobs, len(ids))
    top = _matched(logprobs.top_logprobs, len(ids))
    tokens: list[Token] = []
    lost = False
    for at, id in enumerate(ids):
        if id is None or not usable_id(id):
            lost = True
            continue
        value = own[at] if own else None
        entries = (top[at] if top else None) or {}
        tokens.append(token(id, value, None, [(id_of(name), number) for name, number in entries.items()]))
    return tuple(tokens), (choice.text or "") if lost else ""


def _matched(column: list[T] | None, size: int) -> list[T] | None:
    return column if column is not None and len(column) == size else None
