"""What a request may carry beyond the common sampling values: a form for the answer, and vLLM's other fields.

Servers ignore fields that they do not know, so everything is checked here before it is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec

from core.engines.base import NOTHING, Extras, Form, Sampling, Structured
from core.errors import EngineError

__all__ = ["FIELDS", "FORMS", "NOTHING", "Extras", "Form", "Structured", "check", "field", "structured"]

FORMS: tuple[Form, ...] = ("json", "regex", "choice", "grammar")

# name → what a value looks like (vLLM 0.32: SamplingParams and CompletionRequest)
_IN_SAMPLING: Mapping[str, object] = {
    "min_tokens": int,
    "logit_bias": dict[str, float],
    "bad_words": list[str],
    "allowed_token_ids": list[int],
    "include_stop_str_in_output": bool,
    "skip_special_tokens": bool,
    "spaces_between_special_tokens": bool,
    "thinking_token_budget": int,
    "repetition_detection": dict[str, int],
    "stream_interval": int,
}
_IN_BODY: Mapping[str, object] = {"priority": int, "cache_salt": str}
FIELDS: tuple[str, ...] = (*_IN_SAMPLING, *_IN_BODY)


def sampling_values(extras: Extras) -> dict[str, object]:
    """What stands beside the sampling values of a request."""
    values = {name: value for name, value in extras.fields.items() if name in _IN_SAMPLING}
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


def check(extras: Extras, sampling: Sampling, *, speculative: bool) -> None:
    """Raises EngineError("server.limit") for what a server with speculation refuses."""
    if speculative and extras.fields.get("logit_bias"):
        raise EngineError("server.limit", name="logit_bias", value="…", limit="{} (speculative decoding)")
    fewest = extras.fields.get("min_tokens", 0)
    if isinstance(fewest, int) and sampling.max_tokens is not None and fewest > sampling.max_tokens:
        raise EngineError(
            "server.limit", name="min_tokens", value=str(fewest), limit=f"0 … {sampling.max_tokens}"
        )
