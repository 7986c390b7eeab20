"""The whole program and the settings of the hub: what an error wants next is one press away, and helps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.paths import default_paths
from tests.core.models.downloading import TOKEN, hub_of, place
from tests.fakes.hub.server import COMMIT, FakeHub
from tests.whole.test_models import run


@pytest.fixture
def hub(home: Path, built_in_models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    folder = home / "data" / "models"
    folder.mkdir(parents=True)
    (folder / "built-in").symlink_to(built_in_models / "built-in")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.fakes.keyrings.Kept")
    monkeypatch.setenv("TOKEN_TO_ENTER", TOKEN)
    with hub_of(monkeypatch, home) as made:
        yield made


def visit(name: str) -> dict[str, Any]:
    return run(name, "tests.whole.with_hub_settings")


def test_a_token_is_entered_from_the_error_and_the_download_goes_on(hub: FakeHub, home: Path) -> None:
    hub.gated, hub.token = True, TOKEN
    hub.files["config.json"] = b'{"model_type": "qwen3_5"}'
    said = visit("token")
    assert "has not signed in" in said["refused"] and said["at"] is True
    assert said["tokens"] == [hub.address] and "in the keyring" in said["note"]
    assert said["hosts"] == ["127.0.0.1"] and said["state"] == "ready"
    assert {key for _, path, key in hub.calls if path.startswith("/store/")} <= {""}
    assert f"Bearer {TOKEN}" in {key for _, _, key in hub.calls}
    written = [path for path in home.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    assert [path.name for path in written] == ["fake-keyring.json"]
    assert json.loads(default_paths().settings.read_bytes())["hub_tokens"] == [hub.address]


def test_code_is_fetched_by_consent_alone_and_started_by_nothing(hub: FakeHub) -> None:
    config = {"model_type": "own", "auto_map": {"AutoModel": "modeling_own.Model"}}
    hub.files["config.json"] = json.dumps(config).encode()
    said = visit("code")
    assert "program code of its own" in said["why"] == said["ready"]
    assert (said["refuse"], said["trust"]) == (0, 1)
    assert said["files"].startswith("modeling_own.py") and COMMIT in " ".join(said["sheet"])
    assert (said["offered"], said["badge"]) == (["delete"], "unsupported")
    assert (place() / "modeling_own.py").is_file()


def test_the_offline_switch_is_named_where_the_search_ends(hub: FakeHub) -> None:
    said = visit("offline")
    assert "offline switch is on" in said["says"] and said["at"] is True
    assert said["trouble"] is False
    assert hub.calls != []
