"""Docker is found, or its trouble has a name: with a program that fails as the real one does."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from core.errors import DockerError
from core.server import contexts, docker
from tests.fakes.failing_docker import Access, World, code_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the program that fails is a shell script")


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


def test_d01_the_context_is_asked_and_followed(use: World, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        found = await access.find()
        assert (found.context, found.host) == ("colima", f"unix://{tmp_path}/.colima/docker.sock")
        assert found.compose == "5.6.1" and not found.remote
        assert await code_of(access.info()) == "docker.stopped"  # there, and at no default socket

    use(function, FAKE_CONTEXT="colima", FAKE_HOST=f"unix://{tmp_path}/.colima/docker.sock")


def test_d01_docker_host_wins_over_a_context(use: World) -> None:
    async def function(access: Access) -> None:
        found = await access.find()
        assert (found.context, found.host, found.remote) == ("", "tcp://10.0.0.1:2376", True)

    use(function, DOCKER_HOST="tcp://10.0.0.1:2376", FAKE_CONTEXT="colima")


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("context_gone", "docker.context"),
        ("hang_at_once", "docker.slow"),
        ("compose_hangs", "docker.slow"),
    ],
)
def test_what_keeps_docker_from_being_found(
    use: World, monkeypatch: pytest.MonkeyPatch, scenario: str, code: str
) -> None:
    monkeypatch.setattr(docker, "FIND_SECONDS", 60.0 if scenario == "context_gone" else 1.0)

    async def function(access: Access) -> None:
        assert await code_of(access.find()) == code
        if scenario == "compose_hangs":
            monkeypatch.setattr(docker, "FIND_SECONDS", 0.5)
            assert "RECLAIMABLE" in await access.disk()  # the engine answers, so it is asked
            assert await code_of(access.compose(["x"], ["down"], {})) == code
        if code == "docker.slow":
            psutil.wait_procs(access.running(), timeout=30)
            assert access.running() == []

    use(function, scenario, DOCKER_CONTEXT="gone" if scenario == "context_gone" else "")


def test_a_program_without_contexts_has_the_usual_endpoint(use: World) -> None:
    async def function(access: Access) -> None:
        assert (await access.find()).host == contexts.DEFAULT_SOCKET

    use(function, "no_contexts")


def test_d02_a_bare_path_is_named_with_what_is_missing(use: World) -> None:
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
    use: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_d04_the_places_looked_at_are_listed(use: World, tmp_path: Path) -> None:
    async def function(access: Access) -> None:
        with pytest.raises(DockerError) as raised:
            await access.find()
        assert raised.value.code == "docker.missing"
        assert raised.value.params["places"] == f"/nowhere/at/all, {tmp_path}/nowhere"

    use(function, PATH="/nowhere/at/all")


def test_d04_d25_docker_in_a_known_folder_and_its_own_on_the_path_of_its_children(
    use: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
def test_d05_d07_what_the_engine_refuses(use: World, scenario: str, code: str) -> None:
    async def function(access: Access) -> None:
        for call in (access.info(), access.containers(), access.disk(), access.image("x"), access.kill("x")):
            assert await code_of(call) == code
        with pytest.raises(DockerError) as raised:
            async for _ in access.events():
                pass
        assert raised.value.code == code

    use(function, scenario)


def test_an_engine_that_never_answers_is_slow_and_its_connection_is_closed(
    use: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def function(access: Access) -> None:
        await access.warm_up()
        monkeypatch.setattr(docker, "ASK_SECONDS", 0.5)
        assert await code_of(access.info()) == "docker.slow"
        psutil.wait_procs(access.running(), timeout=30)
        assert access.running() == []

    use(function, "hang")
