"""What the engine reads of a server's /metrics: when its counters began, and whether it guesses ahead."""

from __future__ import annotations

import re

import msgspec

_CREATED = re.compile(rb"^vllm:[a-z0-9_]+_created(?:\{[^}]*\})? ([0-9.e+]+)", re.MULTILINE)
_ONE_CREATED = re.compile(rb"^vllm:prompt_tokens_created(?:\{[^}]*\})? ([0-9.e+]+)", re.MULTILINE)
_PROCESS = re.compile(rb"^process_start_time_seconds ([0-9.e+]+)", re.MULTILINE)
_BLOCK_SIZE = re.compile(rb'^vllm:cache_config_info\{[^}]*\bblock_size="(\d+)"', re.MULTILINE)


class Gauges(msgspec.Struct, frozen=True):
    """`start`: seconds since the epoch when its counters began, or without any (`--disable-log-stats`) its
    process. None where the server tells nothing."""

    start: float | None = None
    speculative: bool | None = None
    block_size: int | None = None

    @property
    def cpu(self) -> bool:
        """What looks like vLLM's CPU build: its cache comes in blocks of 128."""
        return self.block_size == 128


def read_metrics(body: bytes) -> Gauges:
    starts = _ONE_CREATED.findall(body) or _CREATED.findall(body) or _PROCESS.findall(body)
    created = [float(value) for value in starts]
    told = b"vllm:" in body
    return Gauges(
        start=min(created) if created else None,
        block_size=int(block[1]) if (block := _BLOCK_SIZE.search(body)) else None,
        speculative=b"vllm:spec_decode_num_drafts" in body if told else None,
    )
