"""The batcher's rhythm, with a clock that only moves when told."""

from __future__ import annotations

import pytest

from desktop.kit.batcher import FRAME_MS, HIDDEN_MS, SLOWEST_MS, Batcher


class Bench:
    """A batcher whose drains take as long as `cost` says."""

    def __init__(self) -> None:
        self.now = 100.0
        self.cost = 0.0
        self.drains = 0
        self.batcher = Batcher(self.drain, clock=lambda: self.now)

    def drain(self) -> None:
        self.drains += 1
        self.now += self.cost / 1000

    def tick(self) -> None:
        """The timer ends: time has passed and it fires."""
        assert self.batcher.timer.isActive()
        self.now += self.batcher.timer.interval() / 1000
        self.batcher.timer.stop()
        self.batcher.timer.timeout.emit()


@pytest.fixture
def bench(qapp) -> Bench:
    return Bench()


def test_many_marks_are_one_drain(bench: Bench) -> None:
    for _ in range(1000):
        bench.batcher.mark()
    assert bench.drains == 0
    bench.tick()
    assert bench.drains == 1
    assert not bench.batcher.timer.isActive(), "an idle batcher runs nothing"


def test_after_a_rest_the_first_mark_drains_at_the_next_turn_of_the_loop(bench: Bench) -> None:
    bench.batcher.mark()
    assert bench.batcher.timer.interval() == 0


def test_while_streaming_one_drain_a_frame(bench: Bench) -> None:
    bench.batcher.mark()
    bench.tick()
    bench.now += 0.004
    bench.batcher.mark()
    assert bench.batcher.timer.interval() == FRAME_MS - 4


def test_costly_drains_back_off_and_cheap_ones_recover(bench: Bench) -> None:
    bench.cost = 9.0
    seen = []
    for _ in range(5):
        bench.batcher.mark()
        bench.tick()
        seen.append(bench.batcher.interval_ms)
    assert seen == [32, 64, 100, 100, SLOWEST_MS]
    bench.cost = 1.0
    for _ in range(5):
        bench.batcher.mark()
        bench.tick()
    assert bench.batcher.interval_ms == FRAME_MS


def test_hidden_drains_four_times_a_second(bench: Bench) -> None:
    bench.batcher.set_visible(False)
    bench.batcher.mark()
    bench.tick()
    bench.batcher.mark()
    assert bench.batcher.timer.interval() == HIDDEN_MS


def test_coming_back_shows_what_is_marked_soon(bench: Bench) -> None:
    bench.batcher.mark()
    bench.tick()
    bench.batcher.set_visible(False)
    bench.batcher.mark()
    bench.now += 0.1
    bench.batcher.set_visible(True)
    assert bench.batcher.timer.interval() == 0


def test_flush_drains_at_once_and_only_what_is_marked(bench: Bench) -> None:
    bench.batcher.flush()
    assert bench.drains == 0
    bench.batcher.mark()
    bench.batcher.flush()
    bench.batcher.flush()
    assert bench.drains == 1
    assert not bench.batcher.timer.isActive()


def test_stop_forgets(bench: Bench) -> None:
    bench.batcher.mark()
    bench.batcher.stop()
    bench.batcher.flush()
    assert bench.drains == 0 and not bench.batcher.timer.isActive()


def test_marking_and_flushing_from_within_a_drain_does_not_recurse(qapp) -> None:
    calls = []

    def drain() -> None:
        calls.append(1)
        batcher.mark()
        batcher.flush()

    batcher = Batcher(drain)
    batcher.mark()
    batcher.flush()
    assert calls == [1]
    assert batcher.pending and batcher.timer.isActive()


def test_a_failing_drain_does_not_stop_the_next_one(qapp) -> None:
    calls = []

    def drain() -> None:
        calls.append(1)
        raise ValueError("once")

    batcher = Batcher(drain)
    for _ in range(2):
        batcher.mark()
        with pytest.raises(ValueError):
            batcher.flush()
    assert len(calls) == 2
