"""What an engine says → our values. Nothing in it is trusted: absent or wrong fields have defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.server.access import Container, ContainerEvent, DockerInfo, Image

_ARCH = {"x86_64": "amd64", "aarch64": "arm64", "arm64e": "arm64"}
_NOT_ENDED = ("running", "paused", "restarting")


def info(about: Any, version: Any) -> DockerInfo:
    """From /info and /version."""
    about, version = _table(about), _table(version)
    arch = _text(version.get("Arch")) or _text(about.get("Architecture"))
    devices = [_table(one) for one in _list(about.get("DiscoveredDevices"))]
    return DockerInfo(
        version=_text(version.get("Version")) or _text(about.get("ServerVersion")),
        api=_text(version.get("ApiVersion")),
        arch=_ARCH.get(arch, arch),
        cpus=_number(about.get("NCPU")),
        memory=_number(about.get("MemTotal")),
        system=_text(about.get("OperatingSystem")),
        root=_text(about.get("DockerRootDir")),
        runtimes=tuple(sorted(str(name) for name in _table(about.get("Runtimes")))),
        cdi=tuple(_text(one.get("ID")) for one in devices if one.get("Source") == "cdi"),
        security=_texts(about.get("SecurityOptions")),
        warnings=_texts(about.get("Warnings")),
    )


def container(raw: Any) -> Container:
    """From /containers/{id}/json."""
    raw = _table(raw)
    state, config = _table(raw.get("State")), _table(raw.get("Config"))
    status, code = _text(state.get("Status")) or "unknown", state.get("ExitCode")
    ended = status not in _NOT_ENDED and not (status == "created" and not code)
    return Container(
        id=_text(raw.get("Id")),
        name=_text(raw.get("Name")).lstrip("/"),
        image=_text(config.get("Image")),
        status=status,
        labels=_labels(config.get("Labels")),
        exit_code=_number(code) if ended and code is not None else None,
        oom_killed=state.get("OOMKilled") is True,
        error=_text(state.get("Error")),
        ports=_published(_table(_table(raw.get("NetworkSettings")).get("Ports"))),
        mounts=_mounts(raw.get("Mounts")),
        arguments=_texts(raw.get("Args")),
        image_id=_text(raw.get("Image")),
        started=seconds(state.get("StartedAt")),
        finished=seconds(state.get("FinishedAt")),
        memory=_number(_table(raw.get("HostConfig")).get("Memory")),
    )


def listed(raw: Any) -> Container:
    """From an entry of /containers/json, which says less."""
    raw = _table(raw)
    names = _texts(raw.get("Names"))
    ports = [_table(one) for one in _list(raw.get("Ports"))]
    return Container(
        id=_text(raw.get("Id")),
        name=names[0].lstrip("/") if names else "",
        image=_text(raw.get("Image")),
        status=_text(raw.get("State")) or "unknown",
        labels=_labels(raw.get("Labels")),
        ports=tuple(
            (_text(one.get("IP")), _number(one["PublicPort"]), _number(one.get("PrivatePort")))
            for one in ports
            if one.get("PublicPort")
        ),
        mounts=_mounts(raw.get("Mounts")),
        image_id=_text(raw.get("ImageID")),
    )


def image(raw: Any) -> Image:
    """From /images/{name}/json."""
    raw = _table(raw)
    id_, digests = _text(raw.get("Id")), _texts(raw.get("RepoDigests"))
    arch = _text(raw.get("Architecture"))
    return Image(
        id=id_,
        digest=digests[0].partition("@")[2] or id_ if digests else id_,
        size=_number(raw.get("Size")),
        arch=_ARCH.get(arch, arch),
    )


def memory(stats: Any) -> int:
    """From /containers/{id}/stats, as the docker program reckons it: without files that are only cached."""
    found = _table(_table(stats).get("memory_stats"))
    detail = _table(found.get("stats"))
    cached = _number(detail.get("inactive_file", detail.get("total_inactive_file")))
    return max(0, _number(found.get("usage")) - cached)


def event(raw: Any) -> ContainerEvent | None:
    """From a line of /events; None for what is none of a container."""
    raw = _table(raw)
    actor = _table(raw.get("Actor"))
    attributes = _labels(actor.get("Attributes"))
    action, id_ = _text(raw.get("Action")), _text(actor.get("ID"))
    if raw.get("Type", "container") != "container" or not action or not id_:
        return None
    code = attributes.get("exitCode", "")
    whole, nanoseconds = divmod(_number(raw.get("timeNano")), 10**9)
    return ContainerEvent(
        action=action,
        container=id_,
        labels=attributes,
        exit_code=int(code) if code.lstrip("-").isdecimal() else None,
        time=whole + nanoseconds / 1e9 if whole else float(_number(raw.get("time"))),
    )


def seconds(text: Any) -> float:
    """Since the epoch, of "2026-11-30T08:00:00.123456789Z"; 0 for Docker's year 1 and for what is none."""
    try:
        return max(0.0, datetime.fromisoformat(text).timestamp())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _published(ports: Mapping[str, Any]) -> tuple[tuple[str, int, int], ...]:
    found = [
        (
            _text(_table(place).get("HostIp")),
            _number(_table(place).get("HostPort")),
            _number(inside.split("/")[0]),
        )
        for inside, places in ports.items()
        for place in _list(places)
    ]
    return tuple(sorted(one for one in found if one[1]))


def _mounts(raw: Any) -> tuple[tuple[str, str], ...]:
    mounts = [_table(one) for one in _list(raw)]
    return tuple((_text(one.get("Source")), _text(one.get("Destination"))) for one in mounts)


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    # a lone surrogate, which JSON can hold, could not be sent on
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _list(value))


def _labels(value: Any) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in _table(value).items()}


def _number(value: Any) -> int:
    """A whole number below 2**63, from a number or a decimal text; else 0."""
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return int(value) if abs(value) < 1 << 63 else 0
