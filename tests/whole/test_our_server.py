"""The whole program with the server of ours, whose manager plays a script: its life, a first run, the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT


def run(visit: str) -> tuple[dict[str, Any], list[str]]:
    """What the visit said, and what was called of the manager. The program must end with code 0, silently."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.whole.with_our_server", visit],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("VLLM")}
        | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said, calls = (json.loads(line) for line in done.stdout.splitlines())
    return said, calls


def test_the_life_of_a_server(built_in_home: Path) -> None:
    said, calls = run("life")
    assert said["chosen"] == ["No server", "Start", "chat", "Start and send"]
    assert said["starting"] == ["Starting", "Cancel start", "timeline", "Send when ready"]
    assert said["waits"] == "Do not send"
    assert said["ready"] == ["Ready", "Stop server", "chat", "Send"]
    assert said["answer"] == ["finished", 10, "vllm"]
    assert said["log"] == "INFO asking"
    assert said["stopped"] == ["Stopped", "Start", "chat", "Start and send"]
    assert said["failed"] == ["Did not start", "Try again", "card", "Send"]
    assert said["share"] == 0.6
    assert said["lost"] == ["Server gone", "Try again", "chat", "Start and send"]
    assert said["kept"] and said["banner"] == ["log", "again", "Start again"]
    assert said["again"][0] == "Ready" and said["starts"] == 4
    assert said["quitting"] is False
    assert calls[-1] == "close"


def test_a_first_run_offers_three_ways_and_does_nothing_by_itself(home: Path) -> None:
    said, calls = run("first_run")
    assert said == {"seen": "first_run", "composer": False, "specs": 0, "downloads": []}
    assert calls == ["look", "doctor", "close, leave"]


def test_whether_a_model_fits_is_told_of_what_docker_has_now(built_in_home: Path) -> None:
    said, calls = run("fit")
    unknown, small, large = said["stopped"], said["little"], said["much"]
    assert unknown[:2] == ["unknown", "Not known: Docker does not answer."]
    assert small[0] == "too_big" and small[3] == "vLLM CPU"  # what is free there is not told
    assert large[0] == "fits_cpu" and large[2:] == [
        "size not known, 40.00 GB free",
        "vLLM CPU, 16.0 of 32.0 GiB free",
    ]
    assert calls.count("room") == 3


def test_ending_in_the_middle_of_a_start_ends_the_server_too(built_in_home: Path) -> None:
    _, calls = run("starting")
    assert calls[-1] == "close"


def test_what_is_left_of_a_server_that_was_killed_ends_with_the_window_unasked(built_in_home: Path) -> None:
    said, calls = run("lost")
    assert said == {"leaves": [False, False], "asked": False}
    assert calls[-1] == "close"


@pytest.mark.parametrize("visit, end", [("log_out", "close"), ("log_out_leaving", "close, leave")])
def test_a_log_out_asks_nothing(visit: str, end: str, built_in_home: Path) -> None:
    """The remembered choice, else the server is stopped; that everything is saved is no end yet."""
    said, calls = run(visit)
    assert said == {"draft": "a draft", "quits": False, "asked": False, "reason": "log-out"}
    assert calls[-1] == end
