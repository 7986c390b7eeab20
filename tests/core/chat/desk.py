"""A session at work with a scripted engine, and everything it tells written down."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from core.chat.history import History
from core.chat.messages import Answer
from core.chat.session import Session
from core.chat.state import ChatState
from core.chat.thinking import ThinkingMarkers
from core.tasks import TaskScope
from tests.fakes.scripted_engine import PlainPrompter, ScriptedEngine, byte_vocabulary, said

VOCABULARY = byte_vocabulary()
MARKERS = ThinkingMarkers("<think>", "</think>")


class Clock:
    """Time that passes only when told."""

    def __init__(self, at: float = 1000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


@dataclass
class Desk:
    engine: ScriptedEngine
    prompter: PlainPrompter = field(default_factory=PlainPrompter)
    history: History | None = None
    clock: Clock = field(default_factory=Clock)
    states: list[ChatState] = field(default_factory=list)
    grown: list[str] = field(default_factory=list)
    turned: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    unexpected: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scope = TaskScope(self.unexpected.append)
        self.session = Session(self.scope, self.prompter, self.history, self.clock, now=self.clock)
        self.session.attach(self.engine, VOCABULARY, "v.vocab", MARKERS)
        self.session.state_changed.connect(self.states.append)
        self.session.grew.connect(self.grown.append)
        self.session.turns_changed.connect(self.turned.append)
        self.session.failed.connect(lambda error: self.failures.append(error.code))

    @property
    def answer(self) -> Answer:
        """The last one of the conversation in view."""
        found = self.session.conversation.path()[-1].answer
        assert found is not None
        return found

    @property
    def answer_id(self) -> str:
        return self.session.conversation.path()[-1].id

    def start(self, question: str = "hello") -> asyncio.Task[None]:
        """Ask in a task of its own."""
        return self.scope.spawn(self.session.ask(question))

    async def close(self) -> None:
        await self.session.close()
        if self.history is not None:
            await self.history.close()
        await self.scope.close()
        assert self.engine.closed == len(self.engine.asked), "a generator was left open"
        assert not self.unexpected, self.unexpected


def work(
    play: Callable[[Desk], Awaitable[None]],
    *scripts: list[object],
    make: Callable[[ScriptedEngine], Desk] = Desk,
) -> Desk:
    """Run `play` at a desk whose engine plays these scripts, and close everything."""

    async def body() -> Desk:
        desk = make(ScriptedEngine(list(scripts) or [said("fine")]))
        try:
            await play(desk)
        finally:
            await desk.close()
        return desk

    return asyncio.run(body(), debug=True)
