"""Streamed answers of a server, in the tokens of a model here; the numbers are made up."""

from __future__ import annotations

import json
import random
from math import log
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

CANBERRA = (
    "The capital of Australia is Canberra. It was chosen in 1908 as a compromise between Sydney and "
    "Melbourne, the two largest cities, because neither would accept the other as the seat of government. "
    "The name probably comes from a Ngunnawal word often translated as “meeting place”."
)
WRONG = (
    "Many people assume that Canberra is a state. It is not: it lies in the Australian Capital Territory, "
    "a small"
)
LISTED = 5
END = "<|im_end|>"


def answer(folder: Path, text: str, *, logits: bool = False, whole: bool = True) -> bytes:
    """The body of an answer of /v1/completions; always the same. `logits`: the numbers are scores.
    `whole` False: it breaks off after the text."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = tokenizer.encode(text + (END if whole else ""), add_special_tokens=False).ids
    draw = random.Random(7)
    events = []
    for at, id in enumerate(ids):
        others = draw.sample([other for other in set(ids) if other != id], LISTED - 1)
        values = _scores(draw) if logits else _logprobs(draw)
        own = values.pop(draw.choice((0, 0, 0, 1, 2)))
        listed = {
            f"token_id:{other}": value for other, value in zip((id, *others), (own, *values), strict=True)
        }
        last = whole and at == len(ids) - 1
        events.append(
            _event(
                id, tokenizer.decode([id], skip_special_tokens=True), own, listed, "stop" if last else None
            )
        )
    if whole:
        used = {"prompt_tokens": 0, "completion_tokens": len(ids), "total_tokens": len(ids)}
        events.append({"id": "cmpl-x", "choices": [], "usage": used})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return (body + ("data: [DONE]\n\n" if whole else "")).encode()


def _event(id: int, text: str, own: float, listed: dict[str, float], reason: str | None) -> dict[str, Any]:
    numbers = {
        "text_offset": [0],
        "tokens": [f"token_id:{id}"],
        "token_logprobs": [own],
        "top_logprobs": [dict(sorted(listed.items(), key=lambda item: -item[1]))],
    }
    choice = {"index": 0, "text": text, "logprobs": numbers, "finish_reason": reason, "token_ids": [id]}
    return {"id": "cmpl-x", "object": "text_completion", "choices": [choice], "usage": None}


def _logprobs(draw: random.Random) -> list[float]:
    """Of five tokens, falling; they and all others share 1."""
    left, found = 1.0, []
    for _ in range(LISTED):
        share = left * draw.uniform(0.35, 0.98)
        found.append(round(log(share), 4))
        left -= share
    return sorted(found, reverse=True)


def _scores(draw: random.Random) -> list[float]:
    return sorted((round(draw.uniform(9, 21), 4) for _ in range(LISTED)), reverse=True)
