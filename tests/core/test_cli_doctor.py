"""`tokenloupe doctor`: Docker's part, from whatever Docker there is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import cli_report
from core.errors import DockerError
from core.server.access import Check
from core.server.findings import make, of_error
from core.server.launcher import Doctor

ROOT = Path(__file__).parents[2]


def test_without_docker_it_says_what_that_means_and_is_no_failure(tmp_path: Path) -> None:
    environ = {
        **os.environ,
        "TOKENLOUPE_HOME": str(tmp_path),
        "DOCKER_HOST": f"unix://{tmp_path}/nothing.sock",
    }
    done = subprocess.run(
        [sys.executable, "-m", "core", "doctor", "--json"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = {line["what"]: line for line in map(json.loads, done.stdout.splitlines())}
    # where no docker program is, that is said
    assert found["vLLM"]["code"] in ("docker_stopped", "docker_missing")
    assert found["Docker"]["level"] == found["vLLM"]["level"] == "note"
    assert "built-in model" in found["without Docker"]["text"]


def test_each_line_has_its_code_and_the_steps_that_a_terminal_can_take(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    no_gpu = make("driver_old", {"needed": "13.0"})
    checks = (Check("docker", "ok", "docker", {"version": "28", "system": "Debian"}),)
    found = Doctor(checks, None, no_gpu, None, "cpu")

    async def look(paths: object) -> Doctor:
        return found

    monkeypatch.setattr(cli_report, "_look_at_docker", look)
    monkeypatch.setattr(cli_report, "examine", lambda paths: iter(()))
    assert cli_report.doctor(as_json=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["what"] for line in lines] == ["Docker", "vLLM on the GPU", "vLLM"]
    assert (lines[0]["code"], lines[0]["params"]) == ("docker", {"version": "28", "system": "Debian"})
    (fix,) = lines[1]["fixes"]  # to start on the CPU is a button
    assert fix["code"] == "driver" and fix["url"].startswith("https://")
    assert lines[2]["text"] == "can be started on the CPU"

    found = Doctor(finding=of_error(DockerError("docker.forbidden", host="unix:///x")))
    assert cli_report.doctor(as_json=False) == 0
    text = capsys.readouterr().out
    assert "log out and in" in text and "sudo usermod -aG docker $USER" in text

    found = Doctor(finding=of_error(DockerError("docker.failed", detail="daemon: out of order")))
    assert cli_report.doctor(as_json=False) == 0
    assert "           daemon: out of order" in capsys.readouterr().out.splitlines()
