"""The vLLM engine behind the Engine protocol: exact ids to a server that was asked what it can tell."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import NoReturn

import msgspec

from core.engines.base import (
    NOTHING,
    EngineInfo,
    Extras,
    GenerationEvent,
    Prefilling,
    Sampling,
    TokenBatch,
)
from core.engines.limits import within
from core.engines.vllm.answer import Arrivals
from core.engines.vllm.asked import Asked, check
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.completions import Completions
from core.engines.vllm.extras import check as check_extras
from core.engines.vllm.generate import Generate
from core.engines.vllm.http import STALL_SECONDS, Arrival, Refused, Server
from core.engines.vllm.identity import Identity
from core.engines.vllm.probe import Known, probe
from core.engines.vllm.rows import EVIDENCE, Mode, Reading, row
from core.engines.vllm.step import Step
from core.engines.vllm.wire import Tokenized
from core.errors import EngineError
from core.tasks import TaskScope
from core.tokens.row import TokenRow

log = logging.getLogger(__name__)
_WITHOUT_LIMIT = 512  # new tokens where neither the person nor the server names a limit


class VllmEngine:
    """One server and one of its models. `connect` before the first answer, `close` at the end."""

    def __init__(
        self,
        address: str,
        *,
        key: str = "",
        stall: float | None = STALL_SECONDS,
        clock: Callable[[], float] = time.perf_counter,
        known: Known | None = None,
    ) -> None:
        """`known`: what was found of servers before, kept by whoever makes the engines."""
        self._server = Server(address, key=key, clock=clock)
        self._scope = TaskScope(on_error=lambda error: log.debug("%s", error))  # raised where it is awaited
        self._stall = stall
        self._known: Known = {} if known is None else known
        self._capabilities: Capabilities | None = None
        self._identity: Identity | None = None
        self._recommended = Sampling(max_tokens=_WITHOUT_LIMIT)
        self._revision = ""
        self._refused: tuple[int, str] | None = None

    @property
    def address(self) -> str:
        return self._server.address

    @property
    def capabilities(self) -> Capabilities:
        """Raises EngineError before `connect`."""
        if self._capabilities is None:
            raise EngineError("engine.no_model")
        return self._capabilities

    @property
    def info(self) -> EngineInfo:
        """Device, precision and size are the server's and not told. Raises EngineError before `connect`."""
        found = self.capabilities
        return EngineInfo(
            engine="vllm",
            model=found.model,
            folder=found.root,
            revision=self._revision,
            context_limit=found.context_limit,
            recommended=within(self._recommended, found.refuses),
            evidence=EVIDENCE[self._mode],
            version=found.version,
            route=found.route,
            numbers=self._mode.value,
            refuses=found.refuses,
            speculative=found.speculative,
        )

    @property
    def refused(self) -> tuple[int, str] | None:
        """(status, its words) where the server refused a request because of the numbers asked for."""
        return self._refused

    async def connect(self, model: str = "", *, again: bool = False) -> Capabilities:
        """Ask the server everything; `again`: also what is known of it. Raises EngineError: it cannot be
        used, and why; what was known before then stays."""
        if again:
            self._known.clear()
        found = await probe(self._server, model, self._known)
        self._capabilities = found
        self._refused = None
        self._identity = Identity(self._server, found)
        return found

    def describe(self, *, recommended: Sampling, revision: str = "") -> None:
        """What the model's own files say, which a server does not tell."""
        self._recommended = recommended
        self._revision = revision

    async def compare(self, text: str, ids: Sequence[int]) -> bool:
        """True: the server's tokenizer makes the same of a rendered prompt. False: it has none to ask.

        Raises EngineError("server.prompt_differs").
        """
        request = {"model": self.capabilities.model, "prompt": text, "add_special_tokens": False}
        reply = await self._server.post("/tokenize", msgspec.json.encode(request), seconds=60)
        if reply.status != 200:
            return False
        try:
            tokens = msgspec.json.decode(reply.body, type=Tokenized).tokens
        except msgspec.DecodeError:
            return False
        read, sent = tuple(tokens), tuple(ids)
        if read != sent[1:]:  # else: a begin token that the tokenizer here added, as its model wants it
            same(read, sent)
        return True

    async def close(self) -> None:
        await self._scope.close()
        await self._server.close()

    async def generate(
        self, prompt_ids: Sequence[int], sampling: Sampling, *, top_candidates: int, extras: Extras = NOTHING
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Closing the generator closes the connection, which stops the server.

        Whether it is still the server that was probed is asked at the same time, and known before the first
        token is given out. Raises EngineError; what came before it is kept by whoever took it.
        """
        self._check(sampling, extras)
        if self._identity is None:
            raise EngineError("engine.no_model")
        confirming = self._scope.spawn(self._identity.confirm(), name="vllm identity")
        try:
            async with aclosing(self._generate(prompt_ids, sampling, top_candidates, extras)) as events:
                async for event in events:
                    if not isinstance(event, Prefilling):
                        await confirming
                    yield event
        except EngineError:
            await confirming  # another server fails for reasons of its own
            raise
        finally:
            confirming.cancel()
            await asyncio.wait([confirming])

    def _check(self, sampling: Sampling, extras: Extras) -> None:
        found = self.capabilities
        check(sampling, found.refuses)
        check_extras(extras, sampling, speculative=bool(found.speculative), route=found.route)

    async def _generate(
        self, prompt_ids: Sequence[int], sampling: Sampling, top_candidates: int, extras: Extras
    ) -> AsyncGenerator[GenerationEvent, None]:
        found = self.capabilities
        if sampling.seed is None and not sampling.greedy:
            sampling = msgspec.structs.replace(sampling, seed=secrets.randbits(32))
        yield Prefilling(total=len(prompt_ids), reused=None)
        answer = self._answer(found, prompt_ids, sampling, top_candidates, extras)
        mode = self._mode if extras.numbers else Mode.NONE
        if self._refused is not None:
            answer.arrivals.refuse(*self._refused)
        try:
            async with aclosing(answer.run(mode)) as batches:
                async for batch in batches:
                    yield batch
        except Refused as refused:
            if answer.arrivals.tokens or not await self._because_of_numbers(mode, refused):
                await self._explain(refused)
            answer = self._answer(found, prompt_ids, sampling, top_candidates, extras)
            answer.arrivals.refuse(refused.status, refused.detail)
            try:
                async with aclosing(answer.run(Mode.NONE)) as batches:
                    async for batch in batches:
                        yield batch
            except Refused as again:
                await self._explain(again)
            self._refused = refused.status, refused.detail
        except EngineError as failure:
            if failure.code == "server.said" and not await self._alive():
                raise EngineError("server.engine_dead", detail=failure.detail) from failure
            raise
        yield answer.arrivals.finished()

    def _answer(
        self, found: Capabilities, prompt_ids: Sequence[int], sampling: Sampling, shown: int, extras: Extras
    ) -> _Answer:
        answer = _Answer(self._server, self._stall, found, tuple(prompt_ids), sampling, shown, extras)
        if extras.structured is not None:
            answer.arrivals.note("form_masked")  # in every mode the numbers are those after its mask
        return answer

    @property
    def _mode(self) -> Mode:
        return Mode.NONE if self._refused else self.capabilities.mode

    async def _because_of_numbers(self, mode: Mode, refused: Refused) -> bool:
        """Whether asking once more without numbers may help."""
        if mode is Mode.NONE or refused.status not in (400, 422, 500):
            return False
        if refused.status != 500:
            return "logprob" in refused.detail.lower()
        return await self._alive()

    async def _alive(self) -> bool:
        try:
            return (await self._server.get("/health")).status == 200
        except EngineError:
            return False

    async def _explain(self, refused: Refused) -> NoReturn:
        """Raise what an error status means here."""
        found = self.capabilities
        if refused.status in (401, 403):
            raise EngineError("server.key", address=self.address, detail=refused.detail) from refused
        if refused.status == 404:
            served = ", ".join(found.served)
            raise EngineError(
                "server.model", model=found.model, served=served, detail=refused.detail
            ) from refused
        if refused.status >= 500 and not await self._alive():
            raise EngineError("server.engine_dead", detail=refused.detail) from refused
        raise refused


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


class _Answer:
    """One request and its answer."""

    def __init__(
        self,
        server: Server,
        stall: float | None,
        capabilities: Capabilities,
        prompt_ids: tuple[int, ...],
        sampling: Sampling,
        shown: int,
        extras: Extras,
    ) -> None:
        self._server = server
        self._stall = stall
        self._found = capabilities
        self._prompt_ids = prompt_ids
        self._sampling = sampling
        self._shown = shown
        self._extras = extras
        self._route: Generate | Completions = (
            Generate() if capabilities.route == "generate" else Completions()
        )
        self.arrivals = Arrivals(len(prompt_ids), capabilities.context_limit, sampling.seed)

    async def run(self, mode: Mode) -> AsyncGenerator[TokenBatch, None]:
        """Raises Refused before the first token, EngineError after it."""
        body = self._route.body(self._asked(mode))
        reading = Reading(mode, self._sampling.greedy, self._shown, self._found.route == "generate")
        started = self._server.clock()
        done = False
        async with aclosing(self._server.stream(self._route.path, body, stall=self._stall)) as stream:
            async for arrival in stream:
                done = arrival.done
                rows: list[TokenRow] = []
                try:
                    self._take(arrival, (arrival.at - started) * 1000, reading, rows)
                except EngineError:
                    if rows:  # what came in the same piece before the failure is kept
                        yield TokenBatch(rows)
                    raise
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
                same(step.prompt_ids, self._prompt_ids)
            self.arrivals.take(step, t_ms)
            rows += [row(token, t_ms, reading) for token in step.tokens]

    def _read(self, event: bytes, arrival: Arrival) -> Step:
        try:
            return self._route.read(event)
        except EngineError as error:
            if arrival.last:  # the connection ended inside an event
                raise EngineError("server.cut", address=self._server.address, detail=error.detail) from error
            raise

    def _asked(self, mode: Mode) -> Asked:
        limit = self._found.context_limit
        room = limit - len(self._prompt_ids) if limit is not None else None
        most = self._sampling.max_tokens or room or _WITHOUT_LIMIT
        return Asked(
            model=self._found.model,
            prompt_ids=self._prompt_ids,
            sampling=self._sampling,
            max_tokens=most if room is None else max(1, min(most, room)),
            logprobs=self._logprobs(mode),
            extras=self._extras,
        )

    def _logprobs(self, mode: Mode) -> int | None:
        """One more than shown on the route of ids: 0.32 cuts its list when the token is not among them."""
        most = self._found.max_logprobs
        if mode in (Mode.NONE, Mode.UNKNOWN) or most is None:
            return None
        return min(self._shown + (self._found.route == "generate"), most)
