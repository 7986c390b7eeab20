"""The shapes a vLLM server sends, as msgspec structs; unknown fields pass, absent ones have neutral values.

Sources: vLLM 0.32.0 as recorded, and its 0.33 and older shapes as far as their code says.
"""

from __future__ import annotations

import json
import math
from typing import Any, TypeVar

import msgspec

from core.engines.vllm.http import error_message
from core.errors import EngineError

T = TypeVar("T")


class CachedTokens(msgspec.Struct, frozen=True):
    cached_tokens: int | None = None


class Usage(msgspec.Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int | None = None
    prompt_tokens_details: CachedTokens | None = None


class SpeculativeDecoding(msgspec.Struct, frozen=True):
    """Counts of one answer. `per_step_*`: only detailed metrics. Steps without guesses are not counted."""

    num_spec_steps: int = 0
    num_accepted_draft_tokens: int = 0
    num_draft_tokens: int = 0
    per_step_accepted: list[int] | None = None
    per_step_drafted: list[int] | None = None


class Metrics(msgspec.Struct, frozen=True):
    speculative_decoding: SpeculativeDecoding | None = None


class CompletionLogprobs(msgspec.Struct, frozen=True):
    """Lists with one entry a token; names are "token_id:N" where the server does as it was asked."""

    tokens: list[str | None] | None = None
    token_logprobs: list[float | None] | None = None
    top_logprobs: list[dict[str, float | None] | None] | None = None


class CompletionChoice(msgspec.Struct, frozen=True):
    text: str | None = None
    logprobs: CompletionLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | None = None
    token_ids: list[int] | None = None
    prompt_token_ids: list[int] | None = None


class CompletionChunk(msgspec.Struct, frozen=True):
    """A chunk of /v1/completions, or its whole answer."""

    choices: list[CompletionChoice] | None = None
    usage: Usage | None = None
    metrics: Metrics | None = None
    error: Any = None


class TopLogprob(msgspec.Struct, frozen=True):
    """`token` ("token_id:N") in place of `token_id` is what servers before the current shape sent."""

    token_id: int | None = None
    token: str | None = None
    logprob: float | None = None
    rank: int | None = None


class TokenLogprob(TopLogprob, frozen=True):
    top_logprobs: list[TopLogprob] | None = None


class GenerateLogprobs(msgspec.Struct, frozen=True):
    content: list[TokenLogprob] | None = None


class GenerateChoice(msgspec.Struct, frozen=True):
    token_ids: list[int] | None = None
    logprobs: GenerateLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | None = None
    sampling_mask: list[list[int]] | None = None


class PlaceholderRange(msgspec.Struct, frozen=True):
    """Tokens of the expanded prompt that stand for one file."""

    offset: int
    length: int


class GenerateChunk(msgspec.Struct, frozen=True):
    """A chunk of /inference/v1/generate, or its whole answer."""

    choices: list[GenerateChoice] | None = None
    usage: Usage | None = None
    metrics: Metrics | None = None
    prompt_token_ids: list[int] | None = None
    mm_placeholders: dict[str, list[PlaceholderRange]] | None = None
    error: Any = None


class ServedModel(msgspec.Struct, frozen=True):
    id: str
    root: str | None = None
    max_model_len: int | None = None


class ServedModels(msgspec.Struct, frozen=True):
    data: list[ServedModel]


class Version(msgspec.Struct, frozen=True):
    version: str


class Tokenized(msgspec.Struct, frozen=True):
    tokens: list[int]


class TokenNames(msgspec.Struct, frozen=True):
    token_strs: list[str | None] | None = None


class Detokenized(msgspec.Struct, frozen=True):
    prompt: str


class Reader:
    """Decodes events into one shape, with the decoder made once."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)

    def read(self, event: bytes) -> object:
        """The event's value. Raises EngineError("server.unreadable"): going on could lose tokens unseen."""
        try:
            return self._decoder.decode(event)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        try:
            # NaN and Infinity are no JSON, but gateways send them
            return msgspec.convert(_finite(json.loads(event)), self._kind)
        except (ValueError, RecursionError) as error:
            shown = event[:200].decode("utf-8", "replace")
            raise EngineError("server.unreadable", detail=shown) from error


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return value


def said(error: object) -> str | None:
    """The words of an error inside a stream; None where there is none."""
    return None if error is None else error_message({"error": error}) or "error"


def status_of(error: object) -> int:
    """The HTTP status that an error inside a stream would have had."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500
