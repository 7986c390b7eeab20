"""The servers to choose from: those of the settings, and the one that the environment names. No Qt."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from core.engines.vllm.address import normalise
from core.errors import EngineError
from core.settings import SavedServer, SettingsStore


@dataclass(frozen=True, slots=True)
class Given:
    """What VLLM_URL and VLLM_API_KEY say. It wins at the start and is never written to the settings."""

    address: str
    key: str = ""


def from_environment(environ: Mapping[str, str]) -> Given | None:
    """An address that cannot be one is kept as it is: connecting says what is wrong with it."""
    typed = environ.get("VLLM_URL", "").strip()
    if not typed:
        return None
    with contextlib.suppress(EngineError):
        typed = normalise(typed)
    return Given(typed, environ.get("VLLM_API_KEY", ""))


class Servers:
    """What is remembered of each server: in the settings once it was connected to, before that here."""

    def __init__(self, settings: SettingsStore, given: Given | None = None) -> None:
        self._settings = settings
        self.given = given
        self._here: dict[str, SavedServer] = {}

    def addresses(self) -> list[str]:
        """The environment's first, then the one connected to last."""
        given = [self.given.address] if self.given else []
        return list(dict.fromkeys([*given, *(one.address for one in self._settings.value.servers)]))

    def get(self, address: str) -> SavedServer:
        """What is known of a server; nothing of one that is new."""
        saved = (one for one in self._settings.value.servers if one.address == address)
        return next(saved, None) or self._here.get(address) or SavedServer(address)

    def known(self, address: str) -> bool:
        """It is in the settings."""
        return any(one.address == address for one in self._settings.value.servers)

    def change(self, address: str, **values: object) -> None:
        """Another model, files or key flag of a server."""
        changed = msgspec.structs.replace(self.get(address), **values)
        if self.known(address):
            servers = self._settings.value.servers
            self._settings.update(
                servers=tuple(changed if one.address == address else one for one in servers)
            )
        else:
            self._here[address] = changed

    def use(self, address: str) -> None:
        """The next start begins with it; "" = the built-in engine, "docker" = the server of ours."""
        if address in ("", "docker") or self.known(address):
            self._settings.update(server=address)

    def keep(self, address: str) -> None:
        """It was connected to: from now on it is in the settings, as the last one used."""
        if self.given is not None and address == self.given.address:
            return
        others = (one for one in self._settings.value.servers if one.address != address)
        self._settings.update(server=address, servers=(self.get(address), *others))
        self._here.pop(address, None)

    def forget(self, address: str) -> None:
        value = self._settings.value
        left = tuple(one for one in value.servers if one.address != address)
        self._here.pop(address, None)
        self._settings.update(servers=left, server="" if value.server == address else value.server)
