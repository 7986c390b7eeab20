"""The files of a model that is to be started and is not on this computer: asked about, then fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from core.errors import ModelError
from core.models.download import Downloads
from core.models.headers import served_in, weights_listed
from core.models.manifest import hub_model
from core.models.orders import DownloadState
from core.models.partial import partial_place, read_listing
from core.models.search import HubModel
from core.server.choose import coming, read_model, with_guesses
from core.server.source import Told
from core.server.spec import LaunchSpec
from core.tasks import TaskScope


class HubSource:
    """Implements `Source`. `look("org/name@commit")`: what the hub says of it; raises ModelError."""

    def __init__(
        self,
        models: Path,
        downloads: Callable[[], Awaitable[Downloads]],
        look: Callable[[str], Awaitable[HubModel]],
        guesses: Callable[[], bool] = lambda: True,
    ) -> None:
        """`guesses`: whether a model may be served with guesses."""
        self._models, self._downloads, self._look, self._guesses = models, downloads, look, guesses

    def lacks(self, spec: LaunchSpec) -> bool:
        return coming(Path(spec.folder), self._models)

    async def weigh(self, spec: LaunchSpec) -> int:
        repo, commit = _meant(spec)
        place = partial_place(self._models, repo, commit)
        begun = read_listing(place)
        if begun is not None:  # the hub was asked then; it need not be reached before it has to be
            return served_in(place, weights_listed((one.path, one.size) for one in begun.files))
        found = await self._look(f"{repo}@{commit}")
        if found.gated and not found.whole:
            raise ModelError("hub.gated", repo=repo)
        return found.weights.served(found.config) if found.weights is not None else 0

    async def fetch(self, spec: LaunchSpec, told: Told) -> LaunchSpec:
        repo, commit = _meant(spec)
        folder = await fetch_model(await self._downloads(), repo, commit, told)
        return await asyncio.to_thread(self._chosen, msgspec.structs.replace(spec, folder=folder))

    def _chosen(self, spec: LaunchSpec) -> LaunchSpec:
        folder = read_model(Path(spec.folder), self._models)
        guesses = self._guesses() and not spec.speculative
        return with_guesses(spec, folder, self._models) if guesses else spec


async def fetch_model(downloads: Downloads, repo: str, commit: str, told: Told) -> str:
    """Until it is ready: its folder, which has another name than `repo` where the hub has one. Raises
    ModelError, "hub.cancelled" where somebody else ends the download; one that somebody pauses is waited for.
    Cancelled, it is paused."""
    ended: asyncio.Future[DownloadState | None] = asyncio.get_running_loop().create_future()

    def look(states: tuple[DownloadState, ...]) -> None:
        state = next((one for one in states if one.is_of(repo, commit)), None)
        if ended.done():
            return
        if state is None or state.phase in ("ready", "failed"):
            ended.set_result(state)
        else:
            told(state)

    downloads.start(repo, commit)
    disconnect = downloads.changed.connect(look)
    look(downloads.states)
    try:
        state = await ended
    except asyncio.CancelledError:
        await _apart(downloads.pause(f"{repo}@{commit}", False))
        raise
    finally:
        disconnect()
    if state is None:
        raise ModelError("hub.cancelled", repo=repo)
    if state.error is not None:
        raise state.error
    return state.folder


def _meant(spec: LaunchSpec) -> tuple[str, str]:
    meant = hub_model(Path(spec.folder))
    if meant is None:
        raise ModelError("model.not_found", folder=spec.folder)
    return meant


async def _apart(work: Awaitable[None]) -> None:
    """In a task of its own: what is done inside a cancelled one cannot be limited in time."""

    async def run() -> None:
        await work

    scope = TaskScope()
    await asyncio.wait({scope.spawn(run(), name="pause a download")})
