"""A vLLM server whose answer comes at a steady rate: the feed's tokens as /inference/v1/generate has them."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from core.tokens.row import TokenRow
from tests.bench.feed import rows
from tests.fakes.fake_vllm import Call, FakeVllm

# a folder whose config can be read
ROOT = Path(__file__).resolve().parents[1] / "cases" / "models" / "smollm2-tiny"


@dataclass
class Paced(FakeVllm):
    """`order`: tokens a second, how many, and of how many a paragraph is. `clock`: the file that then says
    when each was sent, in seconds of the system's own steady clock."""

    order: tuple[int, int, int] = (200, 200, 60)
    clock: Path = Path()

    async def _stream(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        rate, count, paragraph = self.order
        ready = [event(row) for row in rows(count, paragraph)]
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent, started, stamps = 0, time.perf_counter(), list[float]()
        while sent < count:
            await asyncio.sleep(max(0.0, started + (sent + 1) / rate - time.perf_counter()))
            now = time.perf_counter()
            due = min(count, max(sent + 1, int((now - started) * rate)))
            for piece in ready[sent:due]:  # as the server writes them: one event, one piece
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
            stamps += [now] * (due - sent)
            sent = due
        self.clock.write_text(json.dumps(stamps))
        usage = {"prompt_tokens": 40, "completion_tokens": count, "total_tokens": 40 + count}
        last = data({"choices": [], "usage": usage}) + b"data: [DONE]\n\n"
        writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(last), last))
        await writer.drain()
        return True


def event(row: TokenRow) -> bytes:
    top = [{"token_id": one.id, "logprob": one.logprob, "rank": one.rank} for one in row.candidates]
    own = {"token_id": row.id, "logprob": row.logprob, "rank": row.rank, "top_logprobs": top}
    choice = {
        "finish_reason": None,
        "stop_reason": None,
        "token_ids": [row.id],
        "logprobs": {"content": [own]},
    }
    return data({"request_id": "generate-tokens-x", "usage": None, "choices": [choice]})


def data(chunk: dict[str, object]) -> bytes:
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def serve(pipe: Connection, order: tuple[int, int, int], clock: Path) -> None:
    """In a process of its own, until told to end; its address comes through the pipe."""

    async def main() -> None:
        paced = Paced(
            scale_out=True, root=str(ROOT), tokenizes=False, max_model_len=1 << 20, order=order, clock=clock
        )
        async with paced.serve():
            pipe.send(paced.address)
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(main())
