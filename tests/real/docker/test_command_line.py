"""`tokenloupe up`, `ask`, `status`, `logs`, `down` from a script, with the stand-in server."""

from __future__ import annotations

import json
from typing import Any

from tests.real.docker.place import Place


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_up_ask_down(serving: Place) -> None:
    serving.model("one")
    up = serving.tokenloupe("up", "--model", "one", "--device", "cpu", "--wait", "--json")
    assert up.returncode == 0, up.stderr
    assert lines(up.stdout)[-1]["phase"] == "ready"
    ask = serving.tokenloupe("ask", "Who are you?", "--max-tokens", "5", "--json")
    assert ask.returncode == 0, ask.stderr
    start, *tokens, end = lines(ask.stdout)
    assert start["engine"] == "vllm" and start["model"] == "one"
    assert [one["rank"] for one in tokens] == [1, 1, 2, 1, 1] and end["completion_tokens"] == 5
    status = lines(serving.tokenloupe("status", "--json").stdout)
    assert status[-1]["phase"] == "ready"
    assert "Application startup complete." in serving.tokenloupe("logs").stdout
    down = serving.tokenloupe("down", "--json")
    assert down.returncode == 0 and lines(down.stdout) == [{"type": "stopped", "was_there": True}]
    assert serving.ours() == [] and serving.listeners() == set()


def test_up_goes_on_by_itself(serving: Place) -> None:
    serving.model("one", seconds={"loading": 2})
    up = serving.tokenloupe("up", "--model", "one")
    assert up.returncode == 0, up.stderr
    assert len(serving.ours()) == 1
    again = serving.tokenloupe("up", "--model", "one", "--wait")
    assert again.returncode == 0 and "Ready: one" in again.stdout
    assert len(serving.ours()) == 1
    assert serving.tokenloupe("down").returncode == 0


def test_a_failure_has_its_reason_and_leaves_nothing(serving: Place) -> None:
    """Also that of a device that is not there."""
    serving.model("one", loading={"do": "end", "code": 3})
    up = serving.tokenloupe("up", "--model", "one", "--device", "cpu", "--wait")
    assert up.returncode == 6 and up.stderr.startswith("tokenloupe: ")
    gpu = serving.tokenloupe("up", "--model", "one", "--device", "gpu", "--wait", "--json")
    assert gpu.returncode == 6
    assert {one.get("code") for one in lines(gpu.stdout)} & {"no_nvidia", "no_gpu"}, gpu.stdout
    assert serving.ours() == []


def test_the_doctor(serving: Place) -> None:
    found = serving.tokenloupe("doctor", "--json")
    assert found.returncode == 0, found.stderr
    assert serving.engine.docker("version", "-f", "{{.Server.Version}}") in found.stdout
