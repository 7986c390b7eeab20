"""The models that the run bar's menu offers: the built-in one and folders opened before. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.settings import BUILT_IN

RECENT = 6  # folders that are remembered


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """`key`: "built-in" or the folder's path, as in the settings. `note`: grey, at the right of the menu."""

    key: str
    name: str
    note: str = ""

    @property
    def tip(self) -> str:
        return self.name if self.key == BUILT_IN else f"{self.name}\n{self.key}"


def folder_choices(folders: Iterable[str]) -> list[ModelChoice]:
    """One choice a folder. Folders of the same name are told apart by the folder they lie in."""
    unique = list(dict.fromkeys(folders))
    names = [Path(folder).name or folder for folder in unique]
    return [
        ModelChoice(folder, name, Path(folder).parent.name if names.count(name) > 1 else "")
        for folder, name in zip(unique, names, strict=True)
    ]


def remember(folders: Iterable[str], opened: str) -> list[str]:
    """`opened` first, then the others as they were, not more than RECENT."""
    return [opened, *(folder for folder in dict.fromkeys(folders) if folder != opened)][:RECENT]
