"""Recorded streams as steps and rows."""

from __future__ import annotations

from pathlib import Path

from core.engines.vllm.completions import Completions
from core.engines.vllm.generate import Generate
from core.engines.vllm.rows import Mode, Reading, row
from core.engines.vllm.sse import DONE, SseReader
from core.engines.vllm.step import Step, Token
from core.tokens.row import TokenRow

CASES = Path(__file__).parents[3] / "cases" / "sse"
RAW = Reading(Mode.RAW_LOGPROBS, greedy=False, shown=5, ranks=True)


def steps(name: str, size: int = 0) -> list[Step]:
    body = (CASES / f"{name}.sse").read_bytes()
    generate = b'"request_id"' in body
    route = Generate() if generate else Completions()
    reader, events = SseReader(), list[bytes]()
    for at in range(0, len(body), size or len(body)):
        events += reader.feed(body[at : at + (size or len(body))])
    events += reader.close()
    return [route.read(event) for event in events if event != DONE]


def tokens(name: str, size: int = 0) -> list[Token]:
    return [token for step in steps(name, size) for token in step.tokens]


def rows(name: str, reading: Reading = RAW) -> list[TokenRow]:
    return [row(token, 0.0, reading) for token in tokens(name)]
