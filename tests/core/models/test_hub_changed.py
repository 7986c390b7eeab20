"""Another setting of the hub holds from the next request on, and for the download that runs."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.errors import ModelError
from core.models.download import Downloads
from core.models.hub_address import Way
from core.models.hub_changed import go_on
from core.models.hub_files import fetch_tokenizer
from core.models.orders import HubSettings
from core.models.search import search
from core.paths import default_paths
from core.worker.client import WorkerClient, library_worker
from tests.core.models.downloading import ALL, QUICK, TOKEN, hub_of, place, run, until, whole
from tests.fakes.hub.server import FakeHub, Fault

CERTIFICATE = Path(__file__).parents[2] / "cases" / "tls" / "localhost.pem"
ELSEWHERE = "http://hub.example"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    with hub_of(monkeypatch, home) as made:
        yield made


class Room:
    """Downloads by settings and a token that can change."""

    def __init__(self, settings: HubSettings = QUICK, token: str = "") -> None:
        self.settings, self.token = settings, token
        self.made = Downloads(default_paths(), settings=lambda: self.settings, token=self._given)

    async def _given(self) -> str:
        return self.token

    def change(self, **changes: Any) -> None:
        self.settings = msgspec.structs.replace(self.settings, **changes)

    async def __aenter__(self) -> Room:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.made.close()


def files(hub: FakeHub) -> dict[str, bytes]:
    return {name: hub.files[name] for name in ALL}


def test_a_download_that_wanted_a_token_goes_on_with_it(hub: FakeHub) -> None:
    hub.gated, hub.token = True, TOKEN

    async def work() -> None:
        async with Room() as room:
            room.made.start("org/name")
            state = await until(room.made, "failed")
            assert state.error is not None and state.error.code == "hub.no_token"
            room.token = TOKEN
            await go_on(room.made)
            await until(room.made, "ready")

    run(work)
    whole(place(), files(hub))


def test_the_offline_switch_stops_a_download_that_runs_and_lets_it_go_on(hub: FakeHub) -> None:
    hub.faults.append(Fault("stall", "model.safetensors", at=300_000))

    async def work() -> None:
        async with Room() as room:
            room.made.start("org/name")
            await asyncio.to_thread(hub.wait_until_it_holds)
            room.change(endpoint=ELSEWHERE, offline=True)  # loopback itself is never switched off
            await go_on(room.made)
            state = await until(room.made, "failed")
            assert state.error is not None and state.error.code == "hub.switched_off"
            room.change(endpoint="", offline=False)
            await go_on(room.made)
            await until(room.made, "ready")

    run(work)
    whole(place(), files(hub))
    assert sum(one.sent for one in hub.requests if one.file == "model.safetensors" and one.start > 0) > 0


def test_one_that_trusted_no_certificate_goes_on_by_another_way(hub: FakeHub) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)

    async def work(between: FakeHub) -> None:
        async with Room(msgspec.structs.replace(QUICK, endpoint=between.address)) as room:
            room.made.start("org/name")
            state = await until(room.made, "failed")
            assert state.error is not None and state.error.code == "hub.certificate"
            room.change(endpoint="")
            await go_on(room.made)
            await until(room.made, "ready")

    with FakeHub(tls=tls).serve() as between:
        run(lambda: work(between))


def test_what_other_settings_do_not_change_stays_as_it_is(hub: FakeHub) -> None:
    del hub.files["model.safetensors"]

    async def work() -> None:
        async with Room() as room:
            room.made.start("org/name")
            await until(room.made, "failed")
            asked = len(hub.calls)
            await go_on(room.made)
            assert [state.phase for state in room.made.states] == ["failed"]
            assert len(hub.calls) == asked

    run(work)


# --- the library process ----------------------------------------------------------------------------------


def with_library(use: Any) -> Any:
    async def work() -> Any:
        library = library_worker()
        try:
            return await use(library)
        finally:
            await library.close()

    return run(work)


def test_a_proxy_holds_from_the_next_search_on(hub: FakeHub) -> None:
    """The fake hub plays the proxy: the address that is asked for exists nowhere."""

    async def use(library: WorkerClient) -> None:
        through = Way(endpoint=ELSEWHERE, proxy=hub.address)
        assert [one.id for one in await search(library, "name", through)] == ["org/name"]
        assert [one.id for one in await search(library, "name", Way())] == ["org/name"]
        dead = Way(endpoint=ELSEWHERE, proxy="http://127.0.0.1:9")
        with pytest.raises(ModelError) as caught:
            await search(library, "name", dead)
        assert caught.value.code in ("hub.search_offline", "hub.proxy")
        assert [one.id for one in await search(library, "name", Way())] == ["org/name"]

    with_library(use)


def test_the_small_files_of_a_served_model_obey_the_settings(
    hub: FakeHub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)  # for the environment's hub
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    told: list[tuple[str, str]] = []

    async def use(library: WorkerClient) -> None:
        async def fetch(way: Way) -> Path:
            return await fetch_tokenizer(
                library, "org/name", "", home / "files", lambda *_: None, way, lambda *one: told.append(one)
            )

        with pytest.raises(ModelError) as caught:
            await fetch(Way(endpoint=ELSEWHERE, offline=True))
        assert caught.value.code == "hub.switched_off" and told == []
        assert (await fetch(Way(endpoint=hub.address, offline=True))).is_dir()
        # without the hub: what was fetched last
        assert (await fetch(Way(endpoint=ELSEWHERE, offline=True))).is_dir()

    with_library(use)
    assert told == [("127.0.0.1", "files of org/name")]
    assert hub.calls and {key for _, _, key in hub.calls} == {""}


def test_nothing_of_the_environment_is_lost_by_a_proxy(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in small letters, which counts first, gives way to the settings' and comes back after it."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert "http_proxy" in os.environ

    async def use(library: WorkerClient) -> None:
        with pytest.raises(ModelError):
            await search(library, "name", Way(endpoint=ELSEWHERE))
        assert await search(library, "name", Way(endpoint=ELSEWHERE, proxy=hub.address))
        with pytest.raises(ModelError):
            await search(library, "name", Way(endpoint=ELSEWHERE))

    with_library(use)


def test_a_proxy_of_the_settings_is_used_by_downloads(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    hub.store = False  # a store is on another port, which the fake proxy does not know

    async def work() -> None:
        async with Room(msgspec.structs.replace(QUICK, endpoint=ELSEWHERE, proxy=hub.address)) as room:
            room.made.start("org/name")
            state = await until(room.made, "ready", "failed")
            assert state.phase == "ready", state.error

    run(work)
