"""What there is to choose from: the engines by their names, and the models on this computer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from core.models.catalog import BUILT_IN, built_in
from desktop.picker.choices import EngineChoice, ModelChoice, folder_choices, remember
from desktop.picker.ours import DOCKER, OwnServer, device_key
from desktop.picker.run_text import short
from desktop.picker.servers import Servers


def engine_choices(own: OwnServer, servers: Servers, used: str) -> tuple[EngineChoice, ...]:
    """Beside the built-in engine. `used`: the address in use, which may be a new one."""
    return tuple(_engines(own, servers, used))


def _engines(own: OwnServer, servers: Servers, used: str) -> Iterator[EngineChoice]:
    tip = QCoreApplication.translate("RunBar", "vLLM in Docker on this computer")
    for device, why in own.devices():
        yield EngineChoice(device_key(device), f"vLLM {device.upper()}", why=why, tip=tip)
    given = servers.given.address if servers.given is not None else ""
    addresses = servers.addresses()
    if used not in ("", DOCKER, *addresses):
        addresses.append(used)
    for one in addresses:
        yield EngineChoice(one, short(one), given=one == given)


def local_choices(folders: Sequence[str], current: str) -> tuple[ModelChoice, ...]:
    """The built-in model, then the folders that were opened, `current` among them."""
    known = folders if current == BUILT_IN else remember(folders, current)
    return (ModelChoice(BUILT_IN, built_in().name), *folder_choices(known))
