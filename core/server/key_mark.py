"""Whether a server was started with a key: its container's label is a salted slow hash of it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from typing import Final

from core.server.access import Container, Docker
from core.server.found import pick

LABEL_KEY: Final = "io.tokenloupe.key"  # "" where Compose was told by hand
_OPEN: Final = "none"


def mark(key: str) -> str:
    """The label of a server with this key, "" = none. Slow where there is one: for a thread."""
    if not key:
        return _OPEN
    salt = secrets.token_hex(16)
    return f"{salt}:{_hash(key, salt)}"


async def is_behind(docker: Docker, key: str) -> bool:
    """The container of ours that counts has this key, as far as is known. Raises DockerError."""
    container = pick(await docker.containers())
    return container is None or await has_key(container, key)


async def has_key(container: Container, key: str) -> bool:
    """It was started with it, as far as its label says."""
    said = container.labels.get(LABEL_KEY, "")
    if not said:
        return True
    if said == _OPEN or not key:
        return said == _OPEN and not key
    salt = said.partition(":")[0]
    return said == f"{salt}:{await asyncio.to_thread(_hash, key, salt)}"


def _hash(key: str, salt: str) -> str:
    """scrypt (RFC 7914) with 16 MiB, which does not hold the interpreter's lock."""
    return hashlib.scrypt(os.fsencode(key), salt=salt.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()
