"""What a request may carry beyond the common sampling values: a form for the answer, and vLLM's other fields.

Servers ignore fields that they do not know, so everything is checked here before it is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from core.engines.base import NOTHING, Extras, Form, Sampling, Structured
from core.errors import EngineError

__all__ = ["FIELDS", "FORMS", "NOTHING", "Extras", "Form", "Structured", "check", "field", "structured"]

FORMS: tuple[Form, ...] = ("json", "regex", "choice", "grammar")

# name → what a value looks like (vLLM 0.32: SamplingParams and CompletionRequest). What this program sets
# itself, and what would change the meaning of the numbers it reads, is not here.
_Count = Annotated[int, msgspec.Meta(ge=0)]
_IN_SAMPLING: Mapping[str, object] = {
    "min_tokens": _Count,
    "logit_bias": dict[Annotated[str, msgspec.Meta(pattern=r"^\d+$")], float],
    "bad_words": list[str],
    "allowed_token_ids": Annotated[list[_Count], msgspec.Meta(min_length=1)],
    "include_stop_str_in_output": bool,
    "skip_special_tokens": bool,
    "spaces_between_special_tokens": bool,
    "thinking_token_budget": int,
    "repetition_detection": dict[Literal["max_pattern_size", "min_pattern_size", "min_count"], _Count],
    "stream_interval": Annotated[int, msgspec.Meta(ge=1)],
    "watermarking": bool,
    "extra_args": dict[str, str | int | float | list[str | int | float]],
    "skip_reading_prefix_cache": bool,
}
_IN_BODY: Mapping[str, object] = {
    "priority": int,
    "cache_salt": Annotated[str, msgspec.Meta(min_length=1, max_length=128, pattern=r"^[^@/\\\x00]*$")],
}
_ON_GENERATE = frozenset({"skip_reading_prefix_cache"})
_ON_COMPLETIONS = {"extra_args": "vllm_xargs"}  # the same by another name
FIELDS: tuple[str, ...] = (*_IN_SAMPLING, *_IN_BODY)


def sampling_values(extras: Extras, route: str) -> dict[str, object]:
    """What stands beside the sampling values of a request."""
    names = _ON_COMPLETIONS if route == "completions" else {}
    fields = extras.fields.items()
    values = {names.get(name, name): value for name, value in fields if name in _IN_SAMPLING}
    if extras.structured is not None:
        values["structured_outputs"] = {extras.structured.form: extras.structured.value}
    return values


def body_values(extras: Extras) -> dict[str, object]:
    """What stands beside the prompt."""
    return {name: value for name, value in extras.fields.items() if name in _IN_BODY}


def structured(form: str, text: str) -> Structured:
    """From what a person wrote. Raises EngineError("server.form") where no server would take it."""
    if form not in FORMS:
        raise EngineError("server.form", form=form, detail=f"known: {', '.join(FORMS)}")
    try:
        if form == "json":
            value: object = json.loads(text)
            if not isinstance(value, dict):
                raise ValueError("a JSON schema is an object")
        elif form == "choice":
            value = (
                msgspec.json.decode(text, type=list[str])
                if text.lstrip().startswith("[")
                else text.splitlines()
            )
            if not value or "" in value:
                raise ValueError("at least one text, none of them empty")
        else:
            if form == "regex":
                re.compile(text)
            if not text.strip():
                raise ValueError("nothing is written")
            value = text
    except (ValueError, RecursionError, re.error, msgspec.MsgspecError) as error:
        raise EngineError("server.form", form=form, detail=str(error)) from error
    return Structured(form, value)


def field(name: str, text: str) -> tuple[str, object]:
    """One of vLLM's fields from its name and a JSON value. Raises EngineError("server.field")."""
    kind = _IN_SAMPLING.get(name, _IN_BODY.get(name))
    if kind is None:
        raise EngineError("server.field", name=name, detail=f"known: {', '.join(FIELDS)}")
    try:
        return name, msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise EngineError("server.field", name=name, detail=str(error)) from error


def check(extras: Extras, sampling: Sampling, *, speculative: bool, route: str) -> None:
    """Raises EngineError("server.limit") for what this server refuses or, on this route, would not read."""
    for name in extras.fields:
        if name in _ON_GENERATE and route != "generate":
            raise EngineError("server.limit", name=name, value="…", limit="--enable-scale-out")
    if speculative and extras.fields.get("logit_bias"):
        raise EngineError("server.limit", name="logit_bias", value="…", limit="{} (speculative decoding)")
    fewest = extras.fields.get("min_tokens", 0)
    if isinstance(fewest, int) and sampling.max_tokens is not None and fewest > sampling.max_tokens:
        raise EngineError(
            "server.limit", name="min_tokens", value=str(fewest), limit=f"0 … {sampling.max_tokens}"
        )
