"""The Model tab at work: with the built-in engine's stand-in and with a real engine for a stand-in server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from PySide6.QtWidgets import QTabBar

from core.chat.session import Session
from core.chat.state import ChatState
from core.engines.active import ActiveEngine
from core.engines.base import EngineInfo
from core.engines.host import EngineHost
from core.engines.state import EngineState, Phase
from core.engines.vllm.choice import ServerChoice
from core.engines.vllm.host import ServerEngine
from core.models.folder import built_in_folder
from core.paths import default_paths
from core.settings import SettingsStore
from core.tasks import TaskScope
from core.worker.client import WorkerClient
from desktop.kit.theme import DARK
from desktop.model.presenter import PAGE, ModelPage, ModelPresenter
from tests.core.engines.vllm.replay import CASES
from tests.fakes.chat_desk import VOCABULARY, ScriptedLocal
from tests.fakes.fake_vllm import FakeVllm
from tests.fakes.scripted_engine import HELD, said

pages: list[ModelPage] = []  # of the test that runs
CJK = (CASES / "cjk.sse").read_bytes()


@dataclass
class Tabs:
    tabs: QTabBar = field(default_factory=QTabBar)
    shown: list[str] = field(default_factory=list)

    def show_tab(self, id_: str) -> None:
        self.shown.append(id_)


class Desk:
    """A presenter with its page in view, around one engine."""

    def __init__(self, host: EngineHost, *, see: bool = True) -> None:
        self.unexpected: list[BaseException] = []
        self.scope = TaskScope(self.unexpected.append)
        self.engine = ActiveEngine(host)
        self.session = Session(self.scope, self.engine)
        self.settings = SettingsStore(default_paths().settings)
        self.tabs = Tabs()
        self.model = ModelPresenter(
            self.tabs, self.session, self.engine, self.settings, self.scope, models=default_paths().models
        )
        self.tabs.tabs.setParent(self.model.page)  # one window
        pages.append(self.model.page)
        if see:
            self.model.page.resize(1055, 720)
            self.model.page.show()

    def answer(self, name: str) -> str:
        return self.model.view.capabilities.rows[name].answer.text()

    async def rest(self) -> None:
        while self.scope._tasks:
            await asyncio.wait(set(self.scope._tasks))
        for _ in range(3):
            await asyncio.sleep(0)

    async def close(self) -> None:
        """All but the page: without its last window the loop would end."""
        await self.session.close()
        await self.scope.close()
        assert not self.unexpected, self.unexpected


Steps = Callable[[Desk], Coroutine[Any, Any, None]]


def at_local(run_qt: Callable[..., Any], steps: Steps, *script: list[object], see: bool = True) -> None:
    async def body() -> None:
        engine = ScriptedLocal(list(script) or [said("fine")])
        desk = Desk(cast(EngineHost, engine), see=see)
        desk.session.attach(engine, VOCABULARY)
        try:
            await steps(desk)
        finally:
            await desk.close()

    run_qt(body())
    pages.pop().deleteLater()


def at_server(
    run_qt: Callable[..., Any],
    models: Path,
    steps: Callable[[Desk, ServerEngine, FakeVllm], Coroutine[Any, Any, None]],
    **fake: Any,
) -> None:
    async def body() -> None:
        server = FakeVllm(root=str(built_in_folder(models)), stream=CJK, tokenizes=False, **fake)
        await server.begin()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(server.end)
            worker = WorkerClient()
            stack.push_async_callback(worker.close)
            host = ServerEngine(worker, default_paths())
            stack.push_async_callback(host.close)
            desk = Desk(host)
            stack.push_async_callback(desk.close)
            await host.open(ServerChoice(server.address))
            desk.session.attach(host, host.vocabulary)
            await desk.rest()
            await steps(desk, host, server)

    run_qt(body(), timeout=120)
    pages.pop().deleteLater()


def test_nothing_is_made_before_somebody_looks(run_qt: Callable[..., Any]) -> None:
    async def steps(desk: Desk) -> None:
        await desk.session.ask("Hello")
        await desk.rest()
        assert desk.model._view is None
        desk.model.page.show()
        view = desk.model.view
        assert view.area.isVisible() and view.speed.aside.text() == "last answer"
        desk.model.set_theme(DARK)
        assert view._theme is DARK

    at_local(run_qt, steps, see=False)


def test_the_built_in_engine_and_its_speed(run_qt: Callable[..., Any]) -> None:
    async def steps(desk: Desk) -> None:
        view = desk.model.view
        assert desk.answer("probability") == "yes" and desk.answer("images") == "unknown"
        assert "5 kept" in view.capabilities.rows["candidates"].why.text()
        desk.settings.update(card_candidates=9)
        assert "9 kept" in view.capabilities.rows["candidates"].why.text()
        assert view.speed.aside.text() == ""
        for count in (1, 2):
            await desk.session.ask("Hello")
            await desk.rest()
            assert view._known is not None and view._known.speed.answers == count
        assert view._known.speed.tokens_per_second == 50.0
        assert not view._known.running

    at_local(run_qt, steps)


def test_a_models_folder_is_read_once_and_a_broken_one_says_nothing(
    run_qt: Callable[..., Any], built_in_models: Path, tmp_path: Path
) -> None:
    async def steps(desk: Desk) -> None:
        engine = cast(ScriptedLocal, desk.engine.host)
        folder = built_in_folder(built_in_models)
        engine.move(Phase.READY, info=EngineInfo("local", "scripted", str(folder)))
        await desk.rest()
        assert desk.answer("images") == "n/a"
        known = desk.model.view._known
        assert known is not None and known.specs is not None and known.specs.layers == 30
        assert str(folder) in known.serve_line and known.origin.licence == ""
        engine.move(Phase.READY, info=EngineInfo("local", "scripted", str(tmp_path)))
        await desk.rest()
        assert desk.answer("images") == "unknown"

    at_local(run_qt, steps)


def test_an_engine_that_ended_leaves_what_was_known(run_qt: Callable[..., Any]) -> None:
    async def steps(desk: Desk) -> None:
        engine, view = cast(ScriptedLocal, desk.engine.host), desk.model.view
        engine.move(Phase.LOST)
        assert view.area.isVisible() and "ended" in view.capabilities.notes.text()
        engine.state = EngineState(Phase.LOADING, "another")
        engine.state_changed.emit(engine.state)
        assert not view.area.isVisible() and view.nothing.isVisible()

    at_local(run_qt, steps)


def test_leading_to_a_line_opens_the_tab(run_qt: Callable[..., Any]) -> None:
    async def steps(desk: Desk) -> None:
        desk.model.show_capability("rank")
        assert desk.tabs.shown == [PAGE] and desk.model.view.capabilities.rows["rank"].marked

    at_local(run_qt, steps)


def test_a_server_its_answers_and_asking_it_again(run_qt: Callable[..., Any], built_in_models: Path) -> None:
    async def steps(desk: Desk, host: ServerEngine, server: FakeVllm) -> None:
        view = desk.model.view
        assert (desk.answer("rank"), desk.answer("probability"), desk.answer("drawn")) == ("no", "yes", "no")
        assert (desk.answer("images"), desk.answer("tokenizer")) == ("n/a", "unknown")
        assert "held against" in view.capabilities.rows["tokenizer"].why.text()
        await desk.session.ask("Hello")
        await desk.rest()
        assert "tokenizes nothing" in view.capabilities.rows["tokenizer"].why.text()
        assert view.speed.aside.text() == "last answer"
        server.mode = "processed_logprobs"
        view.again.click()
        await asyncio.sleep(0)
        assert not view.again.isEnabled() and view.again.text() == "Asking…"
        await desk.rest()
        assert (desk.answer("probability"), desk.answer("drawn")) == ("no", "yes")
        assert view.again.isEnabled() and not view.errors.isVisible()

    at_server(run_qt, built_in_models, steps)


def test_a_server_that_cannot_be_asked_again_keeps_its_page(
    run_qt: Callable[..., Any], built_in_models: Path
) -> None:
    async def steps(desk: Desk, host: ServerEngine, server: FakeVllm) -> None:
        view, before = desk.model.view, host.capabilities
        server.model = "another"
        view.again.click()
        await desk.rest()
        assert view.errors.error is not None and view.errors.error.code == "server.model"
        assert host.capabilities is before and desk.answer("probability") == "yes"
        assert view.again.text() == "Ask again"

    at_server(run_qt, built_in_models, steps)


def test_a_server_is_not_asked_while_it_answers(run_qt: Callable[..., Any], built_in_models: Path) -> None:
    async def steps(desk: Desk, host: ServerEngine, server: FakeVllm) -> None:
        server.release = asyncio.Event()
        asking = asyncio.ensure_future(desk.session.ask("Hello"))
        await server.streaming.wait()
        assert not desk.model.view.again.isEnabled()
        calls = len(server.calls)
        await desk.model._ask()
        assert len(server.calls) == calls
        server.release.set()
        await asking
        await desk.rest()
        assert desk.model.view.again.isEnabled()

    at_server(run_qt, built_in_models, steps)


def test_numbers_that_were_refused_are_no_longer_promised(
    run_qt: Callable[..., Any], built_in_models: Path
) -> None:
    async def steps(desk: Desk, host: ServerEngine, server: FakeVllm) -> None:
        server.broken_numbers = True
        await desk.session.ask("Hello")
        await desk.rest()
        row = desk.model.view.capabilities.rows["probability"]
        assert row.answer.text() == "no" and "JSON compliant" in row.toolTip()
        server.broken_numbers = False
        desk.model.view.again.click()
        await desk.rest()
        assert row.answer.text() == "yes"

    at_server(run_qt, built_in_models, steps)


def test_stopping_an_answer_counts_for_nothing(run_qt: Callable[..., Any]) -> None:
    async def steps(desk: Desk) -> None:
        engine = cast(ScriptedLocal, desk.engine.host)
        asking = asyncio.ensure_future(desk.session.ask("Hello"))
        await engine.reached.wait()
        desk.session.stop()
        await asking
        assert desk.session.state is ChatState.STOPPED
        known = desk.model.view._known
        assert known is not None and known.speed.answers == 0 and not known.running

    at_local(run_qt, steps, [HELD])
