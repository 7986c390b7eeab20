"""The real server of the tests: run with TOKENLOUPE_REAL_VLLM=1, which fails where it is not built."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from core.engines.base import NOTHING, Extras, Finished, Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.models.folder import built_in_folder
from core.tokens.row import TokenRow
from tests.real.vllm.environment import folder, ready

pytest.register_assert_rewrite("tests.real.vllm.checks")  # what differs is shown
TESTS = Path(__file__).parents[2]
TINY = TESTS / "cases" / "models" / "tiny"
# "What is the capital of France?" as the built-in model's template writes it
PROMPT = [
    *(
        1,
        9690,
        198,
        2683,
        359,
        253,
        5356,
        5646,
        11173,
        3365,
        3511,
        308,
        34519,
        28,
        7018,
        411,
        407,
        19712,
        8182,
    ),
    *(2, 198, 1, 4093, 198, 1780, 314, 260, 3575, 282, 4649, 47, 2, 198, 1, 520, 9531, 198),
]


def pytest_runtest_setup() -> None:
    if not os.environ.get("TOKENLOUPE_REAL_VLLM"):
        pytest.skip("with a real vLLM server: make test-vllm")


@pytest.fixture(scope="session")
def model(built_in_models: Path) -> Path:
    if not ready(folder()):
        pytest.fail(f"no vLLM in {folder()}: build it with python tests/real/vllm/environment.py")
    return built_in_folder(built_in_models)


def made(kind: str, folder: Path) -> Path:
    """A tiny random model of this kind, made below `folder`."""
    script = str(TESTS / "reference" / "make_model.py")
    command = [sys.executable, script, kind, str(TINY), str(folder / kind)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / kind


class Client:
    """A connected engine and the loop it lives in."""

    def __init__(self, address: str, key: str = "") -> None:
        self.runner = asyncio.Runner()
        self.run: Callable[[Coroutine[Any, Any, Any]], Any] = self.runner.run
        self.engine = VllmEngine(address, key=key)
        try:
            self.run(self.engine.connect())
        except BaseException:
            self.close()
            raise

    def ask(
        self, sampling: Sampling, prompt: list[int] = PROMPT, top: int = 5, extras: Extras = NOTHING
    ) -> tuple[list[TokenRow], Finished]:
        async def collect() -> tuple[list[TokenRow], Finished]:
            rows: list[TokenRow] = []
            finished: Finished | None = None
            asked = self.engine.generate(prompt, sampling, top_candidates=top, extras=extras)
            async with aclosing(asked) as events:
                async for event in events:
                    if isinstance(event, TokenBatch):
                        rows += event.rows
                    elif isinstance(event, Finished):
                        finished = event
            assert finished is not None
            return rows, finished

        found: tuple[list[TokenRow], Finished] = self.run(collect())
        return found

    def close(self) -> None:
        self.run(self.engine.close())
        self.runner.close()


@pytest.fixture(scope="module")
def connect() -> Iterator[Callable[..., Client]]:
    """`connect(address, key="")`: a client, closed after the module's tests."""
    clients: list[Client] = []

    def make(address: str, key: str = "") -> Client:
        clients.append(Client(address, key))
        return clients[-1]

    yield make
    for client in clients:
        client.close()
