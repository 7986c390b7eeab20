"""A server on a real socket that plays the faults a real vLLM cannot be made to play.

Shapes are those of 0.32.0; each attribute is one fault or setting. Everything runs in the test's own loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.server_tokenizer import ServerTokenizer

SCALE_OUT_OFF = {
    "error": {
        "message": "Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to "
        "enable them.",
        "type": "PermissionDeniedError",
        "param": None,
        "code": 403,
    }
}
# ids and values of one token, as recorded in each mode (temperature 1, top-k 2, five listed)
ONE_TOKEN: dict[str, list[tuple[int, float]]] = {
    "raw_logprobs": [(2089, -2.113), (392, -2.488), (1122, -2.676), (1772, -2.738), (2199, -2.801)],
    "raw_logits": [(2089, 11.3125), (392, 10.9375), (1122, 10.75), (1772, 10.6875), (2199, 10.625)],
    "processed_logprobs": [(2089, -0.523), (392, -0.898), (3, -9999.0), (1, -9999.0), (4, -9999.0)],
    "processed_logits": [(2089, 11.3125), (392, 10.9375), (3, -9999.0), (1, -9999.0), (4, -9999.0)],
}


def error(message: str, code: int) -> dict[str, Any]:
    return {"error": {"message": message, "type": "BadRequestError", "param": None, "code": code}}


@dataclass
class Call:
    method: str
    path: str
    body: Any
    headers: dict[str, str]


@dataclass
class FakeVllm:
    """`stream`: the body of a streamed answer; `chunk`: bytes in one piece; `cut`: bytes after which the
    connection breaks; `hold`: it stays open after the body; `release`: waited for before the head of a
    streamed answer; `broken_numbers`: status 500 whenever numbers are asked for; `tls`: how it proves who it
    is; `others`: more models, id → root; `lists`, `generates` False: as while the model is loaded;
    `tokenizer`: answers /tokenize and /detokenize."""

    version: str | None = "0.32.0"
    model: str = "tiny"
    others: dict[str, str] = field(default_factory=dict)
    root: str = "/models/tiny"
    max_model_len: int = 512
    prefix: str = ""
    key: str = ""
    scale_out: bool = False
    mode: str = "raw_logprobs"
    max_logprobs: int = 20
    start: float = 1795962703.9
    metrics: bool = True
    counters: bool = True
    speculative: bool = False
    block_size: int = 16
    vllm: bool = True
    tokenizes: bool = True
    healthy: bool = True
    lists: bool = True
    generates: bool = True
    sampling_mask: bool = False
    broken_numbers: bool = False
    stream: bytes = b""
    chunk: int = 0
    cut: int | None = None
    hold: bool = False
    release: asyncio.Event | None = None
    stream_status: tuple[int, Any] | None = None
    tls: ssl.SSLContext | None = None
    tokenizer: ServerTokenizer | None = None
    calls: list[Call] = field(default_factory=list)
    streaming: asyncio.Event = field(default_factory=asyncio.Event)
    closed_by_client: asyncio.Event = field(default_factory=asyncio.Event)
    sent_all: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0
    _server: asyncio.Server | None = None
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}{self.prefix}"

    @property
    def asked(self) -> list[Call]:
        """The streamed generations."""
        return [call for call in self.calls if isinstance(call.body, dict) and call.body.get("stream")]

    @contextlib.asynccontextmanager
    async def serve(self) -> AsyncIterator[FakeVllm]:
        await self.begin()
        try:
            yield self
        finally:
            await self.end()

    async def begin(self) -> None:
        """Listen, on the same port again after `end`."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def end(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while (call := await _read(reader)) is not None:
                self.calls.append(call)
                if not await self._answer(call, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.closed_by_client.set()
        except asyncio.CancelledError:
            pass  # `end` was called
        finally:
            self._open.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """True if the connection may be used again."""
        if isinstance(call.body, dict) and call.body.get("stream"):
            return await self._stream(call, reader, writer)
        status, value = self._whole(call)
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        return call.headers.get("connection") != "close"

    def _locked(self, call: Call, path: str) -> bool:
        guarded = self.key and path.startswith(("/v1", "/inference"))
        return bool(guarded) and call.headers.get("authorization") != f"Bearer {self.key}"

    def _whole(self, call: Call) -> tuple[int, Any]:
        path = call.path.removeprefix(self.prefix) if call.path.startswith(self.prefix) else ""
        path = path.replace("/metrics/", "/metrics")  # the one that can be asked for single counters
        if not self.vllm:
            return 404, b"<html>nothing here</html>"
        if self._locked(call, path):
            return 401, {"error": "Unauthorized"}
        if path == "/version" and self.version is not None:
            return 200, {"version": self.version}
        if path == "/v1/models":
            named = {self.model: self.root, **self.others}
            limit = self.max_model_len
            listed = [{"id": id, "root": root, "max_model_len": limit} for id, root in named.items()]
            return 200, {"object": "list", "data": listed if self.lists else []}
        if path == "/metrics" and not self.counters:  # --disable-log-stats
            return 200, f"process_start_time_seconds {self.start}\n".encode()
        if path == "/metrics" and self.metrics:
            said = f'vllm:prompt_tokens_created{{engine="0"}} {self.start}\n'
            said += (
                f'vllm:cache_config_info{{_block_size_resolved="True",block_size="{self.block_size}"}} 1.0\n'
            )
            if self.speculative:
                said += 'vllm:spec_decode_num_drafts_total{engine="0"} 0.0\n'
            return 200, said.encode()
        if path == "/health":
            return (200, b"") if self.healthy else (503, b"")
        if self.tokenizer is not None and path in ("/tokenize", "/detokenize"):
            return self.tokenizer.answer(path, call.body)
        if path == "/tokenize" and self.tokenizes:
            return 200, {"count": 3, "tokens": [11, 12, 13]}
        if path == "/inference/v1/generate":
            if not self.scale_out:
                return 403, SCALE_OUT_OFF
            return self._one(call.body, generate=True) if call.body else (400, error("Field required", 400))
        if path == "/v1/completions":
            return self._one(call.body, generate=False)
        return 404, {"detail": "Not Found"}

    def _refusal(self, asked: dict[str, Any]) -> tuple[int, Any] | None:
        logprobs = asked.get("logprobs")
        if logprobs is not None and self.broken_numbers:
            return 500, error("Out of range float values are not JSON compliant", 500)
        if logprobs is not None and logprobs > self.max_logprobs:
            words = f"Requested sample logprobs of {logprobs}, which is greater than max allowed: "
            return 400, error(f"{words}{self.max_logprobs}", 400)
        if self.sampling_mask and asked["temperature"] > 0 and asked["top_k"] <= 0:
            return 400, error("sampling distribution replay requires top_k > 0 to bound the mask", 400)
        if self.sampling_mask and asked["temperature"] == 0:
            return 400, error("sampling distribution replay requires temperature > 0", 400)
        return None

    def _one(self, body: dict[str, Any], *, generate: bool) -> tuple[int, Any]:
        asked = body["sampling_params"] if generate else body
        if not self.generates:
            return 503, error("The model is not loaded yet", 503)
        if self.tokenizer is not None and "allowed_token_ids" in asked:
            return 200, {"choices": [self.tokenizer.generated(asked["allowed_token_ids"][0])]}
        if (refused := self._refusal(asked)) is not None:
            return refused
        logprobs, entries = asked.get("logprobs"), ONE_TOKEN[self.mode]
        if self.mode.startswith("processed") and (asked["top_k"] == 1 or asked["top_p"] < 0.1):
            own = 0.0 if self.mode == "processed_logprobs" else entries[0][1]
            entries = [(2089, own), *((id, -9999.0) for id, _ in entries[1:])]
        usage = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
        choice: dict[str, Any] = {"finish_reason": "length", "token_ids": [2089], "logprobs": None}
        if generate:
            choice["sampling_mask"] = [[2089, 392]] if self.sampling_mask else None
            if logprobs is not None:
                top = [
                    {"token_id": id, "logprob": value, "rank": at}
                    for at, (id, value) in enumerate(entries, 1)
                ]
                choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top[:logprobs]}]}
            return 200, {"request_id": "generate-tokens-x", "choices": [choice], "usage": usage}
        if logprobs is not None:
            choice["logprobs"] = {
                "tokens": ["token_id:2089"],
                "token_logprobs": [entries[0][1]],
                "top_logprobs": [{f"token_id:{id}": value for id, value in entries[: max(logprobs, 1)]}],
            }
        return 200, {"id": "cmpl-x", "choices": [choice], "usage": usage}

    async def _stream(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        asked = call.body.get("sampling_params", call.body)
        locked = (401, {"error": "Unauthorized"}) if self._locked(call, call.path) else None
        refused = locked or self.stream_status or self._refusal(asked)
        if refused is not None:
            body = json.dumps(refused[1]).encode()
            writer.write(f"HTTP/1.1 {refused[0]} X\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            return True
        self.streaming.set()
        if self.release is not None:
            await self.release.wait()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        body = self.stream if self.cut is None else self.stream[: self.cut]
        step = self.chunk or max(len(body), 1)
        for at in range(0, len(body), step):
            piece = body[at : at + step]
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
        self.sent_all.set()
        if self.cut is not None:
            return False
        if self.hold:
            if await reader.read(1) == b"":
                self.closed_by_client.set()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def _read(reader: asyncio.StreamReader) -> Call | None:
    """The next request, None when the client has closed."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = head[0].split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    return Call(method, path.partition("?")[0], json.loads(raw) if raw else None, headers)
