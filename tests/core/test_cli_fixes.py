"""What `tokenloupe up` and `status` suggest after a failure: commands that keep what was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import cli_steps
from core.cli_options import parser
from core.cli_server import changed, status_lines
from core.server.finding import Fix
from core.server.spec import GIB, LaunchSpec
from core.server.state import ServerPhase, ServerState
from tests.core.test_cli_up import SMALL, tell
from tests.fakes.server_room import Room, run


def test_the_commands_of_fixes_keep_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        room.checked = SMALL
        program = tell(room, capsys)
        words = "--model tiny --device cpu --port 18500 --set eager=true --set context=4096 --set version="
        _, told = await program.tells("up", *words.split(), "--wait")
        assert [fix["command"] for fix in told[-1]["fixes"][:2]] == [
            "tokenloupe up --wait --model tiny --device cpu --port 18500 --set eager=true"
            " --set context=2097024 --set version=",
            "tokenloupe up --wait --model tiny --device cpu --port 8001 --set eager=true"
            " --set context=4096 --set version=",
        ]

    run(body)


def test_a_status_knows_how_the_lost_server_was_started() -> None:
    spec = LaunchSpec(model="tiny", folder="/m/tiny", port=18400, eager=True, memory=GIB)
    lines = status_lines(ServerState(ServerPhase.LOST, spec=spec, finding=SMALL), 0.0)
    kept = "--port 18400 --set eager=true --set memory=1073741824 --set context=2097024"
    assert any(line.endswith(f"--model /m/tiny {kept}") for line in lines), lines


def test_a_switch_that_is_refused_says_what_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        (Path(room.other.folder) / "tokenizer.json").write_text("{}")
        await program.runs("up", "--model", "tiny", "--wait")
        room.checked = SMALL
        code, _ = await program.runs("up", "--model", "other", "--wait")
        assert code == 6 and "What ran before goes on. Ready: tiny on the CPU at http" in program.err
        assert len(room.docker.running) == 1

    run(body)


def test_the_commands_of_fixes_are_ones_that_the_program_takes() -> None:
    for fix in SMALL.fixes[:2]:
        words = cli_steps.command(fix, "my model", {}).split(" ")
        assert "'my" in words
        arguments = parser().parse_args([*words[1:3], "--model", "x", *words[-2:]])
        if arguments.set:
            spec = changed(LaunchSpec(model="m", folder="/m"), arguments.set)
            assert spec.context == 2_097_024
        else:
            assert arguments.port == 8001


def test_a_command_is_said_once() -> None:
    fix = Fix("start_docker_command", "copy", {"command": "sudo systemctl start docker"})
    assert cli_steps.fix_line(fix, "tiny", {}).count("systemctl") == 1
