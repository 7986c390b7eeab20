"""The menu of engines: vLLM on each device, why one cannot run, and the way to the doctor."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidgetAction
from pytestqt.qtbot import QtBot

from desktop.picker.choices import EngineChoice
from desktop.picker.ours import device_key, device_of
from desktop.picker.run_bar import RunBar
from desktop.picker.run_text import RunText

GPU = EngineChoice("docker:gpu", "vLLM GPU", why="Docker has no NVIDIA runtime.", tip="vLLM in Docker")
CPU = EngineChoice("docker:cpu", "vLLM CPU", tip="vLLM in Docker")
SERVER = EngineChoice("http://localhost:8000", "localhost:8000")


@pytest.fixture
def bar(qtbot: QtBot) -> RunBar:
    made = RunBar()
    qtbot.addWidget(made)
    made.set_engines((GPU, CPU, SERVER), "docker:cpu")
    made._fill_engines()
    return made


def test_the_rows_and_the_one_in_use(bar: RunBar) -> None:
    rows = [one.text() for one in bar.engine_menu.actions() if not one.isSeparator()]
    names = ["Built-in", "vLLM GPU", "vLLM CPU", "localhost:8000", "Check Docker…", "A server of mine…"]
    assert rows == names
    assert [one.text() for one in bar.engine_menu.actions() if one.isChecked()] == ["vLLM CPU"]
    assert bar.engine.accessibleName() == "Engine: vLLM CPU"


def test_one_that_cannot_run_says_why_in_a_second_line(bar: RunBar) -> None:
    row = next(one for one in bar.engine_menu.actions() if one.text() == "vLLM GPU")
    assert isinstance(row, QWidgetAction) and not row.isEnabled()
    widget = row.defaultWidget()
    assert [one.text() for one in widget.findChildren(QLabel)] == [GPU.name, GPU.why]
    assert (widget.accessibleName(), widget.accessibleDescription()) == (GPU.name, GPU.why)


def test_a_device_is_chosen_and_the_doctor_called(bar: RunBar, qtbot: QtBot) -> None:
    rows = {one.text(): one for one in bar.engine_menu.actions()}
    with qtbot.waitSignal(bar.engine_chosen) as chosen:
        rows["vLLM CPU"].trigger()
    assert chosen.args == ["docker:cpu"]
    with qtbot.waitSignal(bar.doctor_wanted):
        rows["Check Docker…"].trigger()


def test_without_docker_in_the_menu_nobody_calls_its_doctor(bar: RunBar) -> None:
    bar.set_engines((SERVER,), "")
    bar._fill_engines()
    assert "Check Docker…" not in [one.text() for one in bar.engine_menu.actions()]


def test_what_the_server_does_stands_in_place_of_the_engines_state(bar: RunBar) -> None:
    bar.set_own(RunText("ok", "Ready", "GPU · up 12 min", "stop", "Stop server"))
    assert (bar.text.word, bar.act.accessibleName()) == ("Ready", "Stop server")
    bar.set_keys({"server": "Ctrl+Shift+S"})
    assert bar.act.toolTip() == "Stop server (Ctrl+Shift+S)"
    bar.set_own(None)
    assert bar.text.word == "Not downloaded"


def test_keys_of_devices() -> None:
    assert [device_of(device_key(one)) for one in ("gpu", "cpu", None)] == ["gpu", "cpu", None]
    assert device_of("http://docker:8000") is None
