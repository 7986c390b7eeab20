"""`tokenloupe up`, `down`, `status` on the real controller, with a Docker in memory."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core import cli_server, cli_steps
from core.cli_options import parser
from core.cli_server import Desk, changed, status_lines
from core.errors import DockerError, EngineError, ModelError, SettingsError
from core.models.search import HubModel
from core.server.access import LABEL_LAUNCH, LABEL_SPEC
from core.server.finding import Collision, Finding, Fix
from core.server.launcher import Doctor
from core.server.launches import Launches
from core.server.spec import GIB, LaunchSpec
from core.server.state import ServerPhase, ServerState, Step, StepStatus
from tests.fakes.hub.server import COMMIT
from tests.fakes.server_room import Room, loading, run

P = ServerPhase
SMALL = Finding(
    "kv_small",
    {"context": 3_000_000, "needed": 1.43, "free": 1.0, "fitting": 2_097_024},
    line="ValueError: To serve at least one request …",
    collision=Collision("kv_cache", "bytes", 1.43 * GIB, 1.0 * GIB, 2.0 * GIB),
    fixes=(
        Fix("context", "start", changes={"context": 2_097_024}),
        Fix("other_port", "start", changes={"port": 8001}),
        Fix("group", "copy", {"command": "sudo usermod -aG docker $USER"}),
    ),
)


class Program:
    """One run of the command line in a room. `out`: the lines of its stdout so far."""

    def __init__(self, room: Room, capsys: pytest.CaptureFixture[str]) -> None:
        self._room = room
        self._capsys = capsys
        self.err = ""
        self.doctor = Doctor()
        self.asked: list[str] = []
        (Path(room.spec.folder) / "tokenizer.json").write_text("{}")

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Desk]:
        program = self._room.program("cli")

        async def doctor() -> Doctor:
            return self.doctor

        program.doctor = doctor  # type: ignore[method-assign]
        try:
            yield Desk(program, self._room.docker, self._room.paths, self.look)
        finally:
            await program.close(leave=True)

    async def look(self, named: str) -> HubModel:
        """What the hub says; "org/new" is all that it has."""
        self.asked.append(named)
        if not named.startswith("org/new"):
            raise ModelError("hub.no_repo", repo=named)
        return HubModel("org/new", COMMIT, "llama", (), "llama", "", whole=True)

    async def command(self, *words: str) -> int:
        arguments = parser().parse_args(words)
        code: int = await getattr(cli_server, arguments.command)(arguments, self.opened)
        return code

    async def runs(self, *words: str) -> tuple[int, list[str]]:
        code = await self._room.does(self.command(*words))
        said = self._capsys.readouterr()
        self.err = said.err
        return code, said.out.splitlines()

    async def tells(self, *words: str) -> tuple[int, list[dict[str, Any]]]:
        code, lines = await self.runs(*words, "--json")
        return code, [json.loads(line) for line in lines]


def tell(room: Room, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(room, capsys)


def test_up_wait_tells_each_step_and_leaves_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        code, lines = await program.runs("up", "--model", "tiny", "--port", "8400", "--wait")
        assert (code, program.err) == (0, "")
        assert [line.split("  ")[0] for line in lines[:-1]] == list(cli_steps.NAMES.values())
        assert lines[-1] == "Ready: tiny on the CPU at http://127.0.0.1:8400"
        assert all(" s" in line for line in lines[:-1])
        assert len(room.docker.running) == 1
        code, told = await program.tells("up", "--model", "tiny", "--port", "8400", "--wait")
        assert (code, told[-1]["phase"], told[-1]["address"]) == (0, "ready", "http://127.0.0.1:8400")
        assert len(room.docker.boxes) == 1
        assert room.docker.calls.count("compose up") == 1  # it was the very same server
        room.checked = Finding("no_gpu", {"arch": "amd64"})
        assert (await program.runs("up", "--model", "tiny", "--device", "gpu"))[0] == 6
        assert "There is no GPU" in program.err
        assert len(room.docker.running) == 1  # not given up for what cannot be

    run(body)


def test_a_gpu_that_only_the_doctor_doubts_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever names it may know better; so of a processor that nothing runs on."""

    async def body(room: Room) -> None:
        program = tell(room, capsys)
        lacks = Finding("processor_old", {"needed": "AVX2"})
        program.doctor = Doctor(finding=lacks, no_gpu=Finding("no_nvidia"), no_cpu=lacks)
        room.checked = Finding("no_nvidia", {"name": "RTX", "driver": "580"}, severity="warn")
        code, lines = await program.runs("up", "--model", "tiny", "--device", "gpu", "--wait")
        assert (code, lines[-1].split(" at ")[0]) == (0, "Ready: tiny on the GPU")
        program.doctor = Doctor(finding=Finding("docker_no_compose"))
        assert (await program.runs("up", "--model", "tiny"))[0] == 6
        assert room.docker.calls.count("compose up") == 1

    run(body)


def test_up_returns_when_the_container_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        room.docker.on_up = loading
        program = tell(room, capsys)
        code, lines = await program.runs("up", "--model", "tiny")
        assert code == 0
        assert "is starting on the CPU" in lines[0]
        assert "status" in lines[1]
        (box,) = room.docker.running
        code, told = await program.tells("status")
        assert (code, told[0]["phase"], told[0]["container"]) == (0, "loading", box.value.id)
        box.up("tiny")
        code, lines = await program.runs("up", "--model", "tiny", "--wait")
        assert (code, lines[-1].split(":")[0]) == (0, "Ready")
        assert room.docker.running == [box]

    run(body)


def test_what_kept_it_from_starting_is_told_with_its_numbers_and_fixes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def body(room: Room) -> None:
        room.checked = SMALL
        program = tell(room, capsys)
        code, told = await program.tells("up", "--model", "tiny", "--wait")
        assert code == 6
        error = told[-1]
        assert (error["type"], error["code"], error["detail"]) == ("error", "kv_small", SMALL.line)
        assert error["numbers"]["free"] == GIB
        assert [fix["command"] for fix in error["fixes"]] == [
            "tokenloupe up --wait --model tiny --set context=2097024",
            "tokenloupe up --wait --model tiny --port 8001",
            "sudo usermod -aG docker $USER",
        ]
        lines = program.err.splitlines()
        assert lines[0].startswith("tokenloupe: ")
        assert any("1.43 GiB asked, 1.00 GiB of 2.00 GiB free" in line for line in lines)
        assert any(SMALL.line in line for line in lines)
        assert sum("→" in line for line in lines) == 3
        assert not room.docker.boxes

    run(body)


def test_where_there_is_no_docker_nothing_is_prepared(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        program.doctor = Doctor(finding=Finding("docker_stopped"))
        assert (await program.runs("up", "--wait"))[0] == 6  # the built-in model, which is not on disk
        assert "Docker is installed but not running" in program.err
        assert not (room.paths.models / "built-in").exists()

    run(body)


def test_an_error_of_asking_is_told_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        room.ask_errors = [EngineError("server.key", address="x")]
        with pytest.raises(EngineError) as caught:
            await tell(room, capsys).runs("up", "--model", "tiny", "--wait")
        assert caught.value.code == "server.key"
        assert not room.docker.boxes

    run(body)


@pytest.mark.parametrize("wait", [True, False])
def test_an_interrupted_start_leaves_nothing(capsys: pytest.CaptureFixture[str], wait: bool) -> None:
    async def body(room: Room) -> None:
        release = room.docker.hold("compose up, network made" if not wait else "disk")
        room.docker.on_up = loading
        program = tell(room, capsys)
        arguments = parser().parse_args(["up", "--model", "tiny", *(["--wait"] if wait else [])])
        task = asyncio.get_running_loop().create_task(cli_server.up(arguments, program.opened))
        await room.time.until(lambda: room.docker.boxes if wait else room.docker.networks)
        task.cancel()
        await room.time.until(task.done)
        release()
        assert task.cancelled()
        assert not room.docker.boxes and not room.docker.networks

    run(body)


def test_down_is_idempotent_whoever_has_started_it(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        await program.runs("up", "--model", "tiny", "--wait")
        assert await program.tells("down") == (0, [{"type": "stopped", "was_there": True}])
        assert not room.docker.boxes
        assert await program.runs("down") == (0, ["No server of Token Loupe was there."])
        room.docker.add({LABEL_LAUNCH: "by-hand", LABEL_SPEC: ""}, port=8400)
        assert await program.runs("down") == (0, ["Stopped."])
        assert not room.docker.boxes

    run(body)


def test_status_of_each_kind_of_server(capsys: pytest.CaptureFixture[str]) -> None:
    async def body(room: Room) -> None:
        program = tell(room, capsys)
        assert await program.runs("status") == (0, ["No server of Token Loupe is running."])
        await program.runs("up", "--model", "tiny", "--port", "8400", "--wait")
        _, (told,) = await program.tells("status")
        (record,) = Launches(room.paths.data / "launches").all()
        assert {name: told[name] for name in ("phase", "model", "device", "address", "by", "launch")} == {
            "phase": "ready",
            "model": "tiny",
            "device": "cpu",
            "address": "http://127.0.0.1:8400",
            "by": "cli",
            "launch": record.id,
        }
        _, lines = await program.runs("status")
        assert lines[0].startswith("Ready")
        assert record.id in lines[1]
        room.docker.leave()
        with pytest.raises(DockerError) as caught:
            await program.runs("status")
        assert caught.value.code == "docker.stopped"

    run(body)


def test_the_words_of_a_status() -> None:
    spec = LaunchSpec(model="m", folder="/m", device="gpu")
    step = Step(P.LOADING, StepStatus.RUNNING, 1.0, 65.0, note="shards", params={"done": 1, "total": 2})
    starting = ServerState(P.LOADING, spec, (step,), by="hand", ours=False, launch="x1")
    assert status_lines(starting) == [
        "Starting m on the GPU: Load        1 min 5 s  Reading the weights, 1 of 2 files",
        "vLLM 0.32.0, started by hand, launch x1",
    ]
    ready = ServerState(P.READY, spec, by="window", ours=False)
    assert status_lines(ready, 3600.0) == [
        "Ready, up 1 h 0 min: m on the GPU at http://127.0.0.1:8000",
        "vLLM 0.32.0, started by the window",
    ]
    lost = ServerState(P.LOST, spec, finding=SMALL)
    assert status_lines(lost)[0] == "Gone: m on the GPU"
    assert len(status_lines(lost)) > 5


def test_a_terminal_shows_the_step_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Step] = []
    now = [100.0]
    lines = cli_steps.StepLines(told.append, sys.stdout, lambda: now[0])
    running = Step(P.COMPILING, StepStatus.RUNNING, 10.0, 0.0, estimate=68.0, note="compile_cold")
    state = ServerState(P.COMPILING, steps=(running,), began=49.0, last_line_at=95.0, launch="a")
    lines(state)
    assert capsys.readouterr().out == (
        "\r\x1b[KCompile    41.0 s of ~1 min 8 s  Compiling, with what the cache has"
    )
    now[0] = 129.0
    lines(state)
    assert "nothing new for 34 s" in capsys.readouterr().out
    lines(msgspec.structs.replace(state, last_line_at=None, container="c"))
    assert "no log line for 70 s" in capsys.readouterr().out
    done = msgspec.structs.replace(running, status=StepStatus.DONE, seconds=80.0)
    for _ in range(2):
        lines(msgspec.structs.replace(state, steps=(done,)))
    assert told == [done]
    said = "Compiling, with what the cache has"
    assert cli_steps.step_line(done) == f"Compile    1 min 20 s  {said}"


@pytest.mark.parametrize("pair", ["folder=/x", "context=many", "gpu_share=2", "eager", "=1"])
def test_what_cannot_be_set_is_refused(pair: str) -> None:
    with pytest.raises(SettingsError):
        changed(LaunchSpec(model="m", folder="/m"), [pair, "context=0"])


def test_what_can_be_set() -> None:
    spec = LaunchSpec(model="m", folder="/m", context=5)
    pairs = ["context=", "eager=true", "gpu_share=0.5", 'speculative={"method": "mtp"}', "version=0.33.0"]
    assert changed(spec, pairs) == LaunchSpec(
        model="m", folder="/m", eager=True, gpu_share=0.5, speculative='{"method": "mtp"}', version="0.33.0"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_command_that_waits_for_docker(tmp_path: Path, number: signal.Signals) -> None:
    """A docker program that never answers: the command ends at once, and so does the program it started."""
    program = tmp_path / "docker"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 600\n")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop", "status"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
            assert process.poll() is None and time.monotonic() < deadline
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
