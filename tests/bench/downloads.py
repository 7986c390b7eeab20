"""A download from a hub on the loopback beside huggingface_hub's own and curl; the check beside sha256sum.

`python -m tests.bench.downloads RUNS`: one JSON object a run. Ratios above 1: faster than the faster of both.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
    """Seconds of the download without the start of its process, and of the check."""
    downloads = Downloads(default_paths(), settings=lambda: HubSettings(floor=0))
    begun, done = 0.0, asyncio.Event()

    def look(states: object) -> None:
        nonlocal begun
        state = downloads.states[0]
        if state.phase == "resolving" and not begun and state.commit:
            begun = time.perf_counter()
        if state.phase in ("ready", "failed"):
            done.set()

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


def one(hub: FakeHub, home: Path) -> dict[str, float]:
    mine, verified = asyncio.run(ours())
    url = f"{hub.address}/org/name/resolve/{hub.commit}/{NAME}"
    curl = timed("curl", "-sSL", "-o", str(home / "curl"), url) if shutil.which("curl") else float("inf")
    environ = {**os.environ, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    said = subprocess.run(
        [sys.executable, "-c", SNAPSHOT, str(home / "cache")], env=environ, check=True, capture_output=True
    )
    snapshot = float(said.stdout.split()[-1])
    found = {
        "download_ratio": min(curl, snapshot) / mine,
        "download_snapshot_ratio": snapshot / mine,
        "download_curl_ratio": curl / mine,
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
        for _ in range(int(sys.argv[1])):
            with tempfile.TemporaryDirectory(prefix="tl-") as home:
                os.environ |= {"HF_ENDPOINT": hub.address, "TOKENLOUPE_HOME": home, "HF_HOME": f"{home}/hf"}
                print(json.dumps(one(hub, Path(home))), flush=True)


if __name__ == "__main__":
    main()
