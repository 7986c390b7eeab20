"""The server manager as a window and the command line have it, on the Docker that the environment names."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from core.cli_server import ask
from core.engines.base import Finished, Sampling, TokenBatch
from core.engines.vllm.engine import VllmEngine
from core.errors import LoupeError
from core.paths import default_paths
from core.server.access import LogPiece
from core.server.controller import ServerController
from core.server.docker import DockerCli
from core.server.finding import Finding
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase, ServerState
from core.server.tools import Check
from core.tokens.row import TokenRow
from core.worker.client import library_worker
from tests.real.docker.place import ROOT, SECONDS, Place

# "What is the capital of France?" as the built-in model's template writes it
GREEDY = Sampling(temperature=0.0, max_tokens=6)


class Program:
    """One window. `seen`: every phase so far; `log`: what the server wrote."""

    def __init__(self, launcher: ServerController) -> None:
        self.launcher = launcher
        self.seen: list[ServerPhase] = []
        self.log: list[str] = []
        launcher.state_changed.connect(self._note)
        launcher.log.connect(lambda pieces: self.log.extend(piece.text for piece in pieces))
        launcher.log_cleared.connect(lambda _: self.log.clear())

    def _note(self, state: ServerState) -> None:
        if self.seen[-1:] != [state.phase]:
            self.seen.append(state.phase)

    @property
    def state(self) -> ServerState:
        return self.launcher.state

    async def until(self, true: Callable[[ServerState], bool]) -> ServerState:
        """The first state that is so, from now on. Raises TimeoutError."""
        found: asyncio.Future[ServerState] = asyncio.get_running_loop().create_future()

        def look(state: ServerState) -> None:
            if true(state) and not found.done():
                found.set_result(state)

        disconnect = self.launcher.state_changed.connect(look)
        look(self.state)
        try:
            return await asyncio.wait_for(found, SECONDS)
        finally:
            disconnect()

    async def until_logged(self, words: str) -> None:
        """The server may be ready before the last of what it wrote has come. Raises TimeoutError."""
        there = asyncio.Event()

        def look(pieces: Sequence[LogPiece]) -> None:
            if any(words in piece.text for piece in pieces):
                there.set()

        disconnect = self.launcher.log.connect(look)
        try:
            if not any(words in text for text in self.log):
                await asyncio.wait_for(there.wait(), SECONDS)
        finally:
            disconnect()

    async def fails(self, spec: LaunchSpec) -> Finding:
        """What a start that comes to nothing says."""
        try:
            await self.launcher.start(spec)
        except LoupeError as error:
            finding = self.state.finding
            assert self.state.phase is ServerPhase.FAILED
            assert finding is not None, (error.code, error.detail, self.log[-20:])
            return finding
        raise AssertionError(f"it started: {self.seen}")


@asynccontextmanager
async def program(check: Check | None = None) -> AsyncIterator[Program]:
    """Stops at its end what it started. `check`: in place of the program's own look before a start."""
    library = library_worker()
    launcher = ServerController(DockerCli(library), default_paths(), ask, by="window", check=check)
    try:
        yield Program(launcher)
    finally:
        await launcher.close()
        await library.close()


async def nothing(*_: object) -> None:
    """In place of the look before a start: Docker is to say it."""


def spec_for(place: Place, folder: Path, **more: object) -> LaunchSpec:
    values = {"model": folder.name, "folder": str(folder), "port": place.port, "kv_bytes": 1 << 30, **more}
    return LaunchSpec(**values)  # type: ignore[arg-type]


async def answer(address: str, prompt: list[int], sampling: Sampling = GREEDY) -> list[TokenRow]:
    """Through the engine that the window asks."""
    engine = VllmEngine(address)
    try:
        await engine.connect()
        rows: list[TokenRow] = []
        finished = False
        async with aclosing(engine.generate(prompt, sampling, top_candidates=5)) as events:
            async for event in events:
                if isinstance(event, TokenBatch):
                    rows += event.rows
                finished = finished or isinstance(event, Finished)
        assert finished
        return rows
    finally:
        await engine.close()


def visit(place: Place, name: str, model: Path, seconds: float = 300, **environment: str) -> dict[str, Any]:
    """What a visit of the window (tests/whole/with_docker.py) said. It must end with code 0, silently, which
    it does in the time that it gives itself alone."""
    command = (sys.executable, "-m", "tests.whole.with_docker", name, str(model))
    limit = {"PATIENCE": str(seconds), "PYTHONPATH": str(ROOT)}
    done = place.run(*command, seconds=2 * seconds, **limit, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, Any] = json.loads(done.stdout)
    return said
