"""The whole program as a process: a real window, a real answer, what it loads, and a clean end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import screen
from tests.architecture.sources import ROOT

QUESTION = "What is the capital of France?"


def visit(environ: dict[str, str]) -> dict[str, Any]:
    """Ask in a window of its own process; it must end with code 0 and say nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.whole.ask_and_quit", QUESTION],
        cwd=ROOT,
        env=environ | {"PYTHONPATH": str(ROOT), "PYTHONASYNCIODEBUG": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is Linux's")
def test_on_x11_the_window_opens_and_answers(built_in_home: Path) -> None:
    with screen.virtual_screen() as display:
        said = visit(screen.environment(display))
    assert said["platform"] == "xcb"
    assert said["visible"] and said["exposed"]
    assert "Paris" in said["text"]
    # the window's process holds no model library, whatever it did
    assert not {"torch", "transformers", "tokenizers", "safetensors", "numpy"} & set(said["after"])
    assert not {"docker", "huggingface_hub", "httpx", "keyring"} & set(said["at_start"])


def test_a_second_run_knows_the_first_ones_chat(built_in_home: Path) -> None:
    visit(dict(os.environ))
    code = (
        "import asyncio\n"
        "from core.chat.history import History\n"
        "from core.paths import default_paths\n"
        "async def main():\n"
        "    history = History(default_paths().history)\n"
        "    await history.open()\n"
        "    rows = await history.load_list()\n"
        "    print(rows[0].title)\n"
        "    await history.close()\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == QUESTION, done.stderr
