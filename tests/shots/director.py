"""Leads the real program from state to state and has each photographed in its themes.

Usage: director.py LANGUAGE SCALE FOLDER SCENE… (home folder, scale factor and platform come by environment).
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

from core.engines.state import EngineState, Phase
from core.errors import ModelError
from desktop.chat.turns import TokenRef
from desktop.window.placement import Panel
from tests.shots import cards, hub, launching, models, servers
from tests.shots.stage import ALL, BOTH, LIGHT, Stage
from tests.whole import inside

SKY = "Write two sentences about why the sky is blue."
CODE = "Write a Python function that adds two numbers."
STORY = "Tell me a long story about a lighthouse."
NAME = "SmolLM2 135M Instruct"


class BuiltIn(Stage):
    """The scenes with the built-in model."""

    SCENES: Final = ("empty", "answers", "tabs", "cards", "panels", "narrow")

    async def empty(self) -> None:
        await self.shoot("empty")

    async def answers(self) -> None:
        self.new_chat()
        self.sample(seed=5, max_tokens=90)
        await self.ask(SKY, wait=False)
        await inside.until(lambda: self.tokens() > 30 or self.idle())
        await self.shoot("streaming")
        await inside.until(self.idle)
        self.app.conversations.refresh()
        await self.shoot("main", ALL)
        for mode in ("colour", "bar", "off"):
            self.app.settings.update(heat=mode)
            await self.shoot(f"heat-{mode}", LIGHT)
        self.app.settings.update(heat="both")

    async def tabs(self) -> None:
        """Of the answer before: its context and its model."""
        await self.tab("context")
        await self.shoot("context", ALL)
        await self.tab("model")
        await self.shoot("model-overview", ALL)
        self.app.model.view.show_segment("capabilities")
        await self.shoot("model-capabilities", ALL)
        await self.tab("chat")

    async def cards(self) -> None:
        doubtful = self.doubtful()
        await self.shoot("card", ALL, lambda: self.open_card(doubtful))
        sure = self.token(lambda table, i: (table.logprob(i) or -9) > -0.05)
        await self.shoot("card-sure", LIGHT, lambda: self.open_card(sure))
        end = TokenRef(self.last().id, self.tokens() - 1)
        await self.shoot("card-end", LIGHT, lambda: self.open_card(end))
        self.open_card(doubtful)
        self.app.view.pin_requested.emit(doubtful)
        await self.shoot("card-pinned", LIGHT)
        self.app.inspector.close_all()
        self.sample(seed=9, max_tokens=60)
        self.app.chat.ask_again(self.last().id)
        await inside.until(lambda: self.session.running is not None)
        await inside.until(self.idle)
        self.sample(temperature=0.0, max_tokens=160)
        await self.ask(CODE)
        await self.shoot("code")
        greedy = self.doubtful(-0.5)
        await self.shoot("card-greedy", LIGHT, lambda: self.open_card(greedy))
        self.app.inspector.close()
        for theme in ALL:
            self.app.settings.update(theme=theme)
            await self.settle()
            cards.save(self.folder, self.app.appearance.theme, f"{theme}-{self.ending}")

    async def panels(self) -> None:
        self.window.show_panel(Panel.LOG, True)
        await self.shoot("log")
        self.window.show_panel(Panel.LOG, False)
        self.app.settings_page.open()
        await self.shoot("settings")
        self.app.settings_page.open("about")
        await self.shoot("about")
        await self.escape()
        self.window.show_keys()
        await self.settle()
        await self.shoot("keys", LIGHT)
        self.dialog().close()
        self.window.ask_delete(self.session.conversation.id)
        await self.settle()
        await self.shoot("delete", LIGHT)
        self.dialog().close()
        self.window.composer.set_text("First line\nsecond line\nthird line")
        self.window.composer.system.open()
        await self.shoot("system-prompt", LIGHT)
        await self.escape()
        self.window.composer.set_text("")

    async def narrow(self) -> None:
        for width, height in ((900, 700), (720, 520)):
            self.window.resize(width, height)
            await self.shoot(f"narrow-{width}", LIGHT)
        self.window.show_panel(Panel.CONVERSATIONS, True)
        await self.shoot("narrow-overlay", LIGHT)
        self.window.show_panel(Panel.CONVERSATIONS, False)
        self.window.resize(1280, 800)
        await self.settle()


class Trouble(Stage):
    """What goes wrong with the built-in model, and its first start; nothing can be asked after it."""

    SCENES: Final = ("stopped", "preparing")

    async def stopped(self) -> None:
        self.new_chat()
        self.sample(seed=3, temperature=0.7)
        await self.ask(STORY, wait=False)
        await inside.until(lambda: self.tokens() > 40)
        self.session.stop()
        await inside.until(self.idle)
        await self.shoot("stopped", LIGHT)
        await self.ask(STORY, wait=False)
        await inside.until(lambda: self.tokens() > 20)
        os.kill(self.app.worker.pid, signal.SIGKILL)
        await inside.until(lambda: self.session.running is None)
        await self.shoot("worker-lost")
        self.window.show_error(ModelError("model.not_found", folder="/home/ana/models/qwen"))
        await self.shoot("error-bar", LIGHT)
        self.window.centre.errors.dismiss()

    async def preparing(self) -> None:
        """The states of a first start, told to the window as the engine would."""
        self.new_chat()
        megabyte = 1_000_000
        for name, state in (
            ("fetching", EngineState(Phase.FETCHING, NAME, done=41 * megabyte, total=93 * megabyte)),
            ("converting", EngineState(Phase.CONVERTING, NAME, done=120, total=272)),
            ("loading", EngineState(Phase.LOADING, NAME)),
            ("offline", EngineState(Phase.FAILED, NAME, error=ModelError("model.fetch_offline"))),
        ):
            self.app.local.state = state
            self.app.local.state_changed.emit(state)
            await self.shoot(name, BOTH if name == "fetching" else LIGHT)


async def film(app: Any, language: str, scale: str, folder: Path, scenes: list[str]) -> None:
    """All scenes, or those of the classes named in `scenes`, or those named themselves."""
    app.settings.update(language=language, reduce_motion=True)
    app.window.resize(1280, 800)
    await inside.until(lambda: app.engine.state.phase is Phase.READY)
    for made in (BuiltIn, servers.Servers, launching.Launching, models.Models, hub.Hub, Trouble):
        stage = made(app, language, scale, folder)
        for scene in made.SCENES:
            if not scenes or scene in scenes or made.__name__ in scenes:
                await stage.settle()
                await getattr(stage, scene)()


def main(arguments: list[str]) -> int:
    language, scale, folder, *scenes = arguments
    return inside.run(lambda app: film(app, language, scale, Path(folder), scenes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
