"""Which kinds of files a server takes: asked with a tiny one of each, and only when somebody wants to know,
since the first of a kind may cost minutes on a CPU."""

from __future__ import annotations

import hashlib
import io
import wave
import zlib
from pathlib import Path

from core.engines.base import Sampling
from core.engines.limits import within
from core.engines.vllm.asked import Asked
from core.engines.vllm.attached import NAMES, Body
from core.engines.vllm.capabilities import Capabilities, Cell, Verdict
from core.engines.vllm.generate import PATH, Generate
from core.engines.vllm.http import Reply, Server
from core.errors import EngineError
from core.paths import resources
from core.prompt.base import Attachment, MediaKind, Prompt

CELLS: dict[MediaKind, str] = {"image": "images", "sound": "sound", "video": "video"}
_SIDE = 64  # pixels
_RATE, _SAMPLES = 16_000, 8_000


def sample(kind: MediaKind, folder: Path) -> Attachment:
    """A tiny file of this kind, kept in `folder` as every attachment is."""
    if kind == "image":
        data, mime = _png(), "image/png"
    elif kind == "sound":
        data, mime = _wav(), "audio/wav"
    else:
        # 8 frames of 64 × 64, H.264: a red bar that moves over grey
        data, mime = (resources() / "probe" / "video.mp4").read_bytes(), "video/mp4"
    one = Attachment(kind, f"{kind} to ask with", hashlib.sha256(data).hexdigest(), mime, len(data))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (folder / one.digest).write_bytes(data)
    return one


def _png() -> bytes:
    """Red, blue below (PNG specification, section 5: a chunk is length, name, data, checksum)."""

    def chunk(name: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(name + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + name + data + checksum

    size = _SIDE.to_bytes(4, "big")
    half = _SIDE // 2
    rows = (b"\0" + b"\xff\0\0" * _SIDE) * half + (b"\0" + b"\0\0\xff" * _SIDE) * half
    head = chunk(b"IHDR", size + size + bytes((8, 2, 0, 0, 0)))  # 8 bits, RGB
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _wav() -> bytes:
    """Half a second of a square wave."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes((b"\0\x10" * 20 + b"\0\xf0" * 20) * (_SAMPLES // 40))
    return out.getvalue()


async def ask(server: Server, found: Capabilities, prompt: Prompt, folder: Path) -> Cell:
    """One token after a prompt with one file of a kind. Cancelling closes the connection.

    Raises EngineError: the server's key, or its engine's death.
    """
    (span,) = prompt.media
    kind = span.attachment.kind
    if found.route != "generate":
        return refusal(kind, found.cell("scale_out").evidence)
    sampling = within(Sampling(temperature=0.0), found.refuses)
    asked = Asked(found.model, tuple(prompt.ids), sampling, 1, None, stream=False)
    reply = await server.post(PATH, Body(Generate.body(asked), [span.attachment], folder))
    if reply.status in (401, 403):
        raise EngineError("server.key", address=server.address, detail=reply.message)
    if reply.status >= 500 and (await server.get("/health")).status != 200:
        raise EngineError("server.engine_dead", detail=reply.message)
    if reply.status != 200:
        return refusal(kind, f"POST {PATH}: {reply.status} {reply.message}")
    return _taken(kind, reply)


def refusal(kind: MediaKind, why: str) -> Cell:
    return Cell(CELLS[kind], "no", "", why)


def _taken(kind: MediaKind, reply: Reply) -> Cell:
    step = Generate().read(reply.body)
    ranges = (step.placeholders or {}).get(NAMES[kind]) or []
    tokens = sum(one.length for one in ranges)
    verdict: Verdict = "yes" if tokens else "unknown"
    words = f"a tiny one was read as {tokens} tokens" if tokens else "accepted, but no token stood for it"
    return Cell(CELLS[kind], verdict, str(tokens or ""), f"POST {PATH}: {words}")
