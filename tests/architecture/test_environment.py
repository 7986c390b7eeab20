"""Set-up: gigabytes are announced before they are fetched, a choice is kept, nothing is installed twice."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.architecture.test_packaging import script

CUDA = [
    "filelock",
    'nvidia-cudnn-cu13==9.20; platform_system == "Linux"',
    'triton; platform_system == "Linux"',
]
CPU = ["filelock", "sympy>=1.13", 'nvidia-nothing; extra == "gpu"']


class Terminal:
    """Stands for a terminal (or none) where a person answers."""

    def __init__(self, there: bool) -> None:
        self.there = there

    def isatty(self) -> bool:
        return self.there

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None: ...


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("TOKENLOUPE_VENV", str(tmp_path / "venv"))
    monkeypatch.delenv("LOCAL", raising=False)
    module = script("environment")
    monkeypatch.setattr(module, "torch_is_here", lambda: False)
    return module


def _pip_says(environment: ModuleType, monkeypatch: pytest.MonkeyPatch, requires: list[str]) -> None:
    report = {"install": [{"metadata": {"requires_dist": requires}}]}

    def run(command: list[Any], **_: Any) -> Any:
        assert "--dry-run" in command and "--no-deps" in command
        return SimpleNamespace(returncode=0, stdout="WARNING: x\n" + json.dumps(report), stderr="")

    monkeypatch.setattr(environment.subprocess, "run", run)
    monkeypatch.setattr(environment.sys, "platform", "linux")


def test_the_build_is_told_from_what_it_requires(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pip_says(environment, monkeypatch, CPU)
    assert environment.torch_build() == "cpu"
    _pip_says(environment, monkeypatch, CUDA)
    assert environment.torch_build() == "gpu"
    monkeypatch.setattr(environment.sys, "platform", "darwin")
    assert environment.torch_build() == "cpu"


def test_a_cpu_build_needs_no_question(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "torch_build", lambda: "cpu")
    assert environment.wants_torch({})


@pytest.mark.parametrize(("answer", "wanted"), [("", True), ("y", True), ("n", False), ("nope", False)])
def test_a_person_is_asked_before_gigabytes(
    answer: str,
    wanted: bool,
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr(environment, "torch_build", lambda: "gpu")
    monkeypatch.setattr(environment, "say", said.append)
    monkeypatch.setattr(environment.sys, "stdin", Terminal(True))
    monkeypatch.setattr(environment.sys, "stderr", Terminal(True))
    monkeypatch.setattr("builtins.input", lambda _: answer)
    assert environment.wants_torch({}) is wanted
    assert "3 GB" in said[0] and "LOCAL=0" in said[0]


def test_without_a_person_it_is_said_and_done(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(environment, "torch_build", lambda: "gpu")
    monkeypatch.setattr(environment, "say", said.append)
    monkeypatch.setattr(environment.sys, "stdin", None)
    assert environment.wants_torch({})
    assert "3 GB" in said[0] and "LOCAL=0" in said[0]


def test_local_and_an_earlier_choice_need_no_question(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unasked() -> str:
        raise AssertionError("pip was asked")

    monkeypatch.setattr(environment, "torch_build", unasked)
    assert environment.wants_torch({"extras": ["local"]})
    assert not environment.wants_torch({"extras": [], "declined": True})
    monkeypatch.setenv("LOCAL", "0")
    assert not environment.wants_torch({"extras": ["local"]})
    monkeypatch.setenv("LOCAL", "1")
    assert environment.wants_torch({"declined": True})


def test_no_torch_at_all_says_how_to_go_on(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "torch_build", lambda: "none")
    with pytest.raises(SystemExit):
        environment.wants_torch({})
    assert "make run LOCAL=0" in capsys.readouterr().err


def test_the_second_time_nothing_is_run(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    environment.python().parent.mkdir(parents=True)
    environment.python().touch()
    monkeypatch.setattr(environment, "make_venv", lambda: None)
    monkeypatch.setattr(environment, "run", lambda command: commands.append([str(part) for part in command]))
    monkeypatch.setattr(environment, "torch_build", lambda: "cpu")
    environment.python_packages("run")
    assert commands[-1][-1] == ".[local]"
    environment.python_packages("run")
    assert len(commands) == 2
    environment.python_packages("dev")
    assert commands[-1][-1] == ".[dev,local]"
    environment.python_packages("run")
    environment.python_packages("dev")
    assert len(commands) == 4
    monkeypatch.setenv("LOCAL", "0")
    environment.python_packages("run")
    assert commands[-1][-1] == ".[dev]"


def test_a_missing_system_package_is_named_and_nothing_goes_on(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    preflight = environment._preflight()
    absent = [need for need in preflight.needs({"tests"}) if need.name == "Xvfb"]
    monkeypatch.setattr(preflight, "missing", lambda _: absent)
    monkeypatch.setattr(preflight, "distribution", lambda: "fedora")
    monkeypatch.setattr(environment, "_preflight", lambda: preflight)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    with pytest.raises(SystemExit):
        environment.system_packages("dev")
    assert "sudo dnf install xorg-x11-server-Xvfb" in capsys.readouterr().err


def test_as_root_on_debian_it_is_installed(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    preflight = environment._preflight()
    absent = [[need for need in preflight.needs({"tests"}) if need.name == "Xvfb"], []]
    installed: list[str] = []
    monkeypatch.setattr(preflight, "missing", lambda _: absent.pop(0))
    monkeypatch.setattr(preflight, "distribution", lambda: "debian")
    monkeypatch.setattr(environment, "_preflight", lambda: preflight)
    monkeypatch.setattr(environment, "apt_install", lambda names: installed.extend(names) or True)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    environment.system_packages("dev")
    assert installed == ["xvfb"]


def test_a_run_without_a_screen_needs_no_system_package(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    preflight = environment._preflight()

    def unasked(_: object) -> None:
        raise AssertionError("looked for libraries")

    monkeypatch.setattr(preflight, "missing", unasked)
    monkeypatch.setattr(environment, "_preflight", lambda: preflight)
    environment.system_packages("run")


def test_a_step_that_fails_stops_with_its_command(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(command: list[str], **options: Any) -> Any:
        assert options["stdin"] is subprocess.DEVNULL  # the question for the model may be waiting there
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(environment.subprocess, "run", run)
    with pytest.raises(SystemExit):
        environment.run(["pip", "install"])
    assert "pip install" in capsys.readouterr().err
