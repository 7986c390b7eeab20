"""The one face of the server manager towards the window and the command line."""

from __future__ import annotations

from typing import Protocol

import msgspec

from core.models.room import Room
from core.observe import Event
from core.server.access import Check, DockerInfo, Endpoint, LogPiece
from core.server.finding import Finding
from core.server.spec import GPU_SHARE, Device, LaunchSpec
from core.server.state import ServerState


class Doctor(msgspec.Struct, frozen=True):
    """What was found about Docker here. `finding`: what keeps a server from starting on any device, None =
    nothing; `no_gpu`, `no_cpu`: why that device cannot run (None: it can). `device`: which one is chosen when
    nobody says."""

    checks: tuple[Check, ...] = ()
    finding: Finding | None = None
    no_gpu: Finding | None = None
    no_cpu: Finding | None = None
    device: Device = "cpu"
    endpoint: Endpoint | None = None
    info: DockerInfo | None = None


class Launcher(Protocol):
    """Starts, watches and stops the one server of ours. State changes and log lines come on the event loop.

    `start` cancels a start that runs and replaces a server that is ready, unless it is the very same spec,
    which is joined where somebody else has started it. A server that runs well is replaced only when nothing
    is known to keep the new one from starting: until then it goes on, and what ends the start leads back to
    it, READY as before. While another process starts something else it raises
    DockerError("docker.busy"). Whose start, stop or join is replaced by a newer wish sees a cancellation.
    `log`: what Docker says until there is a container, then what that writes. `log_cleared`: a new start's
    log begins.
    """

    state: ServerState
    state_changed: Event[ServerState]
    log: Event[tuple[LogPiece, ...]]
    log_cleared: Event[None]

    async def doctor(self) -> Doctor:
        """Asked anew at each call; a few seconds at most. Raises nothing but cancellation."""
        ...

    async def room(self, device: Device, *, version: str = "", share: float = GPU_SHARE) -> Room:
        """What a start there may use at this moment; `version` of vLLM, "" = the default, `share` of a GPU's
        memory. A few seconds at most. Raises nothing but cancellation."""
        ...

    async def look(self) -> ServerState:
        """At the program's start: is there a server of ours, running (READY or STARTING, not joined yet) or
        left over? Begins the watching of what other windows and the command line do."""
        ...

    async def start(self, spec: LaunchSpec, *, key: str = "") -> None:
        """Until READY. Raises LoupeError (state FAILED, with its finding). Cancelling it ends in STOPPED and
        leaves no container. A server that has not been replaced yet stays in either case."""
        ...

    async def join(self) -> None:
        """Take what `look` found as ours: follow its start, or be READY. Raises as `start`. Cancelling it
        lets go of the server, which goes on as it was."""
        ...

    @property
    def shared(self) -> bool:
        """Another living program has started or joined the server, too: it ends with the last of them."""
        ...

    async def leave(self) -> None:
        """This program uses the server no more: it is stopped, unless it is shared. Raises DockerError."""
        ...

    async def stop(self) -> None:
        """From any state; afterwards no container of ours is left. Raises DockerError."""
        ...

    async def close(self, *, leave: bool = False) -> None:
        """The program ends: stop what runs, or leave it running; what is shared goes on in any case. Within
        5 s whatever Docker does: what cannot be stopped in time is told Docker without waiting."""
        ...

    def report(self) -> str:
        """Plain text for "Copy report": redacted, in English."""
        ...
