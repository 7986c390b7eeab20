"""Pictures and video on the real server: a tiny random Qwen3.5 with a vision tower and its real template.

Sound is not asked of a real server here: the CPU build runs no model of a family that takes it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.engines.base import Expanded, Finished, Sampling, TokenBatch
from core.engines.vllm.host import ServerChoice, ServerEngine
from core.errors import EngineError, PromptError
from core.paths import Paths, default_paths, resources
from core.prompt.base import Attachment, ChatMessage, PromptOptions
from core.prompt.media import prepare
from core.worker.client import WorkerClient, library_worker
from tests.conftest import test_cache
from tests.real.vllm.conftest import TESTS, TINY
from tests.real.vllm.server import RealServer, serving
from tests.reference.vocabularies import tokenizer_folder

GREEDY = Sampling(temperature=0.0, max_tokens=8, ignore_eos=True)
URLS = {"image": "image_url", "video": "video_url"}


@pytest.fixture(scope="module")
def vision(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "vision"
    template = tokenizer_folder("qwen3.5", test_cache()) / "chat_template.jinja"
    command = [sys.executable, TESTS / "reference" / "make_vision.py", TINY, template, out]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def server(vision: Path) -> Iterator[RealServer]:
    flags = ("--enable-scale-out", "--skip-mm-profiling", "--limit-mm-per-prompt")
    with serving(vision, *flags, '{"image": 3, "video": 1}') as one:
        yield one


class Chat:
    """The program's own engine, connected, and the files that it sends."""

    def __init__(self, address: str) -> None:
        self.paths: Paths = default_paths()
        self.worker, self.library = WorkerClient(), library_worker()
        self.runner = asyncio.Runner()
        self.run: Callable[[Coroutine[Any, Any, Any]], Any] = self.runner.run
        self.engine = ServerEngine(self.worker, self.paths, library=self.library)
        self.run(self.engine.open(ServerChoice(address)))

    def attach(self, path: Path) -> Attachment:
        found: Attachment = self.run(prepare(self.library, path, self.paths.media))
        return found

    def ask(self, messages: list[ChatMessage]) -> tuple[list[int], Expanded | None, Finished, list[int]]:
        """(ids sent, as they were read, the end, ids written)"""

        async def collect() -> tuple[list[int], Expanded | None, Finished, list[int]]:
            prompt = await self.engine.render(messages, PromptOptions())
            read: Expanded | None = None
            finished: Finished | None = None
            ids: list[int] = []
            asked = self.engine.generate(prompt.ids, GREEDY, top_candidates=5, media=prompt.media)
            async with aclosing(asked) as events:
                async for event in events:
                    if isinstance(event, Expanded):
                        read = event
                    elif isinstance(event, TokenBatch):
                        ids += [row.id for row in event.rows]
                    elif isinstance(event, Finished):
                        finished = event
            assert finished is not None
            return list(prompt.ids), read, finished, ids

        found: tuple[list[int], Expanded | None, Finished, list[int]] = self.run(collect())
        return found

    def close(self) -> None:
        for one in (self.engine, self.library, self.worker):
            self.run(one.close())
        self.runner.close()


@pytest.fixture
def chat(server: RealServer) -> Iterator[Chat]:
    one = Chat(server.address)
    yield one
    one.close()


def picture(path: Path, size: tuple[int, int], colour: tuple[int, int, int]) -> Path:
    Image.new("RGB", size, colour).save(path)
    return path


def rendered(server: RealServer, chat: Chat, messages: list[ChatMessage]) -> list[int]:
    """The server's own prompt of the same messages with the same files."""

    def content(message: ChatMessage) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        for one in message.attachments:
            data = base64.b64encode((chat.paths.media / one.digest).read_bytes()).decode()
            url = {"url": f"data:{one.mime};base64,{data}"}
            parts.append({"type": URLS[one.kind], URLS[one.kind]: url})
        return [*parts, {"type": "text", "text": message.content}]

    sent = [{"role": message.role, "content": content(message)} for message in messages]
    told = server.post("/v1/chat/completions/render", {"model": "tiny", "messages": sent})
    ids: list[int] = told["token_ids"]
    return ids


def test_pictures_are_read_as_the_server_itself_would(chat: Chat, server: RealServer, tmp_path: Path) -> None:
    one = chat.attach(picture(tmp_path / "one.jpg", (64, 64), (200, 10, 10)))
    other = chat.attach(picture(tmp_path / "other.png", (128, 96), (10, 10, 200)))
    messages = [
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "What is this? 日本", (one,)),
        ChatMessage("assistant", "Red."),
        ChatMessage("user", "And these?", (other, one)),
    ]
    sent, read, finished, ids = chat.ask(messages)
    assert read is not None
    assert list(read.ids) == rendered(server, chat, messages)
    assert [(span.attachment.name, span.message) for span in read.media] == [
        ("one.jpg", 1),
        ("other.png", 3),
        ("one.jpg", 3),
    ]
    assert [span.count for span in read.media] == [4, 12, 4]  # 32 × 32 pixels a token
    assert len(read.ids) == len(sent) + 3 + 11 + 3 == finished.prompt_tokens
    assert len(ids) == 8
    assert finished.server_prompt_tokens is None
    again = chat.ask(messages)
    assert again[1] == read
    assert again[3] == ids


def test_another_picture_gives_another_answer(chat: Chat, tmp_path: Path) -> None:
    """The file itself is read, not only its place."""
    noise = tmp_path / "noise.png"
    Image.effect_noise((64, 64), 90).convert("RGB").save(noise)
    first = chat.attach(picture(tmp_path / "black.png", (64, 64), (0, 0, 0)))
    answers = [chat.ask([ChatMessage("user", "What?", (one,))])[3] for one in (first, chat.attach(noise))]
    assert answers[0] != answers[1]


def test_a_video_is_read_as_the_server_itself_would(chat: Chat, server: RealServer) -> None:
    video = chat.attach(resources() / "probe" / "video.mp4")
    messages = [ChatMessage("user", "What moves?", (video,))]
    _, read, finished, ids = chat.ask(messages)
    assert read is not None
    assert list(read.ids) == rendered(server, chat, messages)
    assert read.media[0].count > 4
    assert finished.prompt_tokens == len(read.ids)
    assert len(ids) == 8


def test_what_it_takes_is_found_by_asking(chat: Chat) -> None:
    assert chat.engine.capabilities is not None
    assert not {"images", "sound", "video"} & {cell.name for cell in chat.engine.capabilities.cells}
    cells = {}
    for kind in ("image", "sound", "video"):
        found = chat.run(chat.engine.ask_media(kind))
        cells |= {cell.name: cell for cell in found.cells}
    assert (cells["images"].verdict, cells["images"].value) == ("yes", "4")
    assert cells["video"].verdict == "yes"
    assert cells["sound"].verdict == "no"  # the family's template has no place for it
    assert chat.run(chat.engine.ask_media("image")) is chat.engine.capabilities


def test_too_many_are_refused_in_the_servers_words(chat: Chat, tmp_path: Path) -> None:
    one = chat.attach(picture(tmp_path / "one.png", (32, 32), (1, 2, 3)))
    with pytest.raises(EngineError) as refused:
        chat.ask([ChatMessage("user", "?", (one,) * 4)])
    assert refused.value.code == "server.refused"
    assert "At most 3 image(s)" in refused.value.detail
    with pytest.raises(PromptError):
        chat.ask([ChatMessage("user", "<|image_pad|>", (one,))])


def test_the_command_line_sends_files(server: RealServer, tmp_path: Path) -> None:
    path = picture(tmp_path / "one.png", (64, 64), (200, 10, 10))
    command = [sys.executable, "-m", "core", "ask", "What is this?", "--url", server.address, "--json"]
    command += ["--image", str(path), "--max-tokens", "4", "--temperature", "0"]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    start, expanded = records[:2]
    assert start["media"][0]["name"] == "one.png"
    assert expanded["type"] == "expanded"
    assert expanded["media"][0]["count"] == 4
    assert len(expanded["prompt_ids"]) == len(start["prompt_ids"]) + 3
    media = default_paths().media
    assert not media.exists()  # nothing of it stays
