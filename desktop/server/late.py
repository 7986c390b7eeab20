"""The server manager, made only when it is first needed: its modules would hold up the window's start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from core.models.room import Room
from core.observe import Event
from core.server.access import LogPiece
from core.server.launcher import Doctor, Launcher
from core.server.spec import GPU_SHARE, Device, LaunchSpec
from core.server.state import ServerState


class LateLauncher:
    """Protocol `Launcher` around the one that `make` gives. `load` imports what that needs, in a thread."""

    def __init__(self, load: Callable[[], object], make: Callable[[], Launcher]) -> None:
        self._load, self._make = load, make
        self._real: Launcher | None = None
        self._turn = asyncio.Lock()
        self.state = ServerState()
        self.state_changed: Event[ServerState] = Event()
        self.log: Event[tuple[LogPiece, ...]] = Event()
        self.log_cleared: Event[None] = Event()

    async def _made(self) -> Launcher:
        async with self._turn:
            if self._real is None:
                await asyncio.to_thread(self._load)
                real = self._real = self._make()
                real.state_changed.connect(self._moved)
                real.log.connect(self.log.emit)
                real.log_cleared.connect(self.log_cleared.emit)
            return self._real

    def _moved(self, state: ServerState) -> None:
        self.state = state
        self.state_changed.emit(state)

    async def doctor(self) -> Doctor:
        return await (await self._made()).doctor()

    async def room(self, device: Device, *, version: str = "", share: float = GPU_SHARE) -> Room:
        return await (await self._made()).room(device, version=version, share=share)

    async def look(self) -> ServerState:
        return await (await self._made()).look()

    async def start(self, spec: LaunchSpec, *, key: str = "") -> None:
        await (await self._made()).start(spec, key=key)

    async def join(self) -> None:
        await (await self._made()).join()

    @property
    def shared(self) -> bool:
        return self._real is not None and self._real.shared

    async def leave(self) -> None:
        await (await self._made()).leave()

    async def stop(self) -> None:
        await (await self._made()).stop()

    async def close(self, *, leave: bool = False) -> None:
        if self._real is not None:
            await self._real.close(leave=leave)

    def report(self) -> str:
        return "" if self._real is None else self._real.report()
