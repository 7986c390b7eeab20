"""The whole program with the picker of models: from an id to an answer, over the end of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.models.manifest import hub_folder, is_ready
from core.models.partial import partial_place
from core.paths import default_paths
from core.settings import Settings, save
from tests.architecture.sources import ROOT
from tests.core.models.downloading import hub_of, models
from tests.fakes.hub.server import COMMIT, FakeHub, Fault
from tests.whole.with_models import HELD_AT, WEIGHTS

TESTS = Path(__file__).parents[1]
TINY = TESTS / "cases" / "models" / "tiny"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a tiny random model."""
    folder = tmp_path_factory.mktemp("tiny")
    script = str(TESTS / "reference" / "make_model.py")
    subprocess.run(
        [sys.executable, script, "qwen3.5", str(TINY), str(folder)], check=True, capture_output=True
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def hub(
    home: Path, built_in_models: Path, tiny: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[FakeHub]:
    """It has the tiny model; the built-in one is on this computer."""
    folder = home / "data" / "models"
    folder.mkdir(parents=True)
    (folder / "built-in").symlink_to(built_in_models / "built-in")
    with hub_of(monkeypatch, home) as made:
        made.files = {**tiny, "README.md": b"# words"}
        made.stored = (WEIGHTS,)
        yield made


def run(visit: str, module: str = "tests.whole.with_models") -> dict[str, Any]:
    """What the visit said. The program must end with code 0, silently."""
    done = subprocess.run(
        [sys.executable, "-m", module, visit],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("VLLM")}
        | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_from_an_id_to_an_answer_over_the_end_of_the_program(hub: FakeHub, tiny: dict[str, bytes]) -> None:
    save(default_paths().settings, Settings(hub_seconds=3600))  # what is held back is not asked for again
    hub.faults = [Fault("stall", WEIGHTS, at=HELD_AT, times=3)]
    said = run("begin")
    assert said["badge"] == ["fits", "fits"]
    assert {"weights", "kv", "working"} <= set(said["summands"])
    assert said["found"] == ["absent", COMMIT, "mit"]
    assert said["quit"] == "fetching"
    assert {one.start for one in hub.requests if one.file == WEIGHTS and one.status == 206} == {HELD_AT}

    part = partial_place(models(), "org/name", COMMIT) / f"{WEIGHTS}.part"
    there = part.stat().st_size
    assert there == 2 * HELD_AT < len(tiny[WEIGHTS])
    before = len(hub.requests)
    said = run("go_on")
    again = [one for one in hub.requests[before:] if one.file == WEIGHTS and one.sent]
    assert [one.start for one in again] == [there]  # not a byte twice
    assert {one.file for one in hub.requests[before:] if one.sent and one.file} == {WEIGHTS}
    assert said["begun"] >= there
    assert said["bar"] == ["Downloading", "Cancel", True]  # and the other model can be asked meanwhile
    assert said["bar after"] == "Ready"
    assert said["answer"] == ["finished", 8]
    assert said["used"] is True
    assert not (models() / hub_folder("org/name", COMMIT)).exists()
    assert sorted(path.name for path in models().iterdir()) == ["built-in"]
    assert said["folders"] == []


def test_what_is_damaged_is_named_and_fetched_alone(hub: FakeHub, tiny: dict[str, bytes]) -> None:
    from tests.core.models.downloading import pull

    pull()
    folder = models() / hub_folder("org/name", COMMIT)
    assert is_ready(folder)
    content = bytearray(tiny[WEIGHTS])
    content[-1] ^= 1
    (folder / WEIGHTS).write_bytes(content)
    before = len(hub.requests)
    assert run("wrong_byte")["files"] == [WEIGHTS]
    assert is_ready(folder) and (folder / WEIGHTS).read_bytes() == tiny[WEIGHTS]
    assert {one.file for one in hub.requests[before:] if one.sent and one.file} == {WEIGHTS}
