"""A start whose model comes from the hub: its row, the run bar's words, and what a cancelled one leaves."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from core.server.launcher import Doctor
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState
from desktop.server import timeline_rows as model
from desktop.server.guessing import why_not
from desktop.server.run_words import is_late, server_text
from tests.desktop.server.starts import start
from tests.desktop.server.test_presenter import run
from tests.fakes.launch_desk import LaunchDesk

P = ServerPhase
AT = STARTING.index(P.WEIGHTS)


def fetching(note: str = "weights_fetch", **changes: Any) -> ServerState:
    """Ten seconds after the step began at 3.0, as it told last then."""
    state = start(P.WEIGHTS, earlier=2, done=500_000_000, total=2_000_000_000, note=note)
    step = msgspec.structs.replace(state.steps[AT], **changes)
    return msgspec.structs.replace(state, steps=(*state.steps[:AT], step, *state.steps[AT + 1 :]))


def test_bytes_speed_and_what_is_left_stand_in_its_row() -> None:
    state = fetching(speed=5e7, left=30.0, estimate=40.0, seconds=10.0)
    row = model.rows(state, 13.0)[AT]
    assert row.detail == "500 MB of 2.00 GB · 50 MB/s · Downloading the model"
    assert row.time == "10 of ~40 s" and row.outline == 43.0
    assert server_text(state, 13.0).detail == "downloading the model · 25 % · about 2 min left"
    assert model.foot(state, 13.0) == "What is downloaded stays on disk if you cancel."


def test_without_earlier_starts_the_download_alone_is_foreseen() -> None:
    state = msgspec.structs.replace(fetching(speed=5e7, left=30.0, estimate=40.0, seconds=10.0), earlier=0)
    assert server_text(state, 13.0).detail == "downloading the model · 25 % · about 30 s left"
    assert model.outlook(state, 13.0) == "First start, no estimate yet."


def test_a_download_is_never_longer_than_usual() -> None:
    state = fetching(speed=5e7, left=0.1, estimate=10.1, seconds=10.0)
    assert not is_late(state, 20.0) and "longer" not in model.rows(state, 20.0)[AT].detail


def test_why_nothing_comes_is_said_first() -> None:
    state = fetching("weights_again", params={"number": 2}, estimate=None)
    row = model.rows(state, 13.0)[AT]
    assert row.detail == "The connection broke off. Trying again, number 2 · 500 MB of 2.00 GB"
    assert row.outline is None and row.time == "10 s"
    row = model.rows(fetching("weights_check", estimate=None), 13.0)[AT]
    assert row.detail == "Checking every file · 500 MB of 2.00 GB"
    assert server_text(fetching("weights_check"), 13.0).detail.startswith("checking the weights")


def test_the_timeline_is_there_before_anything_has_begun(run_qt: Any) -> None:
    async def steps(desk: LaunchDesk) -> None:
        plan, planned = desk.launch._plan, asyncio.Event()

        async def slow(doctor: Doctor) -> LaunchSpec:
            await planned.wait()
            return await plan(doctor)

        desk.launch._plan = slow
        desk.bar.action.emit("start")
        assert desk.page == "timeline" and desk.launcher.specs == []
        shown = desk.pages.timeline.state
        assert [step.status.value for step in shown.steps] == ["running", *["todo"] * 7]
        assert model.headline("small", shown) == "Starting small"
        desk.bar.action.emit("cancel")
        await desk.rest()
        assert desk.page == "" and desk.launcher.specs == []
        desk.bar.action.emit("start")
        planned.set()
        await desk.rest()
        assert desk.session.can_ask and desk.page == ""

    run(run_qt, steps)


def test_what_is_here_of_a_model_stands_beside_its_start(run_qt: Any) -> None:
    async def steps(desk: LaunchDesk) -> None:
        bar, chosen = desk.pages.stopped, desk.settings.value.model
        before = bar.text.text()
        desk.launch.show_kept(chosen, 1_200_000_000, 1_800_000_000)
        assert bar.text.text() == f"{before} · 1.20 GB of 1.80 GB downloaded"
        desk.launch.show_kept(chosen, 0, 0)
        assert bar.text.text() == before
        desk.launch.show_kept("/models/other", 5, 9)  # not the one that would be started
        assert bar.text.text() == before

    run(run_qt, steps)


def test_guesses_are_not_denied_to_a_model_that_is_not_here() -> None:
    from core.server.choose import Speculation

    assert why_not(Speculation(why="absent")) == "Known once the model is on this computer."
