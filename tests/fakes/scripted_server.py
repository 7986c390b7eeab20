"""A server engine that plays a script, and keys in memory, for the choice of an engine in the window."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.engines.base import EngineInfo
from core.engines.state import EngineState, Phase
from core.engines.vllm.choice import Served, ServerChoice
from core.errors import KeyringError, LoupeError
from core.observe import Event
from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.tokens.vocabulary import Vocabulary
from tests.core.chat.desk import VOCABULARY
from tests.fakes.scripted_engine import PlainPrompter, ScriptedEngine

HERE = "http://localhost:8000"
SERVER_INFO = EngineInfo(
    engine="vllm", model="org/served", context_limit=512, evidence=("model",), version="0.32.0"
)
SERVES = (
    Served("org/served", "org/served", family="Qwen3", supported=True, model_type="qwen3"),
    Served("org/strange", "/models/strange", supported=False, why="family_unknown", model_type="mamba9"),
    Served("alias", "/models/alias"),
)


@dataclass
class ScriptedServer(ScriptedEngine):
    """`opens[address]`: the error it fails with, or what it waits for. `opened`: each choice with its key."""

    info: EngineInfo = SERVER_INFO
    state: EngineState = field(default_factory=lambda: EngineState(Phase.ABSENT, engine="vllm"))
    state_changed: Event[EngineState] = field(default_factory=Event)
    family: None = None
    vocabulary: Vocabulary = VOCABULARY
    vocabulary_path: Path | None = Path("s.vocab")
    has_template: bool = True
    thinking_switch: bool = False
    served: tuple[Served, ...] = ()
    opened: list[tuple[ServerChoice, str]] = field(default_factory=list)
    opens: dict[str, LoupeError | asyncio.Event] = field(default_factory=dict)
    prompter: PlainPrompter = field(default_factory=PlainPrompter)
    left: int = 0

    def move(self, phase: Phase, **changes: Any) -> None:
        values = {"info": self.info if phase is Phase.READY else None, **changes}
        choice = self.opened[-1][0] if self.opened else ServerChoice("")
        model = choice.model or (self.served[0].id if self.served else "")
        self.state = EngineState(phase, model, engine="vllm", address=choice.address, **values)
        self.state_changed.emit(self.state)

    async def open(self, choice: ServerChoice, key: str = "") -> None:
        self.opened.append((choice, key))
        self.served = ()
        self.move(Phase.CONNECTING)
        how = self.opens.get(choice.address)
        try:
            if isinstance(how, asyncio.Event):
                await how.wait()
            elif how is not None and how.code not in ("server.files_unknown", "server.unsupported"):
                raise how
            self.served = SERVES
            if isinstance(how, LoupeError):
                raise how
        except LoupeError as error:
            self.move(Phase.FAILED, error=error)
            raise
        except asyncio.CancelledError:
            self.move(Phase.ABSENT)
            raise
        self.move(Phase.READY)

    async def render(self, messages: list[ChatMessage], options: PromptOptions) -> Prompt:
        return await self.prompter.render(messages, options)

    async def leave(self) -> None:
        self.left += 1
        if self.state.phase is not Phase.ABSENT:
            self.move(Phase.ABSENT)


@dataclass
class ScriptedKeys:
    """`keyring` False: there is none, keys are kept for this run."""

    keyring: bool = True
    kept: dict[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> LoupeError | None:
        return None if self.keyring else KeyringError("keyring.none")

    async def get(self, address: str) -> str:
        return self.kept.get(address, "")

    async def put(self, address: str, key: str) -> bool:
        self.kept[address] = key
        return self.keyring

    async def forget(self, address: str) -> None:
        self.kept.pop(address, None)
