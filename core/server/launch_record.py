"""What is recorded of one launch: how it was started, how long each step took, and what came of it."""

from __future__ import annotations

from typing import Final

import msgspec

from core import __version__
from core.server.finding import Finding
from core.server.phases import Facts
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase

FORMAT: Final = 1


class PhaseTime(msgspec.Struct, frozen=True):
    """`began`: seconds since the epoch. `seconds` None: it was not finished. `once`: something was fetched or
    built in it that the next start finds."""

    phase: ServerPhase
    began: float
    seconds: float | None = None
    once: bool = False


class LaunchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`began`, `ready`, `ended`: seconds since the epoch, 0 = not (yet). `by`: "window", "cli" or "hand".
    `command`: of the server, `environment`: what Compose was given with it; never a key. `lines`: what does
    the same in a shell, of Compose, and of vLLM inside. `digest`: of the image. `program`, `vllm`, `docker`,
    `compose`: versions, "" = not known. `result`: "ready", "stopped", "failed", "lost", or "" where nobody
    told: the program was killed, or is still at it. `finding`: why it failed or was lost; `error`: what could
    not be recognised as one."""

    id: str
    began: float
    spec: LaunchSpec
    by: str = "window"
    format: int = FORMAT
    command: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    image: str = ""
    digest: str = ""
    program: str = __version__
    vllm: str = ""
    docker: str = ""
    compose: str = ""
    container: str = ""
    phases: tuple[PhaseTime, ...] = ()
    facts: Facts = Facts()
    ready: float = 0.0
    ended: float = 0.0
    result: str = ""
    finding: Finding | None = None
    error: str = ""
