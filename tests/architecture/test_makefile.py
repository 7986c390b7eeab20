"""`make run` without a screen: whose question is asked, exactly as typed; nothing is ever waited for. What
the targets of the tests do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
SAMPLE = "What is the capital of France?"
NASTY = 'it\'s "$HOME" `id` $(id) $$2 \\ #x % 你好 🇹🇼\nsecond line'


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Path]:
    """Stands for tokenloupe: writes its arguments down."""
    path = tmp_path / "program"
    path.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\n"
        f"pathlib.Path({str(tmp_path / 'said')!r}).write_text(json.dumps(sys.argv[1:]))\n"
    )
    path.chmod(0o755)
    yield path


def _make(program: Path, *variables: str, text: str | None = None, **environ: str) -> list[str]:
    clean = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "Q", "TOKENLOUPE_Q", "MAKEFLAGS")
    }
    stdin = {"stdin": subprocess.DEVNULL} if text is None else {"input": text.encode()}
    done = subprocess.run(
        ["make", "--no-print-directory", "-o", "setup-run", "run", f"TOKENLOUPE={program}", *variables],
        cwd=ROOT,
        env={**clean, **environ},
        capture_output=True,
        timeout=60,
        **stdin,  # type: ignore[arg-type]
    )
    assert done.returncode == 0, done.stderr.decode()
    said: list[str] = json.loads((program.parent / "said").read_text())
    return said


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")


@linux
@pytest.mark.parametrize("question", ["plain", NASTY, "$(", "-h", "  spaces  inside  "])
def test_the_question_arrives_as_typed(program: Path, question: str) -> None:
    if question == question.lstrip():  # make itself drops blanks before a value on its command line
        assert _make(program, f"Q={question}") == ["ask", "--", question]
    assert _make(program, Q=question) == ["ask", "--", question]


@linux
def test_else_standard_input_else_a_sample(program: Path) -> None:
    assert _make(program, text="piped $x\nmore\n") == ["ask", "--", "piped $x\nmore"]
    assert _make(program, "Q=mine", text="piped") == ["ask", "--", "mine"]
    assert _make(program, text="") == ["ask", "--", SAMPLE]
    assert _make(program) == ["ask", "--", SAMPLE]


@linux
@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_with_a_screen_the_window_opens(program: Path, variable: str) -> None:
    assert _make(program, **{variable: ":7"}) == []


def _ask(stdin: int | None, tmp_path: Path, *by: str) -> str:
    program = tmp_path / "echo"
    program.write_text(f"#!{sys.executable}\nimport sys\nprint('ASKED', sys.argv[-1])\n")
    program.chmod(0o755)
    done = subprocess.run(
        [*by, sys.executable, ROOT / "resources" / "packaging" / "ask.py", program],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return str(done.stdout.split("ASKED ")[1].strip())


def test_a_terminal_or_a_silent_pipe_is_never_waited_for(tmp_path: Path) -> None:
    if hasattr(os, "openpty"):
        own, terminal = os.openpty()
        assert _ask(terminal, tmp_path) == SAMPLE
        os.close(own)
        os.close(terminal)
    reading, writing = os.pipe()  # held open, never written
    assert _ask(reading, tmp_path) == SAMPLE
    os.close(reading)
    os.close(writing)


def test_a_closed_standard_input_is_no_question(tmp_path: Path) -> None:
    assert _ask(None, tmp_path, "sh", "-c", 'exec "$@" <&-', "sh") == SAMPLE


@pytest.fixture
def interpreter(tmp_path: Path) -> Iterator[Path]:
    """Stands for .venv/bin/python: writes down how it is called; building vLLM fails unless BUILT is set."""
    path = tmp_path / "bin" / "python"
    path.parent.mkdir()
    path.write_text(
        f"#!{sys.executable}\nimport json, os, pathlib, sys\n"
        "if sys.argv[1].endswith('environment.py'):\n    sys.exit(0 if os.environ.get('BUILT') else 1)\n"
        "asked = {name: os.environ[name] for name in os.environ if name.startswith('TOKENLOUPE_')}\n"
        f"pathlib.Path({str(tmp_path / 'said')!r}).write_text(json.dumps([sys.argv[1:], asked]))\n"
    )
    path.chmod(0o755)
    yield path


def _test(interpreter: Path, target: str, **environ: str) -> tuple[int, str, list[str], dict[str, str]]:
    """(exit code, output, the interpreter's last arguments, the program's own variables)."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CI", "MAKEFLAGS") and not name.startswith("TOKENLOUPE_")
    }
    done = subprocess.run(
        ["make", "--no-print-directory", "-o", "setup-dev", target, f"BIN={interpreter.parent}"],
        cwd=ROOT,
        env={**clean, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = interpreter.parent.parent / "said"
    arguments, variables = json.loads(said.read_text()) if said.exists() else ([], {})
    return done.returncode, done.stdout, arguments, variables


def test_all_tests_start_no_vllm_server(interpreter: Path) -> None:
    code, _, arguments, variables = _test(interpreter, "test")
    assert (code, arguments) == (0, ["-m", "pytest"])
    assert "TOKENLOUPE_REAL_VLLM" not in variables and "TOKENLOUPE_FUZZ" not in variables


def test_the_tests_with_a_server_fail_on_ci_without_one_and_are_left_out_elsewhere(interpreter: Path) -> None:
    code, _, arguments, variables = _test(interpreter, "test-vllm", BUILT="1")
    assert (code, arguments) == (0, ["-m", "pytest", "tests/real/vllm"])
    assert variables["TOKENLOUPE_REAL_VLLM"] == "1"
    (interpreter.parent.parent / "said").unlink()
    code, said, arguments, _ = _test(interpreter, "test-vllm")
    assert (code, len(said.splitlines()), arguments) == (0, 1, []) and "left out" in said
    code, _, arguments, _ = _test(interpreter, "test-vllm", CI="true")
    assert (code, arguments) == (2, [])


def test_fuzz_is_a_million(interpreter: Path) -> None:
    code, _, arguments, variables = _test(interpreter, "fuzz")
    assert code == 0 and arguments[-1].endswith("test_fuzz.py")
    assert (variables["TOKENLOUPE_FUZZ"], variables["TOKENLOUPE_FUZZ_SEED"]) == ("1000000", "")


@pytest.mark.parametrize(
    ("target", "variables", "files"),
    [
        ("vllm-up", {}, ["compose.yaml"]),
        ("vllm-up", {"GPU": "0"}, ["compose.yaml"]),
        ("vllm-up", {"GPU": "1"}, ["compose.yaml", "compose.gpu.yaml"]),
        ("vllm-up", {"GPU": "cdi"}, ["compose.yaml", "compose.gpu.yaml", "compose.cdi.yaml"]),
        ("vllm-up", {"TOKENLOUPE_SELINUX": "1"}, ["compose.yaml", "compose.selinux.yaml"]),
        ("vllm-down", {}, []),
    ],
)
def test_a_server_by_hand(tmp_path: Path, target: str, variables: dict[str, str], files: list[str]) -> None:
    docker = tmp_path / "docker"
    docker.write_text(f'#!/bin/sh\nprintf "%s\\n" "$VLLM_MODEL" "$@" > "{tmp_path}/said"\n')
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "VLLM_MODEL": "a $b"}
    command = [
        "make",
        "--no-print-directory",
        target,
        *(f"{key}={value}" for key, value in variables.items()),
    ]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    model, *words = (tmp_path / "said").read_text().splitlines()
    assert model == "a $b" and words[:3] == ["compose", "-p", "tokenloupe"]
    named = [word for file in files for word in ("-f", f"compose/{file}")]
    assert words[3:] == [*named, *(["up", "-d"] if files else ["down"])]
