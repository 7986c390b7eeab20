"""Where things lie on this computer. `TOKENLOUPE_HOME` moves all of it (tests, portable installs)."""

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

    @property
    def models(self) -> Path:
        return self.data / "models"

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
    """Folders by the platform's rules, or all below TOKENLOUPE_HOME if that is set."""
    home = os.environ.get("TOKENLOUPE_HOME", "")
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(root / "data", root / "cache", root / "config")
    return Paths(
        Path(platformdirs.user_data_dir(APP, appauthor=False)),
        Path(platformdirs.user_cache_dir(APP, appauthor=False)),
        Path(platformdirs.user_config_dir(APP, appauthor=False)),
    )


def resources() -> Path:
    """The folder of data files that ship with the program (checkout, wheel or bundle alike)."""
    return Path(__file__).resolve().parent.parent / "resources"
