"""The access to Docker: every question and command goes through the library's child process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from core.errors import DockerError, WorkerLost
from core.server import contexts, nvidia
from core.server.access import (
    LABEL_LAUNCH,
    PROJECT,
    Container,
    ContainerEvent,
    DockerInfo,
    Ended,
    Endpoint,
    Gpus,
    Image,
    LogPiece,
    Progress,
)
from core.server.docker_errors import explained, recognise
from core.server.progress import ProgressReader, readable
from core.worker import protocol
from core.worker.client import WorkerClient, inherited

ASK_SECONDS = 20.0  # for one answer of the engine
FIND_SECONDS = 10.0  # for a command that asks no engine
DISK_SECONDS = 60.0  # all images are measured
# for a command of Compose that asks the engine alone; others take what the network and a build need, and
# whoever waits for one can break it off
COMPOSE_SECONDS = {"up": 300.0, "down": 60.0}
SETTLE_SECONDS = 5.0  # a cancelled command has ended by then; it is killed after 1.5


class _Found(msgspec.Struct, frozen=True):
    endpoint: Endpoint
    compose: tuple[str, ...]  # how Compose is called, () = there is none, or it did not say its version:
    slow: DockerError | None  # then this
    environment: Mapping[str, str]


class DockerCli:
    """Protocol `Docker`. `environment`: the whole one of the docker program, None = this process's own."""

    def __init__(self, library: WorkerClient, environment: Mapping[str, str] | None = None) -> None:
        self._library = library
        self._given = environment
        self._found: _Found | None = None

    async def find(self) -> Endpoint:
        """Raises DockerError: docker.missing, docker.host_value, docker.context, docker.slow, docker.failed.
        `compose` of the answer is "" where there is none."""
        found = await self._look()
        if found.slow is not None:
            raise found.slow
        return found.endpoint

    async def _look(self) -> _Found:
        environment = dict(inherited() if self._given is None else self._given)
        folders = contexts.search_folders(environment)
        cli = contexts.find_program("docker", folders, _is_program)
        if not cli:
            raise DockerError("docker.missing", places=", ".join(folders))
        mistake = contexts.host_mistake(environment, _exists)
        if mistake is not None:
            raise DockerError("docker.host_value", value=mistake.value, suggestion=mistake.suggestion or "…")
        environment["PATH"] = contexts.child_path(cli, environment)
        context = await self._context(cli, environment)
        compose, version, slow = await self._compose(cli, folders, environment)
        named = "" if environment.get("DOCKER_HOST") else context.name
        endpoint = Endpoint(context.host, cli, environment["PATH"], named, version)
        self._found = _Found(endpoint, compose, slow, environment)
        return self._found

    async def _context(self, cli: str, environment: Mapping[str, str]) -> contexts.Context:
        ended = await self._run((cli, "context", "inspect"), environment, FIND_SECONDS)
        found = contexts.read_context(ended.out) if ended.code == 0 else None
        if found is not None:
            return found
        if recognise(ended.err) == "docker.context":
            raise explained(ended.err, name=environment.get("DOCKER_CONTEXT") or "currentContext")
        # a program that only looks like Docker's, as Podman's: it has no contexts
        return contexts.Context("", contexts.default_host(environment))

    async def _compose(
        self, cli: str, folders: Sequence[str], environment: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str, DockerError | None]:
        """How it is called and its version; the first of plugin and stand-alone program that is version 2
        or later. Without one, which was too slow to say."""
        places = (*folders, *contexts.compose_places(environment))
        alone = contexts.find_program("docker-compose", places, _is_program)
        slow: DockerError | None = None
        for command in ((cli, "compose"), (alone,)):
            if not command[0]:
                continue
            try:
                ended = await self._run((*command, "version"), environment, FIND_SECONDS)
            except DockerError as error:
                slow = error if error.code == "docker.slow" else slow
                continue
            version = contexts.read_version(ended.out) if ended.code == 0 else ""
            if contexts.version_numbers(version) >= (2,):
                return command, version, None
        return (), "", slow

    async def info(self) -> DockerInfo:
        answer = await self._ask("info")
        if answer.info is None or not answer.info.version:
            raise DockerError("docker.starting")
        return answer.info

    async def containers(self, *, ours: bool = True) -> tuple[Container, ...]:
        """Those of others have only what a list tells: no exit code, times and arguments."""
        return (await self._ask("containers", label=LABEL_LAUNCH if ours else "")).containers

    async def container(self, id_: str) -> Container | None:
        return next(iter((await self._ask("container", id_)).containers), None)

    async def image(self, name: str) -> Image | None:
        return (await self._ask("image", name)).image

    async def memory(self, id_: str) -> int:
        return (await self._ask("memory", id_)).memory

    async def gpus(self) -> Gpus:
        """Without a Docker those of this computer, where it would be."""
        if self._found is not None and self._found.endpoint.remote:
            return Gpus(why="remote")
        environment = inherited() if self._given is None else self._given
        try:
            async with asyncio.timeout(2 * nvidia.SECONDS):  # a driver can hold on to what was killed
                return await nvidia.gpus(self._run, environment, _is_program)
        except TimeoutError:
            return Gpus(why="slow")

    async def kill(self, id_: str) -> None:
        """Raises docker.not_ours for a container without our label."""
        access = await self._access()
        with self._troubles():
            async with asyncio.timeout(2 * ASK_SECONDS):
                await self._library.ask(
                    lambda job: protocol.AskDocker(job, access, "kill", id_), protocol.Done
                )

    async def disk(self) -> str:
        found = await self._known()
        ended = await self._run((found.endpoint.cli, "system", "df"), found.environment, DISK_SECONDS)
        if ended.code:
            self._found = None
            raise explained(ended.err, host=found.endpoint.host)
        return ended.out

    async def compose(
        self,
        files: Sequence[str],
        arguments: Sequence[str],
        environment: Mapping[str, str],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Ended:
        """When it is cancelled, it returns only after the command has ended."""
        found = await self._known()
        if not found.compose:
            found = await self._look()  # a person may have installed it meanwhile
        if not found.compose:
            raise found.slow or DockerError("docker.no_compose")
        # a build's own words are base64 in JSON
        builds = "build" in arguments[:1] or "--build" in arguments
        json = contexts.has_json_progress(found.endpoint.compose) and not builds
        kind = "json" if json else "plain"
        argv = [*found.compose, "--ansi", "never", "--project-name", PROJECT]
        if contexts.has_progress(found.endpoint.compose):
            argv += ["--progress", kind]
        for file in files:
            argv += ["--file", file]
        reader = ProgressReader()

        def tell(lines: list[tuple[bool, str]]) -> None:
            if on_progress is None:
                return
            for _, line in lines:
                for progress in reader.feed(line):
                    on_progress(progress)

        # the names that Compose itself reads must not move our project
        own = {k: v for k, v in found.environment.items() if not k.startswith("COMPOSE_")}
        limit = COMPOSE_SECONDS.get(arguments[0], 0.0)
        ended = await self._run((*argv, *arguments), {**own, **environment}, limit, tell)
        if ended.code and recognise(ended.err):
            self._found = None
        return Ended(ended.code, ended.out, readable(ended.err))

    async def events(self) -> AsyncGenerator[ContainerEvent, None]:
        since = time.time()
        access = await self._access()
        with self._troubles():
            stream = self._library.stream(lambda job: protocol.FollowEvents(job, access, LABEL_LAUNCH, since))
            async with contextlib.aclosing(stream) as replies:
                async for reply in replies:
                    if isinstance(reply, protocol.DockerEvents):
                        for event in reply.events:
                            yield event

    async def logs(
        self, id_: str, *, since: float = 0.0, follow: bool = True
    ) -> AsyncGenerator[tuple[LogPiece, ...], None]:
        access = await self._access()
        with self._troubles():
            stream = self._library.stream(lambda job: protocol.FollowLog(job, access, id_, since, follow))
            async with contextlib.aclosing(stream) as replies:
                async for reply in replies:
                    if isinstance(reply, protocol.DockerLog):
                        yield reply.pieces

    async def _ask(
        self,
        what: Literal["info", "containers", "container", "image", "memory"],
        name: str = "",
        label: str = "",
    ) -> protocol.DockerAnswer:
        access = await self._access()
        with self._troubles():
            async with asyncio.timeout(2 * ASK_SECONDS):
                return await self._library.ask(
                    lambda job: protocol.AskDocker(job, access, what, name, label), protocol.DockerAnswer
                )

    async def _known(self) -> _Found:
        return self._found or await self._look()

    async def _access(self) -> protocol.DockerAccess:
        found = await self._known()
        dial = _bytes((found.endpoint.cli, "system", "dial-stdio"))
        return protocol.DockerAccess(found.endpoint.host, dial, _encoded(found.environment), ASK_SECONDS)

    @contextlib.contextmanager
    def _troubles(self) -> Iterator[None]:
        """Errors in our words; after one of Docker itself it is looked for anew: a person may have changed
        something meanwhile."""
        host = self._found.endpoint.host if self._found else ""
        try:
            with _lost():
                yield
        except TimeoutError as error:
            raise DockerError("docker.slow", command=host, seconds=round(2 * ASK_SECONDS)) from error
        except DockerError as error:
            code = recognise(error.detail) if error.code == DockerError.code else error.code
            if code not in ("", DockerError.code, "docker.not_ours"):
                self._found = None
            if code in ("docker.stopped", "docker.forbidden"):
                raise self._elsewhere(code, host, error.detail) from error
            if code and code != error.code:
                raise DockerError(code, detail=error.detail, **{"host": host, **error.params}) from error
            raise

    def _elsewhere(self, code: str, host: str, detail: str) -> DockerError:
        """The same trouble, or, where nobody chose the endpoint and another engine is there: that."""
        environment = inherited() if self._given is None else self._given
        others = contexts.other_sockets(environment, _exists)
        if host in (contexts.DEFAULT_SOCKET, contexts.DEFAULT_PIPE) and others:
            return DockerError("docker.other_socket", detail=detail, host=host, socket=others[0])
        return DockerError(code, detail=detail, host=host)

    async def _run(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        limit: float,
        tell: Callable[[list[tuple[bool, str]]], None] | None = None,
    ) -> Ended:
        words, values = _bytes(argv), _encoded(environment)
        with _lost():
            stream = self._library.stream(
                lambda job: protocol.RunCommand(job, words, values, limit), settle=SETTLE_SECONDS
            )
            async with contextlib.aclosing(stream) as replies:
                async for reply in replies:
                    if isinstance(reply, protocol.Output) and tell is not None:
                        tell(reply.lines)
                    elif isinstance(reply, protocol.CommandEnded):
                        return Ended(reply.code, reply.out, reply.err)
        raise DockerError("docker.lost", detail="no end of the command was told")


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """The child that speaks to Docker is gone: trouble of Docker's for whoever asked, who may ask again."""
    try:
        yield
    except WorkerLost as error:
        raise DockerError("docker.lost", detail=str(error)) from error


def _bytes(words: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(map(os.fsencode, words))


def _encoded(environment: Mapping[str, str]) -> dict[bytes, bytes]:
    return {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}


def _is_program(path: str) -> bool:
    return os.access(path, os.X_OK) and Path(path).is_file()


def _exists(path: str) -> bool:
    return Path(path).exists()
