"""The lock and the file by which windows and the command line know of each other."""

from __future__ import annotations

import os
import uuid

import msgspec

from core.paths import Paths
from core.server.announced import Announced, AnnouncedFile, Told
from core.server.holders import Holders
from core.server.lock import Lock
from core.server.state import STARTING, ServerPhase, ServerState

P = ServerPhase
_TOLD = frozenset({*STARTING, P.READY, P.STOPPING, P.STOPPED, P.FAILED, P.LOST})


class Others:
    """What this process tells of the server, and what others have told. `me` is this run of the program."""

    def __init__(self, paths: Paths, by: str) -> None:
        self.me = uuid.uuid4().hex
        self.by = by
        self.lock = Lock(paths.runtime / "server.lock")
        self.file = AnnouncedFile(paths.runtime / "server.json")
        self.holders = Holders(paths.runtime / "holders")
        self.removed: set[str] = set()  # containers, by this process
        self._told: tuple[object, ...] = ()

    def tell(self, state: ServerState, begin: float) -> None:
        """Write what this process has done. `begin`: of the start, seconds since the epoch."""
        known = (state.phase, state.launch, state.container, state.finding)
        if not state.ours or state.phase not in _TOLD or known == self._told:
            return
        self._told = known
        self.file.write(
            Announced(
                state.phase,
                launch=state.launch,
                owner=self.me,
                pid=os.getpid(),
                by=self.by,
                begin=begin,
                spec=state.spec,
                container=state.container,
                steps=state.steps,
                earlier=state.earlier,
                finding=state.finding,
                error=None if state.error is None else Told.of(state.error),
                removed=tuple(sorted(self.removed)),
            )
        )

    def ask_to_stop(self, shared: Announced) -> None:
        """Of whoever is starting `shared`."""
        self.file.write(
            msgspec.structs.replace(shared, phase=P.STOPPING, owner=self.me, pid=os.getpid(), by=self.by)
        )
        self._told = ()

    def settle(self, shared: Announced) -> None:
        """The last word about what a killed program has left."""
        self.file.write(msgspec.structs.replace(shared, owner=self.me, pid=os.getpid()))

    def leave(self) -> None:
        """This process goes, and the server that it is starting goes on."""
        shared = self.file.read()
        if shared is not None and shared.owner == self.me and shared.busy:
            self.file.write(msgspec.structs.replace(shared, left=True))

    def read(self) -> Announced | None:
        """What another process has done last; None where this one has the last word."""
        shared = self.file.read()
        return None if shared is None or shared.owner == self.me else shared

    def ended(self, container: str) -> bool:
        """That this container runs no more is another process's doing, which its file says or will say."""
        shared = self.read()
        if shared is None:
            return False
        stops = shared.phase is P.STOPPING and shared.container == container
        return stops or container in shared.removed or self.busy() is not None

    def busy(self) -> Announced | None:
        """What another process is at, right now."""
        shared = self.read()
        if shared is None or not shared.busy or self.lock.held:
            return None
        return None if self.idle() else shared

    def idle(self) -> bool:
        """Nobody else is starting or stopping anything."""
        if self.lock.held:
            return True
        if not self.lock.take():
            return False
        self.lock.free()
        return True
