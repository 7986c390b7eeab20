"""The words of phases, findings and durations; what the run bar says in each phase."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from core import sentences
from core.errors import DockerError
from core.server import finding_words
from core.server.access import Check
from core.server.finding import Collision, Finding, Fix
from core.server.spec import GIB
from core.server.state import STARTING, ServerPhase, ServerState, Step
from desktop.server import run_words, words
from desktop.server.run_words import server_text
from tests.desktop.server.starts import SPEC, finding, start

P = ServerPhase
TABLES = sentences.tables(finding_words.FILE)


@pytest.mark.parametrize("code", sorted(TABLES["finding"]))
def test_every_finding_has_a_sentence_and_says_whose_words_its_line_is(code: str, qtbot: QtBot) -> None:
    text = words.finding_text(Finding(code))
    assert text.what.endswith(".")
    assert text.short and not text.short.endswith(".")
    known = TABLES["finding"][code]
    whose = words.said(Finding(code))
    assert ("Docker" in whose) is ("docker" in known and "engine" not in known)
    assert ("vLLM" in whose) is ("engine" in known and "docker" not in known)


@pytest.mark.parametrize("code", sorted(TABLES["fix"]))
def test_every_fix_has_a_title_and_a_verb_on_its_button(code: str, qtbot: QtBot) -> None:
    text = words.fix_text(Fix(code, "start"))
    assert text.title and text.button


@pytest.mark.parametrize("code", sorted(TABLES["steps"]))
def test_every_note_of_a_step_has_words(code: str, qtbot: QtBot) -> None:
    assert words.note(Step(P.LOADING, note=code))


@pytest.mark.parametrize("code", sorted(TABLES["checks"]))
def test_every_check_has_words(code: str, qtbot: QtBot) -> None:
    assert words.check_text(Check("gpu", "ok", code))


@pytest.mark.parametrize("code", sorted(TABLES["amounts"]))
def test_every_amount_has_a_name(code: str, qtbot: QtBot) -> None:
    assert words.amount_name(Collision(code, "bytes", 2, 1)) == TABLES["amounts"][code]["text"]
    assert words.amount_name(Collision(code, "bytes", 2, 1, name="RTX 4080")) == "RTX 4080"
    assert words.amount_name(Collision("gpu", "bytes", 2, 1, name="cuda:0")) == "GPU memory cuda:0"


def test_parameters_are_filled_in(qtbot: QtBot) -> None:
    assert "14.34 GiB" in words.finding_text(finding()).why
    assert "60 %" in words.fix_text(finding().fixes[0]).button


@pytest.mark.parametrize("phase", list(ServerPhase))
def test_the_run_bar_in_every_phase(phase: ServerPhase, qtbot: QtBot) -> None:
    state = start(phase) if phase in STARTING else ServerState(phase, SPEC)
    text = server_text(state, 0.0)
    wanted = {P.READY: "stop", P.STOPPING: "", P.FAILED: "retry", P.LOST: "retry"}
    expected = "cancel_start" if phase in STARTING else wanted.get(phase, "start")
    assert text.word
    assert text.action == expected
    assert bool(text.label) is bool(expected)
    assert text.tone == ("err" if expected == "retry" else "ok" if phase is P.READY else text.tone)


def test_a_start_says_its_step_and_what_is_left(qtbot: QtBot) -> None:
    state = start(P.COMPILING, earlier=4)
    assert server_text(state, 24.0 + 14).detail == "compiling · about 66 s left"
    assert server_text(state, 24.0 + 61).detail == "compiling · longer than usual"
    assert server_text(start(P.COMPILING), 30.0).detail == "compiling"


def test_a_pull_says_its_bytes(qtbot: QtBot) -> None:
    state = start(P.IMAGE, done=1_200_000_000, total=3_400_000_000)
    assert server_text(state, 9.0).detail == "getting the image · 1.20 GB of 3.40 GB"


def test_ready_says_device_and_time(qtbot: QtBot) -> None:
    state = ServerState(P.READY, SPEC, ready_at=100.0)
    assert server_text(state, 100.0 + 12 * 60 + 59).detail == "GPU · up 12 min"
    assert server_text(state, 100.0 + 3725).detail == "GPU · up 1 h 2 min"


def test_a_failure_says_its_cause(qtbot: QtBot) -> None:
    failed = ServerState(P.FAILED, SPEC, finding=finding())
    assert server_text(failed, 0.0).detail == "The GPU has too little free memory"
    unknown = msgspec.structs.replace(failed, finding=None, error=DockerError("docker.stopped"))
    assert run_words.cause(unknown) == words.error_text(unknown.error).short  # type: ignore[arg-type]
    assert run_words.cause(unknown)


@pytest.mark.parametrize(
    ("seconds", "wanted"),
    [(0.04, "0.0 s"), (0.6, "0.6 s"), (11.5, "11.5 s"), (41.2, "41 s"), (125.0, "2:05"), (3725.0, "1:02:05")],
)
def test_durations(seconds: float, wanted: str, qtbot: QtBot) -> None:
    assert words.span(seconds) == wanted


def test_what_a_running_step_has_taken(qtbot: QtBot) -> None:
    assert words.so_far(41.9, 68.0) == "41 of ~68 s"
    assert words.so_far(130.0, 68.0) == "2:10 of ~1:08"
    assert words.so_far(41.9, None) == "41 s"
    assert words.about(16.2) == "~16 s"
    assert words.about(0.2) == "~1 s"


def test_amounts_have_their_units(qtbot: QtBot) -> None:
    assert words.amount(2 * GIB, Collision("gpu", "bytes", 2, 1)) == "2.00 GiB"
    assert words.amount(2e9, Collision("disk", "bytes", 2, 1)) == "2.00 GB"
    assert words.amount(32768, Collision("kv_cache", "tokens", 2, 1)) == "32,768 tokens"
