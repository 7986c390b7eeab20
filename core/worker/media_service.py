"""Makes files ready to be sent: a picture as an upright PNG, sound as a WAV with one channel, video as it is.

Pillow and soundfile (libsndfile) read what people have, and read it in a process of their own: a damaged or
hostile file may end that, and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import IO

import numpy
import soundfile  # type: ignore[import-untyped]
from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import PromptError
from core.prompt.base import Attachment, MediaKind
from core.worker.job import Job
from core.worker.protocol import MediaReady, PrepareMedia

MAX_BYTES = 100_000_000  # of a file, and of what is sent; a server takes 256 MB by default
MAX_PIXELS = 89_478_485  # from here on Pillow itself warns
MAX_SECONDS = 600  # of sound: what a server decodes by default
_BLOCK = 1 << 18
_MODES = ("L", "LA", "RGB", "RGBA")


def prepare(job: Job, request: PrepareMedia) -> None:
    """Raises PromptError: media.unreadable, media.unknown, media.too_large."""
    path, folder = Path(os.fsdecode(request.path)), Path(request.folder)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            _too_large(request.name, f"{size / 1e6:.0f} MB", f"{MAX_BYTES / 1e6:.0f} MB")
        with path.open("rb") as file:
            start = file.read(64)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".new-", delete=False) as out:
            try:
                found = _write(job, request.name, path, start, out)
                out.flush()
                attachment = _keep(job, Path(out.name), folder, found)
            finally:
                Path(out.name).unlink(missing_ok=True)
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError, MemoryError) as error:
        # whatever a decoder says of a damaged file
        detail = f"{type(error).__name__}: {error}"
        raise PromptError("media.unreadable", name=request.name, detail=detail) from error
    job.send(MediaReady(job.number, attachment))


def _write(job: Job, name: str, path: Path, start: bytes, out: IO[bytes]) -> Attachment:
    """What is sent, written to `out`; its facts so far."""
    mime = video_type(start)
    if mime:
        with path.open("rb") as file:
            while data := file.read(_BLOCK):
                job.check()
                out.write(data)
        return Attachment("video", name, "", mime, 0)
    try:
        picture = Image.open(path)
    except UnidentifiedImageError:
        pass
    else:
        with picture:
            return _picture(name, picture, out)
    try:
        sound = soundfile.SoundFile(path)
    except soundfile.LibsndfileError as error:
        raise PromptError("media.unknown", name=name, detail=str(error)) from error
    with sound:
        return _sound(job, name, sound, out)


def video_type(start: bytes) -> str:
    """The MIME type of a video by its first bytes; "" for anything else."""
    if start[4:8] == b"ftyp":
        brand = start[8:12]
        if brand in (b"heic", b"heix", b"mif1", b"avif", b"avis", b"M4A ", b"M4B "):
            return ""
        return "video/quicktime" if brand == b"qt  " else "video/mp4"
    if start[:4] == b"\x1aE\xdf\xa3":
        return "video/webm" if b"webm" in start else "video/x-matroska"
    return "video/x-msvideo" if start[:4] == b"RIFF" and start[8:12] == b"AVI " else ""


def _picture(name: str, picture: Image.Image, out: IO[bytes]) -> Attachment:
    width, height = picture.size
    if width * height > MAX_PIXELS:
        _too_large(name, f"{width} × {height}", f"{MAX_PIXELS / 1e6:.0f} MP")
    frames = getattr(picture, "n_frames", 1)
    shown: Image.Image = picture
    if picture.mode.startswith("I;16"):
        shown = Image.fromarray((numpy.asarray(picture) >> 8).astype("uint8"))
    elif picture.mode not in _MODES:
        shown = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
    upright = ImageOps.exif_transpose(shown) if shown is picture else _turned(shown, picture)
    upright.info.clear()  # no place, no camera, no thumbnail
    upright.save(out, "PNG")
    return Attachment("image", name, "", "image/png", 0, *upright.size, first_of=frames)


def _turned(shown: Image.Image, source: Image.Image) -> Image.Image:
    """A conversion has lost how the camera was held; the source knows."""
    shown.getexif().update(source.getexif())
    return ImageOps.exif_transpose(shown)


def _sound(job: Job, name: str, sound: soundfile.SoundFile, out: IO[bytes]) -> Attachment:
    seconds = sound.frames / sound.samplerate
    if seconds > MAX_SECONDS:
        _too_large(name, f"{seconds:.0f} s", f"{MAX_SECONDS} s")
    frames = 0
    with soundfile.SoundFile(out, "w", sound.samplerate, 1, "PCM_16", format="WAV") as wav:
        for block in sound.blocks(_BLOCK, dtype="float32", always_2d=True):
            job.check()
            frames += len(block)
            wav.write(numpy.clip(block.mean(axis=1), -1.0, 1.0))
    if not frames:
        raise ValueError("there is no sound in it")
    return Attachment("sound", name, "", "audio/wav", 0, seconds=frames / sound.samplerate)


def _keep(job: Job, written: Path, folder: Path, found: Attachment) -> Attachment:
    """Under the digest of its bytes: the same picture twice is kept once."""
    size, digest = written.stat().st_size, hashlib.sha256()
    if size > MAX_BYTES:
        _too_large(found.name, f"{size / 1e6:.0f} MB", f"{MAX_BYTES / 1e6:.0f} MB")
    with written.open("rb") as file:
        while data := file.read(_BLOCK):
            job.check()
            digest.update(data)
    kind: MediaKind = found.kind
    kept = Attachment(
        kind, found.name, digest.hexdigest(), found.mime, size,
        found.width, found.height, found.seconds, found.first_of,
    )  # fmt: skip
    if not (folder / kept.digest).exists():
        written.rename(folder / kept.digest)
    return kept


def _too_large(name: str, size: str, limit: str) -> None:
    raise PromptError("media.too_large", name=name, size=size, limit=limit)
