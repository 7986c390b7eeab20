"""Containers of ours go: in good order, or at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from core.errors import DockerError, LoupeError
from core.paths import compose_files
from core.server.access import LABEL_LAUNCH, LABEL_PROJECT, PROJECT, Container, Docker
from core.server.environment import BLANK
from core.server.tools import Sleep

log = logging.getLogger(__name__)
GRACE: Final = 3  # seconds that a server has to end by itself; it loses nothing when it is killed
_ROUNDS: Final = 3
_SETTLE_SECONDS: Final = 0.5
_AGAIN_SECONDS: Final = 0.1  # between two looks at what is to be killed
# the person's own must not change which services are meant, nor keep Compose from reading its file
_OWN: Final = {**BLANK, "COMPOSE_DISABLE_ENV_FILE": "1", "COMPOSE_PROFILES": ""}


async def clean(
    docker: Docker,
    sleep: Sleep,
    *,
    grace: int = GRACE,
    settle: bool = False,
    gone: set[str] | None = None,
) -> set[str]:
    """Stop and remove every container of ours, and their network; volumes stay. Raises DockerError, too where
    anything is left, if only the network.

    `settle`: a command that made containers was cut off a moment ago, and Docker may still be at it. `gone`,
    which is given back: the ids of those that are no more are put into it, also before an error.
    """
    gone, seen = set() if gone is None else gone, set[str]()
    trouble: DockerError | None = None
    for _ in range(_ROUNDS):
        everything = await docker.containers(ours=False)
        seen |= {one.id for one in everything if one.ours}
        if trouble is None or trouble.code != "docker.slow":  # what hung once would hang again
            trouble = await _down(docker, everything, grace)
        if settle:
            await sleep(_SETTLE_SECONDS)
        left = await docker.containers()
        seen |= {one.id for one in left}
        gone |= seen - {one.id for one in left}
        for one in left:
            await docker.kill(one.id)
        if not left and trouble is None:
            return gone
    left = await docker.containers()
    gone |= seen - {one.id for one in left}
    if left:
        raise DockerError("docker.left", name=left[0].name, status=left[0].status)
    if trouble is not None:
        raise trouble
    return gone


async def _down(docker: Docker, there: Sequence[Container], grace: int) -> DockerError | None:
    """Why Compose did not take it down. A project of somebody else that has our name by chance stays, and
    what of ours is in it is removed one by one."""
    if any(one.labels.get(LABEL_PROJECT) == PROJECT and not one.ours for one in there):
        return None
    files = (str(compose_files() / "compose.yaml"),)
    try:
        ended = await docker.compose(files, ("down", "--timeout", str(grace)), _OWN)
    except DockerError as error:
        return error
    if not ended.code:
        return None
    log.warning("compose down: %s", ended.err[-500:])
    return DockerError(detail=ended.err or ended.out)


async def kill(
    docker: Docker, ids: set[str], launch: str, job: Callable[[], asyncio.Task[Any] | None], seconds: float
) -> set[str]:
    """Within `seconds`: `ids`, and as long as `job` gives the one that runs, what `launch` has made, whose
    ids nobody has told yet. The ids of those that are no more."""
    killed: set[str] = set()

    async def at_once(id_: str) -> None:
        with suppress(LoupeError):
            await docker.kill(id_)
            killed.add(id_)

    with suppress(LoupeError, TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*map(at_once, ids))
            while launch:
                there = await docker.containers()
                made = [one.id for one in there if one.labels.get(LABEL_LAUNCH) == launch]
                await asyncio.gather(*map(at_once, made))
                running = job()
                if running is None:
                    break
                await asyncio.wait({running}, timeout=_AGAIN_SECONDS)
    return killed
