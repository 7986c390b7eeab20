"""What one start of a server is to be: model, device, version and every setting, as one frozen value."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

Device = Literal["cpu", "gpu"]
GIB: Final = 1 << 30
VERSION: Final = "0.32.0"
PORT: Final = 8000  # on this computer; inside the container it is always 8000
KV_BYTES: Final = 2 * GIB
GPU_SHARE: Final = 0.3


class LaunchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One start. Two equal values need no new container.

    `model`: the name the server serves it under. `folder`: the model's files on this computer, an absolute
    path. `revision`: as the folder's manifest says, shown only. `kv_bytes`: of the KV cache. `gpu_share`: of
    the GPU's whole memory, which must be free. `context`: the longest prompt and answer in tokens, None = the
    model's own. `speculative`: JSON for --speculative-config, "" = no speculation; `drafter`: the folder of
    the model it names, "" = none. `eager`: without compiling. `memory`: the most the container may use, in
    bytes, None = the device's default.
    """

    model: Annotated[str, msgspec.Meta(min_length=1)]
    folder: str
    revision: str = ""
    device: Device = "cpu"
    version: str = VERSION
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = PORT
    kv_bytes: Annotated[int, msgspec.Meta(ge=1)] = KV_BYTES
    gpu_share: Annotated[float, msgspec.Meta(gt=0, le=1)] = GPU_SHARE
    context: Annotated[int, msgspec.Meta(ge=1)] | None = None
    speculative: str = ""
    drafter: str = ""
    eager: bool = False
    memory: int | None = None

    @property
    def address(self) -> str:
        """Where the server will answer on this computer."""
        return f"http://127.0.0.1:{self.port}"

    def uses(self, folder: str) -> bool:
        """The server reads files there: its model's, or those of the one that guesses."""
        return bool(folder) and folder in (self.folder, self.drafter)
