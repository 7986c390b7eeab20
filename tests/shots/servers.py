"""The scenes with a server: a fake on loopback that the film starts, with the built-in model's files."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

from core.engines.base import Extras, Structured
from core.engines.state import Phase
from core.models.embedded import open_built_in
from core.paths import default_paths
from desktop.window.placement import Panel
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.server_tokenizer import ServerTokenizer
from tests.shots import streams
from tests.shots.stage import ALL, BOTH, LIGHT, Stage
from tests.whole import inside

CAPITAL = "What is the capital of Australia, and why is it not Sydney?"
MISTAKE = "Name one thing people often get wrong about it."
LARGEST = "And what is the largest city, then?"
MODEL = "smollm2-135m-instruct"
STRANGE = "jamba-reasoning-3b"
ENDS = (Phase.READY, Phase.FAILED)


class Servers(Stage):
    """Each scene with servers of its own; the built-in engine comes back after each."""

    SCENES: Final = ("sheet", "server", "scores", "gone", "files")

    # --- tools -------------------------------------------------------------------------------------------

    @property
    def model_folder(self) -> Path:
        return Path(open_built_in(default_paths().models).path)

    def fake(self, **settings: Any) -> FakeVllm:
        folder = self.model_folder
        values = {
            "root": str(folder),
            "model": MODEL,
            "max_model_len": 8192,
            "chunk": 700,
            "stream": streams.answer(folder, streams.CANBERRA),
            "tokenizer": ServerTokenizer(folder),
        }
        return FakeVllm(**{**values, **settings})

    def state(self) -> Any:
        return self.app.engine.state

    async def join(self, fake: FakeVllm) -> None:
        self.app.engines.join(fake.address)
        await inside.until(lambda: self.state().address == fake.address and self.state().phase in ENDS)
        await self.settle()

    async def leave(self, fake: FakeVllm) -> None:
        """Back to the built-in engine; the server is forgotten, so that menus stay alike."""
        await self.app.engines.forget(fake.address)
        await inside.until(lambda: self.state().engine == "local" and self.state().phase is Phase.READY)
        self.new_chat()
        await self.settle()

    # --- scenes ------------------------------------------------------------------------------------------

    async def sheet(self) -> None:
        """The way in: empty, tested, and what goes wrong."""
        bar = self.window.run_bar
        async with self.fake().serve() as fake:
            bar.server_wanted.emit()
            sheet = self.app.servers._sheet
            await self.shoot("server-sheet")
            sheet.address.setText(fake.address)
            await self._test(sheet)
            await self.shoot("server-sheet-tested")
        await self._test(sheet)
        await self.shoot("server-sheet-error")
        sheet.reject()
        await self.settle()

    async def _test(self, sheet: Any) -> None:
        sheet.test_button.click()
        await inside.until(lambda: not sheet.test_button.isEnabled())
        await inside.until(sheet.test_button.isEnabled)

    async def server(self) -> None:
        """Ready with a server: an answer, its card, menus, every tab, what else can be asked for."""
        with tempfile.TemporaryDirectory(prefix="tl-") as strange:
            (Path(strange) / "config.json").write_text(json.dumps({"model_type": "jamba"}), encoding="utf-8")
            async with self.fake(others={STRANGE: strange}).serve() as fake:
                await self.join(fake)
                self.new_chat()
                await self.shoot("server-empty", LIGHT)
                await self.ask(CAPITAL)
                self.app.conversations.refresh()
                await self.shoot("server-main", ALL)
                doubtful = self.doubtful()
                await self.shoot("server-card", BOTH, lambda: self.open_card(doubtful))
                self.app.inspector.close_all()
                await self._menus()
                await self._tabs()
                await self._more()
                await self.leave(fake)

    async def _menus(self) -> None:
        bar = self.window.run_bar
        await self.shoot("server-engines", ALL, bar.open_engines)
        bar.engine_menu.close()
        await self.shoot("server-models", ALL, bar.open_menu)
        bar.menu.close()
        self.app.engines.choose(STRANGE)
        await self.shoot("server-refused")
        self.app.engines.act("dismiss")

    async def _tabs(self) -> None:
        await self.tab("context")
        await self.shoot("server-context")
        await self.tab("model")
        self.app.model.view.show_segment("overview")
        await self.shoot("server-overview", ALL)
        self.app.model.view.show_segment("capabilities")
        self.window.show_panel(Panel.SAMPLING, False)
        await self.shoot("server-capabilities", ALL)
        self.window.show_panel(Panel.SAMPLING, True)
        self.window.resize(900, 700)
        await self.shoot("server-capabilities-900", LIGHT)
        self.window.resize(1280, 800)
        await self.tab("chat")

    async def _more(self) -> None:
        form = Structured("json", {"type": "object", "properties": {"city": {"type": "string"}}})
        fields = {"logit_bias": {"338": -4}, "min_tokens": 12}
        self.session.set_extras(Extras(form, fields))
        self.app.chat.show()
        more = self.window.sampling.form.more
        await self.settle()
        self.window.sampling.ensureWidgetVisible(more)
        await self.shoot("server-more")
        self.session.set_extras(Extras())
        self.app.chat.show()

    async def scores(self) -> None:
        """A server whose numbers are scores: no heat, and the card says why."""
        stream = streams.answer(self.model_folder, streams.CANBERRA, logits=True)
        async with self.fake(mode="processed_logits", stream=stream).serve() as fake:
            await self.join(fake)
            self.new_chat()
            await self.ask(CAPITAL)
            await self.shoot("server-scores", BOTH)
            third = self.token(lambda _table, i: i == 3)
            await self.shoot("server-scores-card", BOTH, lambda: self.open_card(third))
            self.app.inspector.close_all()
            await self.leave(fake)

    async def gone(self) -> None:
        """It goes away in the middle of an answer."""
        async with self.fake().serve() as fake:
            await self.join(fake)
            self.new_chat()
            await self.ask(CAPITAL)
            fake.stream = streams.answer(self.model_folder, streams.WRONG, whole=False)
            fake.hold = True
            fake.sent_all.clear()
            await self.ask(MISTAKE, wait=False)
            await inside.until(lambda: fake.sent_all.is_set() and self.tokens() > 15)
            self.window.composer.set_text(LARGEST)
            await fake.end()
            await inside.until(lambda: self.session.running is None)
            await self.shoot("server-gone", ALL)
            self.window.composer.set_text("")
            await fake.begin()
            await self.leave(fake)

    async def files(self) -> None:
        """Nobody knows where the tokenizer of the served model is; then that there is a server no more."""
        async with self.fake(model="served", root="/models/weights").serve() as fake:
            await self.join(fake)
            self.new_chat()
            await self.shoot("server-files")
            self.app.engines.act("hub")
            await self.shoot("server-hub", LIGHT)
            self.dialog().close()
        self.app.engines.act("retry")
        await inside.until(lambda: self.state().phase is Phase.FAILED and not self._unknown())
        await self.shoot("server-none", LIGHT)
        await self.leave(fake)

    def _unknown(self) -> bool:
        error = self.state().error
        return error is not None and error.code == "server.files_unknown"
