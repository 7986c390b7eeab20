"""The settings of vLLM in Docker: kept at once, held from the next start, restarted by a button."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.models.catalog import built_in
from core.paths import default_paths
from core.server.versions import versions
from core.settings import SettingsStore
from desktop.settings.server_section import ServerSection
from desktop.settings.view import SettingsView
from tests.desktop.settings.test_settings_page import choose


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def section(store: SettingsStore, qtbot: QtBot) -> Iterator[ServerSection]:
    view = SettingsView(store, default_paths(), built_in())
    qtbot.addWidget(view)
    yield view.page.server


def test_each_value_is_kept_at_once(section: ServerSection, store: SettingsStore) -> None:
    other = versions()[1].version
    choose(section.device, "gpu")
    choose(section.version, other)
    choose(section.on_quit, "leave")
    section.kv.setValue(4)
    section.share.setValue(45)
    section.port.setValue(8123)
    value = store.value
    assert (value.vllm_device, value.vllm_version, value.on_quit) == ("gpu", other, "leave")
    assert (value.vllm_kv_gib, value.vllm_gpu_share, value.vllm_port) == (4, 0.45, 8123)


def test_what_comes_another_way_is_shown(section: ServerSection, store: SettingsStore) -> None:
    store.update(vllm_gpu_share=0.6, vllm_device="cpu", vllm_port=9000)
    assert (section.share.value(), section.device.value(), section.port.value()) == (60, "cpu", 9000)


def test_a_changed_value_offers_a_restart_only_while_a_server_runs(
    section: ServerSection, qtbot: QtBot
) -> None:
    button = section.restart.button
    section.kv.setValue(5)
    assert button.isHidden() and "next start" in section.restart.text.text()
    section.set_alive(True)
    section.kv.setValue(6)
    assert not button.isHidden()
    with qtbot.waitSignal(section.restart_wanted):
        button.click()
    assert button.isHidden()
    choose(section.on_quit, "stop")  # nothing of the server itself
    assert button.isHidden()
    section.port.setValue(8200)
    section.set_alive(False)
    assert button.isHidden()


def test_the_docker_in_use_is_named(section: ServerSection, qtbot: QtBot) -> None:
    section.set_endpoint("colima · unix:///home/me/.colima/docker.sock")
    assert "colima" in section._rows["docker"]._note.text()
    with qtbot.waitSignal(section.doctor_wanted):
        section.doctor.click()


def test_every_control_has_a_name(section: ServerSection) -> None:
    controls: tuple[QWidget, ...] = (section.device, section.version, section.kv, section.share, section.port)
    for control in (*controls, section.on_quit, section.doctor):
        assert control.accessibleName(), control
