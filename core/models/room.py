"""How much room a launch has for a model: a value that whoever knows the machine fills in."""

from __future__ import annotations

import msgspec

from core.server.spec import Device


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """What a launch may really use, in bytes; None = not known.

    `memory`: on a processor what the container may have of Docker's memory, on a GPU its whole memory; `why`
    it is not known, as whoever asked says it. `free`: of that, what nobody uses now, or only the server that
    would be replaced. `share`: of a GPU's whole memory that must be free at the start. `name`: of the GPU.
    `disk`: free where the models lie, `image_disk`: where Docker keeps images, `one_disk`: they are the same.
    `image`: what the image still takes there, 0 = it is there.
    """

    device: Device
    memory: int | None = None
    free: int | None = None
    share: float = 0.0
    why: str = ""
    name: str = ""
    disk: int | None = None
    image_disk: int | None = None
    one_disk: bool = False
    image: int | None = 0

    @property
    def usable(self) -> int | None:
        known = [size for size in (self.memory, self.free) if size is not None]
        return min(known) if known else None
