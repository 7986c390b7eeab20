"""The whole program with a server: through the sheet, by VLLM_URL, and closing in every state."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT
from tests.whole.with_a_server import fake_server


def run(visit: str, **environ: str) -> dict[str, Any]:
    """It must end with code 0 and say nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.whole.with_a_server", visit],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_server_is_tested_connected_asked_lost_and_asked_again(built_in_home: Path) -> None:
    said = run("first_road")
    assert said["tested"] == "vLLM 0.32.0 answers." and said["engine_meanwhile"] == "local"
    assert said["normalised"] and said["remembered"] and said["card"]
    assert said["run_bar"] == ["Ready", "vLLM 0.32.0"]
    assert said["answer"] == ["finished", 10, "vllm", "0.32.0"]
    assert said["lost"] == ["failed", "lost"] and said["kept"]
    assert said["log"].startswith("ERROR HERE The connection to the server broke.")
    assert said["composer"] == ["Connect and send", "typed meanwhile"]
    assert said["again"] == [10, "ready"]


def test_the_environments_server_is_chosen_at_the_start_and_not_remembered(built_in_home: Path) -> None:
    async def main() -> tuple[dict[str, Any], str]:
        async with fake_server().serve() as fake:
            fake.key = "secret"
            environ = {"VLLM_URL": f"{fake.address}/v1", "VLLM_API_KEY": "secret"}
            return await asyncio.to_thread(run, "given", **environ), fake.address

    said, address = asyncio.run(main())
    place = address.removeprefix("http://")
    assert (said["engine"], said["tokens"]) == ("vllm", 10)
    ours = ["vLLM GPU", "vLLM CPU"]
    menu = ["Built-in", *ours, f"VLLM_URL · {place}", "Check Docker…", "A server of mine…"]
    assert said["menu"] == menu
    assert (said["chosen"], said["settings"]) == (3, ["", 0])


@pytest.mark.parametrize("state", ["connecting", "testing", "answering", "lost"])
def test_closing_ends_silently(state: str, built_in_home: Path) -> None:
    run(state)
