"""Closing the window with cards, dialogs or menus open ends all processes in time, silently."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.architecture.sources import ROOT
from tests.whole.quit_in import STATES


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
    assert done.stderr == ""
    assert done.returncode == 0  # the program's own watchdog would leave with code 1
    assert not _alive(json.loads(done.stdout)["worker"])
