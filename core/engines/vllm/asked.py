"""What a request asks for, and the limits of vLLM that are checked before it is sent."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.engines.base import NOTHING, Extras, Sampling
from core.engines.limits import MAX_STOP_STRINGS, ranges
from core.engines.vllm.extras import sampling_values
from core.errors import EngineError
from core.prompt.families import Quirk


class Asked(msgspec.Struct, frozen=True):
    """One generation. `logprobs` None: no numbers; else how many the server is asked to list."""

    model: str
    prompt_ids: tuple[int, ...]
    sampling: Sampling
    max_tokens: int
    logprobs: int | None
    stream: bool = True
    extras: Extras = NOTHING


def values(asked: Asked, route: str) -> dict[str, object]:
    """Every sampling value, none left to the server's defaults. Names are the same on both routes."""
    sampling = asked.sampling
    return {
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repetition_penalty": sampling.repetition_penalty,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "seed": sampling.seed,
        "max_tokens": asked.max_tokens,
        "min_tokens": 0,
        "n": 1,
        "stop": list(sampling.stop),
        "stop_token_ids": list(sampling.stop_token_ids),
        "ignore_eos": sampling.ignore_eos,
        "logprobs": asked.logprobs,
        "skip_special_tokens": False,
        **sampling_values(asked.extras, route),
    }


def check(sampling: Sampling, refuses: Sequence[str] = ()) -> None:
    """Raises EngineError("server.limit") for what the server would refuse, quietly change or die of."""
    for name, allowed in ranges(refuses, greedy=sampling.greedy).items():
        value = getattr(sampling, name)
        if not allowed.takes(value):
            _refuse(name, value, allowed.text)
    if len(sampling.stop) > MAX_STOP_STRINGS or "" in sampling.stop:
        _refuse("stop", list(sampling.stop), f"1 … {MAX_STOP_STRINGS}")
    if sampling.max_tokens is not None and sampling.max_tokens < 1:
        _refuse("max_tokens", sampling.max_tokens, "1 …")


def check_prompt(ids: Sequence[int], quirks: Sequence[Quirk]) -> None:
    """`quirks`: of the model's family, on a server that has them. Raises EngineError("server.limit")."""
    if "two_prompt_tokens" in quirks and len(ids) < 2:
        _refuse("prompt tokens", len(ids), "2 …", "A prompt of one token ends the engine of this server.")


def _refuse(name: str, value: object, limit: str, detail: str = "") -> None:
    raise EngineError("server.limit", name=name, value=str(value), limit=limit, detail=detail)
