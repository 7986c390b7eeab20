"""The access to Docker with a program that fails as the real one does; and that nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import DockerError, WorkerLost
from core.server import contexts, docker
from core.server.access import Ended, Progress
from core.server.docker import DockerCli
from core.server.docker_errors import recognise
from core.worker.client import WorkerClient, library_worker

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the program that fails is a shell script")
FAKE = Path(__file__).parents[2] / "fakes" / "docker"
CASES = Path(__file__).parents[2] / "cases" / "progress"
Use = Callable[["Access"], Coroutine[Any, Any, None]]


class Access(DockerCli):
    """The one under test, with its child process and the folder in which the program leaves its notes."""

    def __init__(self, library: WorkerClient, notes: Path, environment: dict[str, str]) -> None:
        super().__init__(library, environment)
        self.library = library
        self.notes = notes
        self.told: list[Progress] = []

    def running(self) -> list[psutil.Process]:
        """Of those that the program noted: itself and one that it started. What has ended and waits for the
        system's own reaping, since its parent is gone, does not run."""
        own, *others = map(int, (self.notes / "pids").read_text().split())
        found = []
        for pid in (own, *others):
            with contextlib.suppress(psutil.NoSuchProcess):
                one = psutil.Process(pid)
                if pid == own or one.status() != psutil.STATUS_ZOMBIE:
                    found.append(one)
        return found

    async def up(self, **environment: str) -> Ended:
        return await self.compose(["a b.yaml"], ["up", "-d"], environment, self.told.append)


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`use(function, scenario, NAME=value…)` calls it with the access, in a world of its own."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    shutil.copy(FAKE, bin_ / "docker")
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setattr(contexts, "_FOLDERS", ("~/nowhere",))

    def run(function: Use, scenario: str = "", **environment: str) -> None:
        whole = {
            "PATH": f"{bin_}:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "FAKE_DOCKER": scenario,
            "FAKE_NOTES": str(notes),
            "FAKE_HOST": "ssh://box",  # its engine is spoken to through the program
            **environment,
        }

        async def main() -> None:
            library = library_worker()
            try:
                await asyncio.wait_for(function(Access(library, notes, whole)), 60)
            finally:
                await library.close()

        asyncio.run(main())

    return run


async def code_of(call: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(DockerError) as raised:
        await call
    return raised.value.code


def test_d01_the_context_is_asked_and_followed(use: Callable[..., None], tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        found = await access.find()
        assert (found.context, found.host) == ("colima", f"unix://{tmp_path}/.colima/docker.sock")
        assert found.compose == "5.6.1" and not found.remote
        assert await code_of(access.info()) == "docker.stopped"  # there, and at no default socket

    use(function, FAKE_CONTEXT="colima", FAKE_HOST=f"unix://{tmp_path}/.colima/docker.sock")


def test_d01_docker_host_wins_over_a_context(use: Callable[..., None]) -> None:
    async def function(access: Access) -> None:
        found = await access.find()
        assert (found.context, found.host, found.remote) == ("", "tcp://10.0.0.1:2376", True)

    use(function, DOCKER_HOST="tcp://10.0.0.1:2376", FAKE_CONTEXT="colima")


@pytest.mark.parametrize(
    ("scenario", "code"), [("context_gone", "docker.context"), ("hang_at_once", "docker.slow")]
)
def test_what_keeps_docker_from_being_found(
    use: Callable[..., None], monkeypatch: pytest.MonkeyPatch, scenario: str, code: str
) -> None:
    monkeypatch.setattr(docker, "FIND_SECONDS", 5.0 if scenario == "context_gone" else 0.3)

    async def function(access: Access) -> None:
        assert await code_of(access.find()) == code
        if code == "docker.slow":
            psutil.wait_procs(access.running(), timeout=5)
            assert access.running() == []

    use(function, scenario, DOCKER_CONTEXT="gone")


def test_a_program_without_contexts_has_the_usual_endpoint(use: Callable[..., None]) -> None:
    async def function(access: Access) -> None:
        assert (await access.find()).host == contexts.DEFAULT_SOCKET

    use(function, "no_contexts")


def test_d02_a_bare_path_is_named_with_what_is_missing(use: Callable[..., None]) -> None:
    async def function(access: Access) -> None:
        with pytest.raises(DockerError) as raised:
            await access.find()
        assert raised.value.code == "docker.host_value"
        assert raised.value.params == {
            "value": "/run/user/1/podman.sock",
            "suggestion": "unix:///run/user/1/podman.sock",
        }

    use(function, DOCKER_HOST="/run/user/1/podman.sock")


def test_d02_another_socket_is_named_where_nobody_chose_one(
    use: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = f"unix://{tmp_path}/usual.sock"
    monkeypatch.setattr(contexts, "DEFAULT_SOCKET", default)
    (tmp_path / "docker.sock").touch()

    async def function(access: Access) -> None:
        with pytest.raises(DockerError) as raised:
            await access.info()
        assert raised.value.code == "docker.other_socket"
        assert raised.value.params == {"host": default, "socket": f"unix://{tmp_path}/docker.sock"}

    use(function, FAKE_HOST=default, XDG_RUNTIME_DIR=str(tmp_path))


def test_d04_the_places_looked_at_are_listed(use: Callable[..., None], tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        with pytest.raises(DockerError) as raised:
            await access.find()
        assert raised.value.code == "docker.missing"
        assert raised.value.params["places"] == f"/nowhere/at/all, {tmp_path}/nowhere"

    use(function, PATH="/nowhere/at/all")


def test_d04_d25_docker_in_a_known_folder_and_its_own_on_the_path_of_its_children(
    use: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_FOLDERS", ("~/bin",))

    async def function(access: Access) -> None:
        assert (await access.find()).cli == f"{tmp_path}/bin/docker"
        await access.up()
        paths = (access.notes / "path").read_text().splitlines()
        assert all(path.split(":") == ["/usr/bin", "/bin", f"{tmp_path}/bin"] for path in paths)

    use(function, PATH="/usr/bin:/bin")


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("perm_denied", "docker.forbidden"),
        ("daemon_down", "docker.stopped"),
        ("daemon_down_new", "docker.stopped"),
        ("starting", "docker.starting"),
    ],
)
def test_d05_d07_what_the_engine_refuses(use: Callable[..., None], scenario: str, code: str) -> None:
    async def function(access: Access) -> None:
        for call in (access.info(), access.containers(), access.disk(), access.image("x"), access.kill("x")):
            assert await code_of(call) == code
        with pytest.raises(DockerError) as raised:
            async for _ in access.events():
                pass
        assert raised.value.code == code

    use(function, scenario)


def test_an_engine_that_never_answers_is_slow_and_its_connection_is_closed(
    use: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docker, "ASK_SECONDS", 0.3)

    async def function(access: Access) -> None:
        assert await code_of(access.info()) == "docker.slow"
        psutil.wait_procs(access.running(), timeout=5)
        assert access.running() == []

    use(function, "hang")


@pytest.mark.parametrize(
    ("alone", "version"), [("v2.26.1", "2.26.1"), ("docker-compose version 1.29.2", ""), ("", "")]
)
def test_d06_a_stand_alone_compose_stands_in_if_it_is_version_2(
    use: Callable[..., None], tmp_path: Path, alone: str, version: str
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
def test_d09_d12_d25_v02_a_refused_start_is_told_in_words(
    use: Callable[..., None], scenario: str, words: str
) -> None:
    async def function(access: Access) -> None:
        ended = await access.up()
        assert ended.code == 1 and words in ended.err
        assert recognise(ended.err) == ""  # Docker itself is well

    use(function, scenario)


def test_d10_a_pull_that_breaks_off_is_told_each_time_and_never_goes_back(use: Callable[..., None]) -> None:
    async def function(access: Access) -> None:
        ended = [await access.compose(["x"], ["pull"], {}, access.told.append) for _ in range(3)]
        assert [one.code for one in ended] == [1, 1, 0]
        assert "unexpected EOF" in ended[0].err
        amounts = [one.current for one in access.told if one.id == "Image x" and one.total]
        assert amounts == [700] * 9 + [1000]

    use(function, "pull_eof")


def test_d17_names_of_all_kinds_go_in_and_bytes_of_all_kinds_come_out(use: Callable[..., None]) -> None:
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


def test_d23_a_progress_of_cursor_codes_is_understood(use: Callable[..., None]) -> None:
    async def function(access: Access) -> None:
        ended = await access.up()
        assert "\x1b" not in ended.err
        assert {one.id for one in access.told} >= {"layer 0", "layer 1", "layer 2"}

    use(function, "ansi", FAKE_TEXT=str(CASES / "pull_progress_ansi.txt"))


def test_a_value_of_the_environment_is_nowhere_but_there(
    use: Callable[..., None], caplog: pytest.LogCaptureFixture
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
def test_a_cancelled_command_has_ended_when_the_cancel_is_through(
    use: Callable[..., None], stubborn: str
) -> None:
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


@pytest.mark.parametrize("how", ["killed", "closed"])
def test_nothing_outlives_the_child_however_it_ends(use: Callable[..., None], how: str) -> None:
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
        assert raised.value.code == "docker.failed" and isinstance(raised.value.__cause__, WorkerLost)
        gone, alive = psutil.wait_procs(started, timeout=10)
        assert len(gone) == 2 and not alive

    use(function, "slow", FAKE_STUBBORN="1")
