"""The running window on a real engine: its life with the server of ours, and what its end leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from tests.real.docker.place import ROOT, Place
from tests.real.docker.programs import visit

END_WITHIN = 9.0  # seconds from the wish to quit to the process's end: a container is stopped meanwhile


def test_start_watch_ask_stop_start_again_quit(serving: Place) -> None:
    said, end = visit(serving, "first_road", serving.model("one"))
    assert said["answer"][0] == "finished" and said["answer"][2] == "vllm", said
    assert said["ranks"][0] == 1 and said["card"] and said["log"] > 20
    assert said["timeline"] and {"checking", "creating", "loading", "ready"} <= set(said["phases"])
    assert said["seen"][:3] == ["Ready", "Stop server", "chat"]
    assert serving.ours() == [] and serving.listeners() == set()
    assert end["end"] < END_WITHIN


@pytest.mark.parametrize("at", ["creating", "loading", "ready", "lost"])
def test_quitting_leaves_nothing(serving: Place, at: str) -> None:
    name = at if at in ("ready", "lost") else "starting"
    *_, end = visit(serving, name, serving.model("one"), AT=at)
    assert serving.ours() == [] and serving.listeners() == set()
    assert end["end"] < END_WITHIN


def test_a_signal_asks_nothing_and_leaves_nothing(serving: Place) -> None:
    command = [sys.executable, "-m", "tests.whole.with_docker", "waiting", str(serving.model("one"))]
    environment = {**os.environ, **serving.environment, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
        began = time.monotonic()
        process.terminate()
        assert process.wait(END_WITHIN) == 0
    assert serving.ours() == [] and serving.listeners() == set(), time.monotonic() - began


def test_left_running_it_is_joined_by_the_next_window(serving: Place) -> None:
    model = serving.model("one")
    visit(serving, "leaving", model)
    (container,) = serving.ours()
    said, _ = visit(serving, "joining", model)
    assert said["container"] == container and said["answer"] == "finished"
    assert serving.ours() == []
