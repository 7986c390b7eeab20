"""The doctor in a sheet of its own: what was found, which Docker that is, and asking again."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.server.access import Check, Endpoint
from core.server.finding import Finding, Fix
from core.server.launcher import Doctor
from desktop.server.doctor_sheet import DoctorSheet, endpoint_text

HERE = Endpoint("unix:///home/me/.colima/docker.sock", "/usr/bin/docker", "/usr/bin", "colima", "5.0.0")
STOPPED = Finding("docker_stopped", fixes=(Fix("start_docker", "start_docker"), Fix("check_again", "check")))


def test_it_names_the_docker_in_use_and_asks_again(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sheet = DoctorSheet(window, Doctor((Check("docker", "ok"),), endpoint=HERE))
    assert sheet.windowTitle() == "Docker on this computer" and sheet.card.title.isHidden()
    assert any(one.text() == sheet.windowTitle() for one in sheet.findChildren(QLabel))
    assert "colima · unix:///home/me/.colima/docker.sock" in sheet.endpoint.text()
    assert sheet.card.banner.isHidden()
    with qtbot.waitSignal(sheet.check_wanted):
        sheet.again.click()
    assert sheet.endpoint.isHidden() and not sheet.card.looking.isHidden()  # nothing is said of before
    sheet.set_doctor(Doctor(finding=STOPPED))
    assert not sheet.card.banner.isHidden()
    (start,) = sheet.card.banner.buttons  # the sheet itself has a button to ask again
    with qtbot.waitSignal(sheet.fix_wanted) as wanted:
        start.click()
    assert wanted.args == [STOPPED.fixes[0]]


def test_ways_that_lead_elsewhere_stand_in_the_sheet_too(qtbot: QtBot) -> None:
    """Beside the card of a first run they are offered anyway, beside this one they are not."""
    window = QWidget()
    qtbot.addWidget(window)
    server = Fix("server", "server")
    finding = Finding("docker_remote", {"host": "ssh://build"}, fixes=(server, Fix("built_in", "built_in")))
    sheet = DoctorSheet(window, Doctor(finding=finding))
    sheet.open()
    buttons = {button.text(): button for button in sheet.card.banner.buttons}
    assert set(buttons) == {"Connect", "Use built-in"}
    with qtbot.waitSignals([sheet.fix_wanted, sheet.finished]):
        buttons["Connect"].click()
    assert sheet.isHidden()


def test_nothing_known_is_nothing_said() -> None:
    assert endpoint_text(None) == endpoint_text(Doctor()) == ""
