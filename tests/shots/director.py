"""Leads the real program from state to state and has each photographed in its themes.

Usage: director.py LANGUAGE SCALE FOLDER (home folder, scale factor and platform come by environment).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtWidgets import QApplication, QWidget

from core.engines.base import Sampling
from core.engines.state import EngineState, Phase
from core.errors import ModelError
from desktop.chat.turns import TokenRef
from desktop.window.placement import Panel
from tests.shots import cards
from tests.shots.camera import save
from tests.whole import inside

BOTH = ("light", "dark")
ALL = ("light", "dark", "high_contrast")
SKY = "Write two sentences about why the sky is blue."
CODE = "Write a Python function that adds two numbers."
STORY = "Tell me a long story about a lighthouse."
NAME = "SmolLM2 135M Instruct"


class Director:
    """Knows the running program from inside; every wait is for a state, never for a time."""

    def __init__(self, app: Any, language: str, scale: str, folder: Path) -> None:
        self.app, self.window, self.session = app, app.window, app.session
        self._language, self._scale, self._folder = language, scale, folder

    # --- tools -------------------------------------------------------------------------------------------

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
            save(self.window, self._folder / f"{name}-{theme}-{self._language}-{self._scale}x.png")

    def last(self) -> Any:
        path = self.session.conversation.path()
        return path[-1] if path and path[-1].answer is not None else None

    def tokens(self) -> int:
        message = self.last()
        return len(message.answer.table) if message is not None else 0

    def idle(self) -> bool:
        return inside.is_idle(self.app)

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

    def open_card(self, ref: TokenRef) -> None:
        self.app.view.reveal(ref)
        self.app.inspector.open(ref)

    async def escape(self) -> None:
        self.window.escape()
        await self.settle()

    def dialog(self) -> QWidget:
        return next(w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not self.window)

    # --- the film ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        self.app.settings.update(language=self._language, reduce_motion=True)
        self.window.resize(1280, 800)
        await inside.until(lambda: self.app.engine.state.phase is Phase.READY)
        await self.settle()
        await self.shoot("empty")
        await self.answers()
        await self.cards()
        await self.panels()
        await self.narrow()
        await self.trouble()
        await self.preparing()

    async def answers(self) -> None:
        self.session.new()
        self.app.chat.show()
        self.sample(seed=5, max_tokens=90)
        await self.ask(SKY, wait=False)
        await inside.until(lambda: self.tokens() > 30 or self.idle())
        await self.shoot("streaming")
        await inside.until(self.idle)
        self.app.conversations.refresh()
        await self.shoot("main", ALL)
        for mode in ("colour", "bar", "off"):
            self.app.settings.update(heat=mode)
            await self.shoot(f"heat-{mode}", ("light",))
        self.app.settings.update(heat="both")

    async def cards(self) -> None:
        doubtful = self.token(lambda table, i: (table.logprob(i) or 0) < -1.5)
        await self.shoot("card", ALL, lambda: self.open_card(doubtful))
        sure = self.token(lambda table, i: (table.logprob(i) or -9) > -0.05)
        await self.shoot("card-sure", ("light",), lambda: self.open_card(sure))
        end = TokenRef(self.last().id, self.tokens() - 1)
        await self.shoot("card-end", ("light",), lambda: self.open_card(end))
        self.open_card(doubtful)
        self.app.view.pin_requested.emit(doubtful)
        await self.shoot("card-pinned", ("light",))
        self.app.inspector.close_all()
        self.sample(seed=9, max_tokens=60)
        self.app.chat.ask_again(self.last().id)
        await inside.until(lambda: self.session.running is not None)
        await inside.until(self.idle)
        self.sample(temperature=0.0, max_tokens=160)
        await self.ask(CODE)
        await self.shoot("code")
        greedy = self.token(lambda table, i: (table.logprob(i) or 0) < -0.5)
        await self.shoot("card-greedy", ("light",), lambda: self.open_card(greedy))
        self.app.inspector.close()
        for theme in ALL:
            self.app.settings.update(theme=theme)
            await self.settle()
            cards.save(self._folder, self.app.appearance.theme, f"{theme}-{self._language}-{self._scale}x")

    async def panels(self) -> None:
        self.window.show_panel(Panel.LOG, True)
        await self.shoot("log")
        self.window.show_panel(Panel.LOG, False)
        self.app._open_settings()
        await self.shoot("settings")
        self.app.settings_view.open_at(about=True)
        await self.shoot("about")
        await self.escape()
        self.window.show_keys()
        await self.settle()
        await self.shoot("keys", ("light",))
        self.dialog().close()
        self.window.ask_delete(self.session.conversation.id)
        await self.settle()
        await self.shoot("delete", ("light",))
        self.dialog().close()
        self.window.composer.set_text("First line\nsecond line\nthird line")
        self.window.composer.system.open()
        await self.shoot("system-prompt", ("light",))
        await self.escape()
        self.window.composer.set_text("")

    async def narrow(self) -> None:
        for width, height in ((900, 700), (720, 520)):
            self.window.resize(width, height)
            await self.shoot(f"narrow-{width}", ("light",))
        self.window.show_panel(Panel.CONVERSATIONS, True)
        await self.shoot("narrow-overlay", ("light",))
        self.window.show_panel(Panel.CONVERSATIONS, False)
        self.window.resize(1280, 800)
        await self.settle()

    async def trouble(self) -> None:
        self.session.new()
        self.app.chat.show()
        self.sample(seed=3, temperature=0.7)
        await self.ask(STORY, wait=False)
        await inside.until(lambda: self.tokens() > 40)
        self.session.stop()
        await inside.until(self.idle)
        await self.shoot("stopped", ("light",))
        await self.ask(STORY, wait=False)
        await inside.until(lambda: self.tokens() > 20)
        os.kill(self.app.worker.pid, signal.SIGKILL)
        await inside.until(lambda: self.session.running is None)
        await self.shoot("worker-lost")
        self.window.show_error(ModelError("model.not_found", folder="/home/ana/models/qwen"))
        await self.shoot("error-bar", ("light",))
        self.window.centre.errors.dismiss()

    async def preparing(self) -> None:
        """The states of a first start, told to the window as the engine would."""
        self.session.new()
        self.app.chat.show()
        megabyte = 1_000_000
        for name, state in (
            ("fetching", EngineState(Phase.FETCHING, NAME, done=41 * megabyte, total=93 * megabyte)),
            ("converting", EngineState(Phase.CONVERTING, NAME, done=120, total=272)),
            ("loading", EngineState(Phase.LOADING, NAME)),
            ("offline", EngineState(Phase.FAILED, NAME, error=ModelError("model.fetch_offline"))),
        ):
            self.app.engine.state = state
            self.app.engine.state_changed.emit(state)
            await self.shoot(name, BOTH if name == "fetching" else ("light",))


def main(arguments: list[str]) -> int:
    language, scale, folder = arguments
    return inside.run(lambda app: Director(app, language, scale, Path(folder)).run())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
