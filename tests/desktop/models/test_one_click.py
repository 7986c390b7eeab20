"""Start on a model that is not here: in Docker one start for all of it, else a download is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.models.fit import Room
from core.models.manifest import hub_folder
from core.paths import default_paths
from desktop.kit.dialogs import Question
from desktop.models.values import Badge, State
from tests.desktop.models.desk import Desk, desk, serving
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

NAME = "org/name"
Visit = Callable[[Desk], Awaitable[None]]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with serving(monkeypatch, home) as made:
        yield made


@pytest.fixture
def visit(qtbot: QtBot, run_qt: Callable[..., Any], hub: FakeHub) -> Callable[[Visit], None]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()

    async def run(what: Visit) -> None:
        async with desk(window) as made:
            await what(made)

    return lambda what: run_qt(run(what), timeout=60)


def place() -> str:
    return str(default_paths().models / hub_folder(NAME, COMMIT))


def fetched(hub: FakeHub) -> bool:
    return any(one.file == "model.safetensors" and one.sent for one in hub.requests)


async def found(at: Desk, badge: Badge) -> None:
    await at.open()
    await at.search(NAME)
    await at.select(NAME, State.ABSENT)
    await at.until(lambda: at.detail.fit is not None and at.detail.fit.badge is badge)


def test_in_docker_its_download_is_a_step_of_the_start(visit: Callable[[Visit], None], hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        at.engines.engine = "cpu"
        await found(at, Badge.FITS_CPU)
        at.press("start")
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "cpu")] and not at.picker.is_open
        assert at.downloads.states == () and not fetched(hub)  # the start fetches it

    visit(person)


def test_one_that_is_named_and_not_looked_at_yet_is_pinned_first(visit: Callable[[Visit], None]) -> None:
    async def person(at: Desk) -> None:
        at.engines.engine = "cpu"
        await at.open()
        await at.search("org")
        await at.until(lambda: at.picker.list.row(NAME) is not None)
        at.picker.list.chosen.emit(NAME)
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "cpu")]

    visit(person)


@pytest.mark.parametrize("wanted", [True, False])
def test_what_does_not_fit_is_said_before_anything_is_fetched(
    visit: Callable[[Visit], None], hub: FakeHub, wanted: bool
) -> None:
    async def person(at: Desk) -> None:
        async def room() -> Room:
            return Room(device="cpu", memory=1 << 20, free=1 << 20)

        at.engines.engine = "cpu"
        at.engines.room = room  # type: ignore[method-assign]
        await found(at, Badge.TOO_BIG)
        at.press("start")
        await at.until(lambda: at.window.findChildren(Question))
        (question,) = at.window.findChildren(Question)
        assert at.engines.asked == []
        (question.action if wanted else question.cancel).click()
        if wanted:
            await at.until(lambda: at.engines.asked)
        await at.until(lambda: at.picker.is_open is not wanted)
        assert at.engines.asked == ([("start", place(), "cpu")] if wanted else [])
        assert at.downloads.states == () and not fetched(hub)

    visit(person)


def test_the_built_in_engine_goes_on_until_it_is_there(visit: Callable[[Visit], None], hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await found(at, Badge.FITS)
        at.press("use")
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "local")] and fetched(hub)

    visit(person)


def test_a_server_goes_on_while_what_has_begun_to_come_is_waited_for(
    visit: Callable[[Visit], None], hub: FakeHub
) -> None:
    async def person(at: Desk) -> None:
        at.engines.engine, at.engines.running = "cpu", "/models/other"
        await found(at, Badge.FITS_CPU)
        hub.hold = True
        at.press("get")
        await at.state(State.FETCHING)
        at.press("start")
        await at.until(lambda: at.presenter.wishes.model)
        assert at.engines.asked == [] and at.detail.start_after
        hub.release.set()
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "cpu")]

    visit(person)


def test_another_setting_of_the_hub_takes_no_wish_away(visit: Callable[[Visit], None], hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        await found(at, Badge.FITS)
        hub.hold = True
        at.press("use")
        await asyncio.to_thread(hub.wait_until_it_holds)
        hub.hold = False
        await at.presenter.wishes.go_on()
        assert at.presenter.wishes.model
        hub.release.set()
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "local")]

    visit(person)


def test_who_wants_to_use_it_gets_more_than_the_small_files_that_come(
    visit: Callable[[Visit], None], hub: FakeHub
) -> None:
    async def person(at: Desk) -> None:
        hub.faults = [Fault("stall", "tokenizer.json", at=1000)]
        at.downloads.start(NAME, COMMIT, tokenizer_only=True)
        await at.open()
        await at.select(NAME, State.FETCHING)
        at.press("use")
        await at.until(lambda: at.presenter.wishes.model)
        hub.release.set()
        await at.until(lambda: at.engines.asked)
        assert at.engines.asked == [("start", place(), "local")] and fetched(hub)

    visit(person)


def test_what_a_start_fetches_is_not_offered_to_start(visit: Callable[[Visit], None], hub: FakeHub) -> None:
    async def person(at: Desk) -> None:
        at.engines.engine, at.engines.running = "cpu", place()
        await found(at, Badge.FITS_CPU)
        hub.hold = True
        at.press("get")
        await at.state(State.FETCHING)
        assert at.detail.start_after
        assert not at.picker.detail.buttons.buttons["start"].isVisibleTo(at.picker.detail)
        hub.release.set()

    visit(person)
