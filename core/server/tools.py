"""What controller, start and watch share: Docker, the clocks, and what else of the manager they use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from core.errors import DockerError, LoupeError
from core.models.headers import served_in
from core.models.ledger import Permit
from core.server.access import Docker, DockerInfo, Endpoint
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.findings import diagnose_aside, of_error
from core.server.knock import Knock
from core.server.launches import Launches
from core.server.source import Source
from core.server.spec import LaunchSpec
from core.server.versions import versions

log = logging.getLogger(__name__)
OF_GPU_MEMORY: Final = frozenset({"gpu_memory", "gpu_oom", "gpu_race"})
DISK_SECONDS: Final = 10.0  # for the table of a disk that is full, which is no cause to wait long
FACTS_SECONDS: Final = 3.0  # for what Docker says of its machine and of an image
Ask = Callable[[str, LaunchSpec, str], Awaitable[None]]  # address, spec, key
Sleep = Callable[[float], Awaitable[None]]
# spec, info, endpoint, bytes of the weights that are still to come
Check = Callable[[LaunchSpec, DockerInfo, Endpoint, int], Awaitable[Finding | None]]


class NotStarted(DockerError):
    """A start came to nothing, or a server is gone, for a reason that is known: `finding`."""

    code = "docker.not_started"

    def __init__(self, finding: Finding) -> None:
        super().__init__(detail=finding.line, reason=finding.code)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Tools:
    """`models`: the program's models folder. `check`: what keeps this start from being, or a warning.
    `source`: of models that are not on disk, None = they cannot be had. `permit`: asked before an image is
    pulled."""

    docker: Docker
    ask: Ask
    check: Check
    models: Path
    launches: Launches
    knock: Knock
    sleep: Sleep
    clock: Callable[[], float]
    wall: Callable[[], float]
    source: Source | None = None
    permit: Permit = field(default_factory=Permit)

    async def explain(self, evidence: Evidence) -> Finding:
        """Why it did not start or is gone; of a full disk also what Docker keeps there, of a full GPU who
        holds its memory."""
        evidence = await self._completed(evidence)
        found = await diagnose_aside(evidence)
        if found.code == "disk_full" and not evidence.disk:
            with suppress(LoupeError, TimeoutError):
                async with asyncio.timeout(DISK_SECONDS):
                    disk = await self.docker.disk()
                return await diagnose_aside(msgspec.structs.replace(evidence, disk=disk))
        if found.code in OF_GPU_MEMORY and evidence.gpus is None:
            gpus = await self.docker.gpus()
            return await diagnose_aside(msgspec.structs.replace(evidence, gpus=gpus))
        return found

    async def _completed(self, evidence: Evidence) -> Evidence:
        """With what the start of a server knows, and who has only found or joined it does not."""
        spec, info, image = evidence.spec, evidence.info, None
        if spec is None or info is not None:
            return evidence
        with suppress(LoupeError, TimeoutError):
            async with asyncio.timeout(FACTS_SECONDS):
                info = await self.docker.info()
                image = await self.docker.image(evidence.image) if evidence.image else None
        return msgspec.structs.replace(
            evidence,
            info=info,
            image_arch="" if image is None else image.arch,
            weights=await asyncio.to_thread(served_in, Path(spec.folder)) if spec.folder else 0,
            versions=tuple(one.version for one in versions()),
        )


def known(error: Exception) -> LoupeError:
    """The error as it can be told; a fault of the program itself is logged, and told as one."""
    if isinstance(error, LoupeError):
        return error
    log.error("a job of the server failed", exc_info=error)
    return LoupeError("internal", detail=repr(error))


def finding_of(error: LoupeError) -> Finding | None:
    """None for an error that is told in its own words, as one of the model or of the probe."""
    if isinstance(error, NotStarted):
        return error.finding
    return of_error(error) if isinstance(error, DockerError) else None
