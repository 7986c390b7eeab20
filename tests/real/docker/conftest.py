"""A real Docker Engine for the tests: run with TOKENLOUPE_REAL_DOCKER=1, as `make test-docker` does.

A test of the window takes `serving` or `really_serving`: its process then has an engine with the images under
the names that compose/ asks for, an own home with a models folder, and nothing else of Docker.
"""

from __future__ import annotations

import faulthandler
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.models.folder import built_in_folder
from core.server.versions import version_of
from tests.real.docker.engine import Engine, held
from tests.real.docker.image import bring_real, bring_stand_in
from tests.real.docker.packages import NotHere
from tests.real.docker.place import Place

STAND_IN, REAL = "tokenloupe/standin:test", "tokenloupe/real:test"
CPU, GPU = version_of().cpu, version_of().gpu
NAMES = (CPU.base, CPU.image, GPU.image)


def pytest_runtest_setup() -> None:
    if not os.environ.get("TOKENLOUPE_REAL_DOCKER"):
        pytest.skip("with a real Docker Engine: make test-docker")


StartEngine = Callable[..., Engine]


@pytest.fixture(scope="session")
def start_engine() -> Iterator[StartEngine]:
    """`start_engine("--suite", "stock", …)`: one more engine, ended with the tests. Skips where this machine
    cannot have one, and fails there if CI is set."""
    with ExitStack() as stack:

        def start(*options: str) -> Engine:
            place = Path(tempfile.mkdtemp(prefix="tl-docker-"))
            try:
                return stack.enter_context(held(place, *options))
            except NotHere as error:
                if os.environ.get("CI"):
                    pytest.fail(f"no Docker Engine: {error}")
                pytest.skip(f"no Docker Engine: {error}")

        yield start


@pytest.fixture(scope="session")
def engine(start_engine: StartEngine) -> Engine:
    """The newest, without any image. TOKENLOUPE_DOCKER_DIR: one that runs already, and is not ended."""
    if given := os.environ.get("TOKENLOUPE_DOCKER_DIR"):
        return Engine(Path(given))
    return start_engine()


def with_stand_in(engine: Engine) -> Engine:
    """The same engine, with the stand-in under the names that compose/ asks for."""
    if not engine.docker("images", "-q", STAND_IN):
        bring_stand_in([STAND_IN], engine.environment)
    tag(engine, STAND_IN)
    return engine


def tag(engine: Engine, image: str) -> None:
    for name in NAMES:
        engine.docker("tag", image, name)


@pytest.fixture(scope="session")
def gpu_engine(start_engine: StartEngine) -> Engine:
    """One that has NVIDIA's runtime by name, with the stand-in's images."""
    return with_stand_in(start_engine("--stub", "good", "--runtime", "nvidia"))


@pytest.fixture(scope="session")
def cdi_engine(start_engine: StartEngine) -> Engine:
    """One that has no runtime of NVIDIA's and hands in a made-up GPU by CDI, with the stand-in's images."""
    engine = start_engine("--cdi")
    if "nvidia.com/gpu=all" not in engine.docker("info"):
        why = "the newest engine that can be had here does not tell its CDI devices"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    return with_stand_in(engine)


@pytest.fixture(scope="session")
def stock_engine(start_engine: StartEngine) -> Engine:
    """This Debian's own, with the oldest Compose that is spoken to, with the stand-in's images."""
    return with_stand_in(start_engine("--suite", "stock", "--compose", "2.40.3"))


Corner = Callable[[Engine], Place]


@pytest.fixture
def corner(
    home: Path, built_in_models: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Engine], Place]]:
    """`corner(engine)`: the test's place there, which is also in this process's environment."""
    places: list[Place] = []

    def make(engine: Engine) -> Place:
        place = Place(engine, home, built_in_folder(built_in_models))
        for name, value in place.environment.items():
            monkeypatch.setenv(name, value)
        places.append(place)
        return place

    yield make
    for place in places:
        place.clean()


@pytest.fixture
def serving(engine: Engine, corner: Corner) -> Place:
    """With the stand-in server."""
    return corner(with_stand_in(engine))


@pytest.fixture(scope="session")
def real_engine(engine: Engine) -> Engine:
    """With the real vLLM, as compose/ makes it from its base: mended where that is needed."""
    try:
        if not engine.docker("images", "-q", REAL):
            bring_real([CPU.base], engine.environment)
            command = ("compose", "-f", "compose/compose.yaml", "build", "vllm")
            engine.docker(*command, seconds=1800)
            engine.docker("tag", CPU.image, REAL)
    except FileNotFoundError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    return engine


@pytest.fixture
def really_serving(real_engine: Engine, corner: Corner) -> Place:
    """With the real vLLM."""
    faulthandler.cancel_dump_traceback_later()  # pytest's own limit is shorter than a slow start
    tag(real_engine, REAL)
    return corner(real_engine)
