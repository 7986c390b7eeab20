"""A real engine that is stopped, started again, or stands still: what the program sees, says and leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from core.server.state import ServerPhase as P
from tests.real.docker.engine import Engine
from tests.real.docker.place import SECONDS, Place
from tests.real.docker.programs import program, spec_for


@pytest.fixture
def stopped(serving: Place) -> Iterator[Engine]:
    """Runs again after the test, whatever that did."""
    engine = serving.engine
    yield engine
    if not engine.running:
        engine.again()


def test_a_server_that_ends_with_its_docker_is_started_again(serving: Place, stopped: Engine) -> None:
    model = serving.model("one")

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(serving, model))
            stopped.stop()
            lost = await window.until(lambda state: state.phase is P.LOST)
            assert lost.finding is not None
            away = lost.finding.code == "docker_stopped"
            stopped.again()
            if away:  # else its end was told before that of Docker
                await window.until(lambda state: state.finding is None or state.finding.code == "docker_back")
            assert window.state.phase is P.LOST and serving.get("/health")[0] == 0
            await window.launcher.start(spec_for(serving, model))
            assert serving.ours() == [window.state.container]
        assert serving.ours() == []

    asyncio.run(story())


def test_what_is_started_after_docker_was_away_is_seen(serving: Place, stopped: Engine) -> None:
    """Of a start by hand nothing but the events of Docker tells."""
    serving.model("one")

    async def story() -> None:
        async with program() as window:
            await window.launcher.look()
            stopped.stop()
            await asyncio.to_thread(stopped.again)
            done = await asyncio.to_thread(serving.compose, "up", "-d", VLLM_MODEL="one")
            assert done.returncode == 0, done.stderr
            found = await window.until(lambda state: state.phase is P.READY)
            assert found.by == "hand" and found.container == serving.ours()[0]
            await window.launcher.stop()
        assert serving.ours() == []

    asyncio.run(story())


def test_docker_that_stands_still_holds_up_no_end_and_what_is_left_is_offered(serving: Place) -> None:
    model = serving.model("one")

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(serving, model))
            container = window.state.container
            with serving.engine.frozen():
                await asyncio.wait_for(window.launcher.close(), SECONDS)
                assert serving.get("/health")[0] == 200, "it could not be stopped"
        async with program() as after:
            found = await after.launcher.look()
            if container in serving.ours():  # else Docker has done in the end what it was told
                assert found.container == container and not found.ours
            await after.launcher.stop()
            assert serving.ours() == []

    asyncio.run(story())
