"""The body of a file: all of it, from the library and from the connection, and how its breaks are told."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants
from huggingface_hub.utils import close_session  # type: ignore[attr-defined]

from core.errors import ModelError
from core.worker import hub as hubs
from core.worker.hub import Hub
from core.worker.part_file import BLOCK
from tests.fakes.hub.server import COMMIT, FakeHub, Fault

WEIGHTS = os.urandom(3_000_000)
NAME = "model.safetensors"
CERTIFICATE = Path(__file__).parents[2] / "cases" / "tls" / "localhost.pem"


@pytest.fixture(params=["library", "connection"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the body is read from: all of it from the library, or most of it from the connection."""
    if request.param == "library":
        monkeypatch.setattr(hubs, "_LONG", 1 << 40)
    return str(request.param)


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections of this test alone."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)  # as in the download process
    close_session()
    yield
    close_session()


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with FakeHub(files={NAME: WEIGHTS}, store=True, stored=(NAME,)).serve() as served:
        yield served


def made(fake: FakeHub, seconds: float = 30.0) -> Hub:
    return Hub(fake.address, "", offline=False, seconds=seconds, told=lambda *_: None)


def buffer() -> bytearray:
    return bytearray(BLOCK)


def read(hub: Hub, start: int = 0) -> bytes:
    found = b""
    try:
        with hub.open("org/name", COMMIT, NAME, start) as (answer, _):
            for block in hub.body(answer, "org/name", buffer):
                found += block
    except Exception as error:
        raise Broken(found, hub.explained(error, "org/name", COMMIT)) from error
    return found


class Broken(Exception):
    """`found`: what came before."""

    def __init__(self, found: bytes, error: Exception) -> None:
        super().__init__(error)
        assert isinstance(error, ModelError)
        self.found, self.error = found, error


@pytest.mark.parametrize("start", [0, 1_234_567, len(WEIGHTS) - 1])
def test_every_byte_in_its_order(fake: FakeHub, how: str, start: int) -> None:
    assert read(made(fake), start) == WEIGHTS[start:]


def test_long_bodies_come_in_blocks(fake: FakeHub, how: str) -> None:
    fake.block = 1 << 20
    hub = made(fake)
    with hub.open("org/name", COMMIT, NAME) as (answer, _):
        largest = max(len(block) for block in hub.body(answer, "org/name", buffer))
    assert (largest > 1 << 16) == (how == "connection")


@pytest.mark.parametrize("at", [0, 500_000, 2_999_999])
def test_a_cut_keeps_what_came(fake: FakeHub, how: str, at: int) -> None:
    fake.faults = [Fault("cut", NAME, at)]
    with pytest.raises(Broken) as caught:
        read(made(fake))
    assert caught.value.error.code == "hub.offline" and caught.value.found == WEIGHTS[:at]


@pytest.mark.parametrize("at", [0, 2_000_000])
def test_a_stall_keeps_what_came(fake: FakeHub, how: str, at: int) -> None:
    fake.faults = [Fault("stall", NAME, at)]
    with pytest.raises(Broken) as caught:
        read(made(fake, seconds=0.5))
    assert caught.value.error.code == "hub.stalled" and caught.value.found == WEIGHTS[:at]


def test_a_body_of_no_known_length_is_left_to_the_library(fake: FakeHub, how: str) -> None:
    fake.hide = ("size",)
    assert read(made(fake)) == WEIGHTS


def test_through_tls(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with FakeHub(files={NAME: WEIGHTS}, store=True, stored=(NAME,), tls=tls).serve() as fake:
        assert read(made(fake)) == WEIGHTS
        fake.faults = [Fault("cut", NAME, 2_000_000)]
        with pytest.raises(Broken) as caught:
            read(made(fake))
    assert caught.value.error.code == "hub.offline" and WEIGHTS.startswith(caught.value.found)
    assert len(caught.value.found) == 2_000_000


def test_one_connection_to_the_hub_serves_many_files(fake: FakeHub) -> None:
    """Small ones, and answers that only name another place, leave it to the next."""
    fake.files["config.json"] = b"{}"
    hub = made(fake)
    for name in ("config.json", NAME, "config.json", NAME):
        with hub.open("org/name", COMMIT, name) as (answer, _):
            if name != NAME:
                assert b"".join(hub.body(answer, "org/name", buffer)) == b"{}"
    assert fake.connections == 1 + 2  # what was not read of the store's answers ends their connections
