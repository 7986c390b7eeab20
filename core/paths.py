"""Where things lie on this computer. `TOKENLOUPE_HOME` moves all of it (tests, portable installs),
`TOKENLOUPE_MODELS` the models alone: the same variable, with the same default, is read by compose/."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP = "tokenloupe"


@dataclass(frozen=True, slots=True)
class Paths:
    """Folders of one installation; nothing is created until it is needed."""

    data: Path
    cache: Path
    config: Path
    own_models: Path | None = None

    @property
    def models(self) -> Path:
        return self.own_models or self.data / "models"

    @property
    def vocabularies(self) -> Path:
        """With the data, not the cache: the answers of old chats are read with them."""
        return self.data / "vocabularies"

    @property
    def media(self) -> Path:
        """Attachments of chats, each under the SHA-256 of what is sent."""
        return self.data / "media"

    @property
    def downloads(self) -> Path:
        return self.cache / "downloads"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def history(self) -> Path:
        return self.data / "history.sqlite3"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def runtime(self) -> Path:
        """Lock and single-instance socket: short, since a socket path is limited to about 100 bytes."""
        return self.cache / "run"


def default_paths() -> Paths:
    """Folders by the platform's rules, or all below TOKENLOUPE_HOME if that is set; the models in
    TOKENLOUPE_MODELS if that is, else in one place for all platforms, which Compose can name as well."""
    chosen = variable("TOKENLOUPE_MODELS")
    models = Path(chosen).expanduser().absolute() if chosen else None
    if home := variable("TOKENLOUPE_HOME"):
        root = Path(home).expanduser().absolute()
        return Paths(root / "data", root / "cache", root / "config", models)
    share = Path(variable("XDG_DATA_HOME") or Path.home() / ".local" / "share").absolute()
    return Paths(
        Path(platformdirs.user_data_dir(APP, appauthor=False)),
        Path(platformdirs.user_cache_dir(APP, appauthor=False)),
        Path(platformdirs.user_config_dir(APP, appauthor=False)),
        models or share / APP / "models",
    )


def variable(name: str) -> str:
    """An environment variable, "" if it is not set, without the BOM, carriage return or blanks around it that
    a file edited elsewhere may have put there."""
    return clean(os.environ.get(name, ""))


def clean(value: str) -> str:
    """Without BOM, carriage returns and blanks around it."""
    return value.strip("\ufeff \t\r\n")


def resources() -> Path:
    """The folder of data files that ship with the program (checkout, wheel or bundle alike)."""
    return Path(__file__).resolve().parent.parent / "resources"


def compose_files() -> Path:
    """The folder of Compose files that ship with the program; Docker reads it, so its path is a real one."""
    return Path(__file__).resolve().parent.parent / "compose"
