"""Files as people have them become what a server takes: upright PNG, WAV of one channel, a video as it is."""

from __future__ import annotations

import asyncio
import hashlib
import os
import wave
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
import soundfile
from PIL import Image

from core.errors import PromptError
from core.prompt.base import Attachment
from core.prompt.media import prepare
from core.worker.client import library_worker

RED, BLUE = (255, 0, 0), (0, 0, 255)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], tuple[Attachment, Path]]:
    """Prepares a file; gives what came of it and where that lies."""
    folder = tmp_path_factory.mktemp("media") / "kept"

    def run(path: Path) -> tuple[Attachment, Path]:
        async def play() -> Attachment:
            library = library_worker()
            try:
                return await prepare(library, path, folder)
            finally:
                await library.close()

        try:
            found = asyncio.run(play())
        finally:
            if folder.exists():
                assert all(len(kept.name) == 64 for kept in folder.iterdir())  # nothing half-written stays
        return found, folder / found.digest

    return run


Ready = Callable[[Path], tuple[Attachment, Path]]


def refused(ready: Ready, path: Path) -> PromptError:
    with pytest.raises(PromptError) as failed:
        ready(path)
    assert failed.value.params["name"] == path.name
    return failed.value


def halves(size: tuple[int, int]) -> Image.Image:
    """Left red, right blue."""
    picture = Image.new("RGB", size, RED)
    picture.paste(BLUE, (size[0] // 2, 0, *size))
    return picture


def test_a_picture_is_kept_as_png_under_its_digest(ready: Ready, tmp_path: Path) -> None:
    path = tmp_path / "a picture.bmp"
    halves((6, 4)).save(path)
    found, kept = ready(path)
    data = kept.read_bytes()
    assert found == Attachment(
        "image", "a picture.bmp", hashlib.sha256(data).hexdigest(), "image/png", len(data), 6, 4
    )
    with Image.open(kept) as picture:
        assert picture.format == "PNG"
        assert picture.getpixel((0, 0)) == RED
        assert picture.getpixel((5, 3)) == BLUE
    assert kept.stat().st_mode & 0o077 == 0  # nobody else's to see
    assert ready(path)[0] == found


def test_a_turned_photo_comes_upright_and_tells_nothing_of_its_place(ready: Ready, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held on its side: turn right to see it
    exif[0x010F] = "Secret Camera"
    exif.get_ifd(0x8825)[1] = "N"
    halves((64, 32)).save(path, exif=exif, quality=95, comment=b"Secret comment")
    found, kept = ready(path)
    assert (found.width, found.height) == (32, 64)
    with Image.open(kept) as picture:
        top, bottom = picture.getpixel((16, 8)), picture.getpixel((16, 56))
        assert not picture.getexif()
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[0] > 200 > 50 > top[2]
    assert bottom[2] > 200 > 50 > bottom[0]
    assert b"Secret" not in kept.read_bytes()


def test_the_first_picture_of_an_animation_is_sent_and_said(ready: Ready, tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    Image.new("RGB", (4, 4), RED).save(
        path, save_all=True, append_images=[Image.new("RGB", (4, 4), BLUE)] * 2, duration=50
    )
    found, kept = ready(path)
    assert found.first_of == 2  # equal pictures of a GIF are one
    with Image.open(kept) as picture:
        assert picture.convert("RGB").getpixel((1, 1)) == RED


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_way_to_keep_colours_gives_the_same_grey(ready: Ready, tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.tiff" if mode == "CMYK" else "a.png")
    if mode == "I;16":
        Image.fromarray(numpy.full((2, 2), 255 << 8, dtype=numpy.uint16)).save(path)
    else:
        Image.new("L", (2, 2), 255).convert("RGB").convert(mode).save(path)
    found, kept = ready(path)
    with Image.open(kept) as picture:
        assert picture.mode in ("L", "LA", "RGB", "RGBA")
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert (found.width, found.height) == (2, 2)


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg", "mp3"])
def test_sound_becomes_one_channel_of_16_bits(ready: Ready, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"tone.{ending}"
    tone = numpy.sin(numpy.arange(16000) * 2 * numpy.pi * 440 / 16000) * 0.5
    soundfile.write(path, numpy.stack([tone, tone * 0], axis=1), 16000)
    found, kept = ready(path)
    assert (found.kind, found.mime) == ("sound", "audio/wav")
    with wave.open(str(kept)) as wav:
        assert (wav.getnchannels(), wav.getsampwidth(), wav.getframerate()) == (1, 2, 16000)
        samples = numpy.frombuffer(wav.readframes(wav.getnframes()), dtype="<i2")
        assert found.seconds == pytest.approx(wav.getnframes() / 16000)
    assert found.seconds == pytest.approx(1, abs=0.1)
    assert 0.2 < samples.max() / 32768 < 0.3  # the mean of a tone and of silence


def test_what_is_louder_than_a_wav_can_be_is_cut_not_turned_over(ready: Ready, tmp_path: Path) -> None:
    path = tmp_path / "loud.wav"
    soundfile.write(path, numpy.full(100, 1.5), 8000, subtype="FLOAT")
    _, kept = ready(path)
    with wave.open(str(kept)) as wav:
        assert numpy.frombuffer(wav.readframes(100), dtype="<i2").min() > 32000


@pytest.mark.parametrize(
    ("start", "mime"),
    [
        (b"\0\0\0\x20ftypisom", "video/mp4"),
        (b"\0\0\0\x14ftypqt  ", "video/quicktime"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", "video/webm"),
        (b"RIFF\0\0\0\0AVI LIST", "video/x-msvideo"),
    ],
)
def test_a_video_stays_as_it_is(ready: Ready, tmp_path: Path, start: bytes, mime: str) -> None:
    path = tmp_path / "a.txt"  # a name proves nothing
    path.write_bytes(start + bytes(1000))
    found, kept = ready(path)
    assert (found.kind, found.mime) == ("video", mime)
    assert kept.read_bytes() == path.read_bytes()


def test_what_it_is_not_is_said(ready: Ready, tmp_path: Path) -> None:
    text, empty, folder = tmp_path / "notes.png", tmp_path / "empty.wav", tmp_path / "folder"
    text.write_text("no picture")
    empty.touch()
    folder.mkdir()
    assert refused(ready, text).code == "media.unknown"
    assert refused(ready, empty).code == "media.unknown"
    assert refused(ready, folder).code == "media.unreadable"
    assert refused(ready, tmp_path / "gone.png").code == "media.unreadable"


def test_damage_is_said(ready: Ready, tmp_path: Path) -> None:
    path = tmp_path / "half.png"
    chance = numpy.random.default_rng(1)
    Image.fromarray(chance.integers(0, 255, (64, 64, 3), dtype=numpy.uint8)).save(path)
    path.write_bytes(path.read_bytes()[:4000])
    assert refused(ready, path).code == "media.unreadable"


def test_what_is_too_large_is_refused_before_it_is_read(ready: Ready, tmp_path: Path) -> None:
    bomb, big, long = tmp_path / "bomb.png", tmp_path / "big.mp4", tmp_path / "long.wav"
    Image.new("1", (10_000, 10_000)).save(bomb)
    with big.open("wb") as file:
        file.truncate(200_000_000)
    soundfile.write(long, numpy.zeros(601 * 1000), 1000, subtype="PCM_U8")
    for path in (bomb, big, long):
        failure = refused(ready, path)
        assert failure.code == "media.too_large"
        assert failure.params["size"]
        assert failure.params["limit"]


@pytest.mark.skipif(os.name != "posix", reason="names there are text")
def test_a_name_that_is_no_text_can_be_shown(ready: Ready, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.png"))
    halves((2, 2)).save(path, "PNG")
    assert ready(path)[0].name == "caf\ufffd.png"
