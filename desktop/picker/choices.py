"""What the run bar's menus offer: engines, and the models of the one in use. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.models.manifest import shown_name
from core.settings import BUILT_IN

RECENT = 6  # folders that are remembered


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """`key`: "built-in" or the folder's path, as in the settings; of a server the served name. `note`: grey,
    at the right of the menu. `why`: it is not supported, and this is the reason."""

    key: str
    name: str
    note: str = ""
    why: str = ""

    @property
    def tip(self) -> str:
        lines = (self.name, "" if self.key in (BUILT_IN, self.name) else self.key, self.why)
        return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """A server: `name` is its address as shown. `given`: the environment names it. `why`: it cannot run, and
    this is the reason. `tip`: what it is, if that is not its address."""

    address: str
    name: str
    given: bool = False
    why: str = ""
    tip: str = ""


def folder_choices(folders: Iterable[str]) -> list[ModelChoice]:
    """One choice a folder. Folders of the same name are told apart by the folder they lie in."""
    unique = list(dict.fromkeys(folders))
    names = [shown_name(Path(folder)) or folder for folder in unique]
    return [
        ModelChoice(folder, name, Path(folder).parent.name if names.count(name) > 1 else "")
        for folder, name in zip(unique, names, strict=True)
    ]


def remember(folders: Iterable[str], opened: str) -> list[str]:
    """`opened` first, then the others as they were, not more than RECENT."""
    return [opened, *(folder for folder in dict.fromkeys(folders) if folder != opened)][:RECENT]
