"""What is known of a server that did not start or is gone: all that its cause may be told from."""

from __future__ import annotations

import os
import sys

import msgspec

from core.server.access import DockerInfo, Gpus
from core.server.spec import LaunchSpec


def _configuration() -> str:
    return f"{os.environ.get('DOCKER_CONFIG') or '~/.docker'}/config.json"


def _variable() -> str:
    return next((name for name in ("DOCKER_HOST", "DOCKER_CONTEXT") if os.environ.get(name)), "")


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """`exit_code`, `oom_killed`: of the container, None and False if it never ran. `error`: Docker's own
    words (the container's error, what Compose wrote). `log`: what the server wrote, oldest first.
    `ready`: it had been ready. `gone`: its container was removed by another. `image`,
    `image_arch`: what was started. `weights`: bytes of the model's once loaded, 0 = not known.
    `versions`: of vLLM that can be chosen. `disk`: the table of `docker system df`, for a full disk.
    `gpus`: what nvidia-smi says of them. `limit`: bytes that the container may use, 0 = no limit, None = what
    its start asked for. `config`: path of the docker configuration. `variable`: the one of this process that
    says where Docker is, "" = none does. `platform`: as sys.platform."""

    spec: LaunchSpec | None = None
    exit_code: int | None = None
    oom_killed: bool = False
    error: str = ""
    log: tuple[str, ...] = ()
    info: DockerInfo | None = None
    ready: bool = False
    gone: bool = False
    image: str = ""
    image_arch: str = ""
    weights: int = 0
    versions: tuple[str, ...] = ()
    disk: str = ""
    gpus: Gpus | None = None
    limit: int | None = None
    config: str = msgspec.field(default_factory=_configuration)
    variable: str = msgspec.field(default_factory=_variable)
    platform: str = sys.platform
