"""Which kinds of files a server takes: what it answers to a tiny one, in every way that it can answer."""

from __future__ import annotations

import asyncio
import base64
import wave
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.engines.vllm.capabilities import Cell
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.media import CELLS, sample
from core.errors import EngineError
from core.prompt.base import MediaKind, MediaSpan, Prompt
from core.worker.media_service import video_type
from tests.fakes.fake_vllm import Call, FakeVllm, error

KINDS: tuple[MediaKind, ...] = ("image", "sound", "video")
NAMES = {"image": "image", "sound": "audio", "video": "video"}


@dataclass
class Reader(FakeVllm):
    """`reads`: tokens for a file of each kind; `refusal`: what it says instead."""

    reads: int = 4
    refusal: tuple[int, Any] | None = None

    def _whole(self, call: Call) -> tuple[int, Any]:
        parts = call.body.get("content_parts") if isinstance(call.body, dict) else None
        if not parts:
            return super()._whole(call)
        if self.refusal is not None:
            return self.refusal
        status, answer = super()._whole(call)
        kind = parts[0]["type"].removesuffix("_url")
        places = {kind: [{"offset": 1, "length": self.reads}]} if self.reads else None
        return status, {**answer, "mm_placeholders": places}


def ask(server: Reader, kind: MediaKind, folder: Path) -> tuple[Cell, list[Call]]:
    """The line of this kind, and the requests for it."""

    async def play() -> tuple[Cell, list[Call]]:
        async with server.serve():
            engine = VllmEngine(server.address, files=folder)
            try:
                await engine.connect()
                server.calls.clear()
                one = sample(kind, folder)
                prompt = Prompt(
                    array("I", [7, 8, 9]), array("i", [-1] * 3), "", media=(MediaSpan(one, 0, 1),)
                )
                found = await engine.ask_media(prompt)
                assert found is engine.capabilities
                again = await engine.connect()  # the same run of the same server
                assert again.cell(CELLS[kind]) == found.cell(CELLS[kind])
                return found.cell(CELLS[kind]), server.calls
            finally:
                await engine.close()

    return asyncio.run(play())


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_taken(kind: MediaKind, tmp_path: Path) -> None:
    cell, calls = ask(Reader(scale_out=True), kind, tmp_path)
    assert (cell.name, cell.verdict, cell.value) == (CELLS[kind], "yes", "4")
    assert "read as 4 tokens" in cell.evidence
    body = calls[0].body
    assert body["token_ids"] == [7, 8, 9]
    assert body["sampling_params"]["max_tokens"] == 1
    (part,) = body["content_parts"]
    assert part["type"] == f"{NAMES[kind]}_url"
    assert (
        base64.b64decode(part["url"].split(",")[1]) == (tmp_path / sample(kind, tmp_path).digest).read_bytes()
    )


def test_a_kind_that_is_refused_has_the_servers_words(tmp_path: Path) -> None:
    for status in (400, 422, 500):
        words = "At most 0 image(s) may be provided in one prompt."
        cell, _ = ask(Reader(scale_out=True, refusal=(status, error(words, status))), "image", tmp_path)
        assert (cell.verdict, cell.value) == ("no", "")
        assert cell.evidence.endswith(f"{status} {words}")


def test_one_that_leaves_no_token_is_not_taken_for_read(tmp_path: Path) -> None:
    cell, _ = ask(Reader(scale_out=True, reads=0), "image", tmp_path)
    assert cell.verdict == "unknown"


def test_the_other_route_is_not_even_asked(tmp_path: Path) -> None:
    cell, calls = ask(Reader(), "image", tmp_path)
    assert cell.verdict == "no"
    assert "--enable-scale-out" in cell.evidence
    assert not any("content_parts" in (call.body or {}) for call in calls)


def test_an_engine_that_dies_of_it_and_a_wrong_key_are_no_refusals(tmp_path: Path) -> None:
    for server, code in (
        (
            Reader(scale_out=True, healthy=False, refusal=(500, error("EngineCore", 500))),
            "server.engine_dead",
        ),
        (Reader(scale_out=True, refusal=(401, {"error": "Unauthorized"})), "server.key"),
    ):
        with pytest.raises(EngineError) as failed:
            ask(server, "image", tmp_path)
        assert failed.value.code == code


def test_the_tiny_files_are_what_they_say(tmp_path: Path) -> None:
    image, sound, video = (tmp_path / sample(kind, tmp_path).digest for kind in KINDS)
    with Image.open(image) as picture:
        assert (picture.format, picture.size) == ("PNG", (64, 64))
        assert picture.getpixel((10, 10)) == (255, 0, 0)
        assert picture.getpixel((10, 60)) == (0, 0, 255)
    with wave.open(str(sound)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (16000, 1, 8000)
    assert video_type(video.read_bytes()[:64]) == "video/mp4"
