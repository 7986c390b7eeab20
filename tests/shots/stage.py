"""What every scene of the film needs: waiting for states, asking, and pictures in several themes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtWidgets import QApplication, QWidget

from core.engines.base import Sampling
from desktop.chat.turns import TokenRef
from tests.shots.camera import save
from tests.whole import inside

LIGHT = ("light",)
BOTH = ("light", "dark")
ALL = ("light", "dark", "high_contrast")


class Stage:
    """Knows the running program from inside; every wait is for a state, never for a time."""

    def __init__(self, app: Any, language: str, scale: str, folder: Path) -> None:
        self.app, self.window, self.session = app, app.window, app.session
        self.folder, self.ending = folder, f"{language}-{scale}x"

    async def settle(self) -> None:
        """Timers of 0 ms, layouts and posted repaints are done with."""
        for _ in range(12):
            await asyncio.sleep(0.01)

    async def shoot(
        self, name: str, themes: tuple[str, ...] = BOTH, again: Callable[[], None] | None = None
    ) -> None:
        """One picture a theme. `again` brings back what a change of theme closes."""
        for theme in themes:
            self.app.settings.update(theme=theme)
            await self.settle()
            if again is not None:
                again()
                await self.settle()
            save(self.window, self.folder / f"{name}-{theme}-{self.ending}.png")

    def last(self) -> Any:
        path = self.session.conversation.path()
        return path[-1] if path and path[-1].answer is not None else None

    def tokens(self) -> int:
        message = self.last()
        return len(message.answer.table) if message is not None else 0

    def idle(self) -> bool:
        return inside.is_idle(self.app)

    def new_chat(self) -> None:
        self.session.new()
        self.app.chat.show()

    async def ask(self, text: str, *, wait: bool = True) -> None:
        self.window.composer.ask(text)
        await inside.until(lambda: self.session.running is not None)
        if wait:
            await inside.until(self.idle)
            await self.settle()

    def sample(self, **values: Any) -> None:
        """Values of this chat; drawn with a fixed seed, so that the pictures stay alike."""
        known = self.session.conversation.sampling or Sampling(temperature=0.7, top_p=0.9, top_k=40)
        self.session.set_sampling(msgspec.structs.replace(known, **values))
        self.app.chat.show()

    def token(self, wanted: Callable[[Any, int], bool]) -> TokenRef:
        message = self.last()
        table = message.answer.table
        index = next((i for i in range(2, len(table)) if wanted(table, i)), 2)
        return TokenRef(message.id, index)

    def doubtful(self, below: float = -1.5) -> TokenRef:
        """The first token that the model held for unlikely."""
        return self.token(lambda table, i: (table.logprob(i) or 0) < below)

    def open_card(self, ref: TokenRef) -> None:
        self.app.view.reveal(ref)
        self.app.inspector.open(ref)

    async def escape(self) -> None:
        self.window.escape()
        await self.settle()

    async def tab(self, name: str) -> None:
        self.window.centre.tabs.setFocus()
        self.window.centre.show_tab(name)
        await self.settle()

    def dialog(self) -> QWidget:
        return next(w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not self.window)
