"""Files beside the ids: sent piece by piece, and what the server made of their placeholders."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import msgspec
import pytest

from core.engines.base import Expanded, Finished, Sampling, TokenBatch
from core.engines.vllm.attached import Body
from core.engines.vllm.engine import VllmEngine
from core.engines.vllm.expansion import expanded
from core.engines.vllm.wire import PlaceholderRange
from core.errors import EngineError
from core.prompt.base import Attachment, MediaSpan
from tests.fakes.fake_vllm import FakeVllm

IMAGE = Attachment("image", "cat.png", "a" * 64, "image/png", 100_000)
SOUND = Attachment("sound", "mew.wav", "b" * 64, "audio/wav", 7)
# as recorded: chat text, one placeholder, and the same with four in its place
SENT = (1, 1574, 201, 3004, 3006, 3005, 42, 75, 2, 201, 1, 67, 320, 634, 797, 201)
TOLD = (1, 1574, 201, 3004, 3006, 3006, 3006, 3006, 3005, 42, 75, 2, 201, 1, 67, 320, 634, 797, 201)
SPAN = MediaSpan(IMAGE, 0, 4)
RANGES = {"image": [PlaceholderRange(4, 4)]}


def ranges(**kinds: list[tuple[int, int]]) -> dict[str, list[PlaceholderRange]]:
    return {kind: [PlaceholderRange(*one) for one in found] for kind, found in kinds.items()}


def test_the_recorded_expansion_is_understood() -> None:
    read = expanded(SENT, [SPAN], TOLD, RANGES)
    assert read.ids == TOLD
    assert read.media == (MediaSpan(IMAGE, 0, 4, 4, expanded=True),)


def test_several_kinds_each_have_their_own_range() -> None:
    """A range may take the template's tokens beside the placeholder with it, as video does for Qwen."""
    spans = [MediaSpan(IMAGE, 0, 1), MediaSpan(SOUND, 0, 3), MediaSpan(IMAGE, 2, 7)]
    sent = (1, 50, 2, 60, 3, 4, 49, 50, 51, 5)
    told = (1, 50, 50, 2, 70, 60, 71, 3, 4, 90, 50, 91, 50, 5)
    read = expanded(sent, spans, told, ranges(image=[(1, 2), (9, 4)], audio=[(4, 3)]))
    assert [(span.attachment, span.first, span.count) for span in read.media] == [
        (IMAGE, 1, 2),
        (SOUND, 4, 3),
        (IMAGE, 9, 4),
    ]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (TOLD[:-1], RANGES),
        ((*TOLD[:-1], 7), RANGES),
        ((7, *TOLD[1:]), RANGES),
        (TOLD, None),
        (TOLD, {}),
        (TOLD, ranges(image=[(4, 3)])),
        (TOLD, ranges(image=[(4, 4), (9, 1)])),
        (TOLD, ranges(image=[(5, 3)])),
        (TOLD, ranges(image=[(4, 99)])),
        (TOLD, ranges(image=[(4, 0)])),
        (TOLD, ranges(image=[(-4, 4)])),
        (TOLD, ranges(video=[(4, 4)])),
        (SENT, RANGES),
    ],
)
def test_anything_else_is_another_prompt(
    told: tuple[int, ...], found: dict[str, list[PlaceholderRange]] | None
) -> None:
    with pytest.raises(EngineError) as failed:
        expanded(SENT, [SPAN], told, found)
    assert failed.value.code == "server.prompt_differs"


# --- the request ---------------------------------------------------------------------------------------


def files(folder: Path) -> tuple[bytes, bytes]:
    image, sound = bytes(range(256)) * 400, b"RIFF123"
    (folder / IMAGE.digest).write_bytes(image)
    (folder / SOUND.digest).write_bytes(sound)
    return image, sound


def test_files_are_one_part_each_in_the_shape_of_the_route(tmp_path: Path) -> None:
    image, sound = files(tmp_path)
    body = Body(b'{"token_ids":[1,2],"stream":true}', [IMAGE, SOUND], tmp_path)

    async def read() -> bytes:
        pieces = [piece async for piece in body]
        assert max(map(len, pieces)) < 200_000
        return b"".join(pieces)

    raw = asyncio.run(read())
    assert len(raw) == body.length
    assert json.loads(raw) == {
        "token_ids": [1, 2],
        "stream": True,
        "content_parts": [
            {"type": "image_url", "url": "data:image/png;base64," + base64.b64encode(image).decode()},
            {"type": "audio_url", "url": "data:audio/wav;base64," + base64.b64encode(sound).decode()},
        ],
    }


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as failed:
        Body(b"{}", [IMAGE], tmp_path)
    assert failed.value.code == "media.gone"
    assert failed.value.params["name"] == "cat.png"


# --- an answer -----------------------------------------------------------------------------------------


def stream(told: tuple[int, ...], places: dict[str, list[dict[str, int]]] | None) -> bytes:
    first = {
        "request_id": "r",
        "prompt_token_ids": told,
        "mm_placeholders": places,
        "choices": [{"index": 0, "finish_reason": None, "token_ids": [1593], "logprobs": None}],
    }
    last = {"request_id": "r", "choices": [{"index": 0, "finish_reason": "length", "token_ids": [75]}]}
    usage = {
        "request_id": "r",
        "usage": {"prompt_tokens": len(told), "total_tokens": len(told) + 2, "completion_tokens": 2},
        "choices": [],
    }
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in (first, last, usage)) + (
        b"data: [DONE]\n\n"
    )


PLACES = {"image": [{"offset": 4, "length": 4}]}


async def gather(answer: AsyncIterator[object], events: list[object]) -> None:
    async for event in answer:
        keep = events.append  # what came before a failure stays
        keep(event)


async def answers(folder: Path, server: FakeVllm, streams: list[bytes]) -> list[list[object]]:
    """The events of one answer for each stream; a failure is the last of its events."""
    found: list[list[object]] = []
    async with server.serve():
        engine = VllmEngine(server.address, files=folder)
        await engine.connect()
        for body in streams:
            server.stream = body
            events: list[object] = []
            found.append(events)
            asked = engine.generate(SENT, Sampling(temperature=0.0), top_candidates=5, media=[SPAN])
            try:
                async with aclosing(asked) as answer:
                    await gather(answer, events)
            except EngineError as error:
                events.append(error)
        await engine.close()
    return found


def test_an_answer_tells_the_prompt_as_it_was_read(tmp_path: Path) -> None:
    image, _ = files(tmp_path)
    server = FakeVllm(scale_out=True)
    (events,) = asyncio.run(answers(tmp_path, server, [stream(TOLD, PLACES)]))
    _, read, *batches, finished = events
    assert read == Expanded(TOLD, (MediaSpan(IMAGE, 0, 4, 4, expanded=True),))
    assert [row.id for batch in batches if isinstance(batch, TokenBatch) for row in batch.rows] == [1593, 75]
    assert isinstance(finished, Finished)
    assert finished.prompt_tokens == len(TOLD)
    assert finished.server_prompt_tokens is None
    (call,) = server.asked
    assert call.body["token_ids"] == list(SENT)
    assert call.body["return_token_ids"] is True
    assert base64.b64decode(call.body["content_parts"][0]["url"].split(",")[1]) == image


def test_two_known_expansions_that_differ_end_the_answer(tmp_path: Path) -> None:
    files(tmp_path)
    longer = (*TOLD[:5], 3006, *TOLD[5:])
    first, same, other = asyncio.run(
        answers(
            tmp_path,
            FakeVllm(scale_out=True),
            [
                stream(TOLD, PLACES),
                stream(TOLD, PLACES),
                stream(longer, {"image": [{"offset": 4, "length": 5}]}),
            ],
        )
    )
    assert isinstance(first[-1], Finished)
    assert isinstance(same[-1], Finished)
    assert isinstance(other[-1], EngineError)
    assert other[-1].code == "server.expansion_differs"
    assert not any(isinstance(event, TokenBatch | Expanded) for event in other)


def test_a_prompt_that_was_read_otherwise_ends_the_answer(tmp_path: Path) -> None:
    files(tmp_path)
    (events,) = asyncio.run(answers(tmp_path, FakeVllm(scale_out=True), [stream((9, *TOLD[1:]), PLACES)]))
    assert isinstance(events[-1], EngineError)
    assert events[-1].code == "server.prompt_differs"


def test_the_other_route_takes_no_files(tmp_path: Path) -> None:
    files(tmp_path)
    (events,) = asyncio.run(answers(tmp_path, FakeVllm(), [b""]))
    assert [msgspec.structs.asdict(one) for one in events if isinstance(one, msgspec.Struct)] == []
    assert isinstance(events[-1], EngineError)
    assert events[-1].code == "media.route"
