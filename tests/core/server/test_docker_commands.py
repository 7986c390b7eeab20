"""Commands of Docker: what goes in and comes out, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from pathlib import Path

import psutil
import pytest

from core.errors import DockerError, WorkerLost
from core.server import docker
from core.server.docker_errors import recognise
from tests.fakes.failing_docker import Access, World, code_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the program that fails is a shell script")
CASES = Path(__file__).parents[2] / "cases" / "progress"


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("alone", "version"), [("v2.26.1", "2.26.1"), ("docker-compose version 1.29.2", ""), ("", "")]
)
def test_d06_a_stand_alone_compose_stands_in_if_it_is_version_2(
    use: World, tmp_path: Path, alone: str, version: str
) -> None:
    if alone:
        (tmp_path / "bin" / "docker-compose").symlink_to("docker")

    async def function(access: Access) -> None:
        assert (await access.find()).compose == version
        if not version:
            assert await code_of(access.up()) == "docker.no_compose"
            return
        assert (await access.up()).code == 0
        asked = (access.notes / "asked").read_text().splitlines()[-1]
        # this version's plain text is understood, JSON it does not know
        expected = "--ansi never --project-name tokenloupe --progress plain --file a b.yaml up -d"
        assert asked == expected

    use(function, "no_compose", FAKE_ALONE=alone)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("rate_limit", "toomanyrequests: You have reached your unauthenticated pull rate limit"),
        ("no_manifest", "no matching manifest for linux/arm64/v8"),
        ("no_cred_helper", 'exec: "docker-credential-desktop": executable file not found in $PATH'),
        ("name_conflict", 'The container name "/tokenloupe-vllm-1" is already in use'),
    ],
)
def test_d09_d12_d25_v02_a_refused_start_is_told_in_words(use: World, scenario: str, words: str) -> None:
    async def function(access: Access) -> None:
        ended = await access.up()
        assert ended.code == 1 and words in ended.err
        assert recognise(ended.err) == ""  # Docker itself is well

    use(function, scenario)


def test_d10_a_pull_that_breaks_off_is_told_each_time_and_never_goes_back(use: World) -> None:
    async def function(access: Access) -> None:
        ended = [await access.compose(["x"], ["pull"], {}, access.told.append) for _ in range(3)]
        assert [one.code for one in ended] == [1, 1, 0]
        assert "unexpected EOF" in ended[0].err
        amounts = [one.current for one in access.told if one.id == "Image x" and one.total]
        assert amounts == [700] * 9 + [1000]

    use(function, "pull_eof")


def test_d17_names_of_all_kinds_go_in_and_bytes_of_all_kinds_come_out(use: World) -> None:
    async def names(access: Access) -> None:
        value = "Modèles/模型 🧪 $HOME \"q\" {json: 'x'}:\t\\"
        ended = await access.compose([f"/m/{value}.yaml"], ["config"], {"FAKE_SAYS": value})
        assert f"--file /m/{value}.yaml config" in ended.out
        assert ended.out.splitlines()[-1] == value

    async def bytes_(access: Access) -> None:
        assert (await access.up()).out.splitlines() == ["Mod\ufffdles 模型", "next", "last"]

    use(names, "say", LC_ALL="C")
    use(names, "say", LC_ALL="C", SOMETHING_ELSE=os.fsdecode(b"Mod\xe8les"))
    use(bytes_, "bytes", LC_ALL="C")


def test_d23_a_progress_of_cursor_codes_is_understood(use: World) -> None:
    async def function(access: Access) -> None:
        ended = await access.up()
        assert "\x1b" not in ended.err
        assert {one.id for one in access.told} >= {"layer 0", "layer 1", "layer 2"}

    use(function, "ansi", FAKE_TEXT=str(CASES / "pull_progress_ansi.txt"))


def test_a_value_of_the_environment_is_nowhere_but_there(
    use: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def function(access: Access) -> None:
        lines: list[str] = []
        access.library.lines.connect(lines.append)
        ended = await access.up(VLLM_API_KEY="hush-hush-0000")
        assert ended.code == 1
        # an environment that no process can have
        with pytest.raises(DockerError) as raised:
            await access.up(VLLM_API_KEY="hush-hush-0000\0")
        everything = f"{lines} {raised.value} {raised.value.__cause__!r} {ended} {caplog.text}"
        assert "hush" not in everything
        assert "hush" not in (access.notes / "asked").read_text()

    use(function, "rate_limit")


@pytest.mark.parametrize("stubborn", ["0", "1"])
def test_a_cancelled_command_has_ended_when_the_cancel_is_through(use: World, stubborn: str) -> None:
    async def function(access: Access) -> None:
        running = asyncio.Event()
        task = asyncio.ensure_future(access.compose(["x"], ["up"], {}, lambda _: running.set()))
        await running.wait()
        started = access.running()
        assert len(started) == 2
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert access.running() == []

    use(function, "slow", FAKE_STUBBORN=stubborn)


def test_a_stop_that_hangs_has_an_end(use: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(docker.COMPOSE_SECONDS, "down", 2.0)

    async def function(access: Access) -> None:
        assert await code_of(access.compose(["x"], ["down"], {})) == "docker.slow"
        assert access.running() == []

    use(function, "slow")


@pytest.mark.parametrize("how", ["killed", "closed"])
def test_nothing_outlives_the_child_however_it_ends(use: World, how: str) -> None:
    async def function(access: Access) -> None:
        running = asyncio.Event()
        task = asyncio.ensure_future(access.compose(["x"], ["up"], {}, lambda _: running.set()))
        await running.wait()
        started = access.running()
        pid = access.library.pid
        assert len(started) == 2 and pid is not None
        if how == "killed":
            os.kill(pid, signal.SIGKILL)
        else:
            await access.library.close()  # as when the window is gone: its requests end
        with pytest.raises(DockerError) as raised:
            await task
        assert raised.value.code == "docker.lost" and isinstance(raised.value.__cause__, WorkerLost)
        gone, alive = psutil.wait_procs(started, timeout=10)
        assert len(gone) == 2 and not alive

    use(function, "slow", FAKE_STUBBORN="1")
