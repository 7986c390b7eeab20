"""The queue: one at a time, paused and cancelled whatever its process does, and there again after a start."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import ModelError
from core.models.ledger import LARGEST, NAME, Ledger
from core.models.lock import is_locked
from core.models.partial import partial_place, read_listing
from core.models.store import OnDisk, Store
from core.paths import default_paths
from core.worker.file_fetch import LONGEST, delay
from core.worker.meter import Meter
from tests.core.models.downloading import (
    ALL,
    WEIGHTS,
    downloads,
    hub_of,
    models,
    nothing_else,
    place,
    run,
    until,
    whole,
)
from tests.fakes.hub.server import COMMIT, FILES, FakeHub, Fault

AT = 200_000


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with hub_of(monkeypatch, home) as served:
        served.faults = [Fault("stall", "model.safetensors", AT)]
        yield served


def gone(pid: int | None) -> None:
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def half(hub: FakeHub, part: Path) -> None:
    """Until the hub's bytes before its stall are on disk."""

    def there() -> int:
        return part.stat().st_size if part.exists() else 0

    while there() < AT:  # noqa: ASYNC110 - what is waited for is another process's file
        await asyncio.sleep(0.01)


def partial() -> Path:
    return partial_place(models(), "org/name", COMMIT)


def weights() -> Path:
    return partial() / "model.safetensors.part"


def test_paused_is_gone_at_once_and_goes_on_from_the_byte(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await half(hub, weights())
            pid = made.pid
            os.kill(pid, signal.SIGSTOP)  # it would not even hear of it
            await made.pause("org/name")
            gone(pid)
            assert (made.states[0].phase, made.states[0].commit) == ("paused", COMMIT)
            assert not is_locked(partial())
        async with downloads() as made:  # the program was left and started again
            await made.restore()
            assert (made.states[0].phase, made.states[0].done > AT) == ("paused", True)
            hub.requests.clear()
            await made.resume("org/name")
            await until(made, "ready")

    run(work)
    whole(place(), {name: hub.files[name] for name in ALL})
    assert hub.served["model.safetensors"] == len(WEIGHTS) - AT
    nothing_else(place())


def test_what_was_not_paused_goes_on_after_a_start_in_its_order(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            made.start("org/other")
            made.start("org/third", "main")
            await half(hub, weights())
            assert [state.phase for state in made.states] == ["fetching", "queued", "queued"]
        listing = read_listing(partial())
        assert listing is not None and listing.wanted == "fetch"
        async with downloads() as made:
            await made.restore()
            assert [state.repo for state in made.states] == ["org/name", "org/other", "org/third"]
            await until(made, "ready", model="org/name")
            await until(made, "failed", model="org/third")  # the hub has no such model
            for name in ("org/other", "org/third"):
                await made.cancel(name)

    run(work)
    nothing_else(place())


def test_cancelled_leaves_nothing(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await half(hub, weights())
            pid = made.pid
            os.kill(pid, signal.SIGSTOP)
            await made.cancel("org/name")
            gone(pid)
            assert made.states == ()
            await made.restore()
            assert made.states == ()
        assert not (models() / ".partial").exists()

    run(work)


def test_a_killed_process_is_said_and_goes_on(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await half(hub, weights())
            os.kill(made.pid, signal.SIGKILL)
            failed = await until(made, "failed")
            assert failed.error is not None and failed.error.code == "worker.lost"
            await made.resume("org/name")
            assert (await until(made, "ready")).error is None

    run(work)
    whole(place(), {name: hub.files[name] for name in ALL})
    assert hub.served["model.safetensors"] == len(WEIGHTS)


def test_two_windows_one_fetches_the_other_follows_and_takes_over(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as first, downloads() as second:
            first.start("org/name")
            await half(hub, weights())
            second.start("org/name")
            following = await until(second, "following")
            assert following.done > AT
            os.kill(first.pid, signal.SIGKILL)
            assert (await until(second, "ready")).folder == str(place())
            first.forget("org/name")  # it failed there: its process was killed

    run(work)
    whole(place(), {name: hub.files[name] for name in ALL})
    assert hub.served["model.safetensors"] == len(WEIGHTS)
    nothing_else(place())


def test_what_another_window_fetches_holds_up_no_other(hub: FakeHub) -> None:
    hub.others = (FakeHub(repo="org/other", commit="b" * 40),)

    async def work() -> None:
        async with downloads() as first, downloads() as second:
            first.start("org/name")
            await half(hub, weights())
            second.start("org/name")
            second.start("org/other")
            assert (await until(second, "ready", "failed", model="org/other")).phase == "ready"
            os.kill(first.pid, signal.SIGKILL)
            assert (await until(second, "ready", "failed", model="org/name")).phase == "ready"

    run(work)
    assert hub.served["model.safetensors"] == len(WEIGHTS) + len(FILES["model.safetensors"])


@pytest.mark.parametrize("what", ["pause", "cancel"])
def test_another_window_can_pause_and_cancel(hub: FakeHub, what: str) -> None:
    hub.faults, hub.pace, hub.block = [], 0.2, 1 << 12

    async def work() -> None:
        async with downloads() as first, downloads() as second:
            first.start("org/name")
            await until(first, "fetching")
            second.start("org/name")
            await until(second, "following")
            await (second.pause if what == "pause" else second.cancel)("org/name")
            while first.states and first.states[0].phase != "paused":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert not hub.release.is_set()
        left = [row.paused for row in Store(default_paths()).rows() if row.state is OnDisk.PARTIAL]
        assert left == ([True] if what == "pause" else [])

    run(work)


def test_a_name_that_is_none_is_refused_at_once(hub: FakeHub) -> None:
    async def work() -> None:
        async with downloads() as made:
            for repo, revision in (("a b", ""), ("../x", ""), ("a/b", "x y"), ("a--b/c", "")):
                with pytest.raises(ModelError):
                    made.start(repo, revision)
            assert made.states == ()

    run(work)


def test_waits_are_doubled_scattered_bounded_and_never_shorter_than_asked() -> None:
    assert [delay(n, 1.0, 0.0, lambda: 1.0) for n in (1, 2, 3, 20)] == [1, 2, 4, LONGEST]
    assert delay(1, 1.0, 0.0, lambda: 0.0) == 0.5
    assert delay(1, 1.0, 33.0, lambda: 0.0) == 33.0


def test_speed_is_smooth_and_told_ten_times_a_second_at_most() -> None:
    now = [0.0]
    meter = Meter(10_000, 1_000, clock=lambda: now[0])
    told = 0
    for _ in range(100):
        now[0] += 0.01
        told += meter.add(10)
    assert told <= 10 and (meter.done, round(meter.speed)) == (2_000, 1_000)
    now[0] += 0.2
    meter.add(4_000)  # a burst
    assert 1_000 < meter.speed < 3_000
    assert meter.left == (10_000 - 6_000) / meter.speed
    before = meter.done
    meter.add(-500)
    assert meter.done == before - 500


def test_the_ledger_is_bounded_and_outlives_a_cut_line(home: Path) -> None:
    ledger, told = Ledger(home), []
    ledger.noted.connect(told.append)
    for number in range(6000):
        ledger.note("hub.example", f"files of org/name-{number}", float(number))
    assert (home / NAME).stat().st_size <= LARGEST
    rows = Ledger(home).rows()
    assert len(told) == 6000 and rows[-1].why.endswith("-5999") and 1000 < len(rows) < 6000
    with (home / NAME).open("ab") as file:
        file.write(b'{"host": "x')
    assert Ledger(home).rows() == rows
