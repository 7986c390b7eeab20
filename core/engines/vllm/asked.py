"""What a request asks for, and the limits of vLLM that are checked before it is sent."""

from __future__ import annotations

import msgspec

from core.engines.base import NOTHING, Extras, Sampling
from core.engines.vllm.extras import sampling_values
from core.errors import EngineError

MAX_STOP_STRINGS = 4
LOWEST_TEMPERATURE = 0.05  # where greedy is refused
HIGHEST_TOP_K = 128  # and top-k 0 with it


class Asked(msgspec.Struct, frozen=True):
    """One generation. `logprobs` None: no numbers; else how many the server is asked to list."""

    model: str
    prompt_ids: tuple[int, ...]
    sampling: Sampling
    max_tokens: int
    logprobs: int | None
    stream: bool = True
    extras: Extras = NOTHING


def values(asked: Asked) -> dict[str, object]:
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
        **sampling_values(asked.extras),
    }


def check(
    sampling: Sampling, *, greedy: bool = True, speculative: bool = False, fragile_top_k: bool = False
) -> None:
    """Raises EngineError("server.limit") for what the server would refuse, quietly change or die of."""
    temperature, top_k = sampling.temperature, sampling.top_k
    if fragile_top_k and temperature > 0 and top_k > 0:
        _refuse("top_k", top_k, "0 (speculative decoding on vLLM's CPU build)")
    if not 0 <= temperature <= 2:
        _refuse("temperature", temperature, "0 … 2")
    if 0 < temperature < 0.01:
        _refuse("temperature", temperature, "0, or 0.01 … 2")
    if not greedy and temperature == 0:
        _refuse("temperature", temperature, f"{LOWEST_TEMPERATURE} … 2")
    if not greedy and top_k <= 0:
        _refuse("top_k", top_k, f"1 … {HIGHEST_TOP_K}")
    if top_k < 0:
        _refuse("top_k", top_k, "0 …")
    if not 0 < sampling.top_p <= 1:
        _refuse("top_p", sampling.top_p, "> 0 … 1")
    if not 0 <= sampling.min_p <= 1:
        _refuse("min_p", sampling.min_p, "0 … 1")
    if speculative and sampling.min_p > 1e-5:
        _refuse("min_p", sampling.min_p, "0 (speculative decoding)")
    for name in ("presence_penalty", "frequency_penalty"):
        if not -2 <= getattr(sampling, name) <= 2:
            _refuse(name, getattr(sampling, name), "-2 … 2")
    if not sampling.repetition_penalty > 0:
        _refuse("repetition_penalty", sampling.repetition_penalty, "> 0")
    if len(sampling.stop) > MAX_STOP_STRINGS or "" in sampling.stop:
        _refuse("stop", list(sampling.stop), f"1 … {MAX_STOP_STRINGS}")
    if sampling.max_tokens is not None and sampling.max_tokens < 1:
        _refuse("max_tokens", sampling.max_tokens, "1 …")


def _refuse(name: str, value: object, limit: str) -> None:
    raise EngineError("server.limit", name=name, value=str(value), limit=limit)


def within(sampling: Sampling, *, greedy: bool, fragile_top_k: bool = False) -> Sampling:
    """Recommended values moved to what the server takes: without greedy, temperature ≥ 0.05 and top-k ≥ 1."""
    if fragile_top_k:
        return msgspec.structs.replace(sampling, top_k=0)
    if greedy:
        return sampling
    return msgspec.structs.replace(
        sampling,
        temperature=max(sampling.temperature, LOWEST_TEMPERATURE),
        top_k=sampling.top_k if sampling.top_k > 0 else HIGHEST_TOP_K,
    )
