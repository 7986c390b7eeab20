"""The local engine: prepares a model step by step, tells its state, and generates through the worker."""

from __future__ import annotations

import contextlib
import logging
from array import array
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from core.engines.base import (
    NOTHING,
    EngineInfo,
    Extras,
    Finished,
    GenerationEvent,
    Prefilling,
    Sampling,
    TokenBatch,
)
from core.engines.state import MOVES, EngineState, Phase
from core.errors import EngineError, LoupeError, PromptError, WorkerLost
from core.models.catalog import BUILT_IN, built_in
from core.models.embedded import ensure_builtin, open_built_in
from core.models.folder import ModelFolder, read_folder
from core.models.ledger import Permit
from core.observe import Event
from core.paths import Paths
from core.prompt.base import ChatMessage, MediaKind, MediaSpan, Prompt, PromptOptions
from core.prompt.families import Family
from core.prompt.worker_prompter import WorkerPrompter
from core.tokens.vocabulary import Vocabulary
from core.worker import protocol
from core.worker.client import WorkerClient

log = logging.getLogger(__name__)
_PHASES = {"fetching": Phase.FETCHING, "extracting": Phase.CONVERTING, "converting": Phase.CONVERTING}


class LocalEngine:
    """One local model at a time. `open` may be called again after a failure, a loss, or for another model."""

    def __init__(self, worker: WorkerClient, paths: Paths, permit: Permit | None = None) -> None:
        """`permit`: is asked before the built-in model is fetched."""
        self._worker = worker
        self._paths, self._permit = paths, permit
        self._prompter = WorkerPrompter(worker)
        self._folder: ModelFolder | None = None
        self._info: EngineInfo | None = None
        self.vocabulary: Vocabulary | None = None
        self.vocabulary_path: Path | None = None
        self.has_template = False
        self.thinking_switch = False
        self.state = EngineState(Phase.ABSENT)
        self.state_changed: Event[EngineState] = Event()
        worker.lost.connect(self._lost)

    @property
    def info(self) -> EngineInfo:
        """Raises EngineError before a model is ready."""
        if self._info is None:
            raise EngineError("engine.no_model")
        return self._info

    @property
    def family(self) -> Family | None:
        return self._folder.family if self._folder else None

    async def open(self, model: str, *, dtype: str = "auto", device: str = "auto") -> None:
        """Make `model` ("built-in" or a folder) ready: fetch, convert, tokenizer, weights.

        State changes tell how far it is; on failure the state is FAILED and the error is raised. Cancelling
        leaves the state ABSENT and nothing half made.
        """
        self._info = None
        try:
            await self._open(model, dtype, device)
        except LoupeError as error:
            lost = isinstance(error, WorkerLost)
            self._move(EngineState(Phase.LOST if lost else Phase.FAILED, model, error=error))
            raise
        except BaseException:
            self._move(EngineState(Phase.ABSENT, model))
            raise

    async def _open(self, model: str, dtype: str, device: str) -> None:
        if model == BUILT_IN:
            self._move(EngineState(Phase.LOADING, built_in().name))

            def told(step: str, done: int, total: int) -> None:
                phase = _PHASES.get(step, Phase.VERIFYING)
                self._move(EngineState(phase, built_in().name, done=done, total=total))

            await ensure_builtin(self._worker, self._paths, told, self._permit)
            folder = open_built_in(self._paths.models)
        else:
            folder = read_folder(Path(model))
        self._folder = folder
        self._move(EngineState(Phase.LOADING, folder.name))
        await self.open_tokenizer(folder)
        ready = await self._worker.ask(
            lambda job: protocol.LoadModel(job, folder.path, dtype, device), protocol.ModelReady
        )
        self._info = EngineInfo(
            engine="local",
            model=folder.name,
            folder=folder.path,
            revision=folder.revision,
            dtype=ready.dtype,
            dtype_reason=ready.dtype_reason,
            device=ready.device,
            threads=ready.threads,
            context_limit=ready.context_limit,
            parameters=ready.parameters,
            recommended=folder.recommended,
        )
        self._move(EngineState(Phase.READY, folder.name, info=self._info))

    async def open_tokenizer(self, folder: ModelFolder) -> None:
        """Only what prompts need: works without torch."""
        opened = await self._prompter.open(folder.path, self._paths.vocabularies, folder.family)
        self.vocabulary_path = Path(opened.vocabulary)
        self.vocabulary = Vocabulary.open(self.vocabulary_path)
        self.has_template = opened.has_template
        self.thinking_switch = opened.thinking_switch

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """Raises PromptError ("prompt.media_local": it reads text alone), WorkerLost."""
        if any(message.attachments for message in messages):
            raise PromptError("prompt.media_local")
        return await self._prompter.render(messages, options)

    async def check_media(self, kind: MediaKind) -> None:
        """Raises PromptError: it reads text alone."""
        raise PromptError("prompt.media_local", kind=kind)

    async def leave(self) -> None:
        """Give the model's memory back; the worker goes on."""
        loaded, self._info = self._info is not None, None
        if loaded:
            with contextlib.suppress(WorkerLost):  # its memory is given back all the same
                await self._worker.ask(lambda job: protocol.UnloadModel(job), protocol.Done)
        if self.state.phase is not Phase.ABSENT:
            self._move(EngineState(Phase.ABSENT, self.state.model))

    async def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Yield what the worker sends; closing the generator stops it within one token.

        Raises EngineError ("engine.no_extras": it has nothing but sampling values), PromptError (context
        full, "prompt.media_local") or WorkerLost.
        """
        if media:
            raise PromptError("prompt.media_local")
        if extras != NOTHING:
            raise EngineError("engine.no_extras")
        if self._info is None or self.vocabulary_path is None:
            raise EngineError("engine.no_model")
        ids, vocabulary = array("I", prompt_ids).tobytes(), str(self.vocabulary_path)
        replies = self._worker.stream(
            lambda job: protocol.Generate(job, ids, sampling, top_candidates, vocabulary)
        )
        async with contextlib.aclosing(replies):
            async for reply in replies:
                if isinstance(reply, protocol.Rows):
                    yield TokenBatch(reply.rows)
                elif isinstance(reply, protocol.Reading):
                    yield Prefilling(reply.total, reply.reused)
                elif isinstance(reply, protocol.Generated):
                    yield _finished(reply)

    def _move(self, state: EngineState) -> None:
        if state.phase is not self.state.phase and state.phase not in MOVES[self.state.phase]:
            log.error("engine: %s -> %s is not allowed", self.state.phase.value, state.phase.value)
            return
        if state.phase is not self.state.phase:
            log.info("engine: %s -> %s", self.state.phase.value, state.phase.value)
        self.state = state
        self.state_changed.emit(state)

    def _lost(self, error: WorkerLost) -> None:
        self._info = None
        if Phase.LOST in MOVES[self.state.phase]:  # else nothing of it was in that process
            self._move(EngineState(Phase.LOST, self.state.model, error=error))


def _finished(reply: protocol.Generated) -> Finished:
    return Finished(
        reason=reply.reason,
        stop_reason=reply.stop_reason,
        seed=reply.seed,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        reused_tokens=reply.reused_tokens,
        prefill_ms=reply.prefill_ms,
        decode_tokens_per_second=reply.decode_tokens_per_second,
    )
