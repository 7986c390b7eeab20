"""Text of a server's log as it may leave the program: without keys, homes and addresses.

The library's process makes it so (`safe`) before it sends a line: whoever shows, saves or copies one has
nothing to hide any more, and it takes the window's process no time. Other foreign text goes through `hidden`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from core.log_lines import LONGEST, strip_escapes
from core.logs import redact

HOME: Final = "~"
ADDRESS: Final = "[address]"

# A line without any of these has no key in it: most lines, so the slower patterns rarely run.
_MAY_HIDE: Final = (
    "key", "secret", "passw", "credential", "auth", "cookie", "bearer", "token=", "token:", "token'",
    'token"',
    "token ", "hf_", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "xox", "akia", "eyj", "://",
    "-----begin",
)  # fmt: skip
_HOMES = re.compile(
    r"(?:(?<![\w.])/(?:home|Users)/|\b[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/))[^\s/\\'\"`:,;)\]}]+"
)
# not within a longer number or word, nor the version in "package==1.2.3.4" or "v1.2.3.4"
_V4 = re.compile(r"(?<![\w.-])(?<!==)\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
_V6 = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:)[0-9A-Fa-f:.]{2,45}(?:%\w+)?(?![\w:])")
_BREAKS = re.compile(r"([\r\n])")
_REMOTE = re.compile(r"\b((?:tcp|ssh)://(?:[^\s/@]*@)?)(?!localhost\b|127\.|\[)[A-Za-z0-9_][\w.-]*")
_INNER = re.compile(
    r"\b(https?://(?:[^\s/@]*@)?)[\w-]+(?:\.[\w-]+)*\.(?:local|lan|internal|corp|home\.arpa)\b"
)


def hidden(text: str) -> str:
    """One line, or several, with "[hidden]" for keys, "~" for homes, "[address]" for computers that are not
    this one. O(length)."""
    lowered = text.lower()
    if any(sign in lowered for sign in _MAY_HIDE):
        text = redact(text)
        if "://" in text:
            text = _INNER.sub(rf"\g<1>{ADDRESS}", _REMOTE.sub(rf"\g<1>{ADDRESS}", text))
    own = _own_home()
    if own and own in text:
        text = text.replace(own, HOME)
    if "/home/" in lowered or "users" in lowered:
        text = _HOMES.sub(HOME, text)
    if lowered.count(".") >= 3:
        text = _V4.sub(_address, text)
    return _V6.sub(_address, text) if "::" in text or text.count(":") >= 7 else text


def safe(text: str) -> str:
    """A piece of a log without escapes, which could cut a key in two, and without what must be hidden. Its
    carriage returns and line feeds stay: by them a bar redraws itself. O(length)."""
    if "\r" not in text and "\n" not in text:
        return hidden(strip_escapes(text))
    return "".join(
        part if part in ("\r", "\n") else hidden(strip_escapes(part)) for part in _BREAKS.split(text)
    )


def saved_lines(text: str) -> Iterator[str]:
    """A piece that is `safe` as the lines that are saved: of a bar that redraws itself only what was drawn
    last, none longer than the log dock keeps."""
    for line in text.split("\n"):
        drawn = line if "\r" not in line else next((s for s in reversed(line.split("\r")) if s.strip()), "")
        yield drawn[:LONGEST]


def _address(match: re.Match[str]) -> str:
    found = match[0]
    tail = "." if found.endswith(".") else ""
    try:
        address = ipaddress.ip_address(found.removesuffix("."))
    except ValueError:
        return found
    return found if address.is_loopback or address.is_unspecified else ADDRESS + tail


@cache
def _own_home() -> str:
    """The person's home where its path names them; "" for one like "/root", which says nothing."""
    try:
        home = Path.home()
    except RuntimeError:
        return ""
    return str(home) if len(home.parts) > 2 else ""
