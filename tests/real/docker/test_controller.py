"""The server manager on a real engine, with the stand-in server: starts, switches, and every way to fail."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import msgspec
import pytest

from core.errors import LoupeError
from core.server.state import STARTING
from core.server.state import ServerPhase as P
from core.server.tools import NotStarted
from tests.real.docker.conftest import CPU, STAND_IN, Corner, tag, with_stand_in
from tests.real.docker.engine import Engine
from tests.real.docker.place import Place
from tests.real.docker.programs import answer, nothing, program, spec_for

LOGS = Path(__file__).parents[2] / "cases" / "logs"
PROMPT = [504, 338, 282, 253, 1028]


def test_start_ask_switch_kill_start_again_quit(serving: Place) -> None:
    """And a container of somebody else is left alone through all of it."""
    one, two = serving.model("one"), serving.model("two")
    foreign = serving.engine.docker("run", "-d", "--entrypoint", "sleep", STAND_IN, "1000")

    async def story() -> None:
        async with program() as window:
            launcher = window.launcher
            await launcher.start(spec_for(serving, one))
            assert launcher.state.phase is P.READY
            passed = [phase for phase in window.seen if phase in STARTING]
            assert passed == [phase for phase in STARTING if phase in passed], "in their order, once each"
            assert {P.CHECKING, P.CREATING, P.LOADING, P.COMPILING, P.ASKING} <= set(passed)
            assert any("Loading weights took" in line for line in window.log)
            rows = await answer(serving.address, PROMPT)
            assert len(rows) == 6 and [row.rank for row in rows[:3]] == [1, 1, 2]
            assert all(len(row.candidates) == 5 for row in rows)
            first = launcher.state.container
            assert serving.ours() == [first]

            await launcher.start(spec_for(serving, one))
            assert launcher.state.container == first, "the same again: nothing is started"

            await launcher.start(spec_for(serving, two))
            assert [launcher.state.container] == serving.ours() != [first]
            (served,) = json.loads(serving.get("/v1/models")[1])["data"]
            assert served["id"] == "two"

            serving.engine.docker("kill", launcher.state.container)
            lost = await window.until(lambda state: state.phase is P.LOST)
            assert lost.finding is not None and lost.finding.code in ("killed", "stopped")

            await launcher.start(spec_for(serving, two))
            assert launcher.state.phase is P.READY
        assert serving.ours() == [] and serving.listeners() == set()

    asyncio.run(story())
    assert serving.inspect(foreign)["State"]["Running"]


@pytest.mark.parametrize(
    "log, finding",
    [
        ("fail-truncated-weights.log", "weights_damaged"),
        ("fail-kv-too-small.log", "kv_small"),
        ("fail-kv-over-ram.log", "cpu_kv"),
        ("shm.log", "shm"),
    ],
)
def test_a_death_while_loading(serving: Place, log: str, finding: str) -> None:
    event = {"do": "end", "log": log, "code": 1}
    model = serving.model("one", loading=event, logs={log: (LOGS / log).read_text()})

    async def story() -> None:
        async with program() as window:
            found = await window.fails(spec_for(serving, model))
            assert found.code == finding and found.line
            assert found.fixes, "there is a way out"
        assert serving.ours() == []

    asyncio.run(story())


def test_an_image_for_another_processor(serving: Place) -> None:
    model = serving.model("one", creating={"do": "end", "code": 132})

    async def story() -> None:
        async with program() as window:
            assert (await window.fails(spec_for(serving, model))).code in ("processor", "processor_old")

    asyncio.run(story())


def test_an_image_whose_build_fails_says_why(serving: Place) -> None:
    """The stand-in has no vLLM to be patched."""
    model = serving.model("one")
    serving.engine.docker("rmi", CPU.image)

    async def story() -> None:
        async with program() as window:
            found = await window.fails(spec_for(serving, model))
            assert found.code == "build_failed" and found.logged
            why, which = found.line.splitlines()
            assert why == "patch_vllm: this Python has no vllm" and "did not complete successfully" in which
            assert any(line.startswith("#") and line.endswith(why) for line in window.log)
            assert why in window.launcher.report()

    try:
        asyncio.run(story())
    finally:
        tag(serving.engine, STAND_IN)
    assert serving.ours() == []


def test_more_memory_than_it_may_have(serving: Place) -> None:
    model = serving.model("one", loading={"do": "memory"})

    async def story() -> None:
        async with program(check=nothing) as window:
            found = await window.fails(spec_for(serving, model, memory=300 << 20))
            assert found.code == "oom"
            assert any(int(fix.changes.get("memory") or 0) > 300 << 20 for fix in found.fixes)
        assert serving.ours() == []

    asyncio.run(story())


def test_a_port_that_is_taken(serving: Place) -> None:
    """And the button of the finding starts it on another."""
    model = serving.model("one")

    async def story() -> None:
        async with program() as window:
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", serving.port))
                taken.listen()
                found = await window.fails(spec_for(serving, model))
            assert found.code.startswith("port_"), found
            fix = next(one for one in found.fixes if "port" in one.changes)
            other = msgspec.convert(
                {**msgspec.to_builtins(spec_for(serving, model)), **fix.changes}, type=type(window.state.spec)
            )
            await window.launcher.start(other)
            assert window.state.phase is P.READY and window.state.spec.port != serving.port
        assert serving.ours() == []

    asyncio.run(story())


def test_a_switch_that_cannot_be_made_keeps_the_server(serving: Place) -> None:
    one, two = serving.model("one"), serving.model("two")

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(serving, one))
            before = window.state
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", 0))
                taken.listen()
                with pytest.raises(NotStarted) as refused:
                    await window.launcher.start(spec_for(serving, two, port=taken.getsockname()[1]))
            assert refused.value.finding.code.startswith("port_")
            assert window.state == before and serving.ours() == [before.container]
            assert len(await answer(serving.address, PROMPT)) == 6
            await window.launcher.start(spec_for(serving, two))
            assert serving.ours() == [window.state.container] != [before.container]
        assert serving.ours() == []

    asyncio.run(story())


def test_the_port_of_another_container_is_named_and_left_alone(serving: Place) -> None:
    model = serving.model("one")
    published = f"127.0.0.1:{serving.port}:80"
    other = serving.engine.docker(
        "run", "-d", "--name", "someone", "-p", published, "--entrypoint", "sleep", STAND_IN, "1000"
    )

    async def story() -> None:
        async with program() as window:
            found = await window.fails(spec_for(serving, model))
            assert found.code == "port_container" and "someone" in str(found.params)

    asyncio.run(story())
    assert serving.inspect(other)["State"]["Running"]


def test_a_stop_while_it_loads(serving: Place) -> None:
    """A server that hears no signal is ended all the same."""
    model = serving.model("one", loading={"do": "hang"})

    async def story() -> None:
        async with program() as window:
            start = asyncio.create_task(window.launcher.start(spec_for(serving, model)))
            await window.until(lambda state: state.phase is P.COMPILING or bool(window.log[-1:]))
            await window.launcher.stop()
            assert window.state.phase is P.STOPPED and serving.ours() == []
            with pytest.raises((asyncio.CancelledError, LoupeError)):
                await start

    asyncio.run(story())


def test_an_engine_that_dies_of_a_question(serving: Place) -> None:
    """It answers 503 for a while, then ends with 0."""
    model = serving.model("one", asked={"do": "dead", "seconds": 4})

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(serving, model))
            try:
                await answer(serving.address, PROMPT)
            except LoupeError:
                lost = await window.until(lambda state: state.phase is P.LOST)
                assert lost.finding is not None and lost.finding.code == "engine_died", lost.finding
                return
            raise AssertionError("it answered")

    asyncio.run(story())


def test_a_flood_and_a_line_without_end(serving: Place) -> None:
    model = serving.model(
        "one", creating={"do": "long", "bytes": 5 << 20}, loading={"do": "flood", "lines": 50_000}
    )

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(serving, model))
            await window.until_logged("line 49999")

    asyncio.run(story())


def test_two_windows_are_of_one_mind(serving: Place) -> None:
    model = serving.model("one")

    async def story() -> None:
        async with program() as first, program() as second:
            await second.launcher.look()
            await first.launcher.start(spec_for(serving, model))
            await second.until(lambda state: state.phase is P.READY)
            assert second.state.container == first.state.container and not second.state.ours
            await second.launcher.stop()
            await first.until(lambda state: state.phase in (P.STOPPED, P.LOST))
            assert serving.ours() == []

    asyncio.run(story())


def test_what_was_started_by_hand_is_joined(serving: Place) -> None:
    serving.model("one")
    assert serving.compose("up", "-d", VLLM_MODEL="one").returncode == 0

    async def story() -> None:
        async with program() as window:
            found = await window.launcher.look()
            assert found.by == "hand" and found.spec is not None and found.spec.model == "one"
            await window.launcher.join()
            assert window.state.phase is P.READY
            await window.launcher.stop()
        assert serving.ours() == []

    asyncio.run(story())


def test_another_context(serving: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Colima, OrbStack and Podman come: no DOCKER_HOST, a context of their own that is the current one."""
    model = serving.model("one")
    serving.engine.docker("context", "create", "elsewhere", "--docker", f"host={serving.engine.host}")
    monkeypatch.delenv("DOCKER_HOST")
    try:
        environment = {"DOCKER_HOST": ""}
        assert serving.run(serving.program("docker"), "context", "use", "elsewhere", **environment)

        async def story() -> None:
            async with program() as window:
                doctor = await window.launcher.doctor()
                assert doctor.endpoint is not None and doctor.endpoint.context == "elsewhere"
                await window.launcher.start(spec_for(serving, model))
                assert window.state.phase is P.READY
            assert serving.ours() == []

        asyncio.run(story())
    finally:
        serving.engine.docker("context", "rm", "-f", "elsewhere")


def test_the_stock_engine(stock_engine: Engine, corner: Corner) -> None:
    """Its words about a taken port are others."""
    place = corner(with_stand_in(stock_engine))
    model = place.model("one")

    async def story() -> None:
        async with program() as window:
            await window.launcher.start(spec_for(place, model))
            assert len(await answer(place.address, PROMPT)) == 6
            await window.launcher.stop()
            assert place.ours() == []

    asyncio.run(story())
