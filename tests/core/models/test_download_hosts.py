"""Who is asked: the token goes to the hub alone, the offline switch holds, each host is told, proxies too."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from core.models.store import Store
from core.paths import default_paths
from tests.core.models.downloading import ALL, QUICK, TOKEN, downloads, place, pull, run, until, whole
from tests.fakes.hub.server import FakeHub


@pytest.mark.parametrize("redirect", [False, True])
def test_the_token_goes_to_the_hub_and_no_further(hub: FakeHub, home: Path, redirect: bool) -> None:
    hub.gated, hub.token, hub.redirect = True, TOKEN, redirect
    assert pull(token=TOKEN).phase == "ready"
    elsewhere = {token for _, path, token in hub.calls if not path.startswith(("/api/", "/org/"))}
    assert elsewhere == {""}
    for path in [*home.rglob("*")]:
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


def test_a_mirror_that_sends_on_to_a_hub_gives_it_no_token(hub: FakeHub) -> None:
    """That hub is the environment's: huggingface_hub itself would trust it."""
    mirror = FakeHub(files=hub.files, gated=True, token=TOKEN, onward=hub.address)
    with mirror.serve():
        state = pull(token=TOKEN, settings=msgspec.structs.replace(QUICK, endpoint=mirror.address))
    assert state.phase == "ready" and mirror.calls
    assert {(method, token) for method, _, token in hub.calls} == {("GET", "")}
    whole(place(), {name: hub.files[name] for name in ALL})


def test_the_offline_switch_stops_all_but_this_computer(hub: FakeHub) -> None:
    switched = msgspec.structs.replace(QUICK, offline=True)
    error = pull(settings=msgspec.structs.replace(switched, endpoint="https://hub.example.invalid")).error
    assert error is not None and error.code == "hub.switched_off"
    assert pull(settings=switched).phase == "ready"


def test_offline_a_hub_of_this_computer_sends_to_no_other(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.onward = "https://hub.example.invalid"
    monkeypatch.setenv("HF_ENDPOINT", hub.onward)  # huggingface_hub itself would trust it
    error = pull(settings=msgspec.structs.replace(QUICK, endpoint=hub.address, offline=True)).error
    assert error is not None and error.code == "hub.switched_off"
    assert "HEAD" in {method for method, _, _ in hub.calls}


def test_a_hub_of_this_computer_is_asked_without_a_proxy(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = "http://proxy.example.invalid:3128"
    monkeypatch.setenv("http_proxy", far)
    monkeypatch.setenv("no_proxy", "hub.example.invalid")
    for proxy in ("", far):
        assert pull(settings=msgspec.structs.replace(QUICK, offline=True, proxy=proxy)).phase == "ready"
        Store(default_paths()).remove("org/name")


def test_a_proxy_is_told_and_offline_none_is_asked(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.store = False  # a store is on another port, which the fake proxy does not know
    settings = msgspec.structs.replace(QUICK, endpoint="http://hub.example.invalid", proxy=hub.address)

    async def work() -> None:
        async with downloads(settings) as made:
            made.start("org/name")
            assert (await until(made, "ready", "failed")).phase == "ready"
            assert {row.host for row in made.ledger.rows()} == {"hub.example.invalid", "127.0.0.1"}

    run(work)
    # a name of this computer that is not among those without a proxy
    far = msgspec.structs.replace(QUICK, endpoint="http://127.9.9.9", proxy="http://proxy.example.invalid")
    error = pull("main", settings=msgspec.structs.replace(far, offline=True)).error
    assert error is not None
    assert (error.code, error.params["host"]) == ("hub.switched_off", "proxy.example.invalid")


def test_every_host_is_told_with_when_and_why(hub: FakeHub) -> None:
    hub.redirect = True

    async def work() -> None:
        async with downloads() as made:
            made.start("org/name")
            await until(made, "ready")
            rows = made.ledger.rows()
            assert {(row.host, row.why) for row in rows} == {
                ("127.0.0.1", "list org/name"),
                ("127.0.0.1", "files of org/name"),
                ("localhost", "files of org/name"),
            }
            assert all(abs(row.when - time.time()) < 300 for row in rows)

    run(work)
