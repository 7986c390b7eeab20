"""An engine that plays a script, for what a real one cannot be made to do: faults, odd orders, silence."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field

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
from core.errors import LoupeError
from core.prompt.base import TEMPLATE, ChatMessage, MediaSpan, Prompt, PromptOptions
from core.tokens.row import Candidate, TokenRow
from core.tokens.vocabulary import Flag, Vocabulary

SPECIALS = ("<|end|>", "<think>", "</think>")
END, THINK, END_THINK = 256, 257, 258
PLACEHOLDER = 1000
HELD = object()  # in a script: wait here until cancelled or let go


def byte_vocabulary(words: Sequence[str] = ()) -> Vocabulary:
    """Ids 0–255 are bytes, then `SPECIALS`, then `words`."""
    pieces = [bytes([value]) for value in range(256)] + [text.encode() for text in (*SPECIALS, *words)]
    flags = [Flag.NONE] * 256 + [Flag.SPECIAL] * len(SPECIALS) + [Flag.NONE] * len(words)
    return Vocabulary.from_pieces(pieces, flags)


def row(token: int, at: float) -> TokenRow:
    """Plausible numbers: the chosen token at 50 %, one other at 25 %."""
    listed = (
        Candidate(token, -0.6931471805599453, 1, True),
        Candidate((token + 1) % 256, -1.3862944, 2, False),
    )
    return TokenRow(token, at, -0.6931471805599453, 1, 1.5, listed, 0.25, 1, 0.0)


def rows(text: str | bytes, *, at: float = 100.0, step: float = 20.0) -> list[TokenRow]:
    """One token for each byte."""
    raw = text.encode() if isinstance(text, str) else text
    return [row(value, at + step * index) for index, value in enumerate(raw)]


def finished(count: int, **changes: object) -> Finished:
    values: dict[str, object] = {
        "reason": "stop", "stop_reason": END, "seed": None, "prompt_tokens": 3, "completion_tokens": count,
        "reused_tokens": 0, "prefill_ms": 100.0, "decode_tokens_per_second": 50.0,
    }  # fmt: skip
    return Finished(**{**values, **changes})  # type: ignore[arg-type]


def said(text: str, **changes: object) -> list[object]:
    """The script of an answer that goes well: one batch for each token."""
    tokens = [*rows(text), row(END, 5000.0)]
    batches = [TokenBatch([one]) for one in tokens]
    return [Prefilling(3, 0), *batches, finished(len(tokens), **changes)]


@dataclass
class ScriptedEngine:
    """Plays one script a generation; the last one again and again. An exception in a script is raised."""

    scripts: list[list[object]]
    info: EngineInfo = field(
        default_factory=lambda: EngineInfo(engine="local", model="scripted", revision="r1")
    )
    asked: list[tuple[list[int], Sampling, int]] = field(default_factory=list)
    extras: Extras = NOTHING  # of the last generation
    media: tuple[MediaSpan, ...] = ()  # the same
    closed: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)  # a HELD is being waited at
    go: asyncio.Event = field(default_factory=asyncio.Event)
    at_step: Callable[[object], None] | None = None

    async def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        self.asked.append((list(prompt_ids), sampling, top_candidates))
        self.extras, self.media = extras, tuple(media)
        script = self.scripts[min(len(self.asked), len(self.scripts)) - 1]
        try:
            for step in script:
                if step is HELD:
                    self.reached.set()
                    await self.go.wait()
                elif isinstance(step, BaseException):
                    raise step
                else:
                    yield step  # type: ignore[misc]
        finally:
            self.closed += 1


@dataclass
class PlainPrompter:
    """One token for each byte of "role:text;", before it one for each attachment; keeps what it was asked.
    `errors` are raised first."""

    errors: list[LoupeError] = field(default_factory=list)
    asked: list[tuple[tuple[ChatMessage, ...], PromptOptions]] = field(default_factory=list)
    opened: bool = False
    bos_removed: int = 0
    hold: asyncio.Event | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)  # `hold` is being waited for

    @property
    def last(self) -> list[tuple[str, str]]:
        return [(message.role, message.content) for message in self.asked[-1][0]]

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        self.asked.append((tuple(messages), options))
        if self.hold is not None:
            self.reached.set()
            await self.hold.wait()
        if self.errors:
            raise self.errors.pop(0)
        ids, origins, media = array("I"), array("i"), list[MediaSpan]()
        for index, message in enumerate(messages):
            for one in message.attachments:
                media.append(MediaSpan(one, index, len(ids)))
                ids.append(PLACEHOLDER)
                origins.append(TEMPLATE)
            for part, origin in ((f"{message.role}:", TEMPLATE), (message.content, index), (";", TEMPLATE)):
                raw = part.encode()
                ids.extend(raw)
                origins.extend([origin] * len(raw))
        opened, removed = self.opened, self.bos_removed
        return Prompt(ids, origins, "", thinking_open=opened, bos_removed=removed, media=tuple(media))
