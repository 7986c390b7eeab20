"""kill -9 in any state: the next program explains what it finds, and one action joins or removes it.

ROUNDS=50 for more of them, SEED=N for that one alone.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.server.state import ServerPhase as P
from tests.real.docker.place import ROOT, Place
from tests.real.docker.programs import program, spec_for

ROUNDS = int(os.environ.get("ROUNDS", "10"))
ONE = os.environ.get("SEED")
SEEDS = [int(ONE)] if ONE else list(range(ROUNDS))
STATES = 20  # that come in a whole life: two starts and a stop


def kill_in_between(place: Place, chance: random.Random, *folders: Path) -> str:
    """Some state, some moment later. → what it said last."""
    command = [sys.executable, "-m", "tests.real.docker.victim", *map(str, folders), str(place.port)]
    after, later = chance.randrange(STATES), chance.random() * 0.3
    last = "nothing"
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **place.environment}, stdout=subprocess.PIPE, text=True
    ) as victim:
        assert victim.stdout is not None
        seen = 0
        for line in victim.stdout:
            seen += line.strip() != last
            last = line.strip()
            if seen > after:
                break
        time.sleep(later)
        victim.kill()
    return last


def left_running(place: Place) -> list[str]:
    """Commands of any process that has this test's home in its environment, but for this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"TOKENLOUPE_HOME={place.home}".encode() in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_program(serving: Place, seed: int) -> None:
    chance = random.Random(seed)
    first, second = (serving.model(name, pace=0.1, seconds={"loading": 0.5}) for name in ("one", "two"))
    said = kill_in_between(serving, chance, first, second)
    serving.until(lambda: not left_running(serving), f"children of the killed one end ({said})")

    async def next_one() -> None:
        async with program() as window:
            launcher = window.launcher
            found = await launcher.look()
            told = f"killed in {said}; found {found.phase.value}, {found.finding and found.finding.code}"
            if serving.ours():
                assert found.phase not in (P.ABSENT, P.STOPPED), told
            if found.phase in (P.FAILED, P.LOST):
                assert found.finding is not None or found.error is not None, told
            action = chance.choice(["join or start", "start", "stop"])
            if action == "join or start" and (found.starting or found.phase is P.READY):
                await launcher.join()
                assert window.state.phase is P.READY, told
            elif action != "stop":
                await launcher.start(spec_for(serving, first))
                assert window.state.phase is P.READY and window.state.spec.model == "one", told
            else:
                await launcher.stop()
                assert serving.ours() == [] and serving.listeners() == set(), told
        assert serving.ours() == [] and serving.listeners() == set(), told
        networks = serving.engine.docker("network", "ls", "--format", "{{.Name}}").split()
        assert set(networks) <= {"bridge", "host", "none"}, told

    asyncio.run(next_one())
    assert not left_running(serving)
