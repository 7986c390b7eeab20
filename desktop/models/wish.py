"""The model that is fetched to be started: which one, how far it is, and the moment when it is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.models.download import Downloads
from core.models.hub_changed import go_on
from core.models.orders import DownloadState
from desktop.models.fitting import Engine


@dataclass(frozen=True, slots=True)
class Coming:
    """`share`: 0..1, None = not known. `left`: seconds, None = not known. `checking`: all of it is here."""

    name: str
    share: float | None = None
    left: float | None = None
    checking: bool = False


@dataclass(frozen=True, slots=True)
class _Wish:
    repo: str
    revision: str
    name: str
    engine: Engine


class Wishes(QObject):
    """At most one; the last holds. `arrived`: its folder, and the engine it was wanted for. `changed`: a
    Coming, None = nothing is fetched to be started. `failed`: its download gave up, with a LoupeError."""

    arrived = Signal(str, str)
    changed = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject, downloads: Downloads) -> None:
        super().__init__(parent)
        self._downloads = downloads
        self._wish: _Wish | None = None
        self._coming: Coming | None = None
        self._pausing = 0  # of what goes on at once

    @property
    def model(self) -> str:
        """As the downloads call it, "" = none."""
        wish = self._wish
        return "@".join(filter(None, (wish.repo, wish.revision))) if wish is not None else ""

    def is_for(self, repo: str, revision: str) -> bool:
        wish = self._wish
        return wish is not None and wish.repo == repo and wish.revision in ("", revision)

    def want(self, repo: str, revision: str, name: str, engine: Engine) -> None:
        self._wish = _Wish(repo, revision, name, engine)
        self.look()

    def drop(self) -> None:
        """It is fetched all the same, and not started."""
        self._wish = None
        self._show(None)

    async def go_on(self) -> None:
        """The hub is reached in another way: what runs is begun again by it, and is wanted as before."""
        self._pausing += 1
        try:
            await go_on(self._downloads)
        finally:
            self._pausing -= 1
        self.look()

    def look(self) -> None:
        """The downloads have moved."""
        wish = self._wish
        if wish is None:
            return
        state = next((one for one in self._downloads.states if self._is_it(wish, one)), None)
        if state is not None and state.phase == "paused" and self._pausing:
            return
        if state is None or state.phase in ("paused", "failed"):
            self.drop()
            if state is not None and state.error is not None:
                self.failed.emit(state.error)
        elif state.phase == "ready":
            self.drop()
            self.arrived.emit(str(Path(state.folder)), wish.engine)
        else:
            self._show(_coming(wish.name, state))

    @staticmethod
    def _is_it(wish: _Wish, state: DownloadState) -> bool:
        revisions = ("", state.revision, state.commit)
        return state.repo == wish.repo and not state.tokenizer_only and wish.revision in revisions

    def _show(self, coming: Coming | None) -> None:
        if coming != self._coming:
            self._coming = coming
            self.changed.emit(coming)


def _coming(name: str, state: DownloadState) -> Coming:
    share = min(state.done / state.total, 1.0) if state.total else None
    left = state.left if state.left >= 0 else None
    return Coming(name, share, left, state.phase == "checking")
