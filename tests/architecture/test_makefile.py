"""`make run` without a screen: whose question is asked, exactly as typed; nothing is ever waited for."""

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


def _ask(stdin: int | None, tmp_path: Path, **arguments: object) -> str:
    program = tmp_path / "echo"
    program.write_text(f"#!{sys.executable}\nimport sys\nprint('ASKED', sys.argv[-1])\n")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, ROOT / "resources" / "packaging" / "ask.py", program],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=30,
        **arguments,  # type: ignore[call-overload]
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
    assert _ask(None, tmp_path, preexec_fn=lambda: os.close(0)) == SAMPLE
