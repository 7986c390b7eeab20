"""What this window may stop: what it has started or joined, and nothing that another one is at."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from core.engines.state import Phase
from core.errors import DockerError
from core.server.access import DockerInfo
from core.server.finding import Finding
from core.server.launcher import Doctor
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from tests.desktop.server.test_presenter import FOLDER, NO_ROOM, run
from tests.fakes.launch_desk import LaunchDesk

Run = Any
P = ServerPhase
THEIRS = LaunchSpec(model="other", folder=FOLDER)
BUSY = DockerError("docker.busy", by="window", pid=7, model="other")


async def refused(desk: LaunchDesk) -> list[object]:
    """Another window is starting a server, and Start is pressed here. What is said of it."""
    failed: list[object] = []
    desk.launch.failed.connect(failed.append)
    desk.launcher.busy = BUSY
    desk.launcher.move(P.LOADING, spec=THEIRS, ours=False, by="window", began=time.monotonic())
    desk.bar.action.emit("start")
    await desk.rest()
    return failed


def test_a_start_that_another_window_is_at_is_not_stopped_from_here(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        assert not desk.launch.holds
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.launcher.state.phase is P.LOADING and not {"stop", "leave"} & set(desk.launcher.calls)

    run(run_qt, steps)


def test_that_another_window_is_at_it_is_said(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        assert await refused(desk) == [BUSY]

    run(run_qt, steps)


def test_what_the_state_says_is_not_said_twice(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        failed: list[object] = []
        desk.launch.failed.connect(failed.append)
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.bar.action.emit("start")
        await desk.rest()
        assert desk.page == "card" and not failed

    run(run_qt, steps)


def test_a_server_that_was_not_replaced_still_ends_with_this_window(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        desk.launcher.refuses = NO_ROOM
        desk.bar.model_chosen.emit(FOLDER)
        await desk.rest()
        assert desk.launcher.state.phase is P.READY and desk.launch.holds

    run(run_qt, steps)


def test_another_engine_leaves_the_server_to_the_window_that_uses_it_too(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.move(P.READY, spec=THEIRS, ours=False, by="window", ready_at=time.monotonic())
        await desk.rest()
        desk.launcher.shared = True
        assert desk.launch.holds
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.launcher.calls[-1] == "leave" and desk.launcher.state.phase is P.READY
        assert not desk.launch.holds

    run(run_qt, steps)


async def lost(desk: LaunchDesk) -> None:
    """The server of this window was killed; its container is there."""
    desk.bar.action.emit("start")
    await desk.rest()
    desk.launcher.move(P.LOST, finding=Finding("oom"))
    await desk.rest()


def test_another_engine_removes_what_is_left_of_a_server_that_is_gone(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await lost(desk)
        assert desk.launch.holds
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.launcher.calls[-2:] == ["leave", "stop"] and not desk.launch.holds
        assert desk.engine.state.phase is Phase.READY

    run(run_qt, steps)


@pytest.mark.parametrize("stands_still", [False, True])
def test_another_engine_comes_although_docker_has_gone_with_the_server(
    run_qt: Run, monkeypatch: pytest.MonkeyPatch, stands_still: bool
) -> None:
    monkeypatch.setattr("desktop.server.presenter._LEFT_SECONDS", 0.05)

    async def refuses() -> None:
        if stands_still:
            await asyncio.Event().wait()
        raise DockerError("docker.stopped", host="unix:///docker.sock")

    async def steps(desk: LaunchDesk) -> None:
        await lost(desk)
        monkeypatch.setattr(desk.launcher, "stop", refuses)
        desk.bar.engine_chosen.emit("")
        await desk.rest()
        assert desk.engine.state.phase is Phase.READY and desk.session.can_ask

    run(run_qt, steps)


def test_what_is_left_of_a_start_that_was_joined_ends_with_this_window(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.move(P.LOADING, spec=THEIRS, ours=False, by="window", began=time.monotonic())
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.lookout.join_wanted.connect(desk.engines.join_own)
        desk.lookout.begin(joins=True)
        await desk.rest()
        assert desk.page == "card" and desk.launch.holds and not desk.quit_question.leave
        desk.launcher.move(P.LOADING, launch="theirs", container="c2", ours=False, finding=None)
        assert not desk.launch.holds, "another window has begun anew"

    run(run_qt, steps)


def test_a_stop_that_is_under_way_ends_with_the_window(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        desk.launcher.move(P.STOPPING)
        quits: list[bool] = []
        desk.quit_question.ask("m", lambda: quits.append(desk.quit_question.leave))
        assert quits == [False] and desk.quit_question.sheet is None

    run(run_qt, steps)


def test_only_the_last_window_asks_what_becomes_of_the_server(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        quits: list[bool] = []
        question = desk.quit_question
        desk.launcher.shared = True
        question.ask("m", lambda: quits.append(question.leave))
        assert question.sheet is None
        assert quits == [False], "it may be the last by then, which the manager knows"
        desk.launcher.shared = False
        question.ask("m", lambda: quits.append(question.leave))
        assert question.sheet is not None

    run(run_qt, steps)


def test_the_device_is_chosen_by_a_docker_that_answers(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.settings.update(vllm_device="auto")
        desk.lookout.ask_doctor()  # Docker is not running
        await desk.rest()
        desk.launcher.found_doctor = Doctor(device="gpu", info=DockerInfo("28", "1.51", "amd64", 8, 1 << 35))
        desk.bar.action.emit("start")
        await desk.rest()
        assert desk.launcher.specs[-1].device == "gpu"

    run(run_qt, steps)


def test_a_start_waits_for_the_doctor_who_was_asked_again(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        info = DockerInfo("28", "1.51", "amd64", 8, 1 << 35)
        desk.settings.update(vllm_device="auto")
        desk.launcher.found_doctor = Doctor(info=info)
        desk.lookout.ask_doctor()
        await desk.rest()
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.bar.action.emit("start")
        await desk.rest()
        desk.launcher.found_doctor = Doctor(device="gpu", info=info)
        desk.launcher.slow_doctor = True
        desk.remedies.check_wanted.emit()
        await desk.rest()
        assert [one.device for one in desk.launcher.specs] == ["cpu", "gpu"]

    run(run_qt, steps)


def test_the_card_never_says_why_another_start_failed(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.bar.action.emit("start")
        await desk.rest()
        card = desk.pages.card
        before = card.what.text()
        desk.launcher.move(P.CHECKING, ours=False, finding=None, began=time.monotonic())
        desk.launcher.move(P.FAILED, ours=False)
        await desk.turns()
        assert desk.page == "card" and card.what.text() != before

    run(run_qt, steps)


def test_settings_changed_after_a_fix_count(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        desk.remedies.do(NO_ROOM.fixes[0])  # 20 %, and a context
        await desk.rest()
        desk.settings.update(vllm_gpu_share=0.6)
        desk.launch.start_wanted.emit()
        await desk.rest()
        assert [one.gpu_share for one in desk.launcher.specs] == [0.3, 0.2, 0.6]
        assert desk.launcher.specs[-1].context == 4096, "no setting says another"

    run(run_qt, steps)
