"""A hub, a models folder and the real download process, for tests of downloads."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.models.download import Downloads
from core.models.manifest import NAME as MANIFEST
from core.models.manifest import damaged_files, hub_folder, is_ready, read_manifest
from core.models.orders import DownloadState, HubSettings
from core.models.partial import partial_place
from core.paths import default_paths
from tests.fakes.hub.server import COMMIT, FILES, FakeHub

WEIGHTS = random.Random("weights").randbytes(640_000)  # no part of it is like another
SMALL = {name for name in FILES if name.endswith((".json", ".jinja"))}
ALL = SMALL | {"model.safetensors"}
TOKEN = "hf_not_for_the_store_0123456789"
QUICK = HubSettings(seconds=60.0, tries=3, pause=0.01, floor=0)
ONCE = msgspec.structs.replace(QUICK, tries=1)


@contextmanager
def hub_of(monkeypatch: pytest.MonkeyPatch, home: Path, **how: Any) -> Iterator[FakeHub]:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    hub = FakeHub(files={**FILES, "model.safetensors": WEIGHTS}, store=True, **how)
    hub.stored = ("model.safetensors", "tokenizer.json")
    with hub.serve():
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        yield hub


def models() -> Path:
    return default_paths().models


def place(commit: str = COMMIT) -> Path:
    return models() / hub_folder("org/name", commit)


def partial_folder(*, tokenizer_only: bool = False) -> Path:
    return partial_place(models(), "org/name", COMMIT, tokenizer_only=tokenizer_only)


@asynccontextmanager
async def downloads(settings: HubSettings = QUICK, token: str = "") -> Any:
    async def given() -> str:
        return token

    lines: list[str] = []
    made = Downloads(default_paths(), settings=lambda: settings, token=given)
    made.lines.connect(lines.append)
    try:
        yield made
    finally:
        await made.close()
        assert not [line for line in lines if "Traceback" in line or (token and token in line)], lines
        assert not [line for line in lines if "X-Signature" in line], lines


async def until(made: Downloads, *phases: str, model: str = "") -> DownloadState:
    """The first state in one of the phases."""
    found: asyncio.Future[DownloadState] = asyncio.get_running_loop().create_future()

    def look(states: tuple[DownloadState, ...]) -> None:
        for state in states:
            if state.phase in phases and model in ("", state.repo) and not found.done():
                found.set_result(state)

    disconnect = made.changed.connect(look)
    look(made.states)
    try:
        return await found
    finally:
        disconnect()


def run(work: Callable[[], Awaitable[Any]], timeout: float = 120) -> Any:
    return asyncio.run(asyncio.wait_for(work(), timeout))


def pull(revision: str = "", *, token: str = "", settings: HubSettings = QUICK, **more: Any) -> DownloadState:
    async def work() -> DownloadState:
        async with downloads(settings, token) as made:
            made.start("org/name", revision, **more)
            return await until(made, "ready", "failed")

    return run(work)  # type: ignore[no-any-return]


def whole(folder: Path, files: dict[str, bytes]) -> None:
    """It is complete, all of it right, and nothing else is there."""
    assert is_ready(folder)
    manifest = read_manifest(folder)
    assert manifest is not None and damaged_files(folder, manifest, content=True) == []
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert set(there) == {*files, MANIFEST}
    for name, content in files.items():
        assert there[name].read_bytes() == content, name
        assert not there[name].is_symlink()


def nothing_else(*folders: Path) -> None:
    there = {path.relative_to(models()).parts[0]: path for path in models().rglob("*")}
    assert set(there) == {folder.name for folder in folders}, there


async def weights(count: int) -> None:
    """Until so much of them is on disk."""
    part = partial_folder() / "model.safetensors.part"

    def there() -> int:
        return part.stat().st_size if part.exists() else 0

    while there() < count:  # noqa: ASYNC110 - what is waited for is another process's file
        await asyncio.sleep(0.01)


def start_again() -> list[tuple[str, str]]:
    """The program is started; what becomes of each download, once nothing of it moves."""

    async def work() -> list[tuple[str, str]]:
        async with downloads(msgspec.structs.replace(QUICK, tries=1)) as made:
            await made.restore()
            await until_still(made)
            return [(state.repo, state.phase) for state in made.states]

    return run(work)  # type: ignore[no-any-return]


async def until_still(made: Downloads) -> None:
    still = asyncio.Event()

    def look(states: object) -> None:
        if all(state.phase in ("paused", "failed", "ready") for state in made.states):
            still.set()

    disconnect = made.changed.connect(look)
    look(())
    await still.wait()
    disconnect()
