"""The docker service: what is asked of an engine itself. The only importer of the docker SDK.

A local socket is spoken to directly; any other endpoint (ssh, TLS, a context's certificates) through
`docker system dial-stdio`, which knows the person's configuration better than the SDK does. Every socket can
be shut from outside, so that a cancel ends whatever waits for an answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import docker.errors  # type: ignore[import-untyped]
import requests
import urllib3
from docker.api.client import APIClient  # type: ignore[import-untyped]
from docker.transport.basehttpadapter import BaseHTTPAdapter  # type: ignore[import-untyped]

from core.errors import DockerError
from core.server.access import LOG_LINES, ContainerEvent, LogPiece
from core.worker import docker_values as values
from core.worker.batches import Batches
from core.worker.command_service import Group, started
from core.worker.docker_log import LogReader
from core.worker.job import Job
from core.worker.protocol import (
    AskDocker,
    DockerAccess,
    DockerAnswer,
    DockerEvents,
    DockerLog,
    Done,
    FollowEvents,
    FollowLog,
)

_OLDEST = "1.24"  # of the API; the engine's own is asked for before anything else
_LOCAL = ("unix://", "npipe://")


def answer(job: Job) -> None:
    """Answer one request about Docker. Raises DockerError, Cancelled."""
    request = job.request
    assert isinstance(request, AskDocker | FollowEvents | FollowLog)
    with _Sockets(request.access) as sockets, job.ended_by(sockets.shut):
        try:
            with contextlib.closing(_Client(request.access, sockets)) as client:
                if isinstance(request, FollowEvents):
                    _follow_events(job, client, request)
                elif isinstance(request, FollowLog):
                    _follow_log(job, client, request)
                else:
                    _ask(job, client, request)
        except (
            requests.RequestException,  # the SDK's own errors of answers are among them
            urllib3.exceptions.HTTPError,
            docker.errors.DockerException,
            OSError,
            ValueError,  # no JSON: an engine that is there only in part
        ) as error:
            job.check()
            raise _explained(error, sockets, request.access) from error


class _Sockets:
    """The connections of one job."""

    def __init__(self, access: DockerAccess) -> None:
        self._access = access
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._shut = False
        self._dialled = contextlib.ExitStack()
        self._groups: list[Group] = []

    def __enter__(self) -> _Sockets:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut()
        for one in self._open:
            one.close()
        self._dialled.close()

    def connect(self) -> socket.socket:
        """A new connection to the engine. Raises OSError."""
        if self._access.host.startswith("unix://"):
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._keep(made)
            made.settimeout(self._access.limit)
            made.connect(self._access.host.removeprefix("unix://"))
            return made
        made, other = socket.socketpair()
        with other:
            number = other.fileno()
            group = started(self._access.dial, self._access.environment, stdin=number, stdout=number)
            self._groups.append(self._dialled.enter_context(group))
        self._keep(made)
        made.settimeout(self._access.limit)
        return made

    def _keep(self, made: socket.socket) -> None:
        with self._lock:
            self._open.append(made)
            late = self._shut
        if late:
            made.close()

    def unlimit(self) -> None:
        """What follows may wait for ever."""
        for one in self._open:
            with contextlib.suppress(OSError):
                one.settimeout(None)

    def shut(self) -> None:
        """Whatever waits at a connection goes on with an error; from any thread."""
        with self._lock:
            self._shut = True
            for one in self._open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def words(self) -> str:
        """What the dialling command had to say."""
        self.shut()
        found = []
        for group in self._groups:
            group.wait(1.0)
            found.append(group.said())
        return "\n".join(filter(None, found))


class _Connection(urllib3.connection.HTTPConnection):
    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        super().__init__("localhost")
        self._make = connect

    def connect(self) -> None:
        self.sock = self._make()


class _Pool(urllib3.connectionpool.HTTPConnectionPool):
    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        super().__init__("localhost", maxsize=1, retries=False)
        self._make = connect

    def _new_conn(self) -> Any:
        return _Connection(self._make)


class _Adapter(BaseHTTPAdapter):  # type: ignore[misc]
    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        super().__init__()
        self._pool = _Pool(connect)

    def get_connection(self, url: str, proxies: object = None) -> _Pool:
        return self._pool

    def request_url(self, request: requests.PreparedRequest, proxies: object) -> str:
        return request.path_url

    def close(self) -> None:
        super().close()
        self._pool.close()


class _Client(APIClient):  # type: ignore[misc]
    """The SDK's client over our connections, speaking the engine's version of the API."""

    def __init__(self, access: DockerAccess, sockets: _Sockets) -> None:
        pipes = os.name == "nt"  # there its own ways: a named pipe, or TCP without a context's certificates
        host = access.host if pipes else "unix:///var/run/docker.sock"
        super().__init__(base_url=host, version=_OLDEST, timeout=access.limit)
        self.trust_env = False  # no proxy between us and the engine
        self._sockets = sockets
        if not pipes:
            self.mount("http+docker://", _Adapter(sockets.connect))
        self.about = self.version(api_version=False)
        api = self.about.get("ApiVersion") if isinstance(self.about, dict) else None
        if not isinstance(api, str) or not api:
            raise DockerError("docker.starting", detail=json.dumps(self.about)[:500])
        self._version = api

    def follow(self, path: str, *arguments: str, **parameters: Any) -> requests.Response:
        """An answer that has begun and goes on without a limit."""
        response = self._get(self._url(path, *arguments), params=parameters, stream=True)
        self._raise_for_status(response)
        self._sockets.unlimit()
        return response  # type: ignore[no-any-return]


def _ask(job: Job, client: _Client, request: AskDocker) -> None:
    if request.what == "kill":
        _kill(client, request.name)
        job.send(Done(job.number))
    elif request.what == "info":
        found = values.info(client.info(), client.about)
        job.send(DockerAnswer(job.number, info=found))
    elif request.what == "image":
        with contextlib.suppress(docker.errors.NotFound):
            job.send(DockerAnswer(job.number, image=values.image(client.inspect_image(request.name))))
            return
        job.send(DockerAnswer(job.number))
    elif request.what == "container":
        job.send(DockerAnswer(job.number, containers=tuple(_inspected(client, [request.name]))))
    elif request.what == "memory":
        job.send(DockerAnswer(job.number, memory=_memory(client, request.name)))
    elif request.label:
        entries = client.containers(all=True, filters={"label": request.label})
        names = [values.listed(entry).id for entry in entries]
        job.send(DockerAnswer(job.number, containers=tuple(_inspected(client, names))))
    else:
        entries = client.containers(all=True)
        job.send(DockerAnswer(job.number, containers=tuple(values.listed(entry) for entry in entries)))


def _inspected(client: _Client, names: list[str]) -> Iterator[Any]:
    """Those that are still there."""
    for name in names:
        with contextlib.suppress(docker.errors.NotFound):
            yield values.container(client.inspect_container(name))


def _memory(client: _Client, name: str) -> int:
    """0 of one that does not run, or that the engine does not look into."""
    with contextlib.suppress(docker.errors.APIError, docker.errors.InvalidVersion):
        return values.memory(client.stats(name, stream=False, one_shot=True))
    return 0


def _kill(client: _Client, name: str) -> None:
    try:
        found = values.container(client.inspect_container(name))
        if not found.ours:
            raise DockerError("docker.not_ours", container=found.name or name)
        client.remove_container(found.id, force=True, v=True)
    except docker.errors.NotFound:
        return  # gone already
    except docker.errors.APIError as error:
        if error.status_code != 409:
            raise
        _await_removal(client, name)  # somebody else is at it


def _await_removal(client: _Client, name: str) -> None:
    with contextlib.suppress(docker.errors.NotFound):
        trouble = client.wait(name, timeout=client.timeout, condition="removed").get("Error")
        if trouble:
            raise DockerError(detail=str(trouble.get("Message")))


def _follow_events(job: Job, client: _Client, request: FollowEvents) -> None:
    filters = json.dumps({"type": ["container"], "label": [request.label]})
    response = client.follow("/events", since=f"{request.since:.6f}", filters=filters)
    with Batches[ContainerEvent](
        lambda some: job.send(DockerEvents(job.number, tuple(some))), lambda _: 0
    ) as batches:
        rest = b""
        for data in response.raw.stream(None):  # as it comes
            *lines, rest = (rest + data).split(b"\n")
            for event in map(_event, lines):
                if event is not None:
                    batches.add(event)
    job.check()
    raise DockerError("docker.stopped", host=request.access.host, detail="the stream of events ended")


def _event(line: bytes) -> ContainerEvent | None:
    with contextlib.suppress(ValueError):
        return values.event(json.loads(line))
    return None


def _follow_log(job: Job, client: _Client, request: FollowLog) -> None:
    about = client.inspect_container(request.container)
    terminal = bool((about.get("Config") or {}).get("Tty"))
    reader = LogReader(framed=not terminal)
    response = client.follow(
        "/containers/{0}/logs",
        request.container,
        stdout=1,
        stderr=1,
        timestamps=1,
        follow=int(request.follow),
        tail=LOG_LINES,
        since=f"{request.since:.9f}" if request.since else "0",
    )
    with Batches[LogPiece](
        lambda some: job.send(DockerLog(job.number, tuple(some))), lambda piece: len(piece.text)
    ) as batches:
        for data in response.raw.stream(None):
            for piece in reader.feed(data):
                batches.add(piece)
        for piece in reader.end():
            batches.add(piece)
    job.check()
    job.send(Done(job.number))


def _explained(error: Exception, sockets: _Sockets, access: DockerAccess) -> DockerError:
    """What kept the engine from answering, or its own words (docker.failed, with the status)."""
    if isinstance(error, docker.errors.APIError):
        words, status = str(error.explanation or error), error.status_code or 0
        # the pipe of Docker Desktop answers for an engine that is not there yet
        code = "docker.starting" if status in (502, 503, 504) else "docker.failed"
        return DockerError(code, detail=words, status=status)
    if isinstance(error, ValueError):
        return DockerError("docker.starting", detail=str(error))
    causes = list(_causes(error))
    said = "" if access.host.startswith(_LOCAL) else sockets.words()
    detail = said or str(error)
    if any(isinstance(one, PermissionError) for one in causes):
        return DockerError("docker.forbidden", host=access.host, detail=detail)
    if any(isinstance(one, TimeoutError | urllib3.exceptions.TimeoutError) for one in causes):
        return DockerError("docker.slow", command=access.host, seconds=round(access.limit), detail=detail)
    if said:
        return DockerError("docker.failed", detail=said)  # recognised by whoever asked
    if any(isinstance(one, OSError | urllib3.exceptions.HTTPError) for one in causes):
        return DockerError("docker.stopped", host=access.host, detail=detail)
    return DockerError("docker.failed", detail=detail)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was made of: libraries keep the first one in their arguments."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, BaseException) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__, *one.args, getattr(one, "reason", None)]
