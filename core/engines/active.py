"""The engine in use: one of several, behind one face for whoever does not care which."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from core.engines.base import NOTHING, EngineInfo, Extras, GenerationEvent, Sampling
from core.engines.host import EngineHost
from core.engines.state import EngineState
from core.observe import Event
from core.prompt.base import ChatMessage, MediaKind, MediaSpan, Prompt, PromptOptions
from core.prompt.families import Family
from core.tokens.vocabulary import Vocabulary


class ActiveEngine:
    """Passes everything on to `host`, which `use` changes; `state_changed` is that of the one in use."""

    def __init__(self, host: EngineHost) -> None:
        self.state_changed: Event[EngineState] = Event()
        self.host = host
        self._disconnect = host.state_changed.connect(self.state_changed.emit)

    async def use(self, host: EngineHost) -> None:
        """Leave the engine in use for this one, whose state is told at once."""
        if host is self.host:
            return
        self._disconnect()
        before, self.host = self.host, host
        self._disconnect = host.state_changed.connect(self.state_changed.emit)
        self.state_changed.emit(host.state)
        await before.leave()

    @property
    def state(self) -> EngineState:
        return self.host.state

    @property
    def info(self) -> EngineInfo:
        """Raises EngineError before a model is ready."""
        return self.host.info

    @property
    def family(self) -> Family | None:
        return self.host.family

    @property
    def vocabulary(self) -> Vocabulary | None:
        return self.host.vocabulary

    @property
    def vocabulary_path(self) -> Path | None:
        return self.host.vocabulary_path

    @property
    def has_template(self) -> bool:
        return self.host.has_template

    @property
    def thinking_switch(self) -> bool:
        return self.host.thinking_switch

    def generate(
        self,
        prompt_ids: Sequence[int],
        sampling: Sampling,
        *,
        top_candidates: int,
        extras: Extras = NOTHING,
        media: Sequence[MediaSpan] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        return self.host.generate(
            prompt_ids, sampling, top_candidates=top_candidates, extras=extras, media=media
        )

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """Raises PromptError."""
        return await self.host.render(messages, options)

    async def check_media(self, kind: MediaKind) -> None:
        """Raises PromptError, EngineError."""
        await self.host.check_media(kind)

    async def leave(self) -> None:
        await self.host.leave()
