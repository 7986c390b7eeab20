"""Each way in which the hub, or what lies before it, says no: told apart, each with what to do next."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from core import error_words
from core.errors import LoupeError
from core.models.orders import HubSettings
from tests.core.models.downloading import ALL, QUICK, TOKEN, hub_of, place, pull, whole
from tests.fakes.hub.server import FakeHub, Fault

CERTIFICATE = Path(__file__).parents[2] / "cases" / "tls" / "localhost.pem"
FAR = "https://hub.example.invalid"  # no name is looked up: a proxy is asked for it
Refused = Callable[[FakeHub, pytest.MonkeyPatch], LoupeError]


@pytest.fixture
def secure(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[FakeHub]:
    """A hub whose certificate nobody has signed but itself."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    with hub_of(monkeypatch, home, tls=tls) as served:
        yield served


def failed(settings: HubSettings = QUICK, token: str = "") -> LoupeError:
    error = pull(settings=settings, token=token).error
    assert error is not None
    return error


def no_token(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.gated, hub.token = True, TOKEN
    return failed()


def wrong_token(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.gated, hub.token = True, TOKEN
    return failed(token="hf_another")


def no_access(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.gated, hub.token, hub.denied = True, TOKEN, True
    return failed(token=TOKEN)


def rate_limit(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.faults = [Fault("status", "api", status=429, headers={"Retry-After": "7200"}, times=99)]
    return failed()


def proxy(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.status = 407
    return failed(msgspec.structs.replace(QUICK, proxy=hub.address, endpoint=FAR))


def offline(_: FakeHub, monkeypatch: pytest.MonkeyPatch) -> LoupeError:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    return failed()


def mirror(hub: FakeHub, _: pytest.MonkeyPatch) -> LoupeError:
    hub.hide = ("ETag",)
    return failed()


# what is told, and words of the next step; the certificate has a test of its own
CASES: dict[Refused, tuple[str, tuple[str, ...]]] = {
    no_token: ("hub.no_token", ("Accept the terms at {hub}/org/name", "make a token")),
    wrong_token: ("hub.bad_token", ("Make a new token",)),
    no_access: ("hub.no_access", ("Ask for access at {hub}/org/name",)),
    rate_limit: ("hub.rate_limit", ("Wait", "With a token the hub allows more")),
    proxy: ("hub.proxy", ("Check the proxy's address", "HTTPS_PROXY")),
    offline: ("hub.offline", ("Check the connection",)),
    mirror: ("hub.headers", ("Remove the mirror", "HF_ENDPOINT")),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_each_refusal_has_its_own_words_and_next_step(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch, case: Refused
) -> None:
    code, steps = CASES[case]
    error = case(hub, monkeypatch)
    *_, after = error_words.sentences(error)
    assert error.code == code
    assert all(step.replace("{hub}", hub.address) in after for step in steps), after
    assert not hub.served


def test_no_two_refusals_are_told_alike() -> None:
    codes = [code for code, _ in CASES.values()] + ["hub.certificate"]
    for part in ("what", "next"):
        assert len({error_words.words()[code][part] for code in codes}) == len(codes)


def test_a_certificate_that_is_not_trusted_is_named_and_what_helps_does(
    secure: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = failed()
    assert error.code == "hub.certificate" and error.params["endpoint"] == secure.address
    assert "self-signed certificate" in error.detail
    *_, after = error_words.sentences(error)
    assert "SSL_CERT_FILE" in after
    assert not secure.requests  # not a word was said to it, and it was not asked again
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert pull().phase == "ready"
    whole(place(), {name: secure.files[name] for name in ALL})


def test_a_certificate_for_another_host_is_not_trusted(
    secure: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    # the same computer, by a name that is not in it
    monkeypatch.setenv("HF_ENDPOINT", f"https://127.1:{secure.port}")
    error = failed()
    assert error.code == "hub.certificate" and "127.1" in error.detail


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_is_told_with_its_own_words(hub: FakeHub, status: int) -> None:
    hub.status = status
    error = failed(msgspec.structs.replace(QUICK, proxy=hub.address, endpoint=FAR))
    assert error.code == "hub.proxy" and error.params["endpoint"] == FAR
    assert str(status) in error.detail


def test_a_proxy_that_wants_a_sign_in_for_plain_http_too(hub: FakeHub) -> None:
    hub.status = 407
    error = failed(msgspec.structs.replace(QUICK, proxy=hub.address, endpoint="http://hub.example.invalid"))
    assert error.code == "hub.proxy" and "407" in error.detail
