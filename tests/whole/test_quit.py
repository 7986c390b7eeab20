"""Closing the window with cards, dialogs or menus open ends all processes within 5 s, silently."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

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
