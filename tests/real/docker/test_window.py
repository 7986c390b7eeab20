"""The running window on a real engine: its life with the server of ours, and what its end leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.real.docker.place import ROOT, SECONDS, Place
from tests.real.docker.programs import visit

# how to be found in the middle of it
IN_IT: dict[str, dict[str, Any]] = {
    "creating": {"seconds": {"creating": 600}},
    "loading": {"loading": {"do": "hang"}},
    "ready": {},
    "lost": {},
}


def test_start_watch_ask_stop_start_again_quit(serving: Place) -> None:
    said = visit(serving, "first_road", serving.model("one"))
    assert said["answer"][0] == "finished" and said["answer"][2] == "vllm", said
    assert said["ranks"][0] == 1 and said["card"] and said["log"] > 20
    assert said["timeline"] and {"checking", "creating", "loading", "ready"} <= set(said["phases"])
    assert said["seen"][:3] == ["Ready", "Stop server", "chat"]
    assert serving.ours() == [] and serving.listeners() == set()


@pytest.mark.parametrize("at", IN_IT)
def test_quitting_leaves_nothing(serving: Place, at: str) -> None:
    name = at if at in ("ready", "lost") else "starting"
    visit(serving, name, serving.model("one", **IN_IT[at]), AT=at)
    assert serving.ours() == [] and serving.listeners() == set()


def test_a_signal_asks_nothing_and_leaves_nothing(serving: Place) -> None:
    command = [sys.executable, "-m", "tests.whole.with_docker", "waiting", str(serving.model("one"))]
    environment = {**os.environ, **serving.environment, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
        process.terminate()
        assert process.wait(SECONDS) == 0
    assert serving.ours() == [] and serving.listeners() == set()


def test_left_running_it_is_joined_by_the_next_window(serving: Place) -> None:
    model = serving.model("one")
    visit(serving, "leaving", model)
    (container,) = serving.ours()
    said = visit(serving, "joining", model)
    assert said["container"] == container and said["answer"] == "finished"
    assert serving.ours() == []
