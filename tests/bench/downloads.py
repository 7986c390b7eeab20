"""A download from a hub on the loopback beside huggingface_hub's own and curl; the check beside sha256sum.

`python -m tests.bench.downloads RUNS`: one JSON object a run. Ratios above 1: faster than the faster of both.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.models.download import Downloads
from core.models.orders import HubSettings
from core.paths import default_paths
from tests.fakes.hub.server import FILES, FakeHub

SIZE = 400_000_000  # bytes
NAME = "model.safetensors"
SNAPSHOT = """
import sys, time
from huggingface_hub import snapshot_download
begun = time.perf_counter()
snapshot_download("org/name", cache_dir=sys.argv[1], allow_patterns=["*.json", "*.jinja", "*.safetensors"])
print(time.perf_counter() - begun)
"""


async def ours() -> tuple[float, float]:
    """Seconds of the download from its first word to the hub on (its process has started by then, as
    snapshot_download's has), and of the check."""
    downloads = Downloads(default_paths(), settings=lambda: HubSettings(floor=0))
    begun, done = 0.0, asyncio.Event()

    def begin(_: object) -> None:
        nonlocal begun
        begun = begun or time.perf_counter()

    def look(states: object) -> None:
        if downloads.states[0].phase in ("ready", "failed"):
            done.set()

    downloads.ledger.noted.connect(begin)
    downloads.changed.connect(look)
    downloads.start("org/name")
    await done.wait()
    took = time.perf_counter() - begun
    folder = Path(downloads.states[0].folder)
    checking = 0.0

    def check(_: object) -> None:
        nonlocal checking
        checking = checking or time.perf_counter()

    await downloads.verify(folder, check)
    verified = time.perf_counter() - checking
    await downloads.close()
    return took, verified


def timed(*command: str) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def with_curl(url: str, home: Path) -> tuple[float, float]:
    """Seconds, of the weights alone; and until they are on the disk, as ours are before they are ready."""
    if not shutil.which("curl"):
        return math.inf, math.inf
    took = timed("curl", "-sSL", "-o", str(home / "curl"), url)
    begun = time.perf_counter()
    with (home / "curl").open("rb") as file:
        os.fsync(file.fileno())
    return took, took + time.perf_counter() - begun


def with_snapshot(home: Path) -> float:
    """Seconds."""
    environ = {**os.environ, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    said = subprocess.run(
        [sys.executable, "-c", SNAPSHOT, str(home / "cache")], env=environ, check=True, capture_output=True
    )
    return float(said.stdout.split()[-1])


def one(hub: FakeHub, home: Path, number: int) -> dict[str, float]:
    """Each run begins with another of the three: the first one finds no memory for its file ready."""
    url = f"{hub.address}/org/name/resolve/{hub.commit}/{NAME}"
    ways: list[Callable[[], Any]] = [
        lambda: asyncio.run(ours()),
        lambda: with_curl(url, home),
        lambda: with_snapshot(home),
    ]
    took: dict[int, Any] = {}
    for way in (number, number + 1, number + 2):
        took[way % 3] = ways[way % 3]()
    (mine, verified), (curl, synced), snapshot = took[0], took[1], took[2]
    found = {
        "download_s": mine,
        "curl_s": curl,
        "snapshot_s": snapshot,
        "download_ratio": min(curl, snapshot) / mine,
        "download_snapshot_ratio": snapshot / mine,
        "download_curl_ratio": curl / mine,
        "download_synced_curl_ratio": synced / mine,
    }
    if shutil.which("sha256sum"):
        found["verify_ratio"] = (
            timed("sha256sum", str(next(home.glob("data/models/org*/" + NAME)))) / verified
        )
    return found


def main() -> None:
    for name in [name for name in os.environ if name.startswith("HF_") or name.lower().endswith("_proxy")]:
        del os.environ[name]
    hub = FakeHub(files={**FILES, NAME: os.urandom(SIZE)}, store=True, stored=(NAME,), block=1 << 20)
    with hub.serve():
        hub.siblings()  # its own hashing is nobody's time
        for number in range(int(sys.argv[1])):
            with tempfile.TemporaryDirectory(prefix="tl-") as home:
                os.environ |= {"HF_ENDPOINT": hub.address, "TOKENLOUPE_HOME": home, "HF_HOME": f"{home}/hf"}
                print(json.dumps(one(hub, Path(home), number)), flush=True)


if __name__ == "__main__":
    main()
