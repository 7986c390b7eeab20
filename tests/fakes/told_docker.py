"""A Docker that says what it is told to say, on a computer where all is well."""

from __future__ import annotations

from typing import Any

from core.errors import LoupeError
from core.server.access import Container, DockerInfo, Endpoint, Gpus, Image
from core.server.machine import Machine
from core.server.spec import GIB, LaunchSpec

INFO = DockerInfo(
    version="28.5.2",
    api="1.51",
    arch="amd64",
    cpus=4,
    memory=16 * GIB,
    system="Debian GNU/Linux 12",
    root="/",
)
HERE = Endpoint("unix:///var/run/docker.sock", "/usr/bin/docker", "/usr/bin", "default", "5.6.1")
LINUX = Machine("linux", frozenset({"avx2", "avx512f"}), 16 * GIB, 12 * GIB)
SPEC = LaunchSpec(model="m", folder="/nowhere")


class Docker:
    """One that says what it is told to say, or raises it."""

    def __init__(
        self,
        endpoint: Endpoint | LoupeError = HERE,
        info: DockerInfo | LoupeError = INFO,
        containers: tuple[Container, ...] = (),
        image: Image | None = None,
        gpus: Gpus = Gpus(why="absent"),  # noqa: B008  # frozen
        memory: int = 0,
    ) -> None:
        self._answers: dict[str, Any] = {"find": endpoint, "info": info}
        self._containers, self._image = containers, image
        self._gpus, self._memory = gpus, memory

    @property
    def told_info(self) -> DockerInfo:
        found: DockerInfo = self._answer("info")
        return found

    def _answer(self, name: str) -> Any:
        answer = self._answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def find(self) -> Endpoint:
        found: Endpoint = self._answer("find")
        return found

    async def info(self) -> DockerInfo:
        found: DockerInfo = self._answer("info")
        return found

    async def containers(self, *, ours: bool = True) -> tuple[Container, ...]:
        return tuple(one for one in self._containers if one.ours or not ours)

    async def image(self, name: str) -> Image | None:
        return self._image

    async def gpus(self) -> Gpus:
        return self._gpus

    async def memory(self, id_: str) -> int:
        return self._memory
