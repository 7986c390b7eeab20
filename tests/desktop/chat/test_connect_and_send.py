"""The composer beside a server that is chosen and not connected."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.chat.state import ChatState
from core.engines.state import EngineState, Phase
from core.errors import EngineError
from desktop.chat.composer import Composer
from desktop.chat.composer_state import Button, can_connect, composer_state

GONE = EngineError("server.cut", address="http://localhost:8000")
APART = {Phase.ABSENT, Phase.FAILED, Phase.LOST}


@pytest.mark.parametrize("phase", list(Phase))
def test_only_a_server_that_is_not_connected_can_be(phase: Phase) -> None:
    assert can_connect(EngineState(phase, engine="vllm")) is (phase in APART)
    assert not can_connect(EngineState(phase))
    unknown = EngineError("server.files_unknown", model="m", root="/m")
    assert not can_connect(EngineState(phase, error=unknown, engine="vllm"))


@pytest.mark.parametrize("phase", sorted(APART, key=lambda phase: phase.value))
def test_the_button_connects_and_sends(phase: Phase, qtbot: QtBot) -> None:
    composer = Composer()
    qtbot.addWidget(composer)
    sent: list[str] = []
    composer.send_requested.connect(sent.append)
    composer.set_phase(phase, connects=True)
    assert composer.state.button is Button.CONNECT and not composer.state.enabled
    composer.set_text("Why?")
    assert composer.button.text() == "Connect and send"
    with qtbot.waitSignal(composer.connect_wanted):
        composer.button.click()
    assert sent == [] and composer.state.button is Button.UNWAIT
    composer.set_phase(Phase.CONNECTING)
    composer.set_phase(Phase.LOADING)
    composer.set_phase(Phase.READY)
    assert sent == ["Why?"] and composer.text() == ""


def test_a_connection_that_fails_keeps_the_text(qtbot: QtBot) -> None:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.set_phase(Phase.LOST, connects=True)
    composer.ask("Why?")
    assert composer.queued
    composer.set_phase(Phase.CONNECTING)
    composer.set_phase(Phase.FAILED, connects=True)
    assert not composer.queued and composer.text() == "Why?"
    assert composer.state.button is Button.CONNECT and composer.state.enabled


@pytest.mark.parametrize("chat", [ChatState.PREFILLING, ChatState.DECODING, ChatState.STOPPING])
def test_an_answer_that_runs_comes_first(chat: ChatState) -> None:
    state = composer_state(Phase.LOST, chat, empty=False, queued=False, connects=True)
    assert state.running
