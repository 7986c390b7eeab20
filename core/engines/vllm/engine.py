"""The vLLM engine behind the Engine protocol: exact ids to a server that was asked what it can tell."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import NoReturn

import msgspec

from core.engines.base import (
    NOTHING,
    EngineInfo,
    Expanded,
    Extras,
    GenerationEvent,
    Prefilling,
    Sampling,
)
from core.engines.limits import within
from core.engines.vllm import media
from core.engines.vllm.asked import check
from core.engines.vllm.capabilities import Capabilities, Cell
from core.engines.vllm.exchange import WITHOUT_LIMIT, Exchange, Request, same
from core.engines.vllm.extras import check as check_extras
from core.engines.vllm.http import STALL_SECONDS, Refused, Server
from core.engines.vllm.identity import Identity
from core.engines.vllm.probe import Known, probe
from core.engines.vllm.rows import EVIDENCE, Mode
from core.engines.vllm.wire import Tokenized
from core.errors import EngineError
from core.prompt.base import MediaSpan, Prompt
from core.tasks import TaskScope

log = logging.getLogger(__name__)
_EXPANSIONS = 16  # prompts with files that are remembered


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
        files: Path | None = None,
    ) -> None:
        """`known`: what was found of servers before, kept by whoever makes the engines. `files`: the folder
        of attachments."""
        self._server = Server(address, key=key, clock=clock)
        self._scope = TaskScope(on_error=lambda error: log.debug("%s", error))  # raised where it is awaited
        self._stall = stall
        self._known: Known = {} if known is None else known
        self._capabilities: Capabilities | None = None
        self._identity: Identity | None = None
        self._recommended = Sampling(max_tokens=WITHOUT_LIMIT)
        self._revision = ""
        self._refused: tuple[int, str] | None = None
        self._files = files or Path()
        self._expanded: dict[tuple[object, ...], tuple[int, ...]] = {}  # prompt and files → as it was read

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

    async def ask_media(self, prompt: Prompt) -> Capabilities:
        """Whether the server takes the one file in `prompt`; may take minutes, and can be cancelled.

        Raises EngineError where there is no answer.
        """
        before = self.capabilities
        return self.found(await media.ask(self._server, before, prompt, self._files))

    def found(self, cell: Cell) -> Capabilities:
        """The matrix with this line in it, in place of the one before."""
        before = self.capabilities
        cells = (*(one for one in before.cells if one.name != cell.name), cell)
        now = self._capabilities = msgspec.structs.replace(before, cells=cells)
        self._known.update({key: now for key, one in self._known.items() if one is before})
        return now

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
        if read not in (sent, sent[1:]):  # without a begin token that the tokenizer here adds for its model
            if self._identity is not None:
                await self._identity.confirm()  # another server reads otherwise for reasons of its own
            same(read, sent)
        return True

    async def close(self) -> None:
        await self._server.close()
        await self._scope.close()

    async def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Closing the generator closes the connection, which stops the server.

        Whether it is still the server that was probed is asked at the same time, and known before the first
        token is given out. Raises EngineError; what came before it is kept by whoever took it.
        """
        self._check(sampling, extras)
        if media and self.capabilities.route != "generate":
            raise EngineError("media.route")
        if self._identity is None:
            raise EngineError("engine.no_model")
        confirming = self._scope.spawn(self._identity.confirm(), name="vllm identity")
        try:
            asked = self._generate(tuple(prompt_ids), sampling, top_candidates, extras, tuple(media))
            async with aclosing(asked) as events:
                async for event in events:
                    if not isinstance(event, Prefilling):
                        await _end_of(confirming)
                    yield event
        except EngineError:
            await _end_of(confirming)  # another server fails for reasons of its own
            raise
        finally:
            confirming.cancel()
            await asyncio.wait([confirming])

    def _check(self, sampling: Sampling, extras: Extras) -> None:
        found = self.capabilities
        check(sampling, found.refuses)
        check_extras(extras, sampling, speculative=bool(found.speculative), route=found.route)

    async def _generate(
        self,
        prompt_ids: tuple[int, ...],
        sampling: Sampling,
        top_candidates: int,
        extras: Extras,
        media: tuple[MediaSpan, ...],
    ) -> AsyncGenerator[GenerationEvent, None]:
        found = self.capabilities
        if sampling.seed is None and not sampling.greedy:
            sampling = msgspec.structs.replace(sampling, seed=secrets.randbits(32))
        yield Prefilling(total=len(prompt_ids), reused=None)
        answer = self._answer(found, prompt_ids, sampling, top_candidates, extras, media)
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
            answer = self._answer(found, prompt_ids, sampling, top_candidates, extras, media)
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
        self,
        found: Capabilities,
        prompt_ids: tuple[int, ...],
        sampling: Sampling,
        shown: int,
        extras: Extras,
        media: tuple[MediaSpan, ...],
    ) -> Exchange:
        request = Request(prompt_ids, sampling, shown, extras, media, self._files)
        answer = Exchange(self._server, self._stall, found, request, self._agree)
        if extras.structured is not None:
            answer.arrivals.note("form_masked")  # in every mode the numbers are those after its mask
        return answer

    def _agree(self, request: Request, read: Expanded) -> None:
        """A prompt with the same files is always read the same, or an earlier answer was to another one.

        Raises EngineError("server.expansion_differs").
        """
        key = (request.prompt_ids, *(span.attachment.digest for span in request.media))
        before = self._expanded.setdefault(key, read.ids)
        if before != read.ids:
            raise EngineError("server.expansion_differs", before=len(before), now=len(read.ids))
        while len(self._expanded) > _EXPANSIONS:
            del self._expanded[next(iter(self._expanded))]

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


async def _end_of(confirming: asyncio.Task[None]) -> None:
    """Raises its error. That `close` ended it must not look as if the one who waits had been cancelled."""
    if not confirming.done():
        await asyncio.wait([confirming])
    if confirming.cancelled():
        raise EngineError("engine.no_model")
    confirming.result()
