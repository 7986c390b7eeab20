"""The server that this program starts, as the choice of an engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.observe import Event
from core.server.spec import Device

DOCKER = "docker"  # in the settings, where else a server's address stands


class OwnServer(Protocol):
    """`changed`: anything below may be another. `gone`: what was ready is not any more.

    `alive`: it starts or is ready, so that another choice means a new start. `model`: as in the settings, of
    a server that is alive, else "". `device`: the one in use, else the one that would be, None = not known.
    """

    changed: Event[None]
    gone: Event[None]

    @property
    def alive(self) -> bool: ...
    @property
    def model(self) -> str: ...
    @property
    def device(self) -> Device | None: ...

    def devices(self) -> Sequence[tuple[Device, str]]:
        """Each device, and why it cannot run a server ("": it can)."""
        ...

    def use(self, on: bool) -> None:
        """It is the engine in use, or another is."""
        ...

    def chosen_anew(self) -> None:
        """Another model or device: what was mended for the one before does not hold for it."""
        ...

    def want(self, on: bool) -> None:
        """A start is on its way, whatever its state says yet."""
        ...

    async def start(self) -> None:
        """By the settings, until it is ready and connected. Raises LoupeError."""
        ...

    async def cancel(self) -> None:
        """A start that has ended: back to the server that it did not replace, connected; else none is left.
        Raises LoupeError."""
        ...

    async def join(self) -> None:
        """The one that runs already, until it is ready and connected. Raises LoupeError."""
        ...

    async def stop(self) -> None:
        """Afterwards no container of ours is left. Raises LoupeError."""
        ...

    async def leave(self) -> None:
        """Another engine is used from now on, and only one holds the model. Raises LoupeError."""
        ...


def device_key(device: Device | None) -> str:
    """A row of the menu of engines."""
    return f"{DOCKER}:{device}" if device else DOCKER


def device_of(key: str) -> Device | None:
    """Of a row's key; None where it is none of a device."""
    kind, _, device = key.partition(":")
    if kind != DOCKER:
        return None
    return "gpu" if device == "gpu" else "cpu" if device == "cpu" else None
