"""A stand-in for the worker process: the real protocol, made-up tokens at a steady rate, no model.

The last question says what to make: `{"rate": 200, "tokens": 20000, "paragraph": 60}` (0: one paragraph).
Like the real worker it sends one frame a token; when it wakes late, all that is due at once.
Usage: python -m tests.bench.feed --worker
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import threading
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from core.tokens.row import Candidate, TokenRow
from core.tokens.vocabulary import Flag, Kind, write_vocabulary
from core.worker import protocol

END, BREAK = 0, 1
WORDS = """
the of and to in is that it was for on are as with they be at one have this from or had by hot
but some what there we can out other were all your when up use word how said each she which do
their time if will way about many then them would write like so these her long make thing see
him two has look more day could go come did my sound no most number who over know water than
call first people may down side been now find
""".split()  # noqa: SIM905 - eighty quoted words are no easier to read
PIECES = (
    [b"<|end|>", b"\n\n"]
    + [f" {word}".encode() for word in WORDS]
    + [f" {word.capitalize()}".encode() for word in WORDS]
    + [
        b".",
        b",",
        b" 1",
        b" 42",
        "，".encode(),
        "你好".encode(),
        "模型".encode(),
        "🙂".encode(),
        b"ing",
        b"ed",
    ]
)


def vocabulary(folder: Path) -> Path:
    flags = [int(Flag.SPECIAL)] + [0] * (len(PIECES) - 1)
    return write_vocabulary(folder, PIECES, flags, Kind.BYTE_LEVEL)


def rows(count: int, paragraph: int, seed: int = 7) -> Iterator[TokenRow]:
    """`count` rows with five candidates each, as full as the local engine's. `t_ms` is filled in later."""
    chance = random.Random(seed)
    for index in range(count):
        if paragraph and index % paragraph == paragraph - 1:
            chosen = BREAK
        else:
            chosen = chance.randrange(2, len(PIECES))
        others = [token for token in chance.sample(range(2, len(PIECES)), 6) if token != chosen][:5]
        sure = chance.random() < 0.6  # more than half of the tokens are, as in real answers
        shares = sorted((chance.random() ** 3 * (0.01 if sure else 1) + 1e-6 for _ in range(7)), reverse=True)
        shares[0] = 1.0 if sure else shares[0]
        logprobs = [math.log(share / sum(shares)) for share in shares]
        drawn = chance.random()
        place = (
            0 if sure or drawn < 0.4 else chance.randrange(1, 5) if drawn < 0.85 else 5
        )  # 5: not among the five
        ids = [*others[:place], chosen, *others[place:]][: 5 if place < 5 else 6]
        ranks = [1, 2, 3, 4, 5, 57]
        listed = tuple(Candidate(token, logprobs[at], ranks[at], at < 4) for at, token in enumerate(ids))
        yield TokenRow(
            chosen,
            0.0,
            logprobs[place],
            ranks[place],
            chance.random() * 4,
            listed,
            1.0 - sum(math.exp(each.logprob or 0.0) for each in listed),
            4,
            logprobs[place] / 2,
        )


class Feed:
    """Answers every request of the protocol, one at a time; a cancel is seen between two tokens."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests = requests
        self._replies = replies
        self._cancelled: set[int] = set()
        self._order: dict[str, int] = {}
        self._lock = threading.Lock()

    def send(self, reply: protocol.Reply) -> None:
        with self._lock:
            self._replies.write(protocol.frame(reply))
            self._replies.flush()

    def run(self) -> None:
        decoder = msgspec.msgpack.Decoder(protocol.Request)
        while (body := protocol.read_frame(self._requests)) is not None:
            request = decoder.decode(body)
            if isinstance(request, protocol.Cancel):
                self._cancelled.add(request.job)
            elif isinstance(request, protocol.Generate):
                threading.Thread(target=self._generate, args=(request.job,), daemon=True).start()
            else:
                self._answer(request)
        os._exit(0)

    def _answer(self, request: protocol.Request) -> None:
        job = request.job
        if isinstance(request, protocol.OpenTokenizer):
            path = vocabulary(Path(request.vocabularies))
            self.send(protocol.TokenizerReady(job, str(path), True, False, None, (END,)))
        elif isinstance(request, protocol.LoadModel):
            self.send(protocol.ModelReady(job, "float32", "made up", "cpu", 1, 134_515_008, 1 << 20))
        elif isinstance(request, protocol.Render):
            text = request.messages[-1].content
            if text.startswith("{"):
                self._order = json.loads(text)
            ids, origins = array("I", [2] * 40), array("i", [0] * 40)
            self.send(protocol.Rendered(job, ids.tobytes(), origins.tobytes(), text, (), False, 0, ()))
        else:
            self.send(protocol.Done(job))

    def _generate(self, job: int) -> None:
        rate, count = self._order.get("rate", 200), self._order.get("tokens", 200)
        ready = list(rows(count, self._order.get("paragraph", 60)))
        self.send(protocol.Reading(job, 40, 0))
        started = time.perf_counter()
        if "TOKENLOUPE_FEED_CLOCK" in os.environ:
            Path(os.environ["TOKENLOUPE_FEED_CLOCK"]).write_text(str(int(started * 1e9)))
        sent = 0
        while sent < count and job not in self._cancelled:
            time.sleep(max(0.0, started + (sent + 1) / rate - time.perf_counter()))
            now = time.perf_counter() - started
            due = min(count, max(sent + 1, int(now * rate)))
            stamp = now * 1000
            batch = [msgspec.structs.replace(row, t_ms=stamp) for row in ready[sent:due]]
            self.send(protocol.Rows(job, batch))
            sent = due
        reason = "length" if sent == count else "stopped"
        self.send(
            protocol.Generated(job, reason, None, 1, 40, sent, 0, 1.0, sent / (time.perf_counter() - started))
        )


def main() -> None:
    # stdout carries frames only: whatever else prints goes to stderr
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    Feed(sys.stdin.buffer, replies).run()


if __name__ == "__main__":
    main()
