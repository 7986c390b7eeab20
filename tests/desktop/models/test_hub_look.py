"""What the hub is asked while somebody types and looks, and what it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from core.models.hub_address import Way
from core.tasks import TaskScope
from core.worker.client import library_worker
from desktop.models.hub_look import HubLook
from tests.desktop.models.desk import NAME, WHOLE, serving
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

OLDER = "f" * 40
Look = Callable[[HubLook], Awaitable[None]]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with serving(monkeypatch, home, older={OLDER: WHOLE}) as made:
        made.others = (FakeHub("org/second", files=WHOLE, commit="2" * 40, downloads=3),)
        yield made


def run(look: Look, *, offline: bool = False) -> None:
    async def way() -> Way:
        return Way(offline=offline)

    async def main() -> None:
        library, scope = library_worker(), TaskScope()
        try:
            await asyncio.wait_for(look(HubLook(library, scope, way, lambda *_: None)), 60)
        finally:
            await scope.close()
            await library.close()

    asyncio.run(main())


async def moved(made: HubLook, until: Callable[[], object]) -> None:
    happened = asyncio.Event()
    disconnect = made.changed.connect(lambda _: happened.set())
    while not until():
        happened.clear()
        await happened.wait()
    disconnect()


async def search(made: HubLook, words: str) -> list[str]:
    made.search(words)
    await moved(made, lambda: not made.busy)
    return [one.id for one in made.found]


def paths(hub: FakeHub) -> list[str]:
    return [one.path for one in hub.requests]


def test_words_are_searched_and_a_name_is_looked_up_as_well(hub: FakeHub) -> None:
    async def look(made: HubLook) -> None:
        assert await search(made, "org") == [NAME, "org/second"]
        assert paths(hub) == ["/api/models"] and not made.found[0].whole and made.named is None
        assert await search(made, "org/second") == ["org/second"]
        assert made.found[0].whole and made.named is None  # no revision was typed
        assert await search(made, f"{hub.address}/{NAME}/tree/{OLDER}") == [NAME]
        assert made.named is not None and made.named.revision == OLDER

    run(look)


def test_the_words_that_are_there_now_count(hub: FakeHub) -> None:
    hub.faults = [Fault("stall", "api")]

    async def look(made: HubLook) -> None:
        made.search("second")
        await asyncio.to_thread(hub.wait_until_it_holds)
        assert await search(made, "name") == [NAME]
        hub.release.set()
        made.search("")
        assert (made.found, made.busy, made.words) == ((), False, "")

    run(look)


def test_a_path_and_no_words_are_not_sent_anywhere(hub: FakeHub) -> None:
    async def look(made: HubLook) -> None:
        for words in ("/home/ana/secret plans", "~/models", ""):
            made.search(words)
            assert not made.busy

    run(look)
    assert hub.requests == []


def test_a_name_that_nobody_has_is_no_trouble_but_silence_is(hub: FakeHub) -> None:
    async def look(made: HubLook) -> None:
        assert await search(made, "nobody/nothing") == [] and made.trouble is None
        hub.status = 503
        assert await search(made, "org") == []
        assert made.trouble is not None and made.trouble.code == "hub.server"
        hub.status = 0
        assert await search(made, "org") and made.trouble is None

    run(look)


def test_a_model_is_looked_at_once_but_a_closed_gate_each_time(hub: FakeHub) -> None:
    async def look(made: HubLook) -> None:
        made.look(NAME, COMMIT)
        await moved(made, lambda: f"{NAME}@{COMMIT}" in made.looked)
        asked = len(hub.requests)
        made.look(NAME, COMMIT)
        assert not made._tasks
        made.look(NAME, "")  # the default branch may be another commit
        await moved(made, lambda: NAME in made.looked)
        assert len(hub.requests) > asked
        hub.others[0].gated = True
        closed = f"org/second@{'2' * 40}"
        made.look("org/second", "2" * 40)
        await moved(made, lambda: closed in made.looked)
        assert made.looked[closed].gated and not made.looked[closed].whole
        hub.others[0].gated = False
        made.look("org/second", "2" * 40)
        await moved(made, lambda: made.looked[closed].whole)

    run(look)


def test_who_passes_by_is_not_asked_about(hub: FakeHub) -> None:
    async def look(made: HubLook) -> None:
        for name in (NAME, "org/second"):  # quickly, by the arrow key
            made.look(name, "")
        await moved(made, lambda: "org/second" in made.looked)
        made.look(NAME, "")
        made.stop()

    run(look)
    assert not [path for path in paths(hub) if NAME in path]


def test_offline_nothing_but_this_computer_is_asked(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")

    async def look(made: HubLook) -> None:
        assert await search(made, "org/name") == []

    run(look, offline=True)
    assert hub.requests == []
