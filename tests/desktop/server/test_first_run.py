"""First run, doctor, what is asked about a server, and the line of a stopped one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.server.access import Check, Severity
from core.server.finding import Finding, Fix
from core.server.launcher import Doctor
from core.server.state import ServerPhase
from desktop.kit.appearance import Appearance
from desktop.server.diagnosis import DiagnosisCard
from desktop.server.doctor_view import DoctorCard, ModelRow
from desktop.server.first_run import FirstRun
from desktop.server.parts import Page
from desktop.server.sheets import FoundBanner, QuitSheet
from desktop.server.stopped import StoppedBar
from desktop.server.timeline import Timeline
from tests.desktop.server.starts import MEMORY, MODEL, finding, start

COMMAND = "sudo systemctl start docker"
STOPPED = Finding(
    "docker_stopped",
    fixes=(
        Fix("start_docker", "start_docker"),
        Fix("start_docker_command", "copy", {"command": COMMAND}),
        Fix("check_again", "check"),
        Fix("built_in", "built_in"),
    ),
)
CHECKS = (
    Check("docker", "ok", "docker", {"version": "29.1", "system": "Debian"}),
    Check("gpu", "warn", "gpu_none"),
    Check("memory", "err", "memory_low", {"total": 2.0, "needed": 4.0}),
    Check("disk", "unknown", "disk_unknown"),
)


@pytest.fixture
def doctor(qtbot: QtBot) -> DoctorCard:
    made = DoctorCard()
    qtbot.addWidget(made)
    made.resize(720, 400)
    made.show()
    return made


def test_while_docker_is_asked_nothing_can_be_started(doctor: DoctorCard) -> None:
    doctor.set_model(ModelRow(MODEL))
    assert not doctor.looking.isHidden() and doctor.banner.isHidden()
    assert not doctor.start.isEnabled()


def test_a_finding_stands_as_a_banner_with_its_own_steps(doctor: DoctorCard, qtbot: QtBot) -> None:
    doctor.set_doctor(Doctor(CHECKS, STOPPED))
    banner = doctor.banner
    assert banner.what.text() == "Docker is installed but not running"
    assert [button.text() for button in banner.buttons] == ["Check again", "Start Docker"]
    with qtbot.waitSignal(doctor.fix_wanted) as told:
        qtbot.mouseClick(banner.buttons[-1], Qt.MouseButton.LeftButton)
    assert told.args == [STOPPED.fixes[0]]
    assert banner.line.text.text() == COMMAND
    banner.line.copy.click()
    assert QGuiApplication.clipboard().text() == COMMAND


def test_what_a_command_needs_beside_it_is_said_and_other_commands_are_buttons(doctor: DoctorCard) -> None:
    fixes = (
        Fix("local_variable", "copy", {"command": "unset DOCKER_HOST", "variable": "DOCKER_HOST"}),
        Fix("group", "copy", {"command": "sudo usermod -aG docker $USER"}),
    )
    doctor.set_doctor(Doctor((), Finding("docker_remote", {"host": "ssh://build"}, fixes=fixes)))
    assert "The variable DOCKER_HOST names the other one." in doctor.banner.why.text()
    assert [button.text() for button in doctor.banner.buttons] == ["Copy command"]


def test_nothing_can_be_started_while_docker_is_not_ready(doctor: DoctorCard, qtbot: QtBot) -> None:
    doctor.set_model(ModelRow(MODEL, "1.77 GB"))
    doctor.set_doctor(Doctor(CHECKS, STOPPED))
    assert not doctor.start.isEnabled()
    assert doctor.start.toolTip() == "Docker is installed but not running."
    doctor.set_doctor(Doctor(CHECKS))
    assert doctor.start.isEnabled() and doctor.banner.isHidden()
    with qtbot.waitSignal(doctor.start_wanted):
        doctor.start.click()
    with qtbot.waitSignal(doctor.models_wanted):
        doctor.other.click()
    doctor.set_model(ModelRow(MODEL, "1.77 GB", "Its files are not whole."))
    assert not doctor.start.isEnabled()
    doctor.set_model(None)
    assert doctor.start.isHidden()


def test_each_check_has_a_sign_of_its_own_shape_and_words(doctor: DoctorCard) -> None:
    doctor.set_doctor(Doctor(CHECKS))
    assert len({row.sign.sign for row in doctor.checks}) == 4
    said: dict[Severity, str] = {row.check.severity: row.accessibleName() for row in doctor.checks}
    assert said["ok"].startswith("Docker: In order, Docker 29.1")
    assert said["err"].startswith("Memory: Missing or broken, ")
    assert said["warn"].startswith("GPU: Warning, ")
    for row in doctor.checks:
        assert row.sign.accessibleName() and row.text.text()


@pytest.fixture
def page(qtbot: QtBot) -> FirstRun:
    made = FirstRun()
    qtbot.addWidget(made)
    made.set_built_in("SmolLM2 135M Instruct", 93_000_000)
    made.show()
    return made


def test_the_built_in_model_is_the_primary_way_and_says_its_download(page: FirstRun, qtbot: QtBot) -> None:
    assert page.built_in.button.property("kind") == "primary"
    assert "93 MB to download" in page.built_in.note.text()
    page.set_built_in("SmolLM2 135M Instruct", 0)
    assert "no download" in page.built_in.note.text()
    with qtbot.waitSignal(page.built_in_wanted):
        page.built_in.button.click()


def test_an_address_is_handed_on_without_its_blanks(page: FirstRun, qtbot: QtBot) -> None:
    address = page.address
    assert address.edit.accessibleName()
    assert not address.button.isEnabled()
    address.edit.setText("  http://localhost:8000 ")
    for go in (address.button.click, lambda: qtbot.keyClick(address.edit, Qt.Key.Key_Return)):
        with qtbot.waitSignal(page.connect_wanted) as told:
            go()
        assert told.args == ["http://localhost:8000"]


def test_the_doctors_signals_come_through(page: FirstRun, qtbot: QtBot) -> None:
    page.set_model(ModelRow(MODEL))
    page.set_doctor(Doctor(CHECKS))
    with qtbot.waitSignal(page.start_wanted):
        page.doctor.start.click()
    with qtbot.waitSignal(page.models_wanted):
        page.doctor.other.click()
    page.set_doctor(Doctor(CHECKS, STOPPED))
    with qtbot.waitSignal(page.fix_wanted) as told:
        page.doctor.banner.buttons[0].click()
    assert told.args == [STOPPED.fixes[2]]


def _pages() -> list[tuple[Any, int]]:
    first, card, timeline, found = FirstRun(), DiagnosisCard(), Timeline(), FoundBanner()
    first.set_built_in("SmolLM2 135M Instruct", 93_000_000)
    first.set_doctor(Doctor(CHECKS, STOPPED))
    first.set_model(ModelRow(MODEL, "1.77 GB · bf16 · 2fc0636"))
    card.set_finding(finding(MEMORY))
    timeline.set_state(start(ServerPhase.COMPILING), "a very long name of a model" * 4)
    found.show_running(MODEL)
    return [(first, 720), (card, 950), (timeline, 950), (found, 684)]


@pytest.mark.parametrize("zoom", [80, 100, 200])
@pytest.mark.parametrize("width", [720, 1280])
def test_nothing_is_cut_off_at_any_size(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, zoom: int, width: int
) -> None:
    appearance = Appearance(qapp, tmp_path)
    appearance.take("light", zoom)
    try:
        for content, column in _pages():
            page = Page(content, column)
            qtbot.addWidget(page)
            page.set_theme(appearance.theme)
            page.resize(width, 520)
            page.show()
            for _ in range(4):
                QApplication.processEvents()
            assert page.widget().width() <= page.viewport().width(), content
            for label in content.findChildren(QLabel):
                if label.isVisible() and label.wordWrap() and label.text():
                    assert label.height() >= label.heightForWidth(label.width()), label.text()
            page.hide()
    finally:
        appearance.take("light", 100)
        qapp.setStyleSheet("")


# --- what is asked ------------------------------------------------------------------------------------------


def test_quit_asks_once_and_stops_by_default(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    sheet = QuitSheet(window, MODEL)
    assert MODEL in sheet.findChildren(type(sheet.add_text("", "body")))[1].text()
    sheet.open()
    assert sheet.stop.isDefault()
    with qtbot.waitSignal(sheet.chosen) as told:
        qtbot.keyClick(sheet, Qt.Key.Key_Return)
    assert told.args == ["stop", False]


def test_leaving_it_can_be_remembered(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sheet = QuitSheet(window, MODEL)
    sheet.remember.setChecked(True)
    with qtbot.waitSignal(sheet.chosen) as told:
        sheet.leave.click()
    assert told.args == ["leave", True]


def test_cancel_and_escape_choose_nothing(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    for close in (lambda s: s.cancel.click(), lambda s: qtbot.keyClick(s, Qt.Key.Key_Escape)):
        sheet = QuitSheet(window, MODEL)
        chosen: list[object] = []
        sheet.chosen.connect(lambda *told, chosen=chosen: chosen.append(told))
        sheet.open()
        with qtbot.waitSignal(sheet.finished):
            close(sheet)
        assert chosen == []


def test_a_server_that_runs_can_be_joined_or_stopped(qtbot: QtBot) -> None:
    banner = FoundBanner()
    qtbot.addWidget(banner)
    assert banner.isHidden()
    banner.show_running(MODEL)
    assert banner.what.text() == "A server of ours is already running Qwen3.5 0.8B."
    assert banner.clean.isHidden() and not banner.isHidden()
    with qtbot.waitSignal(banner.join_wanted):
        banner.join.click()
    with qtbot.waitSignal(banner.stop_wanted):
        banner.stop.click()
    banner.show_running(MODEL, starting=True)
    assert banner.what.text() == "A server of ours is already starting Qwen3.5 0.8B."


def test_a_left_over_one_is_explained_and_cleaned_by_one_button(qtbot: QtBot) -> None:
    banner = FoundBanner()
    qtbot.addWidget(banner)
    banner.show_left_over(MODEL)
    assert banner.join.isHidden() and banner.stop.isHidden()
    assert MODEL in banner.what.text() and banner.why.text()
    with qtbot.waitSignal(banner.clean_wanted):
        banner.clean.click()


def test_a_stopped_server_can_be_started_again(qtbot: QtBot) -> None:
    bar = StoppedBar()
    qtbot.addWidget(bar)
    assert bar.isHidden()
    bar.set_model(MODEL)
    assert bar.text.text() == "Start Qwen3.5 0.8B to go on"
    assert bar.start.accessibleName() == "Start Qwen3.5 0.8B"
    with qtbot.waitSignal(bar.start_wanted):
        bar.start.click()
    bar.set_model("")
    assert bar.isHidden()
