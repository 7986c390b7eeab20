"""A GPU that the engine hands in by CDI, without NVIDIA's runtime: a made-up one, with node and variable."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from core.server.state import ServerPhase as P
from tests.real.docker.conftest import Corner
from tests.real.docker.engine import GPU_NODE, GPU_VARIABLE, Engine
from tests.real.docker.place import Place
from tests.real.docker.programs import program, spec_for


@pytest.fixture
def place(cdi_engine: Engine, corner: Corner) -> Place:
    return corner(cdi_engine)


@pytest.fixture
def driver_gone(cdi_engine: Engine) -> Iterator[None]:
    """As after an update of the driver: the description names files that are no more."""
    description = cdi_engine.place / "cdi" / "nvidia.json"
    text = description.read_text()
    description.write_text(text.replace("/dev/null", "/dev/no-such-gpu"))
    yield
    description.write_text(text)


def has_gpu(place: Place) -> bool:
    """In what the container's first process got; the engine lists none of it."""
    (container,) = place.ours()
    variables = place.engine.docker("exec", container, "cat", "/proc/1/environ").split("\0")
    nodes = place.engine.docker("exec", container, "find", "/dev", "-name", GPU_NODE.rpartition("/")[2])
    return GPU_VARIABLE in variables and nodes == GPU_NODE


def test_a_start_gets_the_gpu(place: Place) -> None:
    model = place.model("one")

    async def story() -> None:
        async with program() as window:
            doctor = await window.launcher.doctor()
            assert doctor.info is not None and doctor.info.by_cdi
            await window.launcher.start(spec_for(place, model, device="gpu"))
            assert window.state.phase is P.READY
            assert await asyncio.to_thread(has_gpu, place)
            await window.launcher.start(spec_for(place, model))
            assert not await asyncio.to_thread(has_gpu, place), "on the processor there is none"
        assert place.ours() == []

    asyncio.run(story())


def test_files_that_are_gone_are_told_as_that(place: Place, driver_gone: None) -> None:
    model = place.model("one")

    async def story() -> None:
        async with program() as window:
            found = await window.fails(spec_for(place, model, device="gpu"))
            assert found.code == "cdi_old" and "no-such-gpu" in found.line
        assert place.ours() == []

    asyncio.run(story())


def test_make_does_the_same(place: Place) -> None:
    place.model("one")
    done = place.run("make", "vllm-up", "GPU=cdi", VLLM_MODEL="one")
    assert done.returncode == 0, done.stderr
    place.answers()
    assert has_gpu(place)


def test_the_runtimes_file_alone_is_refused(place: Place) -> None:
    """So that the choice of the files matters."""
    place.model("one")
    done = place.compose("up", "-d", gpu=True, VLLM_MODEL="one")
    assert done.returncode != 0 and "could not select device driver" in done.stderr
