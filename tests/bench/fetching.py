"""Stalls of the window while ten files are fetched and the picker shows it, beside those of the idle window.

`python -m tests.bench.fetching RUNS`: one JSON object a run. Hub, program and download are three processes.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.probe import Heartbeat, stalls
from tests.core.models.downloading import SMALL, until
from tests.fakes.hub.server import FILES, FakeHub
from tests.reference.built_in import built_in_models_folder
from tests.whole import inside
from tests.whole.with_models import MODEL, open_picker

ROOT = Path(__file__).resolve().parents[2]
PARTS = [f"model-{number}-of-5.safetensors" for number in range(1, 6)]
SIZE = 60_000_000  # bytes of each
BLOCK, PACE = 1 << 18, 0.006  # about 40 MB a second
IDLE_SECONDS = 5.0


async def visit(application: Any) -> None:
    picker = await open_picker(application)
    downloads = application.models.downloads
    beat = Heartbeat()
    beat.start()
    await asyncio.sleep(IDLE_SECONDS)
    found = stalls(beat.stop(), "idle_")
    beat.start()
    downloads.start(MODEL)
    await until(downloads, "fetching")
    picker.select(MODEL)
    state = await until(downloads, "ready", "failed")
    found |= stalls(beat.stop())
    if state.error is not None:
        raise state.error
    print(json.dumps(found), flush=True)


def run(hub: FakeHub) -> None:
    """In a home of its own, whose built-in model is the one that the tests keep."""
    from tests.conftest import test_cache  # sets the screen of whoever imports it: not that of the program

    with tempfile.TemporaryDirectory(prefix="tl-") as home:
        models = Path(home, "data", "models")
        models.mkdir(parents=True)
        (models / "built-in").symlink_to(built_in_models_folder(test_cache()) / "built-in")
        environ = {**os.environ, "TOKENLOUPE_HOME": home, "HF_ENDPOINT": hub.address, "HF_HOME": f"{home}/hf"}
        environ.pop("HF_HUB_OFFLINE", None)
        subprocess.run([sys.executable, "-m", __spec__.name, "child"], cwd=ROOT, env=environ, check=True)


def main() -> int:
    if sys.argv[1] == "child":
        return inside.run(visit)
    files = {name: FILES[name] for name in SMALL} | {name: os.urandom(SIZE) for name in PARTS}
    hub = FakeHub(files=files, store=True, stored=tuple(PARTS), block=BLOCK, pace=PACE)
    hub.siblings()  # its own hashing is nobody's time
    with hub.serve():
        for _ in range(int(sys.argv[1])):
            run(hub)
    return 0


if __name__ == "__main__":
    sys.exit(main())
