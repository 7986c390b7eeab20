"""Where the hub is, and which token goes there: one that was made for one host is never sent to another."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec

from core.errors import SettingsError
from core.worker.client import TOKEN_VARIABLES

HUB: Final = "https://huggingface.co"
VARIABLE: Final = "HF_ENDPOINT"
_LONGEST: Final = 500  # characters of a token


class Way(msgspec.Struct, frozen=True):
    """How the hub is reached. `token`: "" = none. `endpoint`, `proxy`: "" = those of the environment.
    `offline`: nothing but this computer is asked. `seconds`: without a byte, then it does not answer."""

    token: str = ""
    endpoint: str = ""
    offline: bool = False
    proxy: str = ""
    seconds: float = 30.0

    def __repr__(self) -> str:
        return "Way(…)"


def hub_of(endpoint: str = "") -> str:
    """The hub in use, without a slash at its end: the settings', else the environment's, else the hub itself.
    Its token lies under this address in the keyring."""
    return (endpoint or os.environ.get(VARIABLE, "").strip() or HUB).rstrip("/")


def token_variable() -> tuple[str, str]:
    """Name and value of the token in the environment, ("", "") = none."""
    named = ((name, os.environ.get(name, "").strip()) for name in TOKEN_VARIABLES)
    return next((one for one in named if one[1]), ("", ""))


def environment_token(endpoint: str) -> str:
    """The environment's token goes to the environment's hub; "" for any other."""
    return token_variable()[1] if _origin(hub_of(endpoint)) == _origin(hub_of()) else ""


async def token_for(endpoint: str, kept: Callable[[str], Awaitable[str]]) -> str:
    """The token for this hub ("" = none): the environment's before the one that `kept(address)` gives. What
    other programs saved in files is not looked for: Settings tells of each token that is sent."""
    return environment_token(endpoint) or await kept(hub_of(endpoint))


async def token_of_environment() -> str:
    return token_variable()[1]


# --- what is typed ----------------------------------------------------------------------------------------


def normal_endpoint(text: str) -> str:
    """As it is kept, "" = none. Raises SettingsError("settings.endpoint")."""
    text = text.strip().rstrip("/")
    parts = _parts(text)
    if text and (parts is None or parts.username is not None or parts.query or parts.fragment):
        raise SettingsError("settings.endpoint", value=text[:80])
    return _lower(parts) if parts is not None else ""


def normal_proxy(text: str) -> str:
    """As it is kept, "" = none. Raises SettingsError: settings.proxy, settings.proxy_password (the settings
    are a file that anybody may read)."""
    text = text.strip().rstrip("/")
    parts = _parts(text)
    if parts is not None and parts.username is not None:
        raise SettingsError("settings.proxy_password")
    if text and (parts is None or parts.path or parts.query or parts.fragment):
        raise SettingsError("settings.proxy", value=text[:80])
    return _lower(parts) if parts is not None else ""


def normal_token(text: str) -> str:
    """Raises SettingsError("settings.token"), without the token in it."""
    text = text.strip()
    if not text or len(text) > _LONGEST or not all("!" <= letter <= "~" for letter in text):
        raise SettingsError("settings.token")
    return text


def _parts(text: str) -> SplitResult | None:
    """None: this is no address of the web."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, or of a host in brackets
        return None
    return parts if known and not any(letter <= " " or letter == "\\" for letter in text) else None


def _lower(parts: SplitResult) -> str:
    """Scheme and host do not depend on case; the key in the keyring does."""
    return parts._replace(netloc=parts.netloc.lower()).geturl()


def _origin(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        standard = {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname or "", parts.port or standard
    except ValueError:
        return "", address, None
