"""Cuts and kills at random moments: no byte twice, never a wrong "ready", nothing left that is not explained.

KILLS=500 for more of them.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from core.models.manifest import NAME as MANIFEST
from core.models.manifest import is_ready
from core.models.orders import HubSettings
from core.models.partial import ETAGS, LISTING, PART, partial_place, sweep
from core.models.store import OnDisk, Store
from core.paths import default_paths
from core.worker.client import download_worker
from core.worker.download_values import Download
from core.worker.part_file import BLOCK
from tests.core.models.downloading import models, nothing_else, place, whole
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

KILLS = int(os.environ.get("KILLS", "40"))
SIZE = 4_000_000  # of each file with weights
NAMES = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
ON_THE_WAY = BLOCK + (1 << 20)  # bytes: what the process reads at a time, and what both ends' sockets hold
SETTINGS = HubSettings(seconds=5.0, tries=3, pause=0.001, floor=0)


def explained(folder: Path, names: set[str]) -> None:
    """Only files of the model, their parts, and what the download itself keeps."""
    own = {LISTING, ETAGS, MANIFEST}
    for path in folder.rglob("*") if folder.exists() else ():
        name = path.relative_to(folder).as_posix()
        assert name in names | own or name.removesuffix(PART) in names or name.startswith((*own,)), name


def sizes(folder: Path, names: set[str]) -> dict[str, int]:
    """Bytes on disk of each file: none of them may be asked for again."""
    found = {}
    for name in names:
        for path in (folder / name, folder / (name + PART)):
            if path.is_file():
                found[name] = path.stat().st_size
                break
    return found


async def one_life(hub: FakeHub, chance: random.Random) -> bool:
    """Start the real process and kill it at a random moment, or let it end. True if it ended."""
    worker = download_worker()
    request = Download(
        0, "org/name", COMMIT, str(models()), seconds=SETTINGS.seconds, tries=SETTINGS.tries,
        pause=SETTINGS.pause, floor=0,
    )  # fmt: skip
    after, seen = chance.randrange(1, 20) if chance.random() < 0.9 else 1 << 30, 0
    done = False

    async def ask() -> None:
        nonlocal seen, done
        async for reply in worker.stream(lambda job: _numbered(request, job)):
            seen += 1
            done = type(reply).__name__ == "Downloaded"
            if seen >= after and worker.pid is not None and not done:
                os.kill(worker.pid, signal.SIGKILL)
                return

    served = sum(hub.served.values())
    target = served + chance.randrange(1, 400_000)
    asking = asyncio.ensure_future(ask())
    kill_by_bytes = chance.random() < 0.9
    while not asking.done():
        await asyncio.sleep(0.001)
        if kill_by_bytes and sum(hub.served.values()) > target and worker.pid is not None:
            os.kill(worker.pid, signal.SIGKILL)
            break
    pid = worker.pid
    await worker.kill()
    await asyncio.gather(asking, return_exceptions=True)
    if pid is not None:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    return done


def _numbered(request: Download, job: int) -> Download:
    return msgspec.structs.replace(request, job=job)


def test_random_cuts_and_kills(hub: FakeHub) -> None:
    seed = int(os.environ.get("KILLS_SEED", "1"))
    chance = random.Random(seed)
    kills = models_made = lost = 0
    while kills < KILLS:
        hub.files = {k: v for k, v in hub.files.items() if k.endswith(("json", "jinja"))}
        for number, name in enumerate(NAMES):
            hub.files[name] = random.Random(f"{number} {models_made}").randbytes(SIZE)
        hub.stored = (*NAMES, "tokenizer.json")
        names = set(hub.files)
        hub.requests.clear()
        before: dict[str, int] = {}
        folder = partial_place(models(), "org/name", COMMIT)
        for _ in range(200):
            hub.faults = [
                Fault("cut", chance.choice(NAMES), chance.randrange(SIZE)) for _ in range(chance.randrange(3))
            ]
            hub.pace = 0.002
            first = len(hub.requests)
            ended = asyncio.run(asyncio.wait_for(one_life(hub, chance), 120))
            reached = dict(before)
            for one in hub.requests[first:]:
                if one.method == "GET" and one.status in (200, 206) and one.file in names:
                    assert one.start == reached.get(one.file, 0), (seed, one, before)
                    reached[one.file] = one.start + one.sent  # a cut takes nothing of what was sent before it
            if ended:
                break
            kills += 1
            after = sizes(folder if folder.exists() else place(), names)
            for name in names:
                sent = sum(one.sent for one in hub.requests[first:] if one.file == name)
                lost = max(lost, sent - (after.get(name, 0) - before.get(name, 0)))
                assert lost <= ON_THE_WAY, (seed, name, lost)
            states = {row.state for row in Store(default_paths()).rows()[1:]}
            assert states <= {OnDisk.PARTIAL, OnDisk.VERIFYING, OnDisk.READY}
            if OnDisk.READY in states:  # killed between the last step and the word of it
                assert is_ready(place()) and not folder.exists()
            explained(folder, names)
            before = after
        hub.faults, hub.pace = [], 0.0
        assert asyncio.run(one_life_to_the_end())
        whole(place(), {name: hub.files[name] for name in names})
        sweep(models())  # as at every start of the program: an empty lock may be left
        nothing_else(place())
        models_made += 1
        Store(default_paths()).remove("org/name")
        sys.stderr.write(
            f"{kills} kills, {models_made} models, at most {lost} bytes on their way were lost\n"
        )


async def one_life_to_the_end() -> bool:
    worker = download_worker()
    request = Download(0, "org/name", COMMIT, str(models()), floor=0)
    try:
        async for reply in worker.stream(lambda job: _numbered(request, job)):
            if type(reply).__name__ == "Downloaded":
                return True
    finally:
        await worker.close()
    return False
