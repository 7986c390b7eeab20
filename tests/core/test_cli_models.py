"""`tokenloupe pull`, `verify`, `rm` and `models` as a person runs them, against a hub on the loopback."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.cli_models import _Lines, wanted, way
from core.paths import default_paths
from core.settings import SettingsStore
from core.worker.download_values import Downloading
from tests.architecture.sources import ROOT
from tests.core.models.downloading import ALL, WEIGHTS, hub_of, models, place, whole
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

COMMAND = [sys.executable, "-P", "-m", "core"]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with hub_of(monkeypatch, home) as served:
        yield served


def start(*arguments: str) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*COMMAND, *arguments], env=environ, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    process = start(*arguments)
    out, err = process.communicate(timeout=120)
    lines = [json.loads(line) for line in out.splitlines()] if "--json" in arguments else []
    return process.returncode, lines, err + ("" if lines else out)


def test_pulled_listed_checked_and_removed(hub: FakeHub) -> None:
    code, said, _ = run("pull", "org/name", "--json")
    assert (code, said[-1]["type"], said[-1]["revision"]) == (0, "ready", COMMIT)
    whole(place(), {name: hub.files[name] for name in ALL})
    _, rows, _ = run("models", "--json")
    assert [(row["id"], row["state"]) for row in rows] == [("built-in", "absent"), ("org/name", "ready")]
    code, said, _ = run("verify", "org/name", "--json")
    assert (code, said[-1]["state"], said[-1]["damaged"]) == (0, "ready", [])
    (place() / "tokenizer.json").write_bytes(b"cut")
    code, _, text = run("verify")
    assert code == 3 and "damaged  tokenizer.json" in text and f"pull org/name@{COMMIT}" in text
    assert run("pull", f"org/name@{COMMIT}")[0] == 0
    code, _, text = run("rm", "org/name")
    assert code == 0 and "freed" in text
    assert not place().exists()
    code, _, text = run("rm", "org/name")
    assert code == 3 and "no model org/name" in text


def test_small_files_alone_are_mended_alone(hub: FakeHub) -> None:
    assert run("pull", "org/name", "--tokenizer-only")[0] == 0
    (place() / "tokenizer.json").write_bytes(b"cut")
    _, _, text = run("verify")
    again = text.rpartition("tokenloupe ")[2].split()
    assert again == ["pull", f"org/name@{COMMIT}", "--tokenizer-only"]
    assert run(*again)[0] == 0 and run("verify")[0] == 0
    assert hub.served["model.safetensors"] == 0


def test_ctrl_c_pauses_and_the_same_command_goes_on(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]
    process = start("pull", "org/name")
    part = models() / f".partial/org--name@{COMMIT}/model.safetensors.part"
    until = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size >= 200_000) and time.monotonic() < until:
        hub.holding.wait(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "goes on from here: pull org/name" in err and "Traceback" not in err
    assert "paused" in run("models")[2]
    row = run("models", "--json")[1][-1]
    assert row["bytes"] == sum(len(hub.files[name]) for name in ALL) > row["done"] > 0
    assert run("pull", "org/name")[0] == 0
    assert hub.served["model.safetensors"] == len(WEIGHTS)


def test_each_failure_is_a_sentence(hub: FakeHub) -> None:
    hub.gated = True
    code, said, err = run("pull", "org/name", "--json")
    assert (code, said[-1]["code"]) == (3, "hub.no_token")
    assert f"{hub.address}/org/name" in err and "Traceback" not in err
    assert run("pull", "no name")[0] == 3


def test_a_known_model_is_pulled_at_its_known_commit() -> None:
    """The one that compose/ serves by itself."""
    assert wanted("Qwen/Qwen3.5-0.8B") == ("Qwen/Qwen3.5-0.8B", "2fc06364715b967f1860aea9cf38778875588b17")
    assert wanted("Qwen/Qwen3.5-0.8B@main") == ("Qwen/Qwen3.5-0.8B", "main")
    assert wanted("org/name") == ("org/name", "")


def test_the_settings_time_out_holds_for_all_that_the_hub_is_asked(home: Path) -> None:
    SettingsStore(default_paths().settings).update(hub_seconds=90)
    assert asyncio.run(way(default_paths())).seconds == 90


def test_a_line_of_progress_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, its = os.openpty()
    termios.tcsetwinsize(its, (24, 40))
    with os.fdopen(ours, "rb"), os.fdopen(its, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        _Lines(False).checking(f"org/{'n' * 200}", Downloading(1, "checking", done=5, total=10))
        said = os.read(ours, 4096).decode()
        monkeypatch.undo()
    assert said.startswith("\r\x1b[Kchecking  5 B of 10 B  org/n") and len(said) == len("\r\x1b[K") + 39


def test_the_built_in_one_is_pulled_by_the_id_that_it_is_listed_with(
    hub: FakeHub, built_in_home: Path
) -> None:
    code, said, _ = run("pull", "built-in", "--json")
    assert (code, said[-1]["type"], said[-1]["id"]) == (0, "ready", "built-in")
    assert said[-1]["folder"] == run("models", "--json")[1][0]["folder"] and hub.requests == []


def test_what_is_not_ours_stays(hub: FakeHub) -> None:
    own = models() / "mine"
    own.mkdir(parents=True)
    (own / "config.json").write_bytes(b"{}")
    code, _, text = run("rm", str(own))
    assert code == 3 and str(own) in text and own.is_dir()
