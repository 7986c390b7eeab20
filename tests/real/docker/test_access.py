"""The access to Docker against a real engine: values, streams, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import DockerError
from core.server.access import LABEL_LAUNCH, LABEL_SPEC, Container, ContainerEvent, LogPiece, Progress
from core.server.docker import DockerCli
from core.server.machine import is_in
from core.worker.client import WorkerClient, library_worker
from tests.real.docker.conftest import STAND_IN
from tests.real.docker.place import SECONDS, Place

Use = Callable[["Access"], Coroutine[Any, Any, None]]
LONG = 5_000_000
CHATTY = f"""
import sys, time
print("één 模型"); print("two", file=sys.stderr, flush=True)
print("x" * {LONG}); print("after", flush=True)
print("half a line", end="", flush=True)
"""
WAITING = "import time; print('here', flush=True); time.sleep(600)"


class Access(DockerCli):
    """The one under test, with its child process and one service of ours."""

    def __init__(self, library: WorkerClient, environment: Mapping[str, str], folder: Path) -> None:
        super().__init__(library, environment)
        self.library = library
        self.told: list[Progress] = []
        self.tell: Callable[[Progress], None] = self.told.append
        self._file = folder / "compose of one.yaml"

    def service(self, code: str, **more: object) -> None:
        service = {
            "image": STAND_IN,
            "entrypoint": ["python3", "-u", "-c", code.replace("$", "$$")],
            "labels": {LABEL_LAUNCH: "test", LABEL_SPEC: ""},
            "stop_grace_period": "0s",
            "init": False,
            **more,
        }
        self._file.write_text(json.dumps({"services": {"vllm": service}}))  # JSON is YAML

    async def run(self, *arguments: str) -> None:
        ended = await self.compose([str(self._file)], arguments, {}, self.tell)
        assert ended.code == 0, ended.err

    async def up(self, code: str, **more: object) -> Container:
        self.service(code, **more)
        await self.run("up", "-d")
        (container,) = await self.containers()
        return container

    async def all_logs(self, id_: str, since: float = 0.0, *, follow: bool = True) -> list[LogPiece]:
        return [piece async for pieces in self.logs(id_, since=since, follow=follow) for piece in pieces]

    def commands(self) -> list[psutil.Process]:
        """Programs that the child has started and that run."""
        found = []
        for one in psutil.Process(self.library.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if one.status() != psutil.STATUS_ZOMBIE:
                    found.append(one)
        return found


def use(function: Use, place: Place, folder: Path, **changes: str) -> None:
    environment = {**os.environ, **place.environment, **changes}

    async def main() -> None:
        library = library_worker()
        try:
            access = Access(library, {k: v for k, v in environment.items() if v}, folder)
            await asyncio.wait_for(function(access), 120)
        finally:
            await library.close()

    asyncio.run(main())


def test_what_the_engine_is_and_has(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        endpoint = await access.find()
        assert (endpoint.host, endpoint.context) == (serving.engine.host, "")
        assert (
            endpoint.compose == serving.engine.docker("compose", "version", "--short") and not endpoint.remote
        )
        info = await access.info()
        assert info.version == serving.engine.docker("version", "-f", "{{.Server.Version}}")
        assert (
            info.cpus == len(os.sched_getaffinity(0))
            and info.memory > 1 << 30
            and info.arch in ("amd64", "arm64")
        )
        assert "runc" in info.runtimes and not info.nvidia and info.root
        image = await access.image(STAND_IN)
        assert image is not None and image.id == image.digest and image.arch == info.arch
        assert image.size == int(serving.engine.docker("image", "inspect", "-f", "{{.Size}}", STAND_IN))
        assert await access.image("no/such:image") is None
        assert await access.container("no-such") is None
        assert (await access.disk()).startswith("TYPE") and "Images" in await access.disk()

    use(function, serving, tmp_path)


def test_from_up_to_kill_with_its_events_and_nobody_elses(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        seen: list[ContainerEvent] = []
        gone = asyncio.Event()

        async def watch() -> None:
            async for event in access.events():
                seen.append(event)
                if event.action == "destroy":
                    gone.set()

        await access.find()
        watching = asyncio.ensure_future(watch())
        foreign = serving.engine.docker("run", "-d", "--entrypoint", "sleep", STAND_IN, "600")
        container = await access.up(WAITING, ports=[f"127.0.0.1:{serving.port}:8000"])
        assert container.ours and container.status == "running" and container.exit_code is None
        assert container.ports == (("127.0.0.1", serving.port, 8000),)
        assert container.labels[LABEL_LAUNCH] == "test" and container.started > 0
        statuses = [one.status for one in access.told if one.id.startswith("Container ")]
        assert list(dict.fromkeys(statuses)) == ["creating", "created", "starting", "started"]

        assert 0 < await access.memory(container.id) < 1 << 30
        assert is_in(serving.inspect(container.id)["State"]["Pid"], container.id)
        assert not is_in(os.getpid(), container.id)

        everybody = {one.id: one for one in await access.containers(ours=False)}
        assert set(everybody) == {container.id, foreign}
        assert everybody[container.id].ports == container.ports
        with pytest.raises(DockerError) as raised:
            await access.kill(foreign)
        assert raised.value.code == "docker.not_ours"
        assert (await access.container(foreign)) is not None

        await access.kill(container.id)
        await access.kill(container.id)  # gone already is as well
        assert await access.containers() == ()
        assert await access.memory(container.id) == 0
        await gone.wait()
        assert [one.action for one in seen] == ["create", "start", "kill", "die", "destroy"]
        assert {one.container for one in seen} == {container.id}
        assert seen[3].exit_code == 137 and seen[3].time >= container.started
        watching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watching

    use(function, serving, tmp_path)


def test_a_log_has_both_streams_and_whole_lines(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        container = await access.up(CHATTY)
        pieces = await access.all_logs(container.id)  # follows to the end
        out = [piece.text for piece in pieces if not piece.error]
        assert [piece.text for piece in pieces if piece.error] == ["two"]
        assert (out[0], out[-2], out[-1]) == ("één 模型", "after", "half a line")
        assert "".join(out[1:-2]) == "x" * LONG
        assert all(piece.time >= container.started - 1 for piece in pieces)
        later = await access.all_logs(container.id, since=pieces[-1].time)
        assert later[-1].text == "half a line" and len(later) < len(pieces)
        ended = await access.container(container.id)
        assert ended is not None and (ended.status, ended.exit_code) == ("exited", 0)
        assert ended.finished > ended.started and not ended.oom_killed
        await access.run("down")

    use(function, serving, tmp_path)


def test_a_log_that_is_followed_is_left_at_once(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        container = await access.up(WAITING)
        child = psutil.Process(access.library.pid)
        logs = access.logs(container.id)
        assert [piece.text for piece in await anext(logs)] == ["here"]
        assert [piece.text for piece in await access.all_logs(container.id, follow=False)] == ["here"]
        during = child.num_fds()
        await logs.aclose()
        await asyncio.to_thread(serving.until, lambda: child.num_fds() < during, "its connection is closed")
        await access.kill(container.id)

    use(function, serving, tmp_path)


def test_a_cancelled_start_ends_its_commands(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        started = asyncio.Event()
        never = {"test": ["CMD", "false"], "interval": "600s", "start_period": "600s"}
        access.service(WAITING, healthcheck=never)

        def tell(progress: Progress) -> None:
            if progress.status == "started":
                started.set()

        access.tell = tell
        task = asyncio.ensure_future(access.run("up", "-d", "--wait"))
        await started.wait()
        assert access.commands()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(serving.until, lambda: not access.commands(), "it has ended")
        await access.run("down")
        assert await access.containers() == ()

    use(function, serving, tmp_path)


def test_a_child_that_is_killed_leaves_no_command(serving: Place, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        container = await access.up(WAITING)
        task = asyncio.ensure_future(access.run("logs", "-f"))
        await asyncio.to_thread(serving.until, lambda: len(access.commands()) > 2, "docker, Compose, a guard")
        commands, pid = access.commands(), access.library.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(DockerError):
            await task
        assert not psutil.wait_procs(commands, timeout=SECONDS)[1]
        await access.kill(container.id)

    use(function, serving, tmp_path)


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_d01_another_context_is_followed(serving: Place, tmp_path: Path, kind: str) -> None:
    """As Colima, OrbStack and Podman make one; and one by TCP, which the program itself speaks to."""
    config = tmp_path / "config"
    shutil.copytree(serving.engine.place / "config", config, symlinks=True)

    async def function(access: Access) -> None:
        async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            to_reader, to_writer = await asyncio.open_unix_connection(str(serving.engine.socket))
            await asyncio.gather(pump(reader, to_writer), pump(to_reader, writer))

        server = await asyncio.start_server(forward, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            host = serving.engine.host if kind == "unix" else f"tcp://127.0.0.1:{port}"
            words = ("context", "create", "other", "--docker", f"host={host}")
            own = {"DOCKER_CONFIG": str(config), "DOCKER_HOST": "", "DOCKER_CONTEXT": ""}
            made = await asyncio.to_thread(serving.run, serving.program("docker"), *words, **own)
            assert made.returncode == 0, made.stderr
            endpoint = await access.find()
            assert (endpoint.context, endpoint.host) == ("other", host)
            assert not endpoint.remote
            assert (await access.info()).version
            container = await access.up("print('over there')")
            assert [piece.text for piece in await access.all_logs(container.id)] == ["over there"]
            await access.kill(container.id)
            await asyncio.to_thread(serving.until, lambda: not access.commands(), "no connection is left")

    use(function, serving, tmp_path, DOCKER_CONFIG=str(config), DOCKER_HOST="", DOCKER_CONTEXT="other")


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    writer.close()
