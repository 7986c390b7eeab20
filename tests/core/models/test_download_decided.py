"""A pause and a cancel hold: while the token is asked for, in two windows, over a start of the program."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from core.models.download import Downloads
from core.models.orders import HubSettings
from core.models.partial import Wanted, set_wanted
from core.models.store import Store
from core.paths import default_paths
from core.worker.client import WorkerClient
from tests.core.models.downloading import (
    ALL,
    ONCE,
    QUICK,
    downloads,
    nothing_else,
    partial_folder,
    place,
    pull,
    run,
    start_again,
    until,
    weights,
    whole,
)
from tests.fakes.hub.server import COMMIT, FakeHub, Fault


class Asked:
    """A token that is asked for, as from a keyring: it comes when it is given."""

    def __init__(self) -> None:
        self.asked, self.given = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> str:
        self.asked.set()
        await self.given.wait()
        return ""


@pytest.mark.parametrize("what", ["pause", "cancel"])
def test_what_ends_while_the_token_is_asked_for_is_not_begun_and_the_next_is(hub: FakeHub, what: str) -> None:
    async def work() -> None:
        token = Asked()
        made = Downloads(default_paths(), settings=lambda: QUICK, token=token)
        try:
            made.start("org/name")
            await token.asked.wait()
            made.start("org/other")
            await (made.pause if what == "pause" else made.cancel)("org/name")
            token.given.set()
            await until(made, "failed", model="org/other")  # the hub has no such model
            assert [state.phase for state in made.states if state.repo == "org/name"] == (
                ["paused"] if what == "pause" else []
            )
            assert not [one for one in hub.calls if "org/name" in one[1]]
        finally:
            await made.close()

    run(work)


def test_a_fault_of_one_is_said_and_the_next_one_goes_on(hub: FakeHub) -> None:
    async def work() -> None:
        faults = [RuntimeError("no such thing")]

        def settings() -> HubSettings:
            if faults:
                raise faults.pop()
            return QUICK

        made = Downloads(default_paths(), settings=settings)
        try:
            made.start("org/other")
            made.start("org/name")
            await until(made, "ready", model="org/name")
            error = made.states[0].error
            assert error is not None and "no such thing" in error.detail
        finally:
            await made.close()

    run(work)


@pytest.mark.parametrize("what", ["pause", "cancel"])
def test_a_window_that_follows_does_not_undo_what_was_done_in_the_other(
    hub: FakeHub, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000, times=99)]

    async def work() -> None:
        async with downloads() as first, downloads() as second:
            first.start("org/name")
            await weights(200_000)
            second.start("org/name")
            await until(second, "following")
            kill, ended = WorkerClient.kill, asyncio.Event()

            async def slowly(self: WorkerClient) -> None:
                """As of one that sits in a slow disk: the other window sees it gone before this does."""
                await kill(self)
                if self is running:
                    await ended.wait()

            running = first._running[1]
            monkeypatch.setattr(WorkerClient, "kill", slowly)
            doing = asyncio.ensure_future((first.pause if what == "pause" else first.cancel)("org/name"))
            gone = asyncio.Event()

            def look(states: object) -> None:
                if [state.phase for state in second.states] in ([], ["paused"], ["fetching"]):
                    gone.set()

            second.changed.connect(look)
            await gone.wait()
            phases = [state.phase for state in second.states]
            ended.set()
            await doing
            assert phases == (["paused"] if what == "pause" else [])

    run(work)
    assert [row.paused for row in Store(default_paths()).rows()[1:]] == ([True] if what == "pause" else [])


@pytest.mark.parametrize("wanted", ["paused", "cancelled"])
def test_who_waits_for_the_hub_hears_of_another_window(hub: FakeHub, wanted: Wanted) -> None:
    later = {"Retry-After": "300"}
    hub.faults = [Fault("status", "model.safetensors", status=429, headers=later)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            assert (await until(made, "waiting", "failed")).wait >= 300
            set_wanted(partial_folder(), wanted)
            while made.states and made.states[0].phase != "paused":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert [state.phase for state in made.states] == ["paused"] * (wanted == "paused")

    run(work)


def test_an_order_from_before_a_pause_elsewhere_does_not_begin(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as first, downloads() as second:
            blocked = Asked()
            second._token = blocked
            second.start("org/name", COMMIT)
            await blocked.asked.wait()
            first.start("org/name", COMMIT)
            await weights(200_000)
            await first.pause("org/name")
            blocked.given.set()
            assert (await until(second, "paused", "ready", "fetching")).phase == "paused"
            await second.resume("org/name")
            assert (await until(second, "ready", "failed")).phase == "ready"

    run(work)


def test_a_pause_of_a_clock_that_was_ahead_is_no_news(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.faults = [Fault("cut", "model.safetensors", 200_000)]
    assert pull(settings=ONCE).phase == "failed"
    now = time.time()
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: now + 8 * 3600)
        assert set_wanted(partial_folder(), "paused")

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name", COMMIT)
            assert (await until(made, "ready", "failed", "paused")).phase == "ready"

    run(work)


def test_a_pause_before_the_hub_has_answered_outlives_the_program(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "api")]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name", "main")
            await until(made, "resolving")
            await made.pause("org/name")

    run(work)
    hub.faults.clear()  # it may not have come so far
    assert start_again() == [("org/name", "paused")]
    assert start_again() == [("org/name", "paused")]

    async def resumed() -> None:
        async with downloads() as made:
            await made.restore()
            await made.resume("org/name@main")
            await until(made, "ready")

    run(resumed)
    nothing_else(place())


def test_a_pause_that_cannot_be_kept_is_told(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await weights(200_000)

            def full(*_: object) -> None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            with monkeypatch.context() as patch:
                patch.setattr("os.fsync", full)
                patch.setattr(Path, "write_bytes", full)
                await made.pause("org/name")
            state = made.states[0]
            assert state.phase == "paused" and state.error is not None
            assert state.error.code == "store.not_paused"
            await made.resume("org/name")
            assert (await until(made, "ready", "failed")).error is None

    run(work)


@pytest.mark.parametrize("what", ["cancel", "resume", "start"])
def test_a_pause_that_still_looks_at_the_disk_undoes_nothing(
    hub: FakeHub, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.faults = [Fault("stall", "model.safetensors", 200_000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await weights(200_000)
            look, looked, go_on = made._on_disk, asyncio.Event(), asyncio.Event()

            async def slowly(*one: Any) -> Any:
                found = await look(*one)
                looked.set()
                await go_on.wait()
                return found

            monkeypatch.setattr(made, "_on_disk", slowly)
            doing = [asyncio.ensure_future(made.pause("org/name"))]
            await looked.wait()
            if what == "start":
                made.start("org/name")
            else:
                doing.append(asyncio.ensure_future(getattr(made, what)("org/name")))
                await asyncio.wait(doing[1:], timeout=0.5)  # it waits for the pause
            go_on.set()
            await asyncio.gather(*doing)
            assert len(made.states) == (what != "cancel")
            if made.states:
                assert (await until(made, "ready", "failed", "paused")).phase == "ready"

    run(work)
    nothing_else(*([] if what == "cancel" else [place()]))


def test_of_two_downloads_of_a_model_the_one_that_is_meant_ends(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "tokenizer.json", 1000)]

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name", COMMIT, True)
            await asyncio.to_thread(hub.wait_until_it_holds)
            made.start("org/name", COMMIT)
            assert [(one.tokenizer_only, one.phase) for one in made.states][1] == (False, "queued")
            await made.cancel("org/name", False)
            assert [one.tokenizer_only for one in made.states] == [True]
            made.start("org/name", COMMIT)
            await made.cancel("org/name", True)
            await until(made, "ready")

    run(work)
    whole(place(), {name: hub.files[name] for name in ALL})
    nothing_else(place())
