"""What Docker's programs and engines say about themselves → codes of ours (docker.*)."""

from __future__ import annotations

import re
from typing import Final

from core.errors import DockerError

# the first that fits; the words are those of Docker 20.10 to 28.5, Compose 2.20 to 5.6, Desktop and Podman
_RECOGNISED: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (code, re.compile(pattern, re.IGNORECASE))
    for code, pattern in (
        (
            "docker.forbidden",
            r"permission denied while trying to connect|dial unix \S+: connect: permission denied"
            r"|got permission denied|open //\./pipe/\S+: access is denied",
        ),
        ("docker.context", r"context \S+: context not found|context \S+ (?:does not exist|not found)"),
        ("docker.host_value", r"unable to parse docker host|invalid proto, expected"),
        (
            "docker.no_compose",
            r"unknown command: docker compose|'compose' is not a docker command"
            r"|unknown (?:shorthand )?flag: '?(?:-f|-d|-p|f|d|p)\b"
            r"|unknown flag: --(?:project-name|progress|file|ansi)",
        ),
        (
            "docker.starting",
            r"docker desktop is (?:starting|unable to start)"
            r"|(?:502|503|504) (?:bad gateway|service unavailable|gateway)"
            r"|returned internal server error for api route"
            r"|dial unix docker\.raw\.sock|daemon is (?:starting|not ready)",
        ),
        (
            "docker.stopped",
            r"cannot connect to the docker daemon|failed to connect to the docker api"
            r"|is the docker daemon running|error during connect|cannot connect to podman"
            r"|dial (?:unix|tcp) \S+: (?:connect: )?(?:connection refused|no such file|i/o timeout)"
            r"|docker_engine: the system cannot find the file|the docker daemon is not running",
        ),
    )
)


def recognise(text: str) -> str:
    """The code of the first known trouble with Docker itself in what it wrote; "" if there is none."""
    return next((code for code, pattern in _RECOGNISED if pattern.search(text)), "")


def explained(text: str, **params: object) -> DockerError:
    """The error of a command that failed with these words."""
    return DockerError(recognise(text) or "docker.failed", detail=text.strip()[-4000:], **params)
