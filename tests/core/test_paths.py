"""Where things lie: one variable for all of it, one for the models."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.paths import compose_files, default_paths, resources


def test_all_of_it_below_home_the_models_too(home: Path) -> None:
    paths = default_paths()
    assert paths.models == home / "data" / "models"
    assert paths.settings.is_relative_to(home) and paths.runtime.is_relative_to(home)


def test_the_models_alone_can_lie_elsewhere(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKENLOUPE_MODELS", str(tmp_path / "模型 $x"))
    assert default_paths().models == tmp_path / "模型 $x"
    assert default_paths().history.is_relative_to(home)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_by_default_they_lie_where_compose_finds_them(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.delenv("TOKENLOUPE_HOME")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_paths().models == tmp_path / ".local" / "share" / "tokenloupe" / "models"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert default_paths().models == tmp_path / "share" / "tokenloupe" / "models"


def test_d20_a_variable_from_a_file_edited_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKENLOUPE_MODELS", f"\ufeff{tmp_path}\r\n")
    monkeypatch.setenv("TOKENLOUPE_HOME", f"{tmp_path}/home\r")
    assert default_paths().models == tmp_path
    assert default_paths().data == tmp_path / "home" / "data"


def test_what_ships_is_beside_the_program() -> None:
    assert (compose_files() / "compose.yaml").is_file() and (resources() / "vllm.toml").is_file()
