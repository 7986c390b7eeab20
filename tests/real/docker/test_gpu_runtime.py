"""A GPU by NVIDIA's runtime: with a driver that works, is broken or is full; and one that nobody tells of."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from core.server.finding import Part
from core.server.spec import GIB
from core.server.state import ServerPhase as P
from tests.real.docker.conftest import Corner
from tests.real.docker.engine import Engine
from tests.real.docker.place import Place
from tests.real.docker.programs import nothing, program, spec_for

LOGS = Path(__file__).parents[2] / "cases" / "logs"


def test_a_gpu_that_nothing_speaks_for(serving: Place) -> None:
    model = serving.model("one")

    async def story() -> None:
        async with program() as window:
            doctor = await window.launcher.doctor()
            assert doctor.device == "cpu" and doctor.no_gpu is not None
            found = await window.fails(spec_for(serving, model, device="gpu"))
            assert found.code in ("no_nvidia", "no_gpu")

    asyncio.run(story())
    assert serving.ours() == []


def test_a_gpu_with_its_runtime(gpu_engine: Engine, corner: Corner) -> None:
    """The doctor sees that this machine has no driver; the engine's hook plays a good one, then a broken."""
    place = corner(gpu_engine)
    model = place.model("one")

    async def story() -> None:
        async with program(check=nothing) as window:
            doctor = await window.launcher.doctor()
            assert doctor.info is not None and doctor.info.nvidia
            assert doctor.no_gpu is not None and doctor.no_gpu.code == "nvidia_broken"
            await window.launcher.start(spec_for(place, model, device="gpu"))
            assert window.state.phase is P.READY
            await window.launcher.stop()
            (gpu_engine.place / "stub").write_text("broken")
            try:
                found = await window.fails(spec_for(place, model, device="gpu"))
            finally:
                (gpu_engine.place / "stub").write_text("good")
            assert found.code == "nvidia_broken" and "libnvidia-ml.so.1" in found.line
        assert place.ours() == []

    asyncio.run(story())


_SMI = """#!/bin/sh
case "$1" in
--query-gpu=*) echo "0, GPU-a, 16384, 2048, 580.65.06, Disabled, NVIDIA RTX 4080" ;;
--query-compute-apps=*) echo "GPU-a, $(cat "$0.pid"), 4096, /usr/bin/python3" ;;
esac
"""


def test_a_gpu_whose_memory_somebody_holds(
    gpu_engine: Engine, corner: Corner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known before the start, told when it fails; what our own server holds counts as free."""
    place = corner(gpu_engine)
    smi = tmp_path / "smi" / "nvidia-smi"
    smi.parent.mkdir()
    smi.write_text(_SMI)
    smi.chmod(0o755)
    holder = smi.with_name("nvidia-smi.pid")
    holder.write_text("4121")
    monkeypatch.setenv("PATH", f"{smi.parent}:{os.environ['PATH']}")
    log = "gpu_free_low.log"
    event = {"do": "end", "log": log, "code": 1}
    fails = place.model("one", loading=event, logs={log: (LOGS / log).read_text()})
    runs = place.model("two")

    async def story() -> None:
        async with program() as window:
            doctor = await window.launcher.doctor()
            assert doctor.no_gpu is None and doctor.device == "gpu"
            (memory,) = (check for check in doctor.checks if check.code == "gpu_memory")
            assert (memory.note, memory.params["pid"]) == ("gpu_memory_held", 4121)
            assert (await window.launcher.room("gpu")).free == 2 * GIB

            found = await window.fails(spec_for(place, fails, device="gpu"))
            assert found.code == "gpu_memory" and found.collision is not None
            assert found.collision.taken[0] == Part("python3", 4 * GIB)

            told: set[str] = set()
            window.launcher.state_changed.connect(
                lambda state: told.add(state.finding.code) if state.finding is not None else None
            )
            await window.launcher.start(spec_for(place, runs, device="gpu"))
            assert window.state.phase is P.READY and told == {"gpu_low"}, "a warning, while it starts"
            holder.write_text(str(place.inspect(window.state.container)["State"]["Pid"]))
            assert (await window.launcher.room("gpu")).free == 6 * GIB
        assert place.ours() == []

    asyncio.run(story())
