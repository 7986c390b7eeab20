"""What the buttons of a fix do."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.server.finding import Fix
from core.server.spec import GIB
from core.settings import SettingsStore
from desktop.server.remedies import Remedies


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def remedies(store: SettingsStore, qtbot: QtBot) -> Remedies:
    return Remedies(store, lambda: "orbstack")


def test_what_is_a_setting_is_kept_and_the_rest_holds_for_the_next_start(
    remedies: Remedies, store: SettingsStore, qtbot: QtBot
) -> None:
    changes = {"gpu_share": 0.6, "kv_bytes": 3 * GIB, "port": 8001, "eager": True, "context": 2048}
    with qtbot.waitSignal(remedies.start_wanted):
        remedies.do(Fix("share", "start", changes=changes))
    value = store.value
    assert (value.vllm_gpu_share, value.vllm_kv_gib, value.vllm_port) == (0.6, 3, 8001)
    assert remedies.changes == changes
    remedies.started()
    assert "eager" not in remedies.changes and remedies.changes["context"] == 2048
    remedies.forget()
    assert not remedies.changes


def test_a_setting_that_was_changed_since_counts(remedies: Remedies, store: SettingsStore) -> None:
    changes: dict[str, str | int | float | bool | None] = {
        "gpu_share": 0.2,
        "port": 8001,
        "version": "0.31.0",
        "kv_bytes": GIB // 2,
        "context": 2048,
    }
    remedies.do(Fix("share", "start", changes=changes))
    assert remedies.changes == changes
    store.update(vllm_gpu_share=0.6, vllm_port=8000, vllm_version="", vllm_kv_gib=4)
    assert remedies.changes == {"context": 2048}


def test_a_size_that_no_setting_can_hold_is_not_rounded(remedies: Remedies, store: SettingsStore) -> None:
    remedies.do(Fix("kv_less", "start", changes={"kv_bytes": GIB // 2}))
    assert store.value.vllm_kv_gib == 2 and remedies.changes == {"kv_bytes": GIB // 2}


def test_guessing_that_was_switched_off_can_be_switched_on_again(
    remedies: Remedies, store: SettingsStore
) -> None:
    changes: dict[str, str | int | float | bool | None] = {"speculative": "", "drafter": ""}
    remedies.do(Fix("no_speculation", "start", changes=changes))
    assert not store.value.speculation and remedies.changes == changes
    store.update(speculation=True)
    assert not remedies.changes


@pytest.mark.parametrize("action", ["check", "settings", "models", "built_in", "server"])
def test_ways_that_lead_elsewhere(action: str, remedies: Remedies, qtbot: QtBot) -> None:
    with qtbot.waitSignal(getattr(remedies, f"{action}_wanted")):
        remedies.do(Fix("any", action))  # type: ignore[arg-type]


def test_a_command_is_copied(remedies: Remedies) -> None:
    remedies.do(Fix("start_docker_command", "copy", {"command": "sudo systemctl start docker"}))
    assert QGuiApplication.clipboard().text() == "sudo systemctl start docker"


def test_docker_is_started_by_the_program_its_context_belongs_to(
    remedies: Remedies, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, list[str]]] = []

    def start(program: str, arguments: list[str]) -> tuple[bool, int]:
        started.append((program, arguments))
        return True, 1

    monkeypatch.setattr(QProcess, "startDetached", start)
    with qtbot.waitSignal(remedies.check_wanted):
        remedies.do(Fix("start_docker", "start_docker"))
    assert started == [("open", ["-a", "OrbStack"])]
