"""An engine as the program holds it: opened, watched and left, with what belongs to its model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.engines.base import Engine
from core.engines.state import EngineState
from core.observe import Event
from core.prompt.base import ChatMessage, MediaKind, Prompt, PromptOptions
from core.prompt.families import Family
from core.tokens.vocabulary import Vocabulary


class EngineHost(Engine, Protocol):
    """What every engine has beside its answers. The values are those of the model that is READY.

    `vocabulary_path`: the blob's file, whose name is kept with each answer. `thinking_switch`: the template
    reads `enable_thinking`.
    """

    state_changed: Event[EngineState]

    @property
    def state(self) -> EngineState: ...
    @property
    def family(self) -> Family | None: ...
    @property
    def vocabulary(self) -> Vocabulary | None: ...
    @property
    def vocabulary_path(self) -> Path | None: ...
    @property
    def has_template(self) -> bool: ...
    @property
    def thinking_switch(self) -> bool: ...

    async def render(self, messages: Sequence[ChatMessage], options: PromptOptions) -> Prompt:
        """The exact ids this engine's model reads. Raises PromptError."""
        ...

    async def check_media(self, kind: MediaKind) -> None:
        """Whether the model takes files of this kind; a server is asked, which may take minutes. Raises
        PromptError or EngineError with the reason why it does not."""
        ...

    async def leave(self) -> None:
        """Another engine is used from now on: give memory and connections back. State: ABSENT."""
        ...
