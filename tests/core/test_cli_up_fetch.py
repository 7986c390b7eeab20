"""`tokenloupe up` with a model that is not on this computer: fetched in the same start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelError
from tests.core.test_cli_up import tell
from tests.fakes.hub.server import COMMIT
from tests.fakes.server_room import Room, begin, run


@pytest.mark.parametrize("wait", [True, False])
def test_a_model_that_is_not_here_is_fetched_first(capsys: pytest.CaptureFixture[str], wait: bool) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        words = ["up", "--model", "org/new", "--port", "18400", *(["--wait"] if wait else [])]
        task = begin(program.command(*words))
        await room.time.until(lambda: room.source.told)
        room.source.tell(phase="fetching", done=500_000_000, total=2_000_000_000, speed=5e7, left=30.0)
        room.source.arrive()
        await room.time.until(task.done)
        lines = capsys.readouterr().out.splitlines()
        assert program.asked == ["org/new"]
        assert "Downloading the model, 0.50 of 2.00 GB, 50.0 MB/s, 30.0 s left" in lines[2]
        assert lines[3].startswith("Weights") and "every file checked" in lines[3]
        assert ("Ready: org/new" in lines[-1]) is wait
        assert room.docker.running[0].serves == ("org/new",)

    run(body)


def test_what_an_interrupted_download_leaves_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        task = begin(program.command("up", "--model", "org/new", "--wait", "--json"))
        await room.time.until(lambda: room.source.told)
        room.source.tell(phase="fetching", done=500, total=2_000)
        task.cancel()
        await room.time.until(task.done)
        assert task.cancelled() and room.source.cut == 1
        said = capsys.readouterr()
        assert "goes on from there" in said.err
        step = json.loads(said.out.splitlines()[-1])
        assert (step["step"], step["status"], step["done"], step["total"]) == (
            "weights",
            "running",
            500,
            2_000,
        )
        assert not room.docker.boxes

    run(body)


@pytest.mark.parametrize(
    "words", [("--model", "nowhere"), ("--model", "org/new", "--no-fetch"), ("--model", "/no/folder")]
)
def test_the_hub_is_asked_only_for_what_may_be_there(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        with pytest.raises(ModelError) as caught:
            await program.runs("up", *words)
        assert caught.value.code == "model.not_found" and program.asked == []

    run(body)


def test_a_known_commit_on_disk_asks_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        room.source.arrive()
        (Path(room.source.spec.folder) / "tokenizer.json").write_text("{}")
        program = tell(room, capsys)
        code, _ = await program.runs("up", "--model", f"org/new@{COMMIT}", "--wait")
        assert (code, program.asked, room.source.weighed) == (0, [], 0)

    run(body)
