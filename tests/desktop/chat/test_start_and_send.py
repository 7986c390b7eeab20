"""The composer beside the server of ours, and the banner of an answer that it left unfinished."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.engines.state import EngineState, Phase
from core.errors import EngineError
from core.server.state import STARTING, ServerPhase, ServerState
from desktop.chat.banners import banner
from desktop.chat.composer import Composer
from desktop.chat.composer_state import Button, Readiness, readiness

P = ServerPhase
AWAY = EngineState(Phase.ABSENT, engine="vllm")
READY = EngineState(Phase.READY, engine="vllm")


@pytest.mark.parametrize("phase", list(P))
@pytest.mark.parametrize("engine", [AWAY, READY, EngineState(Phase.LOST, engine="vllm")])
def test_nothing_is_sent_before_server_and_connection_are_ready(
    phase: ServerPhase, engine: EngineState
) -> None:
    ready = readiness(engine, ServerState(phase)).phase is Phase.READY
    assert ready is (engine is READY and phase in (P.ASKING, P.READY))


@pytest.mark.parametrize("phase", [P.ABSENT, P.STOPPED, P.LOST])
def test_one_that_does_not_run_is_started_by_sending(phase: ServerPhase) -> None:
    assert readiness(AWAY, ServerState(phase)).starts and readiness(AWAY, ServerState(phase)).connects


@pytest.mark.parametrize("phase", [*STARTING, P.STOPPED, P.FAILED, P.LOST, P.STOPPING])
def test_a_message_waits_while_a_start_is_on_its_way(phase: ServerPhase) -> None:
    assert readiness(AWAY, ServerState(phase), wanted=True) == Readiness(Phase.LOADING)


def test_after_a_failure_something_is_mended_first() -> None:
    assert readiness(AWAY, ServerState(P.FAILED)) == Readiness(Phase.FAILED)
    assert readiness(AWAY, ServerState(P.STOPPING)) == Readiness(Phase.ABSENT)


def test_one_that_runs_and_is_not_connected_is_connected_by_sending() -> None:
    assert readiness(AWAY, ServerState(P.READY)) == Readiness(Phase.ABSENT, connects=True)


def test_the_button_says_that_it_starts(qtbot: QtBot) -> None:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.set_phase(Phase.ABSENT, connects=True, starts=True)
    composer.set_text("Why?")
    assert composer.state.button is Button.START and composer.button.text() == "Start and send"
    with qtbot.waitSignal(composer.connect_wanted):
        composer.button.click()
    assert composer.queued and composer.text() == "Why?"


def test_the_banner_names_the_cause_and_starts_again() -> None:
    error = EngineError("server.cut", address="http://127.0.0.1:8000")
    shown = banner(error, 23, "Docker ran out of memory.")
    assert shown is not None and shown.what == "The server stopped in the middle of an answer"
    assert shown.why.startswith("Docker ran out of memory. The 23 token")
    assert shown.actions == (("log", "Show log"), ("again", "Start again"))
    before = banner(error, 0, "Docker ran out of memory.")
    assert before is not None and before.what == "The server stopped before the answer began"
    other = banner(error, 23)
    assert other is not None and other.actions[-1] == ("again", "Try again")
