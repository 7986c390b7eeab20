"""From "I want that model" to a chat on a real engine: with the picker, by one click, from the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.models.manifest import hub_folder, is_ready
from core.models.partial import partial_place
from tests.core.models.downloading import hub_of
from tests.fakes.hub.server import COMMIT, FakeHub, Fault
from tests.real.docker.place import ROOT, Place

TESTS = Path(__file__).parents[2]
WEIGHTS, NAME = "model.safetensors", "org/name"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a tiny random model."""
    folder = tmp_path_factory.mktemp("tiny")
    script, tokenizer = TESTS / "reference" / "make_model.py", TESTS / "cases" / "models" / "tiny"
    command = [sys.executable, str(script), "qwen3.5", str(tokenizer), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def hub(
    home: Path, serving: Place, built_in_models: Path, tiny: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[FakeHub]:
    """It has the tiny model; the built-in one is on this computer."""
    (serving.models / "built-in").symlink_to(built_in_models / "built-in")
    with hub_of(monkeypatch, home) as made:
        made.files, made.stored = dict(tiny), (WEIGHTS,)
        yield made


def visit(serving: Place, name: str, **environment: str) -> dict[str, Any]:
    """What the visit said. The window must end with code 0, silently."""
    done = serving.run(
        sys.executable, "-m", "tests.whole.with_docker_models", name, PYTHONPATH=str(ROOT), **environment
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def trickle(hub: FakeHub, *, times: int = 99) -> None:
    """From the middle of the weights on, so that there is time to act."""
    hub.faults = [Fault("trickle", WEIGHTS, 300_000, times=times)]


def asked_for(hub: FakeHub, since: int = 0) -> list[int]:
    """From which byte on the weights were asked for, each time that some came."""
    return [one.start for one in hub.requests[since:] if one.file == WEIGHTS and one.sent]


def on_disk(serving: Place) -> int:
    """Bytes of the weights that have come so far."""
    return (partial_place(serving.models, NAME, COMMIT) / f"{WEIGHTS}.part").stat().st_size


def test_fetch_pause_quit_go_on_start_chat_delete(
    serving: Place, hub: FakeHub, tiny: dict[str, bytes]
) -> None:
    trickle(hub)
    said = visit(serving, "fetch")
    assert said["fit"] in ("fits_cpu", "tight", "too_big") and {"weights", "kv"} <= set(said["parts"])
    assert said["told"] == [WEIGHTS]
    there = on_disk(serving)
    assert 0 < there < len(tiny[WEIGHTS])
    before, hub.faults = len(hub.requests), []
    said = visit(serving, "go_on")
    assert said["begun"] >= there and asked_for(hub, before) == [there]  # not a byte twice
    assert said["docker"] == ["finished", "vllm", True] and said["note"] == "weights_here"
    assert said["delete"][:2] == [True, False] and "server" in said["delete"][2]
    assert said["local"] == ["finished", "local", True] and said["stopped"] == "stopped"
    assert said["frees"] >= len(tiny[WEIGHTS])
    assert sorted(path.name for path in serving.models.iterdir()) == ["built-in"]
    assert serving.ours() == []


def test_one_click_cancelled_in_the_middle_and_then_again(
    serving: Place, hub: FakeHub, tiny: dict[str, bytes]
) -> None:
    trickle(hub, times=1)
    said = visit(serving, "one_click")
    assert said["picker"] is False
    assert said["step"] == ["weights_fetch", True] and said["bar"] == ["Starting", "Cancel start"]
    assert "kB of" in said["row"] and "Downloading the model" in said["row"]
    assert said["stopped"].endswith("downloaded") and "kB of" in said["stopped"]
    assert said["seen"][:3] == ["Ready", "Stop server", "chat"]
    assert said["answer"] == ["finished", "vllm", True] and said["done"] == ["weights_fetched", NAME]
    first, again = asked_for(hub)
    assert first == 0 < again < len(tiny[WEIGHTS])
    small = sum(len(content) for name, content in tiny.items() if name != WEIGHTS)
    assert again <= said["kept"] <= again + small
    assert is_ready(serving.models / hub_folder(NAME, COMMIT)) and serving.ours() == []


def test_a_start_that_ends_with_the_program_leaves_a_download_that_goes_on(
    serving: Place, hub: FakeHub
) -> None:
    trickle(hub)
    visit(serving, "quit_in_it")
    there = on_disk(serving)
    assert there > 0 and serving.ours() == []
    hub.faults = []
    said = visit(serving, "after_it")
    assert asked_for(hub) == [0, there]
    assert said == {"phase": "absent", "note": "weights_here"} and serving.ours() == []


def test_nothing_is_fetched_where_docker_does_not_answer(serving: Place, hub: FakeHub) -> None:
    said = visit(serving, "without_docker", DOCKER_HOST=f"unix://{serving.home}/nobody.sock")
    assert said["over"] == "card" and said["finding"] != ""
    assert asked_for(hub) == []


def test_from_the_terminal(serving: Place, hub: FakeHub) -> None:
    done = serving.tokenloupe("up", "--wait", "--model", NAME)
    assert done.returncode == 0, done.stderr
    assert "every file checked" in done.stdout and f"Ready: {NAME}" in done.stdout
    done = serving.tokenloupe("ask", "hello world", "--json")
    assert done.returncode == 0, done.stderr
    done = serving.tokenloupe("rm", NAME)
    assert done.returncode == 3 and "tokenloupe down" in done.stderr
    assert is_ready(serving.models / hub_folder(NAME, COMMIT))
    assert serving.tokenloupe("down").returncode == 0
    assert serving.tokenloupe("rm", NAME).returncode == 0
    assert asked_for(hub) == [0] and serving.ours() == []
