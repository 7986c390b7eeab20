"""Brings the server's image: pulled or built by Compose, in bytes, again where the registry breaks off."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Final

from core.models.ledger import Permit
from core.server.access import Docker, Ended, Progress
from core.server.course import Course
from core.server.environment import ComposeCall

log = logging.getLogger(__name__)
# before the next try; what is here of a layer by then is not fetched again
PAUSES: Final = (2.0, 5.0, 15.0, 30.0)
_BROKEN = re.compile(
    r"unexpected EOF|connection reset|TLS handshake timeout|i/o timeout|request canceled|broken pipe"
    r"|context deadline exceeded|use of closed network connection|stream error|short read"
    r"|layer .* size mismatch|filesystem layer verification failed|50[0234] [A-Z]|toomanyrequests: retry",
    re.IGNORECASE,
)


class _Amounts:
    """Bytes of the image; they never go back, even where a try begins anew."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._done = 0
        self._total = 0

    def feed(self, progress: Progress) -> None:
        if progress.status != "pulling" or progress.parent or not progress.current:
            return  # a layer's own
        done, total = max(self._done, progress.current), max(self._total, progress.total)
        if (done, total) != (self._done, self._total):
            self._done, self._total = done, total
            self._course.arrived(done, total)


async def bring(
    docker: Docker,
    call: ComposeCall,
    arch: str,
    course: Course,
    sleep: Callable[[float], Awaitable[None]],
    permit: Permit,
    told: Callable[[Progress], None],
) -> Ended:
    """Pull what comes from a registry, build what is made from it. `arch`: of Docker's machine. `told`: all
    that Compose says of it. The last command's end, code 0 if the image is here now. Cancelled, it leaves to
    Docker what is here already. Raises DockerError, and ModelError("hub.switched_off") before anything is
    asked."""
    base = await docker.image(call.download) if call.builds else None
    if base is None or not base.is_for(arch):
        permit.check(host := _registry(call.download))
        permit.note(host, f"image {call.download}")
        course.note("image_pull")
        ended = await _pull(docker, call, course, sleep, told)
        if ended.code:
            return ended
    if not call.builds:
        return ended
    course.note("image_build")
    return await docker.compose(call.files, ("build", "vllm"), call.environment, told)


def _registry(image: str) -> str:
    """The host that an image's name means, by Docker's rule."""
    first, slash, _ = image.partition("/")
    named = bool(slash) and ("." in first or ":" in first or first == "localhost")
    return first if named else "docker.io"


async def _pull(
    docker: Docker,
    call: ComposeCall,
    course: Course,
    sleep: Callable[[float], Awaitable[None]],
    told: Callable[[Progress], None],
) -> Ended:
    amounts = _Amounts(course)

    def take(progress: Progress) -> None:
        amounts.feed(progress)
        told(progress)

    for number, pause in enumerate((*PAUSES, None), start=2):
        ended = await docker.compose(call.files, ("pull", call.pull), call.environment, take)
        if ended.code == 0 or pause is None or not _BROKEN.search(ended.err + ended.out):
            return ended
        log.warning("the image broke off, trying again in %g s: %s", pause, ended.err[-500:])
        course.note("image_again", number=number)
        await sleep(pause)
    raise AssertionError("the last try has no pause")
