"""Seeded mutations of recorded streams: no crash, no invented number, bounded memory.

TOKENLOUPE_FUZZ=1000000 runs so many; a failure names its seed, TOKENLOUPE_FUZZ_SEED=N runs that one alone.
"""

from __future__ import annotations

import math
import os
import random
import re

import psutil

from core.engines.vllm.completions import Completions
from core.engines.vllm.generate import Generate
from core.engines.vllm.rows import Mode, Reading, row
from core.engines.vllm.sse import DONE, SseReader
from core.errors import EngineError
from tests.core.engines.vllm.replay import CASES

COUNT = int(os.environ.get("TOKENLOUPE_FUZZ", "20000"))
ONE = os.environ.get("TOKENLOUPE_FUZZ_SEED")
BODIES = [path.read_bytes() for path in sorted(CASES.glob("*.sse"))]
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
# what a broken server, gateway or network makes of a number or a piece
ODD = [
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"-9999.0",
    b"null",
    b"-0.0",
    b"9" * 30,
    b'"x"',
    b"[]",
    b"{}",
    b"true",
    b"-1",
]
LIMIT = 64 * 1024
GROWTH = 64 * 1024 * 1024  # of the whole process, from the first thousand to the last


def mutated(body: bytes, random_: random.Random) -> bytes:
    for _ in range(random_.randint(1, 4)):
        kind = random_.randrange(7)
        at = random_.randrange(len(body) + 1)
        until = min(len(body), at + random_.randint(1, 40))
        if kind == 0:
            body = body[:at] + bytes(random_.randrange(256) for _ in range(random_.randint(1, 6))) + body[at:]
        elif kind == 1:
            body = body[:at] + body[until:]
        elif kind == 2:
            body = body[:until] + body[at:until] * random_.randint(1, 3) + body[until:]
        elif kind == 3:
            body = body[:at]
        elif kind == 4:
            other = random_.choice(BODIES)
            body = body[:at] + other[random_.randrange(len(other)) :]
        elif kind == 5:
            body = body[:at] + random_.choice([b"\r", b"\n", b"\r\n", b"\n\n", b":", b"data: "]) + body[at:]
        else:
            numbers = list(NUMBER.finditer(body))
            if numbers:
                found = random_.choice(numbers)
                body = body[: found.start()] + random_.choice(ODD) + body[found.end() :]
    return body


def read(seed: int) -> int:
    """Rows made of the mutation; everything about them is checked."""
    random_ = random.Random(seed)
    body = mutated(random_.choice(BODIES), random_)
    route: Generate | Completions = Generate() if random_.random() < 0.4 else Completions()
    reading = Reading(random_.choice(list(Mode)), random_.random() < 0.2, random_.randint(1, 6), True)
    reader, size, rows = SseReader(LIMIT), random_.choice([1, 7, 64, 4096]), 0
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    try:
        for piece in (*pieces, b""):
            events = reader.feed(piece) if piece else reader.close()
            assert len(reader._buffer) + reader._size <= LIMIT
            for event in events:
                if event == DONE:
                    return rows
                for token in route.read(event).tokens:
                    found = row(token, 0.0, reading)
                    rows += 1
                    numbers = [
                        found.logprob,
                        found.sampling_logprob,
                        *(one.logprob for one in found.candidates),
                    ]
                    for number in numbers:
                        highest = math.inf if reading.mode.logits else 0.0  # scores are no probabilities
                        assert number is None or (math.isfinite(number) and -9999.0 < number <= highest)
                        assert number in (None, 0.0) or sent(number, body)
                    assert found.entropy is None and found.others is None
                    assert 0 <= found.id < 0xFFFFFFFF and str(found.id).encode() in body
    except EngineError as error:
        assert error.code in ("server.unreadable", "server.line_too_long")
    return rows


def sent(number: float, body: bytes) -> bool:
    """Whether the very number stands in the stream."""
    if repr(number).encode() in body:
        return True
    return any(float(found) == number for found in NUMBER.findall(body))


def test_mutations() -> None:
    seeds = [int(ONE)] if ONE else range(COUNT)
    total, size, process = 0, 0, psutil.Process()
    for seed in seeds:
        if seed == 1000:
            size = process.memory_info().rss
        try:
            total += read(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
    assert not size or process.memory_info().rss - size < GROWTH
    assert ONE or total > COUNT  # most mutations still leave something to read
