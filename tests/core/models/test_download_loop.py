"""What waits for the disk does not wait in the loop, which draws the window."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.models import download, orders
from core.models.partial import partial_root
from tests.core.models.downloading import downloads, hub_of, models, run, until, weights
from tests.fakes.hub.server import FakeHub, Fault


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with hub_of(monkeypatch, home) as made:
        yield made


def test_the_disk_is_waited_for_elsewhere(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    where: dict[str, set[bool]] = {}

    def watch(module: Any, name: str) -> None:
        work = getattr(module, name)

        def watched(*arguments: Any, **named: Any) -> Any:
            where.setdefault(name, set()).add(threading.current_thread() is threading.main_thread())
            return work(*arguments, **named)

        monkeypatch.setattr(module, name, watched)

    for name in ("sweep", "restored", "set_wanted", "read_listing", "on_disk", "discard"):
        watch(download, name)
    watch(orders, "bytes_there")
    hub.faults = [Fault("stall", "model.safetensors", at=300_000, times=9)]

    async def work() -> None:
        (partial_root(models()) / "gone-1").mkdir(parents=True)
        async with downloads() as made:
            await made.restore()
            assert not partial_root(models()).exists()
            made.start("org/name")
            await weights(100_000)
            await made.pause("org/name")
            await made.resume("org/name")
            assert (await until(made, "fetching", "failed")).error is None
            await made.cancel("org/name")
            assert made.states == ()

    run(work)
    assert where.keys() >= {"sweep", "restored", "set_wanted", "read_listing", "on_disk", "discard"}
    assert set().union(*where.values()) == {False}, where
