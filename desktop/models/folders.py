"""Model folders of the person's own: added by a dialog, a drop or their path; only ever read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from core.models.catalog import BUILT_IN
from core.models.folder import read_folder
from core.settings import SettingsStore
from desktop.kit.dialogs import folder_dialog


def ask(window: QWidget, settings: SettingsStore, chosen: Callable[[str], object]) -> None:
    known = settings.value.folders
    title = QCoreApplication.translate("ModelsPresenter", "Add a model's folder")
    dialog = folder_dialog(window, title, Path(known[0]).parent if known else None)
    dialog.fileSelected.connect(chosen)
    dialog.open()


async def add(settings: SettingsStore, path: str) -> str:
    """One that can be opened; its path as it is kept. Raises ModelError (model.…)."""
    folder = str(Path(path))
    await asyncio.to_thread(read_folder, Path(folder))
    settings.update(folders=(folder, *(one for one in settings.value.folders if one != folder)))
    return folder


def forget(settings: SettingsStore, folder: str) -> None:
    """It is neither listed nor opened at the next start; nothing on disk changes."""
    value = settings.value
    settings.update(
        folders=tuple(one for one in value.folders if one != folder),
        model=BUILT_IN if value.model == folder else value.model,
    )


async def has_model(folder: Path) -> bool:
    """While a path is still being typed, it leads to a folder without a model, or nowhere."""
    return await asyncio.to_thread((folder / "config.json").is_file)
