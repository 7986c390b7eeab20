"""One request to a server and its answer: what is sent, and each piece that comes as rows of the table."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

import msgspec

from core.engines.base import Expanded, Extras, Sampling, TokenBatch
from core.engines.vllm.answer import Arrivals
from core.engines.vllm.asked import Asked
from core.engines.vllm.attached import Body
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.completions import Completions
from core.engines.vllm.expansion import expanded
from core.engines.vllm.generate import Generate
from core.engines.vllm.http import Arrival, Refused, Server
from core.engines.vllm.rows import Mode, Reading, row
from core.engines.vllm.step import Step
from core.errors import EngineError
from core.prompt.base import MediaSpan
from core.tokens.row import TokenRow

WITHOUT_LIMIT = 512  # new tokens where neither the person nor the server names a limit


class Request(msgspec.Struct, frozen=True):
    """What one answer is asked for. `files`: where its attachments lie."""

    prompt_ids: tuple[int, ...]
    sampling: Sampling
    shown: int
    extras: Extras
    media: tuple[MediaSpan, ...]
    files: Path


class Exchange:
    """One request and its answer."""

    def __init__(
        self,
        server: Server,
        stall: float | None,
        capabilities: Capabilities,
        request: Request,
        agree: Callable[[Request, Expanded], None],
    ) -> None:
        """`agree` raises EngineError where the prompt was read otherwise before."""
        self._server = server
        self._stall = stall
        self._found = capabilities
        self._request = request
        self._agree = agree
        self._route: Generate | Completions = (
            Generate() if capabilities.route == "generate" else Completions()
        )
        self._read_as: Expanded | None = None
        self.arrivals = Arrivals(len(request.prompt_ids), capabilities.context_limit, request.sampling.seed)

    async def run(self, mode: Mode) -> AsyncGenerator[Expanded | TokenBatch, None]:
        """Raises Refused before the first token, EngineError after it."""
        request = self._request
        plain = self._route.body(self._asked(mode))
        body: bytes | Body = plain
        if request.media:
            body = Body(plain, [span.attachment for span in request.media], request.files)
        self.arrivals.models_own = mode is Mode.RAW_LOGPROBS and request.extras.structured is None
        reading = Reading(mode, request.sampling.greedy, request.shown, self._found.route == "generate")
        started = self._server.clock()
        done = False
        async with aclosing(self._server.stream(self._route.path, body, stall=self._stall)) as stream:
            async for arrival in stream:
                done = arrival.done
                rows: list[TokenRow] = []
                known = self._read_as
                try:
                    self._take(arrival, (arrival.at - started) * 1000, reading, rows)
                except EngineError:
                    if rows:  # what came in the same piece before the failure is kept
                        yield TokenBatch(rows)
                    raise
                if self._read_as is not None and known is None:
                    yield self._read_as
                if rows:
                    yield TokenBatch(rows)
        if not (done or self.arrivals.tokens or self.arrivals.ended):
            raise EngineError("engine.ended_early")

    def _take(self, arrival: Arrival, t_ms: float, reading: Reading, rows: list[TokenRow]) -> None:
        """Append the rows of one piece; on an error those before it are there."""
        for event in arrival.events:
            step = self._read(event, arrival)
            if step.error is not None:
                if not self.arrivals.tokens:
                    raise Refused(step.status, step.error)
                raise EngineError("server.said", detail=step.error)
            if step.prompt_ids is not None:
                self._compare(step.prompt_ids, step)
            self.arrivals.take(step, t_ms)
            rows += [row(token, t_ms, reading) for token in step.tokens]

    def _compare(self, told: tuple[int, ...], step: Step) -> None:
        request = self._request
        if not request.media:
            same(told, request.prompt_ids)
            return
        read = expanded(request.prompt_ids, request.media, told, step.placeholders)
        self._agree(request, read)
        self._read_as = read
        self.arrivals.read(len(read.ids))

    def _read(self, event: bytes, arrival: Arrival) -> Step:
        try:
            return self._route.read(event)
        except EngineError as error:
            if arrival.last:  # the connection ended inside an event
                raise EngineError("server.cut", address=self._server.address, detail=error.detail) from error
            raise

    def _asked(self, mode: Mode) -> Asked:
        request, limit = self._request, self._found.context_limit
        room = limit - len(request.prompt_ids) if limit is not None else None
        most = request.sampling.max_tokens or room or WITHOUT_LIMIT
        return Asked(
            model=self._found.model,
            prompt_ids=request.prompt_ids,
            sampling=request.sampling,
            max_tokens=most if room is None else max(1, min(most, room)),
            logprobs=self._logprobs(mode),
            extras=request.extras,
        )

    def _logprobs(self, mode: Mode) -> int | None:
        """One more than shown on the route of ids: 0.32 cuts its list when the token is not among them."""
        most = self._found.max_logprobs
        if mode in (Mode.NONE, Mode.UNKNOWN) or most is None:
            return None
        return min(self._request.shown + (self._found.route == "generate"), most)


def same(read: tuple[int, ...], sent: tuple[int, ...]) -> None:
    """The server reads exactly what was sent, or the answer is to another question.

    Raises EngineError("server.prompt_differs").
    """
    if read == sent:
        return
    pairs = enumerate(zip(read, sent, strict=False))
    shorter = min(len(read), len(sent))
    position = next((at for at, (one, other) in pairs if one != other), shorter)
    raise EngineError("server.prompt_differs", position=position)
