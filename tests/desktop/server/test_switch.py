"""A switch to a server that cannot start: why is said, and the one that runs is used again."""

from __future__ import annotations

import asyncio
from typing import Any

from core.engines.state import Phase
from core.server.state import ServerPhase
from tests.desktop.server.test_presenter import FOLDER, NO_ROOM, held, run
from tests.fakes.launch_desk import BUILT_IN_FOLDER, LaunchDesk

P = ServerPhase
Run = Any


async def refused(desk: LaunchDesk) -> None:
    desk.bar.action.emit("start")
    await desk.rest()
    desk.launcher.refuses = NO_ROOM
    desk.bar.model_chosen.emit(FOLDER)
    await desk.rest()


def test_the_card_says_why_and_leads_back_to_the_chat(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        card = desk.pages.card
        assert desk.page == "card" and "GPU" in card.what.text()
        assert not card.back_button.isHidden() and "goes on running" in card.runs.text()
        assert desk.text is not None and desk.text.word == "Ready" and desk.session.can_ask
        assert desk.server.opened[-1][0].files == BUILT_IN_FOLDER
        assert desk.bar._current != FOLDER, "the model that runs is named"
        card.back_button.click()
        assert desk.page == ""
        await desk.ask("Why?")
        assert desk.texts[-1] == "served<|end|>"

    run(run_qt, steps)


def test_the_card_is_there_before_the_old_server_is_connected_again(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        shown: list[str] = []

        async def connect(*choice: Any) -> None:
            shown.append(desk.page)
            await desk._ask(*choice)

        desk.launch._connect = connect
        await refused(desk)
        assert shown == ["card"] and desk.session.can_ask

    run(run_qt, steps)


def test_a_fix_starts_the_one_that_was_wanted(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        desk.pages.card.fixes.rows[0].button.click()
        await desk.rest()
        assert desk.launcher.specs[-1].folder == FOLDER and desk.launcher.specs[-1].gpu_share == 0.2
        assert desk.page == "" and desk.session.can_ask

    run(run_qt, steps)


def test_to_check_again_is_to_try_again(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        desk.remedies.check_wanted.emit()
        await desk.rest()
        assert (
            desk.launcher.specs[-1].folder == FOLDER and desk.launcher.state.spec == desk.launcher.specs[-1]
        )

    run(run_qt, steps)


def test_to_check_again_is_seen_where_nothing_has_changed(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        shown: list[str] = []
        desk.launcher.state_changed.connect(lambda _: shown.append(desk.page))
        desk.launcher.refuses = NO_ROOM
        desk.remedies.check_wanted.emit()
        await desk.rest()
        assert "timeline" in shown and desk.page == "card"
        assert not desk.pages.card.back_button.isHidden() and desk.session.can_ask

    run(run_qt, steps)


def test_a_stop_and_a_failure_after_it_know_nothing_of_it(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        await refused(desk)
        desk.bar.action.emit("stop")
        await desk.rest()
        assert desk.page == "" and desk.launcher.state.phase is P.STOPPED
        desk.launcher.fails[P.LOADING] = NO_ROOM
        desk.bar.action.emit("start")
        await desk.rest()
        assert desk.page == "card" and desk.pages.card.back_button.isHidden()

    run(run_qt, steps)


def test_a_cancelled_switch_leads_back_too(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.bar.action.emit("start")
        await desk.rest()
        held(desk, P.CHECKING)
        desk.launcher.refuses = NO_ROOM
        desk.bar.model_chosen.emit(FOLDER)
        await desk.turns()
        assert desk.launcher.state.phase is P.CHECKING and not desk.session.can_ask
        desk.bar.action.emit("cancel")
        await desk.rest()
        assert desk.launcher.state.phase is P.READY and desk.session.can_ask and desk.page == ""
        assert desk.launcher.calls[-1] == "join" and desk.engine.state.phase is Phase.ABSENT

    run(run_qt, steps)


def test_a_cancelled_start_leaves_nothing(run_qt: Run) -> None:
    async def steps(desk: LaunchDesk) -> None:
        desk.launcher.holds[P.LOADING] = asyncio.Event()
        desk.bar.action.emit("start")
        await desk.turns()
        desk.bar.action.emit("cancel")
        await desk.rest()
        assert desk.launcher.state.phase is P.STOPPED and desk.launcher.calls[-1] == "stop"

    run(run_qt, steps)
