"""A second start raises the first window, also after a crash and with a very long data folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.kit.single import Claim, SingleInstance, server_name

# another process, since the lock is held by a process
SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop.kit.single import SingleInstance
app = QCoreApplication([])
single = SingleInstance(Path(sys.argv[1]), answer_ms=int(sys.argv[2]))
print(single.claim().value, flush=True)
if sys.argv[3:] == ["crash"]:
    import os
    os._exit(1)
"""


def start(folder: Path, *arguments: str, answer_ms: int = 20_000) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SECOND, str(folder), str(answer_ms), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    return process.communicate(timeout=30)[0].strip()


@pytest.fixture
def first(qapp: object, tmp_path: Path) -> SingleInstance:
    single = SingleInstance(tmp_path / "run")
    assert single.claim() is Claim.FIRST
    return single


def test_a_second_start_raises_the_first(first: SingleInstance, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(first.raise_requested, timeout=30_000):
        second = start(tmp_path / "run")
    qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
    assert answer(second) == "raised"
    first.close()


def test_another_data_folder_is_another_window(first: SingleInstance, tmp_path: Path) -> None:
    assert answer(start(tmp_path / "other")) == "first"
    first.close()


def test_after_a_crash_the_next_start_is_first(qapp: object, tmp_path: Path, qtbot: QtBot) -> None:
    crashed = start(tmp_path / "run", "crash")
    assert answer(crashed) == "first"
    single = SingleInstance(tmp_path / "run")
    assert single.claim() is Claim.FIRST
    with qtbot.waitSignal(single.raise_requested, timeout=30_000):
        second = start(tmp_path / "run")
    qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
    assert answer(second) == "raised"
    single.close()


def test_a_first_that_does_not_answer_is_said(first: SingleInstance, tmp_path: Path) -> None:
    # nobody runs this process's event loop while we wait
    assert answer(start(tmp_path / "run", answer_ms=50)) == "silent"
    first.close()


def test_after_close_the_folder_is_free(first: SingleInstance, tmp_path: Path) -> None:
    first.close()
    assert answer(start(tmp_path / "run")) == "first"


def test_a_folder_that_cannot_be_made_is_no_reason_for_no_window(qapp: object, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert SingleInstance(blocked / "run").claim() is Claim.FIRST


def test_a_long_folder_gets_a_short_name(tmp_path: Path) -> None:
    long = Path("/" + "x" * 200)
    assert len(server_name(long)) < 60
    assert server_name(long) != server_name(Path("/" + "y" * 200))
    assert server_name(Path("/tmp/a")) == "/tmp/a/window.socket"
