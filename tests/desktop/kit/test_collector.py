"""Collections happen in the window's thread, and they do happen."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from desktop.kit.collector import Collector


class Knot:
    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collector(qapp: object) -> Iterator[Collector]:
    owner = QObject()
    try:
        yield Collector(owner)
    finally:
        gc.enable()


def test_another_thread_collects_nothing(collector: Collector) -> None:
    gc.collect()
    knot = weakref.ref(Knot())
    other = threading.Thread(target=lambda: [[] for _ in range(100_000)])
    other.start()
    other.join()
    assert knot() is not None
    kept = [[] for _ in range(gc.get_threshold()[0] + 1)]
    assert collector.look() >= 1
    assert knot() is None and kept


def test_nothing_is_done_where_nothing_is_due(collector: Collector) -> None:
    gc.collect()
    assert collector.look() == 0


def test_older_generations_have_their_turn(collector: Collector) -> None:
    gc.collect()
    kept, seen = [], set()
    for _ in range(gc.get_threshold()[1] + 2):
        kept += [[] for _ in range(gc.get_threshold()[0] + 1)]
        seen.add(collector.look())
    assert seen == {1, 2}
