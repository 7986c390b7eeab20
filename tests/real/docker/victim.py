"""A program that starts a server, switches its model and stops it, to be killed while it does.

python -m tests.real.docker.victim FOLDER FOLDER PORT     prints each state as it comes
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from core.cli_server import ask
from core.paths import default_paths
from core.server.controller import ServerController
from core.server.docker import DockerCli
from core.server.spec import LaunchSpec
from core.worker.client import library_worker


async def live(first: Path, second: Path, port: int) -> None:
    library = library_worker()
    launcher = ServerController(DockerCli(library), default_paths(), ask)
    launcher.state_changed.connect(lambda state: print(state.phase.value, flush=True))
    for folder in (first, second):
        spec = LaunchSpec(model=folder.name, folder=str(folder), port=port, kv_bytes=1 << 30)
        await launcher.start(spec)
    await launcher.stop()
    await launcher.close()
    await library.close()


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
