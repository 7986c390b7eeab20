"""The estimate of the time left."""

from __future__ import annotations

import pytest

from desktop.picker.time_left import TimeLeft


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_says_nothing_too_early_and_then_the_truth() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    said = []
    for second in range(6):
        clock.now = second
        said.append(left.feed(second * 10, 100))
    assert said[:2] == [None, None]
    assert said[2:] == [pytest.approx(8), pytest.approx(7), pytest.approx(6), pytest.approx(5)]


def test_it_follows_a_change_of_speed() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    for second in range(100):
        clock.now = second
        slow = left.feed(second, 10_000)
    assert slow == pytest.approx(9_901)
    for second in range(100, 130):
        clock.now = second
        fast = left.feed(100 + (second - 100) * 100, 10_000)
    assert fast == pytest.approx(70)


def test_no_size_or_a_standstill_is_unknown() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    for second in range(20):
        clock.now = second
        assert left.feed(second * 5, 0) is None
    for second in range(20, 40):
        clock.now = second
        assert left.feed(500, 1000) is None


def test_the_next_work_starts_anew() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    left.feed(0, 100)
    clock.now = 5
    assert left.feed(50, 100) == pytest.approx(5)
    assert left.feed(0, 9) is None
    clock.now = 6
    assert left.feed(1, 9) is None


def test_all_that_is_there_takes_no_time_any_more() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    for second in range(5):
        clock.now = second
        left.feed(second * 10, 40)
    clock.now = 9
    assert left.feed(40, 40) is None
