"""The server of ours in the window: start, cancel, stop, switch, failure, loss, joining, and the end."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from core.engines.state import Phase
from core.errors import ModelError
from core.server.finding import Finding, Fix
from core.server.launcher import Doctor
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase, ServerState
from desktop.chat.composer_state import Button
from tests.fakes.chat_desk import ChatDesk, play
from tests.fakes.launch_desk import BUILT_IN_FOLDER, LaunchDesk

Run = Any
P = ServerPhase
FOLDER = "/models/other"
RUNNING = LaunchSpec(model="other", folder=FOLDER)
NO_ROOM = Finding(
    "gpu_memory",
    line="ValueError: Free memory on device cuda:0",
    fixes=(Fix("lower_share", "start", changes={"gpu_share": 0.2, "context": 4096}),),
)


def run(run_qt: Run, steps: Any, *scripts: list[object], **how: Any) -> None:
    async def typed(desk: ChatDesk) -> None:
        assert isinstance(desk, LaunchDesk)
        desk.engines.start()
        await desk.rest()
        await steps(desk)

    play(run_qt, typed, *scripts, make=LaunchDesk, **how)


def held(desk: LaunchDesk, phase: ServerPhase) -> asyncio.Event:
    desk.launcher.holds[phase] = asyncio.Event()
    return desk.launcher.holds[phase]


def test_nothing_is_started_unasked(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        assert desk.launcher.specs == [] and desk.engine.opened == []
        assert desk.text is not None and (desk.text.word, desk.text.action) == ("No server", "start")
        assert not desk.pages.stopped.isHidden() and desk.page == ""
        desk.composer.set_text("Why?")
        assert desk.composer.button.text() == "Start and send"

    run(run_qt, steps)


def test_start_shows_the_timeline_and_the_chat_when_ready(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        gate = held(desk, P.COMPILING)
        desk.bar.action.emit("start")
        await desk.turns()
        assert desk.page == "timeline" and desk.pages.timeline.state.phase is P.COMPILING
        assert desk.text is not None and desk.text.action == "cancel_start"
        assert desk.pages.stopped.isHidden()
        desk.composer.set_text("Why?")
        assert desk.composer.state.button is Button.WAIT
        gate.set()
        await desk.rest()
        assert desk.page == "" and desk.text.word == "Ready"
        assert [(one.address, one.model, one.files) for one, _ in desk.server.opened] == [
            ("http://127.0.0.1:8000", "small", BUILT_IN_FOLDER)
        ]
        await desk.ask("Why?")
        assert desk.texts[-1] == "served<|end|>"
        assert desk.settings.value.servers == ()

    run(run_qt, steps)


def test_start_and_send_keeps_the_text_and_sends_it_when_ready(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        gate = held(desk, P.LOADING)
        desk.composer.ask("Why?")
        await desk.turns()
        assert desk.composer.queued and desk.composer.text() == "Why?"
        gate.set()
        await desk.rest()
        assert desk.texts == ["Why?", "served<|end|>"]

    run(run_qt, steps)


def test_a_start_that_fails_keeps_the_text_and_shows_the_card(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.composer.ask("Why?")
        await desk.rest()
        assert desk.page == "card" and desk.text is not None and desk.text.action == "retry"
        assert desk.composer.text() == "Why?" and not desk.composer.queued
        assert not desk.composer.state.enabled

        desk.pages.card.fix_wanted.emit(NO_ROOM.fixes[0])
        await desk.rest()
        assert (desk.launcher.specs[-1].gpu_share, desk.launcher.specs[-1].context) == (0.2, 4096)
        assert desk.settings.value.vllm_gpu_share == 0.2  # what was mended stays mended
        assert desk.page == "" and desk.session.can_ask

    run(run_qt, steps)


def test_cancel_and_stop(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        held(desk, P.WARMING)
        desk.bar.action.emit("start")
        await desk.turns()
        desk.bar.action.emit("cancel")
        await desk.rest()
        assert desk.launcher.state.phase is P.STOPPED and desk.page == ""
        desk.launcher.holds.clear()
        desk.engines.toggle_own()
        await desk.rest()
        assert desk.session.can_ask
        desk.engines.toggle_own()
        await desk.rest()
        assert desk.launcher.state.phase is P.STOPPED and not desk.session.can_ask
        assert desk.server.state.phase is Phase.ABSENT

    run(run_qt, steps)


def test_another_model_while_ready_replaces_and_while_loading_cancels_first(run_qt: Run) -> None:
    run(run_qt, _switching)


async def _switching(desk: LaunchDesk) -> None:
    desk.bar.action.emit("start")
    await desk.rest()
    gate = held(desk, P.LOADING)
    desk.bar.model_chosen.emit(FOLDER)
    await desk.turns()
    assert desk.launcher.state.spec == RUNNING and not desk.session.can_ask
    desk.bar.model_chosen.emit("/models/third")
    await desk.turns()
    gate.set()
    await desk.rest()
    assert [one.folder for one in desk.launcher.specs] == [BUILT_IN_FOLDER, FOLDER, "/models/third"]
    assert desk.session.can_ask and desk.settings.value.folders[0] == "/models/third"


def test_only_one_engine_holds_the_model(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.engine.state.phase is Phase.READY
        desk.bar.engine_chosen.emit("docker:cpu")
        await desk.rest()
        assert desk.engine.state.phase is Phase.ABSENT and desk.launcher.specs == []
        desk.bar.action.emit("start")
        await desk.rest()
        assert desk.launcher.state.phase is P.READY
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.launcher.state.phase is P.STOPPED and desk.engine.state.phase is Phase.READY
        assert desk.settings.value.server == ""

    run(run_qt, steps)


def test_another_device_starts_anew_only_if_one_runs(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.engine_chosen.emit("docker:gpu")
        await desk.rest()
        assert desk.launcher.specs == [] and desk.settings.value.vllm_device == "gpu"
        desk.bar.action.emit("start")
        await desk.rest()
        desk.bar.engine_chosen.emit("docker:cpu")
        await desk.rest()
        assert [one.device for one in desk.launcher.specs] == ["gpu", "cpu"]

    run(run_qt, steps)


def test_a_server_that_is_lost_says_why_and_is_started_again(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        desk.launcher.move(P.LOST, finding=Finding("oom"))
        await desk.turns()
        assert desk.text is not None and (desk.text.word, desk.text.action) == ("Server gone", "retry")
        assert not desk.session.can_ask and not desk.pages.stopped.isHidden()
        desk.composer.ask("Why?")
        await desk.rest()
        assert desk.texts == ["Why?", "served<|end|>"] and len(desk.launcher.specs) == 2

    run(run_qt, steps)


def test_what_cannot_be_planned_is_said(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        failed: list[object] = []
        desk.launch.failed.connect(failed.append)
        desk.problem = ModelError("model.not_found", folder="x")
        desk.composer.ask("Why?")
        await desk.rest()
        assert failed == [desk.problem] and desk.composer.text() == "Why?"
        assert not desk.composer.queued and desk.composer.state.button is Button.START

    run(run_qt, steps)


def test_a_server_found_at_the_start_is_offered_or_joined(run_qt: Run) -> None:
    found = ServerState(P.READY, RUNNING, ready_at=time.monotonic(), ours=False, by="window", container="c")

    async def offered(desk: LaunchDesk) -> None:
        desk.lookout.begin(joins=desk.launch.used)
        await desk.rest()
        assert not desk.pages.found.isHidden() and desk.engine.state.phase is Phase.READY
        desk.pages.found.join_wanted.emit()
        await desk.rest()
        assert desk.pages.found.isHidden() and desk.session.can_ask
        assert desk.settings.value.server == "docker" and desk.engine.state.phase is Phase.ABSENT
        assert desk.bar._current == FOLDER  # what runs, not what the settings would start
        assert desk.launch.holds

    async def stopped(desk: LaunchDesk) -> None:
        desk.lookout.begin(joins=desk.launch.used)
        await desk.rest()
        desk.pages.found.stop_wanted.emit()
        await desk.rest()
        assert desk.launcher.state.phase is P.STOPPED and desk.engine.state.phase is Phase.READY

    async def joined(desk: LaunchDesk) -> None:
        desk.lookout.begin(joins=desk.launch.used)
        await desk.rest()
        assert desk.pages.found.isHidden() and desk.session.can_ask

    async def quiet(desk: LaunchDesk) -> None:
        desk.lookout.begin(joins=desk.launch.used, quiet=True)
        await desk.rest()
        assert desk.pages.found.isHidden()

    run(run_qt, offered, found=found, server="")
    run(run_qt, stopped, found=found, server="")
    run(run_qt, joined, found=found)
    run(run_qt, quiet, found=found, server="")


def test_one_that_is_started_elsewhere_is_offered_beside_the_built_in_engine(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        found, said = desk.pages.found, []
        for phase in (P.LOADING, P.COMPILING, P.READY, P.STOPPING, P.STOPPED, P.READY, P.LOST):
            desk.launcher.move(phase, spec=RUNNING, ours=False, by="cli", began=time.monotonic())
            said.append("" if found.isHidden() else found.what.text())
        starts = "A server of ours is already starting other."
        runs = "A server of ours is already running other."
        assert said == [starts, starts, runs, "", "", runs, ""]
        assert desk.launch.state.phase is P.LOST and desk.engine.state.phase is Phase.READY

    async def joined(desk: LaunchDesk) -> None:
        desk.launcher.move(P.LOADING, spec=RUNNING, ours=False, by="cli", began=time.monotonic())
        desk.pages.found.join.click()
        await desk.rest()
        assert desk.session.can_ask and desk.launch.holds is False and desk.pages.found.isHidden()

    run(run_qt, steps, server="")
    run(run_qt, joined, server="")


def test_what_was_left_over_is_cleaned_with_one_button(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.lookout.begin(joins=desk.launch.used)
        await desk.rest()
        assert not desk.pages.found.clean.isHidden()
        desk.pages.found.clean_wanted.emit()
        await desk.rest()
        assert desk.launcher.calls[-1] == "stop" and desk.pages.found.isHidden()

    run(run_qt, steps, found=ServerState(P.STOPPED, RUNNING, container="c", ours=False), server="")


def test_one_that_the_command_line_starts_is_joined_when_it_is_ready(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.move(P.LOADING, spec=RUNNING, ours=False, by="cli", began=time.monotonic())
        await desk.turns()
        assert desk.page == "timeline"
        desk.launcher.move(P.READY, ready_at=time.monotonic())
        await desk.rest()
        assert desk.session.can_ask and desk.launcher.specs == [] and desk.page == ""
        assert not desk.launch.holds  # what the command line started, it also stops
        desk.launcher.move(P.STOPPED)
        await desk.turns()
        assert not desk.session.can_ask

    run(run_qt, steps)


def test_the_menu_says_which_device_cannot_run_and_why(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.found_doctor = Doctor(no_gpu=Finding("unknown"))
        desk.lookout.ask_doctor()
        await desk.rest()
        desk.bar._fill_engines()
        rows = {action.text(): action.isEnabled() for action in desk.bar.engine_menu.actions()}
        assert (rows["vLLM GPU"], rows["vLLM CPU"]) == (False, True)
        assert list(rows)[:3] == ["Built-in", "vLLM GPU", "vLLM CPU"]

    run(run_qt, steps)


def test_quitting_asks_only_while_a_server_runs_that_ends_with_it(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        quits: list[bool] = []
        question = desk.quit_question
        question.ask("m", lambda: quits.append(question.leave))
        assert quits == [True]  # there is nothing to stop
        desk.bar.action.emit("start")
        await desk.rest()
        question.ask("m", lambda: quits.append(question.leave))
        assert len(quits) == 1 and question.sheet is not None
        question.sheet.cancel.click()
        assert len(quits) == 1 and question.sheet is None and not question.leave
        question.ask("m", lambda: quits.append(question.leave))
        assert question.sheet is not None
        question.sheet.remember.setChecked(True)
        question.sheet.leave.click()
        assert quits == [True, True] and desk.settings.value.on_quit == "leave"
        question.ask("m", lambda: quits.append(question.leave))
        assert quits == [True, True, True]

    run(run_qt, steps)


def test_the_environments_device_wins_and_says_so(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launch._forced = "gpu"
        assert desk.launch.device == "gpu"
        assert dict(desk.launch.devices()) == {"gpu": "", "cpu": "TOKENLOUPE_VLLM_DEVICE says gpu"}

    run(run_qt, steps)


@pytest.mark.parametrize("by, words", [("cli", "the command line"), ("hand", "hand"), ("window", "window")])
def test_who_started_it_is_said(by: str, words: str, run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.move(P.LOADING, spec=RUNNING, ours=False, by=by, began=time.monotonic())
        assert desk.text is not None and desk.text.detail.endswith(words)

    run(run_qt, steps)


def test_what_was_mended_for_one_model_does_not_hold_for_another(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.remedies.do(Fix("context", "start", changes={"context": 2048}))
        await desk.rest()
        desk.bar.model_chosen.emit(FOLDER)
        await desk.rest()
        assert [one.context for one in desk.launcher.specs] == [2048, None]

    run(run_qt, steps)


def test_a_server_started_here_gets_the_environments_key_and_is_asked_with_it(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        assert [key for _, key in desk.server.opened] == ["s3cret"]

    run(run_qt, steps, key="s3cret")
