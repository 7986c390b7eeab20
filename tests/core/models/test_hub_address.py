"""Where the hub is, which token goes there, and what is no address at all."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.models.hub_address import (
    HUB,
    hub_of,
    normal_endpoint,
    normal_proxy,
    normal_token,
    token_for,
)

OWN, KEPT = "hf_of_the_environment", "hf_of_the_keyring"
MIRROR = "https://mirror.example"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("HF_", "HUGGING"))]:
        monkeypatch.delenv(name)


def sent(endpoint: str = "", kept: dict[str, str] | None = None) -> str:
    async def read(address: str) -> str:
        return (kept or {}).get(address, "")

    return asyncio.run(token_for(endpoint, read))


def test_the_settings_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hub_of() == HUB
    monkeypatch.setenv("HF_ENDPOINT", f"{MIRROR}/ ")
    assert (hub_of(), hub_of("https://other.example/hub/")) == (MIRROR, "https://other.example/hub")


def test_the_token_of_the_hub_goes_to_no_other_host(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {HUB: KEPT}
    assert sent(kept=kept) == KEPT
    assert sent(MIRROR, kept) == ""  # by the settings
    monkeypatch.setenv("HF_ENDPOINT", MIRROR)
    assert sent(kept=kept) == ""  # by the environment
    assert sent(kept={**kept, MIRROR: "hf_for_the_mirror"}) == "hf_for_the_mirror"


def test_the_environments_token_is_for_the_environments_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", f" {OWN}\n")
    kept = {HUB: KEPT, MIRROR: "hf_for_the_mirror"}
    assert (sent(kept=kept), sent(f"{HUB}:443/", kept)) == (OWN, OWN)
    assert sent(MIRROR, kept) == "hf_for_the_mirror"
    assert sent("http://huggingface.co", {}) == ""  # in the clear, so another
    monkeypatch.setenv("HF_ENDPOINT", MIRROR)
    assert (sent(kept=kept), sent(HUB, kept)) == (OWN, KEPT)


def test_what_a_login_of_another_program_saved_is_never_sent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The settings could not truly say "Not set" beside it."""
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "token"))
    (tmp_path / "token").write_text(f"{OWN}\n")
    assert (sent(), sent(HUB), sent(kept={HUB: KEPT})) == ("", "", KEPT)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ""),
        ("  ", ""),
        (" https://Hub.Example:8443/a/ ", "https://hub.example:8443/a"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_an_address_is_kept_in_one_way(typed: str, kept: str) -> None:
    assert normal_endpoint(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        *("hub", "hub.example", "ftp://hub.example", "https://", "https:///models", "https://a b.example"),
        *("https://hub.example:99999", "https://hub.example:0", "https://me:secret@hub.example"),
        *("https://hub.example/?x=1", "https://hub.example#x", "https://hub.example/a b", "https://[hub"),
        "https://hub.example\\evil",
    ],
)
def test_what_is_no_address_of_a_hub_is_refused(typed: str) -> None:
    with pytest.raises(SettingsError) as caught:
        normal_endpoint(typed)
    assert caught.value.code == "settings.endpoint"


def test_a_proxy_is_an_address_without_a_path_or_a_password() -> None:
    assert normal_proxy(" http://Proxy.example:3128/ ") == "http://proxy.example:3128"
    assert normal_proxy("") == ""
    for typed, code in (
        ("proxy.example:3128", "settings.proxy"),
        ("socks5://proxy.example:1080", "settings.proxy"),
        ("http://proxy.example/path", "settings.proxy"),
        ("http://me:secret@proxy.example:3128", "settings.proxy_password"),
    ):
        with pytest.raises(SettingsError) as caught:
            normal_proxy(typed)
        assert caught.value.code == code
        assert "secret" not in str(caught.value)


def test_a_token_is_one_word_and_never_in_its_error() -> None:
    assert normal_token(f" {OWN}\n") == OWN
    for typed in ("", "  ", "two words", "hf_é", "hf_\x00", "x" * 501):
        with pytest.raises(SettingsError) as caught:
            normal_token(typed)
        assert caught.value.code == "settings.token" and (not typed.strip() or typed not in str(caught.value))
