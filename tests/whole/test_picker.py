"""The whole program's picker of models: search, ids, small files, own folders and the keys alone."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.settings import load
from tests.fakes.hub.server import COMMIT, FakeHub
from tests.whole import test_models
from tests.whole.test_models import hub, tiny  # noqa: F401  # fixtures

SMALL = {
    "chat_template.jinja",
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
}
MANIFEST, WEIGHTS = "tokenloupe-manifest.json", "model.safetensors"


def run(visit: str) -> dict[str, Any]:
    return test_models.run(visit, "tests.whole.with_picker")


def test_what_is_found_is_told_apart(hub: FakeHub, tiny: dict[str, bytes]) -> None:  # noqa: F811
    odd = {**tiny, "config.json": tiny["config.json"].replace(b'"qwen3_5_text"', b'"falcon_h9"')}
    assert b"falcon_h9" in odd["config.json"]
    hub.others = (
        FakeHub("org/gated", files=tiny, gated=True, commit="a" * 40, downloads=5),
        FakeHub("org/odd", files=odd, commit="b" * 40, downloads=3),
        FakeHub("org/last", files=tiny, commit="c" * 40, downloads=1),
    )
    said = run("search")
    assert said["first"] == ["built-in", "Qwen/Qwen3.5-0.8B", "google/gemma-4-E2B-it"]
    assert said["found"] == ["org/name", "org/gated", "org/odd", "org/last"]
    assert said["before"] == 0 and said["after"] == [512, "fits"]
    assert said["gated"] == ["gated", "gated"]
    assert said["odd"] == "unsupported" and "falcon_h9" in said["why"]
    assert "model_type: falcon_h9" in said["report"] and hub.address not in said["report"]


def test_addresses_and_commits(hub: FakeHub, tiny: dict[str, bytes]) -> None:  # noqa: F811
    older = "f" * 40
    hub.older = {older: tiny}
    said = run("ids")
    assert said["older"] == older
    assert said["there"] == [["org/name"], older]  # the address of its page is the model that is here
    assert said["two"] == [f"org/name@{COMMIT}", "0123456 · mit", "found"]
    assert sorted(said["here"]) == ["built-in", "org/name", f"org/name@{COMMIT}"]


def test_the_small_files_alone_and_then_the_rest(hub: FakeHub) -> None:  # noqa: F811
    said = run("small")
    assert said["only"] is True and set(said["files"]) == {*SMALL, MANIFEST}
    assert said["offered"] == ["delete", "get"]
    assert set(said["whole"]) == {*SMALL, WEIGHTS, MANIFEST} and len(said["left"]) == 2
    assert hub.served["tokenizer.json"] == len(hub.files["tokenizer.json"])  # not a second time


def test_a_folder_of_ones_own_is_used_remembered_and_left_as_it_is(
    hub: FakeHub,  # noqa: F811
    tiny: dict[str, bytes],  # noqa: F811
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = home / "own 玉山"
    own.mkdir()
    for name, content in tiny.items():
        (own / name).write_bytes(content)
    monkeypatch.setenv("OWN", str(own))
    said = run("folder")
    assert said["told in the picker"] is True
    assert said["foreign"] == ["own 玉山", 0, False] and said["offered"] == ["forget", "use"]
    assert said["model"] == str(own) and said["unchanged"] is True and said["typed"] == "running"
    assert run("again") == {"bar": "Model: own 玉山", "row": "running"}
    assert hub.requests == []
    shutil.rmtree(own)  # and the program starts without it
    settings, _ = load(Path(os.environ["TOKENLOUPE_HOME"]) / "config" / "settings.json")
    assert settings.folders == (str(own),)


def test_without_a_pointer(hub: FakeHub) -> None:  # noqa: F811
    said = run("keys")
    assert said["focus"] == "search" and said["down"] == ["list", "org/name"]
    assert said["stops"][-1] == "get"
    assert said["asked"] == "Delete org/name?" and said["kept"] == ["ready", "list"]
    assert said["closed"] == [True, "MessageEdit"]
