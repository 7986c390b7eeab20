"""The engine of the tests itself: apart from any other, and gone with who started it."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.real.docker.conftest import STAND_IN
from tests.real.docker.engine import Engine
from tests.real.docker.machine import processes
from tests.real.docker.place import ROOT, SECONDS, Place

HOLD = """
import sys, time
from pathlib import Path
from tests.real.docker.engine import held
with held(Path(sys.argv[1])) as engine:
    engine.docker("import", sys.argv[2], "some:thing")
    run = ("run", "-d", "-p", "127.0.0.1::80", "some:thing", "/busybox", "sleep", "1000")
    print(engine.docker(*run), flush=True)
    time.sleep(1000)
"""


def devices() -> set[str]:
    return {name for _, name in socket.if_nameindex() if name.startswith(("tl", "br-", "veth"))}


def test_an_engine_ends_with_the_tests_that_were_killed(engine: Engine, tmp_path: Path) -> None:
    place = Path(tempfile.mkdtemp(prefix="tl-docker-"))
    archive = tmp_path / "image.tar"
    subprocess.run(["tar", "-chf", archive, "-C", "/usr/bin", "busybox"], check=True)
    before = devices()
    command = [sys.executable, "-c", HOLD, str(place), str(archive)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        container = process.stdout.readline().strip()
        assert len(container) == 64, container
        holder = os.pidfd_open(int((place / "holder").read_text()))
        process.kill()
    try:
        assert select.select([holder], [], [], SECONDS)[0], "its holder goes on"
    finally:
        os.close(holder)
    assert not place.exists()
    assert str(place) not in Path("/proc/self/mounts").read_text()
    Place.until(lambda: not processes(str(place)), "what was killed is gone")
    Place.until(lambda: not devices() - before, "its devices are gone")


def test_a_port_of_the_loopback_listens_nowhere_else(serving: Place) -> None:
    model = serving.model("one")
    published = f"127.0.0.1:{serving.port}:8000"
    serving.engine.docker("run", "-d", "-p", published, "-v", f"{model}:/m:ro", STAND_IN, "/m")
    serving.answers()
    assert serving.listeners() == {"127.0.0.1"}
