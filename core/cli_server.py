"""`tokenloupe up`, `down`, `status`, `logs`: the server in Docker from a script, the one of the window."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec

from core import cli_steps
from core.cli_hub import Hub, Look, folder_of
from core.cli_models import permit, prepare
from core.cli_steps import SETTABLE
from core.engines.vllm.choice import ServerChoice
from core.engines.vllm.http import Server
from core.engines.vllm.probe import probe
from core.errors import LoupeError, SettingsError
from core.log_text import saved_lines
from core.models.catalog import BUILT_IN
from core.models.embedded import built_in_state
from core.paths import Paths, default_paths
from core.server.access import Container, Docker
from core.server.choose import coming, doctor_looks_for, read_model, spec_from, spec_of_coming
from core.server.controller import ServerController
from core.server.docker import DockerCli
from core.server.finding import Finding
from core.server.found import pick
from core.server.knock import knock
from core.server.launcher import Doctor, Launcher
from core.server.launches import Launches
from core.server.others import Others
from core.server.spec import LaunchSpec
from core.server.state import STARTING, ServerPhase, ServerState, Step
from core.settings import load
from core.tasks import TaskScope
from core.worker.client import SERVER_KEY, library_worker

P = ServerPhase
NOT_STARTED = 6  # exit code, also of whatever Docker refuses


class Desk(msgspec.Struct):
    """What the commands work with; tests give another."""

    launcher: Launcher
    docker: Docker
    paths: Paths
    look: Look


Open = Callable[[], AbstractAsyncContextManager[Desk]]


@asynccontextmanager
async def open_desk() -> AsyncIterator[Desk]:
    """The real one. What it started is left running; whoever wants it stopped says so before."""
    library, paths = library_worker(), default_paths()
    docker = DockerCli(library)
    settings, _ = load(paths.settings)
    wanted = doctor_looks_for(settings, os.environ)
    hub = Hub(paths, library)
    launcher = ServerController(
        docker, paths, ask, by="cli", source=hub.source, permit=permit(paths), wanted=lambda: wanted
    )
    try:
        yield Desk(launcher, docker, paths, hub.look)
    finally:
        await launcher.close(leave=True)
        await hub.close()
        await library.close()


async def ask(address: str, spec: LaunchSpec, key: str) -> None:
    """What a started server can show of its tokens. Raises EngineError if it is not usable."""
    async with Server(address, key=key) as server:
        await probe(server, spec.model)


# --- up ------------------------------------------------------------------------------------------------


async def up(arguments: argparse.Namespace, opened: Open = open_desk) -> int:
    """Returns 0, or 6 if the server did not start. Raises LoupeError."""
    key = os.environ.pop(SERVER_KEY, "")
    async with opened() as desk:
        named = arguments.model or load(desk.paths.settings)[0].model
        doctor = await desk.launcher.doctor()
        if doctor.finding not in (None, doctor.no_cpu):  # what a device lacks is for the start to say
            return _failed(doctor.finding, named, arguments)
        spec = await _spec(arguments, named, desk, doctor)
        try:
            if arguments.wait:
                return await _up_and_wait(desk.launcher, spec, key, arguments.json)
            fetches = coming(Path(spec.folder), desk.paths.models)
            return await _up(desk.launcher, spec, key, arguments.json, tells=fetches)
        except asyncio.CancelledError:
            sys.stderr.write(cli_steps.kept_text(desk.launcher.state))
            raise
        except LoupeError as error:
            finding = getattr(error, "finding", None) or desk.launcher.state.finding
            if finding is None:
                raise
            return _failed(finding, named, arguments, desk.launcher.state)


async def _spec(arguments: argparse.Namespace, named: str, desk: Desk, doctor: Doctor) -> LaunchSpec:
    """Raises ModelError, SettingsError, DockerError("docker.version")."""
    paths = desk.paths
    folder = await folder_of(named, paths.models, desk.look, fetch=not arguments.no_fetch)
    if named == BUILT_IN and built_in_state(paths.models) != "ready":
        await prepare(paths)
    settings, problems = load(paths.settings)
    for problem in problems:
        sys.stderr.write(f"tokenloupe: {problem}\n")
    environ = dict(os.environ)
    if arguments.device is not None:
        settings = msgspec.structs.replace(settings, vllm_device=arguments.device)
        environ.pop("TOKENLOUPE_VLLM_DEVICE", None)
    if arguments.port is not None:
        settings = msgspec.structs.replace(settings, vllm_port=arguments.port)
        environ.pop("VLLM_PORT", None)
    if coming(folder, paths.models):
        spec = spec_of_coming(settings, folder, environ, doctor)
    else:
        spec = spec_from(settings, read_model(folder, paths.models), environ, doctor, models=paths.models)
    return changed(spec, arguments.set)


def changed(spec: LaunchSpec, pairs: list[str]) -> LaunchSpec:
    """`pairs`: NAME=VALUE, the value as in JSON, or as it stands for text; empty = the default. Raises
    SettingsError("settings.variable")."""
    values: dict[str, Any] = msgspec.to_builtins(spec)
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name not in SETTABLE:
            raise SettingsError(
                "settings.variable", name="--set", value=name[:80], allowed=", ".join(SETTABLE)
            )
        values[name] = text
        if name not in ("drafter", "speculative", "version"):
            values[name] = _json(text)
        if not text:
            values.pop(name)
    try:
        return msgspec.convert(values, LaunchSpec)
    except msgspec.ValidationError as error:
        raise SettingsError(
            "settings.variable", name="--set", value=" ".join(pairs)[:80], allowed=str(error)
        ) from error


def _json(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


async def _up_and_wait(launcher: Launcher, spec: LaunchSpec, key: str, as_json: bool) -> int:
    async with _telling(launcher, as_json):
        await launcher.start(spec, key=key)
    if as_json:
        _print(cli_steps.record(launcher.state, 0.0))
    else:
        _print(_ready_text(launcher.state))
    return 0


@asynccontextmanager
async def _telling(launcher: Launcher, as_json: bool) -> AsyncIterator[None]:
    """Each step of a start on stdout."""

    def tell(step: Step) -> None:
        _print(cli_steps.step_record(step) if as_json else cli_steps.step_line(step))

    lines = cli_steps.StepLines(tell, sys.stdout if not as_json and sys.stdout.isatty() else None)
    disconnect = launcher.state_changed.connect(lines)
    ticking = TaskScope()
    ticking.spawn(_tick(launcher, lines), name="seconds")
    try:
        yield
    finally:
        await ticking.close()
        disconnect()
        lines.clear()


async def _tick(launcher: Launcher, lines: cli_steps.StepLines) -> None:
    while True:
        await asyncio.sleep(1.0)
        lines(launcher.state)


async def _up(launcher: Launcher, spec: LaunchSpec, key: str, as_json: bool, *, tells: bool) -> int:
    """Until there is a container, which then goes on by itself. `tells` each step up to there."""
    async with _telling(launcher, as_json) if tells else nullcontext():
        await _until_made(launcher, spec, key)
    state = launcher.state
    if as_json:
        _print(cli_steps.record(state))
    elif state.phase is P.READY:
        _print(_ready_text(state))
    else:
        _print(
            f"{spec.model} is starting on {cli_steps.device_name(spec)}; its address will be {spec.address}."
        )
        _print("The start goes on by itself. To follow it: `tokenloupe status`, `tokenloupe logs -f`, or")
        _print("`tokenloupe up --wait`, which waits for it.")
    return 0


async def _until_made(launcher: Launcher, spec: LaunchSpec, key: str) -> None:
    created = asyncio.Event()

    def look(state: ServerState) -> None:
        if state.container and (state.phase is P.READY or state.phase in STARTING[3:]):
            created.set()

    disconnect = launcher.state_changed.connect(look)
    starting = TaskScope(lambda _error: None)  # it is told below
    start = starting.spawn(launcher.start(spec, key=key), name="start")
    waiting = starting.spawn(created.wait(), name="container")
    try:
        await asyncio.wait({start, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if start.done():
            start.result()
        else:
            await launcher.close(leave=True)
    finally:
        disconnect()
        await starting.close()


def _failed(
    finding: Finding, model: str, arguments: argparse.Namespace, state: ServerState | None = None
) -> int:
    """`state`: of what runs all the same."""
    asked = cli_steps.asked(arguments.device, arguments.port, arguments.set)
    if arguments.json:
        _print(cli_steps.finding_record(finding, model, asked))
    first, *more = cli_steps.finding_lines(finding, model, asked)
    if state is not None and state.phase is P.READY:
        more.append(f"  What ran before goes on. {_ready_text(state)}")
    sys.stderr.write("".join(f"{line}\n" for line in (f"tokenloupe: {first}", *more)))
    return NOT_STARTED


def _ready_text(state: ServerState) -> str:
    spec = state.spec
    assert spec is not None
    return f"Ready: {spec.model} on {cli_steps.device_name(spec)} at {spec.address}"


# --- down, status --------------------------------------------------------------------------------------


async def down(arguments: argparse.Namespace, opened: Open = open_desk) -> int:
    """Returns 0, also where there was nothing to stop. Raises DockerError."""
    async with opened() as desk:
        there = bool(await desk.docker.containers())
        await desk.launcher.look()
        await desk.launcher.stop()
        if arguments.json:
            _print({"type": "stopped", "was_there": there})
        else:
            _print("Stopped." if there else "No server of Token Loupe was there.")
    return 0


async def status(arguments: argparse.Namespace, opened: Open = open_desk) -> int:
    """Returns 0 whatever the server does. Raises DockerError if Docker does not tell."""
    async with opened() as desk:
        container = pick(await desk.docker.containers())
        state = await desk.launcher.look()
        up = _up_seconds(state, container, desk.paths)
        if arguments.json:
            _print(cli_steps.record(state, up))
            return 0
        for line in status_lines(state, up):
            _print(line)
    return 0


def _up_seconds(state: ServerState, container: Container | None, paths: Paths) -> float | None:
    """Since it was ready, by its record; of one without, since its container was started."""
    if state.phase is not P.READY or container is None:
        return None
    known = Launches(paths.data / "launches").read(state.launch)
    since = known.ready if known is not None and known.ready else container.started
    return max(0.0, time.time() - since)


def status_lines(state: ServerState, up: float | None = None) -> list[str]:
    spec = state.spec
    if spec is None or state.phase in (P.ABSENT, P.STOPPED):
        return ["No server of Token Loupe is running."]
    place = f"{spec.model} on {cli_steps.device_name(spec)}"
    origin = f"vLLM {spec.version}, started by {cli_steps.by_whom(state)}"
    launch = f", launch {state.launch}" if state.launch else ""
    if state.phase is P.READY:
        up_for = "" if up is None else f", up {cli_steps.duration(up)}"
        return [f"Ready{up_for}: {place} at {spec.address}", f"{origin}{launch}"]
    if state.starting:
        running = state.running
        step = "" if running is None else f": {cli_steps.step_line(running)}"
        return [f"Starting {place}{step}", f"{origin}{launch}"]
    first = {P.FAILED: "Did not start", P.LOST: "Gone", P.STOPPING: "Stopping"}[state.phase]
    lines = [f"{first}: {place}", f"{origin}{launch}"]
    return lines + (
        cli_steps.finding_lines(state.finding, spec.folder, cli_steps.unusual(spec)) if state.finding else []
    )


# --- logs ----------------------------------------------------------------------------------------------


async def logs(arguments: argparse.Namespace, opened: Open = open_desk) -> int:
    """Of the server that is there, else of the last start. Returns 0. Raises DockerError."""
    async with opened() as desk:
        container = pick(await desk.docker.containers())
        if container is not None:
            await _follow(desk.docker, container, follow=arguments.follow)
            return 0
        launches = Launches(desk.paths.data / "launches")
        last = next(launches.all(), None)
        if last is None:
            sys.stderr.write("tokenloupe: no server is running, and none was started before\n")
            return 0
        began = time.strftime("%Y-%m-%d %H:%M", time.localtime(last.began))
        sys.stderr.write(f"tokenloupe: no server is running; this is the log of the start of {began}\n")
        for line in launches.log(last.id):
            _print(line)
    return 0


async def _follow(docker: Docker, container: Container, *, follow: bool) -> None:
    """Until it ends; without `follow` what it has written by now."""
    async with aclosing(docker.logs(container.id, follow=follow)) as batches:
        async for pieces in batches:
            for piece in pieces:
                for line in saved_lines(piece.text):
                    _print(line)


# --- ask -----------------------------------------------------------------------------------------------


async def ready_server(paths: Paths, key: str) -> ServerChoice | None:
    """The server that the window or `up` has started, if it answers now, whether or not anybody has waited
    for that; by hand started ones are not looked for. Takes milliseconds where there is none."""
    others = Others(paths, "cli")
    told = others.file.read()
    if told is None or told.spec is None or told.phase not in (P.READY, *STARTING):
        return None
    if others.busy() is not None:  # a start that may end the one that answers there
        return None
    spec = told.spec
    answer = await knock(spec.port, "/v1/models", key)
    if answer.status in (-1, 401) or (answer.status == 200 and spec.model in answer.models):
        # -1, 401: it is slow, it wants another key, which asking will say
        return ServerChoice(spec.address, spec.model, spec.folder)
    return None


def _print(said: str | dict[str, Any]) -> None:
    text = said if isinstance(said, str) else msgspec.json.encode(said).decode()
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
