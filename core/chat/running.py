"""One answer being made: render the prompt, check its room, read the engine, write the table."""

from __future__ import annotations

import asyncio
import logging
import secrets
from array import array
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import msgspec

from core.chat.dialogue import dialogue, fit
from core.chat.messages import Answer, Conversation, Message, PromptFacts
from core.chat.state import ChatState
from core.chat.thinking import ThinkingMarkers
from core.chat.writer import AnswerWriter
from core.engines.base import Engine, Expanded, Finished, Prefilling, Sampling, TokenBatch
from core.engines.timing import timing
from core.errors import EngineError, LoupeError
from core.prompt.base import Prompter
from core.tokens.vocabulary import Vocabulary

log = logging.getLogger(__name__)


def with_seed(sampling: Sampling) -> Sampling:
    """The sampling with a seed drawn if it needs one and has none. Drawn here and not by the engine, so that
    an answer that is stopped or lost has its seed on record too."""
    if sampling.greedy or sampling.seed is not None:
        return sampling
    return msgspec.structs.replace(sampling, seed=secrets.randbits(32))


@dataclass(frozen=True, slots=True)
class Equipment:
    """What is attached to the session. `vocabulary_file`: the blob's file name, kept with each answer."""

    engine: Engine
    vocabulary: Vocabulary
    vocabulary_file: str = ""
    markers: ThinkingMarkers | None = None


@dataclass(slots=True, eq=False)
class Running:
    """The owner of one answer while it runs. `moved` and `grew` are called in order, in the loop's thread."""

    conversation: Conversation
    message: Message
    answer: Answer
    equipment: Equipment
    top_candidates: int
    moved: Callable[[ChatState], None]
    grew: Callable[[], None]
    prefilling: Prefilling | None = None
    finished: Finished | None = None
    error: LoupeError | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _writer: AnswerWriter | None = None

    async def produce(self, prompter: Prompter) -> None:
        """Run to the end. Whatever goes wrong is in `error`; a cancellation goes through, engine closed."""
        try:
            await self._produce(prompter)
        except LoupeError as error:
            self._failed(error)
        except Exception as error:  # the task's boundary: a bug must not leave the session running for ever
            log.exception("the answer failed")
            self._failed(EngineError("engine.failed", detail=f"{type(error).__name__}: {error}"))

    def _failed(self, error: LoupeError) -> None:
        if self.finished is None:
            self.error = error
        else:
            log.warning("after the end of an answer: %s", error)

    async def _produce(self, prompter: Prompter) -> None:
        asked = dialogue(self.conversation.system, self.conversation.path_to(self.message.parent or ""))
        prompt = await prompter.render(asked.messages, self.conversation.options)
        answer, equipment = self.answer, self.equipment
        answer.prompt_ids = prompt.ids
        plain = self.conversation.options.plain
        unsent = len(asked.messages) - 1 if plain else 0
        answer.prompt = PromptFacts(plain, unsent, prompt.bos_removed, prompt.media)
        limit = equipment.engine.info.context_limit
        sampling = fit(prompt, asked.messages, answer.sampling, limit)
        self._writer = AnswerWriter(
            answer, equipment.vocabulary, equipment.markers, thinking_open=prompt.thinking_open
        )
        self.moved(ChatState.PREFILLING)
        stream = equipment.engine.generate(
            prompt.ids,
            sampling,
            top_candidates=self.top_candidates,
            extras=answer.extras,
            media=prompt.media,
        )
        async with aclosing(stream):
            async for event in stream:
                if isinstance(event, TokenBatch):
                    self._take(event)
                elif isinstance(event, Prefilling):
                    self.prefilling = event
                elif isinstance(event, Expanded):
                    answer.prompt_ids = array("I", event.ids)
                    answer.prompt = msgspec.structs.replace(answer.prompt, media=event.media)
                else:
                    self.finished = _honest(event, answer.sampling, sampling)
                    break
        if self.finished is None:
            raise EngineError("engine.ended_early")

    def _take(self, batch: TokenBatch) -> None:
        assert self._writer is not None
        self.moved(ChatState.DECODING)
        if self._writer.add(batch.rows):
            self.grew()

    def close(self) -> ChatState:
        """Put the end on record and return the state it is. Not a coroutine: no cancellation can cut it."""
        answer = self.answer
        stopped = self.finished is None and self.error is None
        if stopped:
            self.finished = self._stopped()
        if self._writer is not None and self._writer.close(self.finished):
            self.grew()
        answer.finished = self.finished
        answer.error = self.error
        if self.finished is not None and self.finished.seed is not None:
            answer.sampling = msgspec.structs.replace(answer.sampling, seed=self.finished.seed)
        if self.error is not None:
            return ChatState.FAILED
        stopped = stopped or (self.finished is not None and self.finished.reason == "stopped")
        return ChatState.STOPPED if stopped else ChatState.FINISHED

    def _stopped(self) -> Finished | None:
        """What the engine would have told: counted and timed from what arrived."""
        if self._writer is None:  # not even the prompt was known
            return None
        times = self.answer.table.columns["t_ms"] + array("f", [row.t_ms for row in self._writer.waiting])
        prefill = rate = None
        if times:
            first = times[0]
            prefill, rate = timing(first, times[-1], len(times), len(times) - times.count(first))
        return Finished(
            reason="stopped",
            stop_reason=None,
            seed=self.answer.sampling.seed,
            prompt_tokens=len(self.answer.prompt_ids),
            completion_tokens=len(times),
            reused_tokens=self.prefilling.reused if self.prefilling else None,
            prefill_ms=prefill,
            decode_tokens_per_second=rate,
        )


def _honest(finished: Finished, asked: Sampling, used: Sampling) -> Finished:
    """A limit that was cut to the room left is the context's end, not the person's limit."""
    cut = used.max_tokens is not None and used.max_tokens != asked.max_tokens
    if cut and finished.reason == "length" and finished.completion_tokens >= (used.max_tokens or 0):
        return msgspec.structs.replace(finished, reason="context")
    return finished
