"""One loaded built-in model for a module's tests; loading it takes seconds."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.engines.base import Finished, Prefilling, Sampling, TokenBatch
from core.engines.local.engine import LocalEngine
from core.paths import Paths
from core.prompt.base import ChatMessage, Prompt, PromptOptions
from core.prompt.worker_prompter import WorkerPrompter
from core.tokens.row import TokenRow
from core.worker.client import WorkerClient

REFERENCE = Path(__file__).parents[3] / "reference" / "plain_transformers.py"


class Local:
    """An engine, its worker and a loop to run it on."""

    def __init__(self, runner: asyncio.Runner, worker: WorkerClient, engine: LocalEngine) -> None:
        self.runner, self.worker, self.engine = runner, worker, engine
        self.run: Callable[[Coroutine[Any, Any, Any]], Any] = runner.run

    def prompt(self, text: str) -> Prompt:
        prompter = WorkerPrompter(self.worker)
        return self.run(prompter.render([ChatMessage("user", text)], PromptOptions()))

    def generate(
        self, ids: list[int], sampling: Sampling, *, top: int = 5
    ) -> tuple[list[TokenRow], Finished, Prefilling]:
        async def collect() -> tuple[list[TokenRow], Finished, Prefilling]:
            rows: list[TokenRow] = []
            async for event in self.engine.generate(ids, sampling, top_candidates=top):
                if isinstance(event, TokenBatch):
                    rows += event.rows
                elif isinstance(event, Finished):
                    finished = event
                else:
                    prefilling = event
            return rows, finished, prefilling

        return self.run(collect())

    def close(self) -> None:
        self.run(self.worker.close())
        self.runner.close()


def open_local(home: Path) -> Local:
    """An engine without a model yet."""
    worker = WorkerClient()
    engine = LocalEngine(worker, Paths(home / "data", home / "cache", home / "config"))
    return Local(asyncio.Runner(), worker, engine)


def _built_in(dtype: str) -> Any:
    @pytest.fixture(scope="module")
    def local(built_in_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Local]:
        home = tmp_path_factory.mktemp("local")
        (home / "data").mkdir()
        (home / "data" / "models").symlink_to(built_in_models)
        local = open_local(home)
        local.run(local.engine.open("built-in", dtype=dtype))
        yield local
        local.close()

    return local


local = _built_in("auto")
local_float32 = _built_in("float32")


def reference(**request: object) -> Any:
    """What plain transformers says, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(REFERENCE)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
