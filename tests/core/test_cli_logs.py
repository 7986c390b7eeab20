"""`tokenloupe logs`: of the server that is there, or of the last start, with a Docker in memory."""

from __future__ import annotations

import asyncio

import pytest

from core import cli_server
from core.cli_options import parser
from core.server.access import LABEL_LAUNCH, LABEL_SPEC
from tests.core.test_cli_up import tell
from tests.fakes.server_room import Room, run


def test_logs_without_keys_now_and_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        await program.runs("up", "--model", "tiny", "--wait")
        box = room.docker.box
        box.say("HF_TOKEN=hf_abcdefghijklmnopqrst", "\x1b[31mERROR\x1b[0m two")
        code, lines = await program.runs("logs")
        assert (code, lines[-2:]) == (0, ["HF_TOKEN=[hidden]", "ERROR two"])
        arguments = parser().parse_args(["logs", "-f"])
        task = asyncio.get_running_loop().create_task(cli_server.logs(arguments, program.opened))
        await room.time.until(lambda: room.docker.calls.count("logs") > 2)
        box.say("three")
        box.end(0, "four")
        await room.time.until(task.done)
        assert capsys.readouterr().out.splitlines()[-2:] == ["three", "four"]

    run(body)


def test_a_log_is_waited_for_and_ends_where_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """However late the first line comes, as through ssh, and where there is none."""

    async def body(room: Room) -> None:
        box = room.docker.add({LABEL_LAUNCH: "by-hand", LABEL_SPEC: ""})
        program = tell(room, capsys)
        assert await program.runs("logs") == (0, [])
        box.say("one")
        release = room.docker.hold("logs")
        task = asyncio.get_running_loop().create_task(program.command("logs"))
        await room.time.pass_(10)
        assert not task.done()
        release()
        await room.time.until(task.done)
        assert capsys.readouterr().out.splitlines() == ["one"]

    run(body)


def test_logs_of_the_last_start_where_no_server_is(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        assert await program.runs("logs") == (0, [])
        assert "none was started before" in program.err
        await program.runs("up", "--model", "tiny", "--wait")
        await program.runs("down")
        _, lines = await program.runs("logs")
        assert lines[-1] == "INFO:     Application startup complete."
        assert "no server is running" in program.err

    run(body)
