"""Where Docker is: its program, its engine, its Compose. Pure logic over an environment and what exists."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

DEFAULT_SOCKET: Final = "unix:///var/run/docker.sock"
DEFAULT_PIPE: Final = "npipe:////./pipe/docker_engine"
# a program started from a desktop has a short PATH: where the installers of Docker's relatives put it
_FOLDERS: Final = (
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "~/.docker/bin",
    "~/.orbstack/bin",
    "~/.rd/bin",
    "/Applications/Docker.app/Contents/Resources/bin",
    "/Applications/OrbStack.app/Contents/MacOS/xbin",
    "/usr/bin",
    "/snap/bin",
    "/opt/local/bin",
    "~/bin",
    "~/.local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
)
_WINDOWS_FOLDERS: Final = (
    "{ProgramFiles}/Docker/Docker/resources/bin",
    "{LOCALAPPDATA}/Programs/Rancher Desktop/resources/resources/win32/bin",
    "~/.rd/bin",
)
# where an engine of the person's own listens when nobody says so
_SOCKETS: Final = (
    "{XDG_RUNTIME_DIR}/docker.sock",
    "{XDG_RUNTIME_DIR}/podman/podman.sock",
    "~/.docker/run/docker.sock",
    "~/.docker/desktop/docker.sock",
    "~/.colima/default/docker.sock",
    "~/.orbstack/run/docker.sock",
    "~/.rd/docker.sock",
    "~/.local/share/containers/podman/machine/podman.sock",
)
_SCHEMES: Final = ("unix", "tcp", "ssh", "npipe", "http", "https", "fd")
# of Compose's `--progress plain` and `json`; earlier ones may have them or not
_PLAIN_SINCE: Final = (2, 20, 2)
_JSON_SINCE: Final = (2, 29, 7)
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")

Exists = Callable[[str], bool]


def program_name(name: str) -> str:
    return f"{name}.exe" if os.name == "nt" else name


def search_folders(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Where programs are looked for: the PATH, then the known folders; each once."""
    known = _WINDOWS_FOLDERS if os.name == "nt" else _FOLDERS
    path = environment.get("PATH", "").split(os.pathsep)
    return _once([*path, *_filled(known, environment)])


def find_program(name: str, folders: Sequence[str], is_program: Exists) -> str:
    """Its path, or ""."""
    places = (os.path.join(folder, program_name(name)) for folder in folders)  # noqa: PTH118  # as it is said
    return next((place for place in places if is_program(place)), "")


def child_path(program: str, environment: Mapping[str, str]) -> str:
    """The PATH for `program`: its own folder, and the one it is linked to, have plugins and helpers of
    credentials beside it."""
    own = [str(Path(program).parent), str(Path(os.path.realpath(program)).parent)]
    path = environment.get("PATH", "").split(os.pathsep)
    # behind the person's own choice, which comes first
    return os.pathsep.join(_once([*path, *own, *search_folders(environment)]))


def compose_places(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Folders with plugins that a stand-alone `docker-compose` may be in as well."""
    config = environment.get("DOCKER_CONFIG") or "~/.docker"
    return _filled((f"{config}/cli-plugins",), environment)


def other_sockets(environment: Mapping[str, str], exists: Exists) -> tuple[str, ...]:
    """Endpoints of engines that are there, though nothing points to them: rootless ones, Podman, Colima…"""
    return tuple(f"unix://{path}" for path in _filled(_SOCKETS, environment) if exists(path))


class HostMistake(msgspec.Struct, frozen=True):
    """`value`: DOCKER_HOST as it is; `suggestion`: what was meant, "" if that cannot be known."""

    value: str
    suggestion: str


def host_mistake(environment: Mapping[str, str], exists: Exists) -> HostMistake | None:
    """What is wrong with DOCKER_HOST, as far as can be seen without asking."""
    value = environment.get("DOCKER_HOST", "")
    if not value:
        return None
    meant = value.strip().strip("\"'").strip()
    scheme, separator, rest = meant.partition("://")
    if not separator:
        if meant.startswith(("/", "~")):
            place = _filled((meant,), environment)
            meant = f"unix://{place[0] if place else meant}"
        elif re.fullmatch(r"(?:unix|tcp|ssh|npipe):/?[^/].*|(?:unix|npipe):/.*", meant):
            scheme, _, rest = meant.partition(":")
            meant = f"{scheme}://{rest if scheme in ('unix', 'npipe') else rest.lstrip('/')}"
        elif re.fullmatch(r"[\w.-]+:\d+", meant):
            return None if meant == value else HostMistake(value, meant)  # Docker itself reads it as tcp://
        else:
            meant = ""
    elif scheme == "http+unix":
        meant = f"unix://{rest}"
    elif scheme not in _SCHEMES or not rest:
        meant = ""
    if meant == value:
        return None
    if not meant:
        meant = next(iter(other_sockets(environment, exists)), "")
    return HostMistake(value, meant)


class Context(msgspec.Struct, frozen=True):
    name: str
    host: str


def read_context(text: str) -> Context | None:
    """What `docker context inspect` prints; None if that is no such thing."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        return None
    found = found[0] if isinstance(found, list) and found else found
    if not isinstance(found, dict):
        return None
    endpoint = found.get("Endpoints")
    endpoint = endpoint.get("docker") if isinstance(endpoint, dict) else None
    host = endpoint.get("Host") if isinstance(endpoint, dict) else None
    name = found.get("Name")
    return Context(name, host) if isinstance(name, str) and isinstance(host, str) and host else None


def default_host(environment: Mapping[str, str]) -> str:
    return environment.get("DOCKER_HOST") or (DEFAULT_PIPE if os.name == "nt" else DEFAULT_SOCKET)


def read_version(text: str) -> str:
    """ "2.40.3" of "Docker Compose version v2.40.3-desktop.1"; "" if there is none."""
    found = _VERSION.search(text)
    return found[0] if found else ""


def version_numbers(version: str) -> tuple[int, ...]:
    """(2, 40, 3) of "2.40.3"."""
    return tuple(int(part) for part in read_version(version).split(".") if part)


def has_progress(version: str) -> bool:
    return version_numbers(version) >= _PLAIN_SINCE


def has_json_progress(version: str) -> bool:
    return version_numbers(version) >= _JSON_SINCE


def _filled(patterns: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Those of them whose variables are set."""
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    found = []
    for pattern in patterns:
        if pattern.startswith("~"):
            if not home:
                continue
            pattern = home + pattern[1:]
        name = re.search(r"\{(\w+)\}", pattern)
        if name is not None:
            value = environment.get(name[1], "")
            if not value:
                continue
            pattern = pattern.replace(name[0], value)
        found.append(pattern)
    return tuple(found)


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
