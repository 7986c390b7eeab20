"""The steps of a start up to a container that runs: check, image, weights, create."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from core.errors import ModelError
from core.log_lines import LONGEST
from core.log_text import safe
from core.models.headers import served_in
from core.models.manifest import damaged_files, read_manifest
from core.models.orders import DownloadState
from core.server import environment, image
from core.server.access import (
    LABEL_LAUNCH,
    Container,
    DockerInfo,
    Ended,
    Endpoint,
    Image,
    LogPiece,
    Progress,
)
from core.server.course import Course
from core.server.environment import ComposeCall
from core.server.evidence import Evidence
from core.server.finding import Finding
from core.server.findings import is_in
from core.server.found import known_spec, pick, runs
from core.server.key_mark import has_key, mark
from core.server.launches import Launch
from core.server.mounts import coming_mount
from core.server.progress import ProgressLines
from core.server.removal import clean
from core.server.source import Source
from core.server.spec import LaunchSpec
from core.server.state import ServerPhase
from core.server.tools import NotStarted, Tools
from core.server.versions import versions

log = logging.getLogger(__name__)
P = ServerPhase
_NEWEST: Final = 200  # lines of Docker's in which a cause is looked for in the log
_NOTES: Final = {
    "queued": "weights_queued",
    "resolving": "weights_ask",
    "waiting": "weights_again",
    "paused": "weights_paused",
    "checking": "weights_check",
    "following": "weights_follow",
}


class Start:
    """One start's way to a container. `spec`: what is started, which a model's arrival may change. `created`:
    Compose may have made something. `shared`: the container was there already, so it is not this start's to
    remove. `kept`: another server of ours, which runs until all is there that its replacement needs."""

    def __init__(
        self,
        tools: Tools,
        course: Course,
        spec: LaunchSpec,
        record: Launch,
        key: str,
        *,
        running: Container | None = None,
        held: bool = False,
        replaces: Launch | None = None,
        removed: Callable[[set[str]], None] = lambda ids: None,
        said: Callable[[LogPiece], None] = lambda piece: None,
    ) -> None:
        """`running`: the server that is ready now, `held`: and is this process's to stop, `replaces`: its
        record. `removed`: told of the containers that had to go, `said`: of each line that Docker writes."""
        self._tools = tools
        self._course = course
        self.spec = spec
        self._record = record
        self._key = key
        self._key_mark = ""
        self.before = course.state
        self.held = held
        self._replaces = replaces
        self._removed = removed
        self._said = said
        self._lines = ProgressLines()
        self._newest: deque[str] = deque(maxlen=_NEWEST)
        self._endpoint: Endpoint | None = None
        self._info: DockerInfo | None = None
        self._image: Image | None = None
        self.created = False
        self.shared = False
        self.kept = running
        self.weights = 0
        self._coming: Source | None = None  # the model is not on disk: where it comes from

    async def ground(self) -> Container | None:
        """Docker answers, and what is there of ours is known. The very server that is wanted, if it runs;
        else None, and of ours at most `kept` is left. Raises DockerError."""
        docker = self._tools.docker
        self._endpoint = await docker.find()
        self._info = await docker.info()
        self._record.update(docker=self._info.version, compose=self._endpoint.compose)
        there = await docker.containers()
        well = [one for one in there if runs(one) and await self._is_well(one)]
        for one in well:
            if environment.spec_of(one) == self.spec and await has_key(one, self._key):
                self.shared = True
                self._course.update(container=one.id)
                return one
        self.kept = pick(well)
        if there and self.kept is None:
            await self._clear()
        return None

    async def _is_well(self, container: Container) -> bool:
        """As far as can be said of one that may still be loading: it is not known to be dead."""
        health = await self._tools.knock(known_spec(container).port, "/health", self._key)
        given_up = self.before.phase is P.LOST and self.before.container == container.id
        return not given_up and health.status < 500

    async def run(self) -> Container:
        """The container, just started. Raises LoupeError, NotStarted among them."""
        info, endpoint = self._info, self._endpoint
        assert info is not None and endpoint is not None
        await self._look_ahead()
        await self._check(info, endpoint)
        self._key_mark = await asyncio.to_thread(mark, self._key)
        self._course.note("docker", version=info.version, device=self.spec.device.upper())
        call = self._call(info)
        await self._bring(call, info.arch)
        self._course.move(P.WEIGHTS)
        note = "weights_here"
        if self._coming is not None:
            await self._fetch(self._coming)
            call, note = self._call(info), "weights_fetched"
        await self._weigh(note)
        self._course.move(P.CREATING)
        if self.kept is not None:
            self.kept = None
            await self._clear()
            await self._check(info, endpoint)  # now that its memory is free
        return await self._create(call)

    async def _clear(self) -> None:
        """What was there goes; the one that this start replaces is stopped by it."""
        try:
            self._removed(await clean(self._tools.docker, self._tools.sleep))
        finally:
            replaced, self._replaces = self._replaces, None
            if replaced is not None:
                replaced.end("stopped")

    async def _check(self, info: DockerInfo, endpoint: Endpoint) -> None:
        weights = 0 if self._coming is None else self.weights
        finding = await self._tools.check(self.spec, info, endpoint, weights)
        if finding is not None and finding.severity == "err":
            raise NotStarted(finding)
        self._course.update(finding=finding)  # a warning goes with it

    async def _bring(self, call: ComposeCall, arch: str) -> None:
        """One that is here for another kind of processor is replaced."""
        self._course.move(P.IMAGE)
        docker, course = self._tools.docker, self._course
        self._image = await docker.image(call.image)
        if self._image is not None and self._image.is_for(arch):
            course.note("image_here")
        else:
            sleep, permit = self._tools.sleep, self._tools.permit
            ended = await image.bring(docker, call, arch, course, sleep, permit, self._told)
            if ended.code:
                raise NotStarted(await self._diagnose(ended))
            self._image = await docker.image(call.image)
        digest = self._image.digest if self._image is not None else ""
        self._record.update(image=call.image, digest=digest)

    def _told(self, progress: Progress) -> None:
        """Before there is a container Docker's own words are the log."""
        if line := safe(self._lines.feed(progress))[:LONGEST]:
            self._newest.append(line)
            self._said(LogPiece(self._tools.wall(), line))

    async def _look_ahead(self) -> None:
        """Before anything is fetched, the image too: that the model can be had, and how large it is."""
        source = self._tools.source
        if source is not None and await asyncio.to_thread(source.lacks, self.spec):
            self._coming = source
            self._course.note("weights_ask", model=self.spec.model)
            self.weights = await source.weigh(self.spec)

    async def _fetch(self, source: Source) -> None:
        self.spec = await source.fetch(self.spec, self._fetched)
        self._coming = None
        self._course.update(spec=self.spec)
        self._record.update(spec=self.spec)

    def _fetched(self, state: DownloadState) -> None:
        note, params = _NOTES.get(state.phase, "weights_fetch"), {"number": state.tries}
        self._course.arrived(state.done, state.total, state.speed, state.left if state.left >= 0 else None)
        running = self._course.state.running
        if running is not None and (running.note, running.params) != (note, params):
            self._course.note(note, **params)

    async def _weigh(self, note: str) -> None:
        folder = Path(self.spec.folder)
        size, damaged = await asyncio.to_thread(_weights, folder)
        if damaged:
            raise ModelError("model.damaged", folder=self.spec.folder, file=damaged[0])
        self.weights = await asyncio.to_thread(served_in, folder)
        self._course.note(note, size=size / 1e9, revision=self.spec.revision)

    def _call(self, info: DockerInfo) -> ComposeCall:
        """What Compose is told, and its record; for a model that still comes, as far as the image needs."""
        coming = self._coming is not None
        call = environment.launch(
            self.spec,
            launch_id=self._record.id,
            models=self._tools.models,
            key=self._key,
            key_mark=self._key_mark,
            engine_memory=info.memory,
            selinux=info.selinux,
            cdi=info.by_cdi,
            arch=info.arch,
            mount=coming_mount(Path(self.spec.folder)) if coming else None,
        )
        self._record.update(environment=dict(call.environment))
        if not coming:
            lines = environment.command_line(
                self.spec,
                models=self._tools.models,
                engine_memory=info.memory,
                selinux=info.selinux,
                cdi=info.by_cdi,
            )
            self._record.update(lines=lines)
        return call

    async def _create(self, call: ComposeCall) -> Container:
        self.created = True
        docker = self._tools.docker
        arguments = ("up", "--detach", "--no-build", "--force-recreate", "vllm")
        ended = await docker.compose(call.files, arguments, call.environment, self._told)
        made = [one for one in await docker.containers() if one.labels.get(LABEL_LAUNCH) == self._record.id]
        if ended.code or not made:
            raise NotStarted(await self._diagnose(ended, made[0] if made else None))
        self._course.note("container")
        self._course.update(container=made[0].id)
        self._record.update(container=made[0].id, command=made[0].arguments)
        return made[0]

    def evidence(self) -> Evidence:
        """What is known beside the container and its log."""
        image_ = self._image
        return Evidence(
            spec=self.spec,
            info=self._info,
            weights=self.weights,
            image_arch="" if image_ is None else image_.arch,
            versions=tuple(one.version for one in versions()),
        )

    async def _diagnose(self, ended: Ended, container: Container | None = None) -> Finding:
        """A build's steps are told on one stream, and that it failed on the other."""
        said = ("" if container is None else container.error, ended.out, ended.err)
        evidence = msgspec.structs.replace(self.evidence(), error="\n".join(filter(None, said)))
        found = await self._tools.explain(evidence)
        return msgspec.structs.replace(found, logged=is_in(self._newest, found.line))


def _weights(folder: Path) -> tuple[int, list[str]]:
    """Bytes of the model's weights on disk, and the files that are not as its manifest says."""
    manifest = read_manifest(folder)
    damaged = [] if manifest is None else damaged_files(folder, manifest)
    sizes = [entry.stat().st_size for entry in os.scandir(folder) if entry.name.endswith(".safetensors")]
    if not sizes:
        raise ModelError("model.no_safetensors", folder=str(folder))
    return sum(sizes), damaged
