"""The versions of vLLM that can be started, and the images they come in, from resources/vllm.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from core.errors import DockerError
from core.paths import resources
from core.server.spec import VERSION, Device

Fault = Literal["slot_mapping", "linear_input"]


class VllmImage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`image`: what runs. `base`: what it is built from, "" = it comes from a registry as it is. `platforms`:
    "amd64", "arm64". `bytes`: of the download, None = not known. `faults`: of the base, and on which
    platforms. `cuda` and the NVIDIA drivers it needs: "" and 0 on a processor.
    """

    image: str
    platforms: tuple[str, ...]
    base: str = ""
    bytes: int | None = None
    faults: Mapping[Fault, tuple[str, ...]] = {}
    cuda: str = ""
    driver: int = 0

    @property
    def download(self) -> str:
        """The image that comes from the registry."""
        return self.base or self.image


class VllmVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str
    cpu: VllmImage
    gpu: VllmImage

    def on(self, device: Device) -> VllmImage:
        return self.cpu if device == "cpu" else self.gpu


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    compose: str
    version: tuple[VllmVersion, ...]


@cache
def _file() -> _File:
    return msgspec.toml.decode((resources() / "vllm.toml").read_bytes(), type=_File)


def versions() -> tuple[VllmVersion, ...]:
    """The default first."""
    return tuple(sorted(_file().version, key=lambda one: one.version != VERSION))


def version_of(version: str = "") -> VllmVersion:
    """ "" = the default. Raises DockerError("docker.version") for one that is not known."""
    for one in versions():
        if one.version == (version or VERSION):
            return one
    raise DockerError("docker.version", version=version, known=", ".join(one.version for one in versions()))


def version_or_default(version: str) -> VllmVersion:
    """For what only looks around: the default in the place of one that is not known."""
    return next((one for one in versions() if one.version == version), versions()[0])


def oldest_compose() -> str:
    """The oldest Compose that can read the files in compose/."""
    return _file().compose
