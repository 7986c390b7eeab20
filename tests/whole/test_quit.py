"""Closing the window in every state ends all processes within 5 s, with exit code 0 and nothing on stderr."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core.chat.history import History
from core.paths import default_paths
from tests.architecture.sources import ROOT
from tests.whole.quit_in import STATES

LIMIT = 5.0


def _alive(pid: int | None) -> bool:
    try:
        return pid is not None and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("state", sorted(STATES))
def test_closing_ends_everything(state: str, built_in_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.whole.quit_in", state],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONASYNCIODEBUG": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
    )
    ended = time.monotonic()
    assert done.stderr == ""
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert ended - said["at"] < LIMIT
    assert not _alive(said["worker"])


def test_the_program_killed_loses_at_most_the_last_second(built_in_home: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.whole.kill_me"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    said = json.loads(program.stdout.readline())
    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdout.close()

    async def kept() -> int:
        history = History(default_paths().history)
        await history.open()
        rows = await history.load_list()
        conversation = await history.load(rows[0].id)
        await history.close()
        assert conversation is not None
        answer = conversation.path()[-1].answer
        assert answer is not None
        return len(answer.table)

    assert asyncio.run(kept()) >= said["a_second_ago"] > 0
    psutil.wait_procs([psutil.Process(said["worker"])] if _alive(said["worker"]) else [], timeout=LIMIT)
    assert not _alive(said["worker"])
