"""Where Docker is looked for, and what its settings mean."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.server import contexts
from core.server.contexts import Context, HostMistake

HOME = {"HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1000"}
PODMAN = "/run/user/1000/podman/podman.sock"
posix = pytest.mark.skipif(os.name == "nt", reason="folders of Linux and macOS")


@posix
@pytest.mark.parametrize(
    "place",
    ["/opt/homebrew/bin", "/home/me/.orbstack/bin", "/home/me/.docker/bin", "/home/me/.rd/bin", "/snap/bin"],
)
def test_d04_a_short_path_is_completed_by_the_known_folders(place: str) -> None:
    folders = contexts.search_folders({"PATH": "/usr/bin:/bin", "HOME": "/home/me"})
    assert folders[:2] == ("/usr/bin", "/bin") and len(set(folders)) == len(folders)
    assert contexts.find_program("docker", folders, {f"{place}/docker"}.__contains__) == f"{place}/docker"
    assert contexts.find_program("docker", folders, lambda _: False) == ""


@posix
def test_the_persons_own_path_comes_first() -> None:
    folders = contexts.search_folders({**HOME, "PATH": "/mine::/usr/bin"})
    both = {"/mine/docker", "/usr/local/bin/docker"}
    assert contexts.find_program("docker", folders, both.__contains__) == "/mine/docker"


@posix
def test_d25_a_child_finds_what_lies_beside_docker(tmp_path: Path) -> None:
    real = tmp_path / "app" / "docker"
    real.parent.mkdir()
    real.touch()
    linked = tmp_path / "links" / "docker"
    linked.parent.mkdir()
    linked.symlink_to(real)
    path = contexts.child_path(str(linked), {"PATH": "/usr/bin"}).split(":")
    assert path[:3] == ["/usr/bin", str(linked.parent), str(real.parent)]
    assert len(set(path)) == len(path)


@posix
@pytest.mark.parametrize(
    ("value", "suggestion"),
    [
        (PODMAN, f"unix://{PODMAN}"),
        ("~/.colima/docker.sock", "unix:///home/me/.colima/docker.sock"),
        (" unix:///a.sock\r", "unix:///a.sock"),
        ('"unix:///a.sock"', "unix:///a.sock"),
        ("unix:/a.sock", "unix:///a.sock"),
        ("tcp:/box:2375", "tcp://box:2375"),
        ("http+unix:///a.sock", "unix:///a.sock"),
        ("docker", ""),
        ("foo://bar", ""),
        ("unix://", ""),
    ],
)
def test_d02_a_value_that_cannot_be_meant_is_named(value: str, suggestion: str) -> None:
    found = contexts.host_mistake({**HOME, "DOCKER_HOST": value}, lambda _: False)
    assert found == HostMistake(value, suggestion)


@pytest.mark.parametrize(
    "value", ["", "unix:///a b.sock", "tcp://10.0.0.1:2376", "ssh://me@box", "npipe:////./pipe/x", "box:2375"]
)
def test_d02_what_docker_takes_is_no_mistake(value: str) -> None:
    assert contexts.host_mistake({**HOME, "DOCKER_HOST": value}, lambda _: False) is None


@posix
def test_d02_sockets_that_are_there_are_suggested() -> None:
    exists = {PODMAN, "/home/me/.colima/default/docker.sock"}.__contains__
    others = (f"unix://{PODMAN}", "unix:///home/me/.colima/default/docker.sock")
    assert contexts.other_sockets(HOME, exists) == others
    assert contexts.other_sockets({}, lambda _: True) == ()
    assert contexts.host_mistake({**HOME, "DOCKER_HOST": "x"}, exists) == HostMistake("x", others[0])


def inspected(**endpoint: object) -> str:
    return json.dumps([{"Name": "colima", "Endpoints": {"docker": endpoint}}])


def test_d01_the_context_names_its_endpoint() -> None:
    assert contexts.read_context(inspected(Host="unix:///x")) == Context("colima", "unix:///x")


@pytest.mark.parametrize(
    "text", ["", "[]", "[1]", "{}", "null", inspected(), inspected(Host=3), '[{"Name":"x","Endpoints":[]}]']
)
def test_what_is_no_context_is_none(text: str) -> None:
    assert contexts.read_context(text) is None


@pytest.mark.parametrize(
    ("text", "version", "json_progress"),
    [
        ("Docker Compose version v5.6.1", "5.6.1", True),
        ("Docker Compose version v2.40.3-desktop.1", "2.40.3", True),
        ("Docker Compose version v2.29.7", "2.29.7", True),
        ("Docker Compose version 2.26.1-4", "2.26.1", False),
        ("Docker Compose version v2.20.2", "2.20.2", False),
        ("docker-compose version 1.29.2, build unknown", "1.29.2", False),
        ("docker: 'compose' is not a docker command.", "", False),
    ],
)
def test_versions(text: str, version: str, json_progress: bool) -> None:
    assert contexts.read_version(text) == version
    assert contexts.has_json_progress(version) is json_progress
