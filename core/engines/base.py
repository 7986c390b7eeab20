"""The Engine protocol: exact token ids in, a stream of inspectable tokens out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from core.prompt.base import MediaSpan
from core.tokens.row import TokenRow

FinishReason = Literal["stop", "length", "stopped", "context", "unknown"]
Evidence = Literal["model", "sampling", "greedy", "logit", "absent"]
EngineKind = Literal["local", "vllm"]
Form = Literal["json", "regex", "choice", "grammar"]


class Sampling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the next token is drawn, in vLLM's terms and order of application.

    Penalties → temperature → min_p → top_k → top_p. `top_k` 0 and `min_p` 0.0 are off; `temperature`
    0.0 is greedy. `seed` None means: the engine draws one and reports it. `max_tokens` None means: until
    the context is full.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    stop_token_ids: tuple[int, ...] = ()
    ignore_eos: bool = False

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0


class Structured(msgspec.Struct, frozen=True):
    """The answer must have this form: a JSON schema, a regular expression, one of several texts, or a grammar
    (GBNF or Lark)."""

    form: Form
    value: object


class Extras(msgspec.Struct, frozen=True):
    """What an answer is asked for beyond `Sampling`; only servers take it. Nothing by default. `fields`:
    vLLM's own names and values. `numbers` False: ids alone, where a server fails over its numbers."""

    structured: Structured | None = None
    fields: Mapping[str, object] = {}
    numbers: bool = True


NOTHING = Extras()


class EngineInfo(msgspec.Struct, frozen=True):
    """What is known of a loaded engine; "" and None mean not known.

    Only of a server: its `version`, the `route` that answers take ("generate" or "completions"), what its
    `numbers` are (a value of `core.engines.vllm.rows.Mode`), which sampling values it `refuses`
    (`core.engines.limits`), whether it is `speculative` (None: not told). They stay with each answer, its
    address does not.
    """

    engine: EngineKind
    model: str
    folder: str = ""
    revision: str = ""
    dtype: str = ""
    dtype_reason: str = ""
    device: str = ""
    threads: int = 0
    context_limit: int | None = None
    parameters: int | None = None
    recommended: Sampling = Sampling()
    evidence: tuple[Evidence, ...] = ("model", "sampling")
    version: str = ""
    route: str = ""
    numbers: str = ""
    refuses: tuple[str, ...] = ()
    speculative: bool | None = None


class Prefilling(msgspec.Struct, frozen=True, tag="prefilling"):
    """The prompt is being read; `reused` of its `total` tokens came from the KV cache, None: not told yet."""

    total: int
    reused: int | None


class Expanded(msgspec.Struct, frozen=True, tag="expanded"):
    """The prompt as a server reads it, with the tokens it has put in place of each attachment's one."""

    ids: tuple[int, ...]
    media: tuple[MediaSpan, ...]


class TokenBatch(msgspec.Struct, frozen=True, tag="tokens"):
    """Tokens that arrived together, in order."""

    rows: list[TokenRow]


class Speculation(msgspec.Struct, frozen=True):
    """What became of the guesses of one answer. `guesses`: rows that were guessed ahead and kept, known only
    when the counts account for every token; `offered`: for each of them, how many were offered in its step.
    Counts may include guesses after the stop token."""

    steps: int
    drafted: int
    accepted: int
    guesses: tuple[int, ...] | None = None
    offered: tuple[int, ...] | None = None


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """The last event of a generation. Times are in milliseconds, taken where tokens arrive.

    `stop_reason` is the stop string or stop id that ended it. `prefill_ms`: request to first token.
    `decode_tokens_per_second` is None with fewer than two tokens, and where it cannot be measured.
    `reused_tokens` None: not told. `server_tokens`, `server_prompt_tokens`: the server's own counts, if they
    differ. `notes`: what has to be said under the answer, by code. `refused`: (status, its words) of a server
    that answered only without numbers.
    """

    reason: FinishReason
    stop_reason: str | int | None
    seed: int | None
    prompt_tokens: int
    completion_tokens: int
    reused_tokens: int | None
    prefill_ms: float | None
    decode_tokens_per_second: float | None
    server_tokens: int | None = None
    server_prompt_tokens: int | None = None
    refused: tuple[int, str] | None = None
    speculation: Speculation | None = None
    notes: tuple[str, ...] = ()


GenerationEvent = Prefilling | Expanded | TokenBatch | Finished


class Engine(Protocol):
    """What the session needs of an engine; `aclose()` on the generator stops within one token."""

    @property
    def info(self) -> EngineInfo: ...

    def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]: ...
