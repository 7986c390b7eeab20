"""What the picker must know of the engines, and has them do."""

from __future__ import annotations

from typing import Protocol

from core.models.room import Room
from desktop.models.fitting import Engine
from desktop.models.values import User


class Engines(Protocol):
    """What the picker must know of the engines. `engine`: the one in use. `running`: the folder that an
    engine has open, "" = none."""

    @property
    def engine(self) -> Engine: ...
    @property
    def running(self) -> str: ...

    def user_of(self, folder: str) -> User:
        """Who has files of it open, whatever engine is in use; "" = nobody."""
        ...

    async def room(self) -> Room | None:
        """What a start in Docker may use at this moment; None for the built-in engine."""
        ...

    def choose(self, model: str) -> None:
        """For the engine in use: "built-in" or a folder."""
        ...

    def start(self, model: str, engine: Engine) -> None:
        """With this engine, whatever is in use."""
        ...
