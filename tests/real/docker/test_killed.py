"""kill -9 in any state: the next program explains what it finds, and one action joins or removes it.

ROUNDS=50 for more of them, SEED=N for that one alone; REAL_ROUNDS=3: that many with the real vLLM too.
"""

from __future__ import annotations

import asyncio
import contextlib
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
REAL_ROUNDS = int(os.environ.get("REAL_ROUNDS", "0"))
ONE = os.environ.get("SEED")
SEEDS = [int(ONE)] if ONE else list(range(ROUNDS))
STATES = 20  # that come in a whole life: two starts and a stop


def kill_in_between(place: Place, chance: random.Random, folders: tuple[Path, Path], wait: float) -> str:
    """Some state, some moment up to `wait` seconds later. → what it said last."""
    command = [sys.executable, "-m", "tests.real.docker.victim", *map(str, folders), str(place.port)]
    after, later = chance.randrange(STATES), chance.random() * wait
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
        with contextlib.suppress(subprocess.TimeoutExpired):
            victim.wait(later)
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


def rest(place: Place) -> None:
    """Docker goes on for a while with what the killed one has asked of it."""
    last, since = "", time.monotonic()

    def same() -> bool:
        nonlocal last, since
        found = place.engine.docker("ps", "-a", "--format", "{{.ID}} {{.State}}")
        found += place.engine.docker("network", "ls", "-q")
        if found != last:
            last, since = found, time.monotonic()
        return time.monotonic() - since > 1

    place.until(same, "nothing moves any more")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_program(serving: Place, seed: int) -> None:
    one_round(serving, seed, 0.3)


if REAL_ROUNDS:

    @pytest.mark.parametrize("seed", range(REAL_ROUNDS))
    def test_a_killed_program_of_the_real_one(really_serving: Place, seed: int) -> None:
        one_round(really_serving, seed, 3.0)


def one_round(place: Place, seed: int, wait: float) -> None:
    chance = random.Random(seed)
    first, second = (place.model(name, pace=0.1, seconds={"loading": 0.5}) for name in ("one", "two"))
    said = kill_in_between(place, chance, (first, second), wait)
    place.until(lambda: not left_running(place), f"children of the killed one end ({said})")
    rest(place)

    async def next_one() -> None:
        async with program() as window:
            launcher = window.launcher
            there = place.ours()
            found = await launcher.look()
            told = f"killed in {said}; found {found.phase.value}, {found.finding and found.finding.code}"
            if there and place.ours() == there:
                assert found.phase not in (P.ABSENT, P.STOPPED), told
            if found.phase in (P.FAILED, P.LOST):
                assert found.finding is not None or found.error is not None, told
            action = chance.choice(["join or start", "start", "stop"])
            if action == "join or start" and (found.starting or found.phase is P.READY):
                await launcher.join()
                assert window.state.phase is P.READY, told
            elif action != "stop":
                await launcher.start(spec_for(place, first))
                assert window.state.phase is P.READY and window.state.spec.model == "one", told
            else:
                await launcher.stop()
                assert place.ours() == [] and place.listeners() == set(), told
        assert place.ours() == [] and place.listeners() == set(), told
        networks = place.engine.docker("network", "ls", "--format", "{{.Name}}").split()
        assert set(networks) <= {"bridge", "host", "none"}, told

    asyncio.run(next_one())
    assert not left_running(place)
