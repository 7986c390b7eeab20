"""Where a server is: typed addresses made uniform, and which of them are reached through a proxy."""

from __future__ import annotations

import ipaddress
import re
import urllib.parse
import urllib.request

from core.errors import EngineError

# What people paste after the server's own address.
_ROUTES = re.compile(
    r"(/v1|/v1/models|/v1/(chat/)?completions|/inference/v1/generate|/docs|/health|/version|/metrics)/*$"
)


def normalise(typed: str) -> str:
    """`scheme://host[:port][/prefix]` without a slash at the end.

    Raises EngineError("server.address").
    """
    text = typed.strip()
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urllib.parse.urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise EngineError("server.address", address=typed, detail=str(error)) from error
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\x00-\x20\x7f<>\"\\^`{|}]", text):
        raise EngineError("server.address", address=typed)
    if host == "0.0.0.0":  # where a server listens is no place to connect to
        host = "127.0.0.1"
    elif host == "::":
        host = "::1"
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None else f"{shown}:{port}"
    prefix = _ROUTES.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{parts.scheme}://{place}{prefix}"


def host_of(address: str) -> str:
    return urllib.parse.urlsplit(address).hostname or ""


def is_loopback(address: str) -> bool:
    """True for this computer itself, by name or number."""
    host = host_of(address).rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(address: str) -> str | None:
    """The system's proxy for this address, None = direct. Loopback is always direct."""
    if is_loopback(address):
        return None
    parts = urllib.parse.urlsplit(address)
    try:
        proxies = urllib.request.getproxies()
        if _within_no_proxy(host_of(address), proxies.get("no", "")):
            return None
        if urllib.request.proxy_bypass(parts.netloc):
            return None
    except (OSError, ValueError):  # a broken system setting must not keep anybody from their server
        return None
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        named = urllib.parse.urlsplit(proxy)
        return proxy if named.hostname and named.port != 0 else None
    except ValueError:
        return None


def _within_no_proxy(host: str, listed: str) -> bool:
    """NO_PROXY with numbers: single addresses and ranges, which urllib does not know."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in listed.split(","):
        try:
            if address in ipaddress.ip_network(entry.strip().strip("[]"), strict=False):
                return True
        except ValueError:
            continue
    return False
