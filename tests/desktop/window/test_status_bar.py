"""The status bar's age of the log line, its items and what leaves first."""

from __future__ import annotations

import time

import pytest
from pytestqt.qtbot import QtBot

from core.log_lines import LogBuffer
from desktop.window.status_bar import StatusBar


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def bar(qtbot: QtBot) -> StatusBar:
    clock = Clock()
    made = StatusBar(clock=clock)
    qtbot.addWidget(made)
    log = LogBuffer(clock=clock)
    log.add("INFO loading")
    made.set_line(log.last)
    made.resize(1280, 26)
    made.show()
    return made


def test_the_age_counts_only_while_something_runs(bar: StatusBar) -> None:
    clock = bar._clock
    assert isinstance(clock, Clock)
    idle = time.strftime("%H:%M:%S", time.localtime(clock.now))
    assert bar._age.text() == idle and not bar._timer.isActive()
    bar.set_busy(True)
    assert bar._timer.isActive()
    ages = []
    for seconds in (0, 5, 59, 61, 150):
        clock.now = 1_000_000.0 + seconds
        bar._timer.timeout.emit()
        ages.append(bar._age.text())
    assert ages == ["now", "5 s ago", "59 s ago", "1 min ago", "2 min ago"]
    bar.set_busy(False)
    assert bar._age.text() == idle and not bar._timer.isActive()
    bar.set_busy(True)
    bar.hide()
    assert not bar._timer.isActive()


def test_items_leave_from_the_left(bar: StatusBar) -> None:
    bar.set_device("CPU, 3 threads")
    bar.set_speed(28.44)
    bar.set_context(143, 8192)
    assert [item.text() for item in bar._items] == ["CPU, 3 threads", "28.4 tok/s", "Context 143 / 8,192"]
    assert all(item.isVisible() for item in bar._items)
    bar.resize(420, 26)
    assert not bar.device.isVisible() and bar.context.isVisible()
    bar.resize(1280, 26)
    assert all(item.isVisible() for item in bar._items)


def test_what_is_not_known_is_not_shown(bar: StatusBar) -> None:
    bar.set_context(143, None)
    assert bar.context.text() == "Context 143"
    bar.set_context(None)
    bar.set_speed(None)
    assert not bar.context.isVisible() and not bar.speed.isVisible()
