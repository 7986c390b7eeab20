"""Files beside a prompt's ids: one part each, read and encoded while they are sent."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from core.errors import EngineError
from core.prompt.base import Attachment, MediaKind

NAMES: dict[MediaKind, str] = {"image": "image", "sound": "audio", "video": "video"}  # the server's words
_PIECE = 3 * 32768  # bytes of a file in one piece: whole groups of three, and no time that anyone would feel


class Body:
    """A request with its files in it, never whole in memory. `request` is its JSON without them."""

    def __init__(self, request: bytes, media: Sequence[Attachment], folder: Path) -> None:
        """Raises EngineError("media.gone"), naming the file that is not there any more."""
        self._pieces: list[bytes | Path] = [request.rstrip()[:-1], b',"content_parts":[']
        self.length = 0
        for number, one in enumerate(media):
            path = folder / one.digest
            try:
                size = path.stat().st_size
            except OSError as error:
                raise EngineError("media.gone", name=one.name, detail=str(error)) from error
            kind = NAMES[one.kind]
            comma = "," if number else ""
            self._pieces += [
                f'{comma}{{"type":"{kind}_url","url":"data:{one.mime};base64,'.encode(),
                path,
                b'"}',
            ]
            self.length += (size + 2) // 3 * 4
        self._pieces.append(b"]}")
        self.length += sum(len(piece) for piece in self._pieces if isinstance(piece, bytes))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, bytes):
                yield piece
                continue
            with piece.open("rb") as file:
                while data := file.read(_PIECE):
                    yield base64.b64encode(data)
                    await asyncio.sleep(0)  # a fast socket never waits, and the window must not either
