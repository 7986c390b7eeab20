"""`tokenloupe up`, `ask`, `status`, `logs`, `down` as a script uses them, on a real Docker Engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

from core.server.launches import Launches
from core.server.state import STARTING
from tests.real.docker.place import ROOT, SECONDS, Place

KEY = "hf_abcdefghijklmnopqrst"


def told(done: subprocess.CompletedProcess[str], code: int = 0) -> list[dict[str, Any]]:
    assert done.returncode == code, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_up_ask_status_logs_down(serving: Place) -> None:
    """The issue's own sentence, word for word: `up --wait && ask --json && down`."""
    serving.model("one")
    *steps, ready = told(serving.tokenloupe("up", "--model", "one", "--wait", "--json"))
    assert [step["step"] for step in steps] == [phase.value for phase in STARTING]
    assert all(step["seconds"] is not None and step["text"] for step in steps)
    assert (ready["phase"], ready["address"], ready["device"]) == ("ready", serving.address, "cpu")
    start, *tokens, end = told(serving.tokenloupe("ask", "Hello", "--json"))
    assert (start["engine"], start["model"], end["type"]) == ("vllm", "one", "end")
    assert tokens and all(token["logprob"] is not None for token in tokens)
    (status,) = told(serving.tokenloupe("status", "--json"))
    assert (status["phase"], status["model"], status["by"]) == ("ready", "one", "cli")
    assert (status["launch"], status["container"]) == (ready["launch"], ready["container"])
    (record,) = Launches(serving.home / "data" / "launches").all()
    assert 0 < status["up_seconds"] < time.time() - record.began
    logs = serving.tokenloupe("logs")
    assert "Application startup complete." in logs.stdout and logs.returncode == 0
    assert record.id == ready["launch"]
    assert (record.result, record.vllm, record.by) == ("ready", "0.32.0", "cli")
    assert [step.phase for step in record.phases] == list(STARTING)
    assert record.digest and record.docker and record.compose and record.command
    assert told(serving.tokenloupe("down", "--json")) == [{"type": "stopped", "was_there": True}]
    assert serving.ours() == [] and serving.listeners() == set()
    assert told(serving.tokenloupe("down", "--json")) == [{"type": "stopped", "was_there": False}]
    start, *_ = told(serving.tokenloupe("ask", "Hello", "--max-tokens", "1", "--json"))
    assert start["engine"] == "local", "there is no server any more"


def test_a_start_goes_on_by_itself_and_is_joined(serving: Place) -> None:
    model = serving.model("one", loading={"do": "wait", "for": "go"})
    assert serving.tokenloupe("up", "--model", "one").returncode == 0
    (container,) = serving.ours()
    (status,) = told(serving.tokenloupe("status", "--json"))
    assert status["phase"] in [phase.value for phase in STARTING] and status["model"] == "one"
    (model / "go").touch()
    *_, ready = told(serving.tokenloupe("up", "--model", "one", "--wait", "--json"))
    assert ready["container"] == container and serving.ours() == [container]


def test_a_start_that_fails_says_why_and_leaves_nothing(serving: Place) -> None:
    text = (ROOT / "tests" / "cases" / "logs" / "fail-kv-too-small.log").read_text(encoding="utf-8")
    scenario = {"do": "end", "log": "why.log", "code": 1}
    serving.model("one", logs={"why.log": text}, loading=scenario)
    done = serving.tokenloupe("up", "--model", "one", "--wait", "--json")
    *_, error = told(done, 6)
    assert error["code"] == "kv_small" and error["numbers"]["unit"] in ("bytes", "tokens")
    assert "estimated maximum model length is 2097024" in error["detail"]
    assert any("--set context=2097024" in fix["command"] for fix in error["fixes"]), error["fixes"]
    assert serving.ours() == []
    (record,) = Launches(serving.home / "data" / "launches").all()
    assert record.result == "failed" and record.finding is not None
    logs = serving.tokenloupe("logs")
    assert "2097024" in logs.stdout and "log of the start" in logs.stderr


def test_an_interrupted_start_leaves_nothing(serving: Place) -> None:
    serving.model("one", loading={"do": "hang"})
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(
            [sys.executable, "-m", "core", "up", "--model", "one", "--wait"],
            cwd=ROOT,
            env={**os.environ, **serving.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        serving.until(lambda: serving.ours() and "Starting to load" in serving.log(), "it loads")
        process.send_signal(number)
        _, err = process.communicate(timeout=SECONDS)
        assert (process.returncode, err) == (130, b"")
        assert serving.ours() == [] and serving.listeners() == set()


def test_one_that_was_started_by_hand(serving: Place) -> None:
    serving.model("one")
    done = serving.compose("up", "-d", VLLM_MODEL="one")
    assert done.returncode == 0, done.stderr
    serving.answers()
    (status,) = told(serving.tokenloupe("status", "--json"))
    assert (status["phase"], status["model"], status["by"]) == ("ready", "one", "hand")
    start, *_ = told(serving.tokenloupe("ask", "Hello", "--json", VLLM_URL=serving.address))
    assert start["model"] == "one"
    assert told(serving.tokenloupe("down", "--json")) == [{"type": "stopped", "was_there": True}]
    assert serving.ours() == []


def test_logs_follow_to_the_end(serving: Place) -> None:
    serving.model("one")
    assert serving.tokenloupe("up", "--model", "one", "--wait").returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "logs", "-f"],
        cwd=ROOT,
        env={**os.environ, **serving.environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "Application startup complete" in line:
            break
    assert serving.tokenloupe("down").returncode == 0
    process.stdout.read()
    assert process.wait(SECONDS) == 0
    process.stdout.close()


def test_a_server_with_a_key_is_asked_with_it(serving: Place) -> None:
    serving.model("one")
    assert serving.tokenloupe("up", "--model", "one", "--wait", VLLM_API_KEY=KEY).returncode == 0
    assert serving.get("/v1/models")[0] == 401
    assert told(serving.tokenloupe("ask", "Hello", "--json", VLLM_API_KEY=KEY))[0]["model"] == "one"
    done = serving.tokenloupe("ask", "Hello", "--json")
    assert told(done, 5)[-1]["code"] == "server.key"
    everything = b"".join(path.read_bytes() for path in serving.home.rglob("*") if path.is_file())
    assert KEY.encode() not in everything
