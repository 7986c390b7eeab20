"""The route of ids: /inference/v1/generate, there with --enable-scale-out: ids, and every token's rank."""

from __future__ import annotations

from typing import cast

import msgspec

from core.engines.vllm.asked import Asked, values
from core.engines.vllm.extras import body_values
from core.engines.vllm.step import Step, Token, id_of, token, usable_id
from core.engines.vllm.wire import (
    GenerateChoice,
    GenerateChunk,
    Reader,
    TokenLogprob,
    TopLogprob,
    said,
    status_of,
)

PATH = "/inference/v1/generate"


def body(asked: Asked) -> bytes:
    request: dict[str, object] = {
        "model": asked.model,
        "token_ids": asked.prompt_ids,
        "sampling_params": values(asked, "generate"),
        "return_token_ids": True,
        "stream": asked.stream,
        **body_values(asked.extras),
    }
    if asked.stream:
        request["stream_options"] = {"include_usage": True}
    return msgspec.json.encode(request)


class Generate:
    """Reads the events of this route."""

    path = PATH

    def __init__(self) -> None:
        self._reader = Reader(GenerateChunk)

    @staticmethod
    def body(asked: Asked) -> bytes:
        return body(asked)

    def read(self, event: bytes) -> Step:
        """Raises EngineError("server.unreadable")."""
        chunk = cast(GenerateChunk, self._reader.read(event))
        if chunk.error is not None:
            return Step(error=said(chunk.error), status=status_of(chunk.error))
        prompt = None if chunk.prompt_token_ids is None else tuple(chunk.prompt_token_ids)
        if not chunk.choices:
            return Step(
                usage=chunk.usage,
                metrics=chunk.metrics,
                prompt_ids=prompt,
                placeholders=chunk.mm_placeholders,
            )
        choice = chunk.choices[0]
        return Step(
            tokens=_tokens(choice),
            finish_reason=choice.finish_reason,
            stop_reason=choice.stop_reason,
            usage=chunk.usage,
            metrics=chunk.metrics,
            prompt_ids=prompt,
            placeholders=chunk.mm_placeholders,
        )


def _id(entry: TopLogprob) -> int | None:
    if entry.token_id is None:
        return id_of(entry.token)
    return entry.token_id if usable_id(entry.token_id) else None


def _tokens(choice: GenerateChoice) -> tuple[Token, ...]:
    content = (choice.logprobs.content if choice.logprobs else None) or []
    ids: list[int | None] = list(choice.token_ids or ()) or [_id(entry) for entry in content]
    masks = choice.sampling_mask or []
    tokens: list[Token] = []
    for at, id in enumerate(ids):
        if id is None or not usable_id(id):
            continue
        entry = content[at] if len(content) == len(ids) else None
        mask = masks[at] if len(masks) == len(ids) else None
        tokens.append(_token(id, entry if entry is not None and _id(entry) == id else None, mask))
    return tuple(tokens)


def _token(id: int, entry: TokenLogprob | None, mask: list[int] | None) -> Token:
    if entry is None:
        return token(id, None, None, [], mask)
    entries = [
        (one.token_id if one.token_id is not None else id_of(one.token), one.logprob)
        for one in entry.top_logprobs or ()
    ]
    return token(id, entry.logprob, entry.rank, entries, mask)
