"""`tokenloupe up` with a model that is not on this computer: what the hub says of it, and its download."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from core.cli_models import hub_settings, token, way
from core.errors import ModelError
from core.models.download import Downloads
from core.models.ledger import Ledger
from core.models.manifest import hub_folder
from core.models.search import HubModel, parse, resolve
from core.paths import Paths
from core.server.choose import coming, model_folder
from core.server.fetching import HubSource
from core.settings import load
from core.worker.client import WorkerClient

Look = Callable[[str], Awaitable[HubModel]]


class Hub:
    """`source`: for the server manager. Whoever makes it closes it."""

    def __init__(self, paths: Paths, library: WorkerClient) -> None:
        self._paths, self._library = paths, library
        self._downloads: Downloads | None = None
        self.source = HubSource(
            paths.models, self._made, self.look, lambda: load(paths.settings)[0].speculation
        )

    async def look(self, named: str) -> HubModel:
        """Raises ModelError (hub.…)."""
        return await resolve(self._library, named, await way(self._paths), told=Ledger(self._paths.data).note)

    async def _made(self) -> Downloads:
        if self._downloads is None:
            self._downloads = Downloads(
                self._paths, settings=lambda: hub_settings(self._paths), token=lambda: token(self._paths)
            )
        return self._downloads

    async def close(self) -> None:
        if self._downloads is not None:
            await self._downloads.close()


async def folder_of(named: str, models: Path, look: Look, *, fetch: bool) -> Path:
    """Where the model is, or where it will be once it has been fetched. `fetch`: one that is not on this
    computer is looked for on the hub. Raises ModelError: model.not_found, hub.…"""
    try:
        return model_folder(named, models)
    except ModelError:
        if not fetch:
            raise
        if coming(Path(named), models):  # chosen in the window
            return Path(named)
        meant = parse(named)
        if meant is None or "/" not in meant[0]:
            raise
    here = models / hub_folder(*meant)
    if here.is_dir() and not coming(here, models):
        return here
    found = await look(named)
    return models / hub_folder(found.id, found.revision)
