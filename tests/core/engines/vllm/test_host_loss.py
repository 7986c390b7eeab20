"""A server that goes away, comes back as another or wants another key: noticed, said, and no task left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest

from core.engines.base import TokenBatch
from core.engines.state import Phase
from core.engines.vllm import watch
from core.engines.vllm.http import Reply, Server
from core.errors import EngineError
from core.prompt.base import PromptOptions
from tests.core.engines.vllm.desk import CJK, CJK_IDS, GREEDY, HELLO, Desk, a_server, fails, run
from tests.fakes.fake_vllm import Call, error

OFTEN = 0.001  # seconds between two looks at an idle server
NEVER = 3600.0


async def lost(desk: Desk, code: str) -> None:
    """The answer fails, the state says why, and trying again works."""
    failure = await fails(desk.ask(), code)
    assert (desk.host.state.phase, desk.host.state.error) == (Phase.LOST, failure)
    with pytest.raises(EngineError):
        desk.host.info  # noqa: B018
    assert desk.host.vocabulary is not None  # the answers so far are still read with it


class Turns:
    """The watch as it is, and a way to wait until it has come round while an answer runs."""

    def __init__(self) -> None:
        self._loss = watch.loss
        self._left = 0
        self._passed = asyncio.Event()

    async def loss(self, server: Server, busy: Callable[[], bool], seconds: float) -> EngineError:
        def asked() -> bool:
            found = busy()
            self._left -= found
            if self._left <= 0:
                self._passed.set()
            return found

        return await self._loss(server, asked, seconds)

    async def pass_by(self) -> None:
        self._left = 10
        self._passed.clear()
        await self._passed.wait()


async def works_again(desk: Desk) -> None:
    await desk.open()
    await desk.ask()
    assert desk.ids == CJK_IDS


def test_a_cut_in_mid_answer() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        desk.fake.cut = 1000
        await lost(desk, "server.cut")
        assert desk.ids == CJK_IDS[: len(desk.ids)] != []
        desk.fake.cut = None
        await works_again(desk)

    run(a_server(), use, watch_seconds=NEVER)


def test_a_server_that_is_gone() -> None:
    async def use(desk: Desk) -> None:
        await works_again(desk)
        await desk.fake.end()
        await lost(desk, "server.unreachable")
        await fails(desk.open(), "server.unreachable")
        assert desk.host.state.phase is Phase.FAILED
        await desk.fake.begin()
        await works_again(desk)

    run(a_server(), use, watch_seconds=NEVER)


def test_another_model_on_the_port() -> None:
    async def use(desk: Desk) -> None:
        await works_again(desk)
        desk.fake.model, desk.fake.start = "other", desk.fake.start + 60
        await lost(desk, "server.changed")
        state = desk.host.state
        assert state.error is not None
        assert state.error.params == {"what": "model", "before": "tiny", "now": "other"}
        assert desk.ids == []  # no token of another model
        await works_again(desk)
        assert desk.host.info.model == "other"

    run(a_server(), use, watch_seconds=NEVER)


def test_a_dead_engine() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        words = "EngineCore encountered an issue."
        desk.fake.stream_status, desk.fake.healthy = (500, error(words, 500)), False
        await lost(desk, "server.engine_dead")
        desk.fake.stream_status, desk.fake.healthy = None, True
        await works_again(desk)

    run(a_server(), use, watch_seconds=NEVER)


def test_keys() -> None:
    async def use(desk: Desk) -> None:
        await fails(desk.open(), "server.key")
        assert desk.host.state.phase is Phase.FAILED
        await desk.open(key="first")
        desk.fake.key = "second"
        await lost(desk, "server.key")
        await fails(desk.open(key="first"), "server.key")
        await desk.open(key="second")
        await desk.ask()
        assert desk.ids == CJK_IDS

    run(a_server(key="first"), use, watch_seconds=NEVER)


def test_a_refusal_is_no_loss() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        desk.fake.stream_status = (400, error("too long", 400))
        await fails(desk.ask(), "server.refused")
        assert desk.host.state.phase is Phase.READY

    run(a_server(), use, watch_seconds=NEVER)


def test_an_answer_that_does_not_come_in_time_is_no_loss() -> None:
    said = ["server.slow"] * 3 + ["server.unreachable"] * 2

    class Slow(Server):
        async def get(self, path: str, *, seconds: float | None = None) -> Reply:
            raise EngineError(said.pop(0), address=self.address)

    async def until_lost() -> None:
        error = await watch.loss(Slow("http://127.0.0.1:1"), lambda: False, OFTEN)
        assert error.code == "server.unreachable" and not said

    asyncio.run(until_lost())


def test_an_idle_server_that_goes_is_noticed() -> None:
    async def use(desk: Desk) -> None:
        await desk.open()
        await desk.fake.end()
        await desk.until(Phase.LOST)
        assert desk.host.state.error is not None and desk.host.state.error.code == "server.unreachable"
        await desk.fake.begin()
        await works_again(desk)
        desk.fake.healthy = False
        await desk.until(Phase.LOST)
        assert desk.host.state.error.code == "server.engine_dead"

    run(a_server(), use, watch_seconds=OFTEN)


def test_one_failure_between_two_good_looks_is_nothing() -> None:
    async def use(desk: Desk) -> None:
        answers = iter([True, False, True, False, True, True])
        enough = asyncio.Event()
        whole = desk.fake._whole

        def health(call: Call) -> tuple[int, object]:
            if call.path == "/health":
                healthy = next(answers, None)
                if healthy is None:
                    enough.set()
                desk.fake.healthy = healthy is not False
            return whole(call)

        desk.fake._whole = health  # type: ignore[method-assign]
        await desk.open()
        await enough.wait()
        assert desk.host.state.phase is Phase.READY

    run(a_server(), use, watch_seconds=OFTEN)


def test_nobody_looks_while_an_answer_runs_or_after_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()
    monkeypatch.setattr(watch, "loss", turns.loss)
    first = CJK.split(b"\n\n")[0] + b"\n\n"

    async def use(desk: Desk) -> None:
        def looks() -> int:
            return sum(call.path == "/health" for call in desk.fake.calls)

        looked = asyncio.Event()
        whole = desk.fake._whole

        def told(call: Call) -> tuple[int, object]:
            if call.path == "/health":
                looked.set()
            return whole(call)

        desk.fake._whole = told  # type: ignore[method-assign]

        await desk.open()
        prompt = await desk.host.render(HELLO, PromptOptions())
        async with aclosing(desk.host.generate(prompt.ids, GREEDY, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    break
            await turns.pass_by()
            before = looks()
            await turns.pass_by()
            assert looks() == before
        looked.clear()
        await looked.wait()
        assert "watch server" in {task.get_name() for task in asyncio.all_tasks()}
        await desk.host.leave()
        assert "watch server" not in {task.get_name() for task in asyncio.all_tasks()}

    run(a_server(stream=first, hold=True), use, watch_seconds=OFTEN)


def test_an_open_that_is_overtaken_has_no_word() -> None:
    """By another one, or by leaving: its own end changes nothing of what came after."""

    async def use(desk: Desk) -> None:
        for later, phase in ((desk.open, Phase.READY), (desk.host.leave, Phase.ABSENT)):
            first = asyncio.create_task(desk.open())
            await desk.until(Phase.CONNECTING)
            await later()
            await asyncio.wait([first])
            assert isinstance(first.exception(), EngineError)
            assert desk.host.state.phase is phase
        assert Phase.FAILED not in desk.phases

    run(a_server(), use, watch_seconds=NEVER)
