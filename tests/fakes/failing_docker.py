"""An access to Docker whose program is tests/fakes/docker, in a world of its own."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import DockerError
from core.server import contexts
from core.server.access import Ended, Progress
from core.server.docker import DockerCli
from core.worker.client import WorkerClient, library_worker

PROGRAM = Path(__file__).with_name("docker")
Use = Callable[["Access"], Coroutine[Any, Any, None]]


class Access(DockerCli):
    """The one under test, with its child process and the folder in which the program leaves its notes."""

    def __init__(self, library: WorkerClient, notes: Path, environment: dict[str, str]) -> None:
        super().__init__(library, environment)
        self.library = library
        self.notes = notes
        self._world = environment
        self.told: list[Progress] = []

    def running(self) -> list[psutil.Process]:
        """Of those that the program noted: itself and one that it started. What has ended and waits for the
        system's own reaping, since its parent is gone, does not run."""
        notes = self.notes / "pids"
        if not notes.exists():  # it was ended before
            return []
        own, *others = map(int, notes.read_text().split())
        found = []
        for pid in (own, *others):
            with contextlib.suppress(psutil.NoSuchProcess):
                one = psutil.Process(pid)
                if pid == own or one.status() != psutil.STATUS_ZOMBIE:
                    found.append(one)
        return found

    async def warm_up(self) -> None:
        """Its child has imported what it asks an engine with: that may take longer than a test's limit."""
        world = self._world | {"FAKE_HOST": f"unix://{self.notes}/nobody.sock", "FAKE_DOCKER": ""}
        assert await code_of(Access(self.library, self.notes, world).info()) == "docker.stopped"

    async def up(self, **environment: str) -> Ended:
        return await self.compose(["a b.yaml"], ["up", "-d"], environment, self.told.append)


class World:
    """`world(function, scenario, NAME=value…)` calls it with the access."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._bin, self._notes = folder / "bin", folder / "notes"
        self._bin.mkdir()
        self._notes.mkdir()
        shutil.copy(PROGRAM, self._bin / "docker")
        monkeypatch.setattr(contexts, "_FOLDERS", ("~/nowhere",))

    def __call__(self, function: Use, scenario: str = "", **environment: str) -> None:
        whole = {
            "PATH": f"{self._bin}:/usr/bin:/bin",
            "HOME": str(self.folder),
            "FAKE_DOCKER": scenario,
            "FAKE_NOTES": str(self._notes),
            "FAKE_HOST": "ssh://box",  # its engine is spoken to through the program
            **environment,
        }

        async def main() -> None:
            library = library_worker()
            try:
                await asyncio.wait_for(function(Access(library, self._notes, whole)), 60)
            finally:
                await library.close()

        asyncio.run(main())


async def code_of(call: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(DockerError) as raised:
        await call
    return raised.value.code
