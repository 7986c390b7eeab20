"""Where the models come from that are to be started and are not on this computer: what a start asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.models.orders import DownloadState
from core.server.spec import LaunchSpec

Told = Callable[[DownloadState], None]


class Source(Protocol):
    """Core's own is core.server.fetching.HubSource."""

    def lacks(self, spec: LaunchSpec) -> bool:
        """It is one of those. Looks at the disk."""
        ...

    async def weigh(self, spec: LaunchSpec) -> int:
        """Bytes of its weights once loaded, 0 = not known, before any of them is fetched. Raises ModelError
        where it cannot be had."""
        ...

    async def fetch(self, spec: LaunchSpec, told: Told) -> LaunchSpec:
        """Until every byte is here and checked: what is to be started then. Raises ModelError. Cancelled, the
        download has ended, and what has come stays."""
        ...
