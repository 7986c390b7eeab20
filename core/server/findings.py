"""Why a server did not start or is gone: evidence in, one finding with its numbers and its ways out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from core import sentences
from core.errors import LoupeError
from core.server import fixes
from core.server.access import Gpus
from core.server.cause import Cause, EngineLog, docker_line, of_docker
from core.server.environment import memory_of
from core.server.evidence import Evidence
from core.server.finding import Collision, Finding, Fix, Part, Value
from core.server.finding_words import FILE
from core.server.spec import GIB

_SIZE: Final = re.compile(r"([\d.]+) ([KMG]iB)")
_UNITS: Final = {"KiB": 1 / (1 << 20), "MiB": 1 / 1024, "GiB": 1.0}  # in GiB
KILLED: Final = 137  # 128 + SIGKILL
ILLEGAL_INSTRUCTION: Final = 132
TERMINATED: Final = 143  # SIGTERM, which vLLM answers with 0 once it serves
CRASHED: Final = frozenset({134, 135, 136, 139})  # SIGABRT, SIGBUS, SIGFPE, SIGSEGV
NEEDED: Final[Mapping[str, str]] = {"amd64": "AVX2 or AVX-512", "arm64": "ARMv8.2"}  # by vLLM's CPU images


def diagnose(evidence: Evidence, *, free_port: Callable[[int], int | None] = fixes.next_free_port) -> Finding:
    """Never raises for what Docker or the server wrote. Up to half a second for 8,000 lines of errors."""
    cause = _refined(_cause(evidence), evidence)
    params = {**_facts(cause, evidence), **_in_gib(cause.params)}
    line = cause.line
    if cause.code == "disk_full" and evidence.disk:
        line = f"{line}\n\n{evidence.disk.strip()}"
    return make(cause.code, params, line, evidence, free_port=free_port)


async def diagnose_aside(evidence: Evidence) -> Finding:
    """In a thread: a log full of errors takes longer than the window may stand still. No single step in it
    holds the interpreter for long."""
    return await asyncio.to_thread(diagnose, evidence)


def of_error(error: LoupeError, evidence: Evidence | None = None) -> Finding | None:
    """The finding for what the access to Docker raised: docker.missing, docker.stopped …; None for an error
    that is told in its own words."""
    evidence = evidence or Evidence()
    code = error.code.replace(".", "_")
    cause = of_docker(error.detail) if code in ("docker_failed", "docker_context") else None
    if cause is not None:
        return diagnose(
            Evidence(spec=evidence.spec, info=evidence.info, error=error.detail, platform=evidence.platform)
        )
    if code not in _table("finding"):
        return None
    params = {name: value for name, value in error.params.items() if isinstance(value, str | int | float)}
    return make(code, params, docker_line(error.detail), evidence)


def make(
    code: str,
    params: Mapping[str, Value],
    line: str = "",
    evidence: Evidence | None = None,
    *,
    free_port: Callable[[int], int | None] = fixes.next_free_port,
    severity: Literal["err", "warn"] = "err",
) -> Finding:
    """A finding of this code with the collision and the fixes that findings.toml states for it."""
    table = _table("finding")[code]
    shape = table.get("collision", {})
    room = {"kv": "kv"} if code == "cpu_kv" else {}
    if shape.get("unit") == "tokens":
        room = {"room": "tokens"}
    case = fixes.Case(evidence or Evidence(), {**params, **room}, free_port)
    found = fixes.build(table["fixes"], case)
    collision = _collision(shape, params, found)
    if collision is not None and collision.what == "gpu":
        collision = _on_gpu(collision, case.evidence.gpus, params.get("own"))
    return Finding(code, params, line, collision, found, severity, is_in(case.evidence.log, line))


def is_in(log: Iterable[str], line: str) -> bool:
    """The first of these lines stands in the log; it may be cut."""
    first = next(iter(line.strip().splitlines()), "").removesuffix("…")
    return bool(first) and any(first in text for text in log)


def _table(name: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = sentences.tables(FILE)[name]
    return table


# --- which cause -------------------------------------------------------------------------------------------


def _cause(evidence: Evidence) -> Cause:
    """What is certain comes first: a cause in Docker's words, the system's own mark for memory, a cause in
    the log; then what is told by the exit code, and what is said where nothing better is."""
    of_log = EngineLog(evidence.log, ready=evidence.ready)
    engine = of_log.cause()
    docker = of_docker(evidence.error)
    if docker is not None and docker.rank == 0:
        return docker
    if evidence.oom_killed:
        return Cause("oom", engine.line if engine else "")
    if engine is not None and engine.rank == 0:
        return engine
    by_code = _by_exit_code(evidence, of_log)
    return engine or by_code or docker or _unknown(evidence, of_log)


def _by_exit_code(evidence: Evidence, of_log: EngineLog) -> Cause | None:
    code = evidence.exit_code
    if code == ILLEGAL_INSTRUCTION:
        return Cause("processor", of_log.first_error())
    if code == KILLED:
        return Cause("killed", "")
    if code in CRASHED:
        foreign = evidence.info is not None and evidence.image_arch not in ("", evidence.info.arch)
        return Cause("emulated" if foreign else "crashed", of_log.first_error())
    if evidence.gone and not of_log.engine_ended:
        return Cause("gone", "")
    return None


def _unknown(evidence: Evidence, of_log: EngineLog) -> Cause:
    line = of_log.first_error()
    if not line and evidence.error:
        return Cause("docker_failed", docker_line(evidence.error))
    if not line and evidence.exit_code is None:
        return Cause("interrupted", "")  # its container was made, and never ran
    if evidence.exit_code in (0, TERMINATED) and not of_log.engine_ended:
        return Cause("ended", line)
    return Cause("engine_died" if evidence.ready else "unknown", line)


def _refined(cause: Cause, evidence: Evidence) -> Cause:
    """What a text alone does not tell: the security module that forbids, the emulation that crashes."""
    info = evidence.info
    code = cause.code
    if code == "unreadable" and info is not None and info.selinux:
        code = "selinux"
    if code == "processor" and info is not None and evidence.image_arch not in ("", info.arch):
        code = "emulated"
    if code == "mount_denied" and info is not None and info.selinux:
        code = "selinux" if "ermission denied" in cause.line else code
    return Cause(code, cause.line, cause.params, cause.rank) if code != cause.code else cause


# --- its numbers -------------------------------------------------------------------------------------------


def _facts(cause: Cause, evidence: Evidence) -> dict[str, Value]:
    """Parameters that the line does not say, of the start that failed."""
    spec, info = evidence.spec, evidence.info
    facts: dict[str, Value] = {"config": evidence.config}
    if evidence.exit_code is not None:
        facts["exit_code"] = evidence.exit_code
    if evidence.image:
        facts["image"] = evidence.image
    if evidence.image_arch:
        facts["image_arch"] = evidence.image_arch
    if info is not None:
        facts |= {"arch": info.arch, "platform": f"linux/{info.arch}"}
        facts["needed"] = NEEDED.get(info.arch, info.arch)
    if spec is not None:
        facts |= {"port": spec.port, "version": spec.version, "path": spec.folder}
    if cause.code == "oom":
        facts |= _memory(evidence)
    if isinstance(share := cause.params.get("share"), int | float):
        facts["percent"] = round(share * 100)
    return facts


def _memory(evidence: Evidence) -> dict[str, Value]:
    """GiB that the container may use, and what the model takes at least."""
    spec, info = evidence.spec, evidence.info
    engine = info.memory if info is not None else 0
    limit = evidence.limit
    if limit is None:
        limit = memory_of(spec, engine) if spec else 0
    limits = [one for one in (limit, engine) if one]
    facts: dict[str, Value] = {"free": min(limits) / GIB} if limits else {}
    if spec is not None:
        facts["asked"] = (evidence.weights + spec.kv_bytes) / GIB
    return facts


def _collision(
    shape: Mapping[str, str], params: Mapping[str, Value], found: tuple[Fix, ...]
) -> Collision | None:
    """None where a number is missing, or the two do not collide after all."""

    def amount(name: str) -> float | None:
        value = params.get(name)
        return float(value) * scale if isinstance(value, int | float) else None

    if not shape:
        return None
    scale = GIB if shape["unit"] == "GiB" else 1
    if shape["unit"] == "port":
        port = params.get("port")
        free = next((fix.changes["port"] for fix in found if fix.code == "port"), None)
        if not isinstance(port, int) or not isinstance(free, int):
            return None
        return Collision(shape["amount"], "port", port, free)
    asked, free_amount, total = amount("asked"), amount("free"), amount("total")
    if asked is None or free_amount is None or asked <= free_amount:
        return None
    unit: Literal["bytes", "tokens"] = "tokens" if shape["unit"] == "tokens" else "bytes"
    return Collision(shape["amount"], unit, asked, free_amount, total, str(params.get("device", "")))


def _on_gpu(collision: Collision, gpus: Gpus | None, own: Value | None) -> Collision:
    """With the GPU's name and who holds its memory. `own`: GiB that the server itself held when it failed."""
    gpu = gpus.at(collision.name) if gpus is not None else None
    parts = [Part("server", own * GIB)] if isinstance(own, int | float) else []
    if gpu is not None and not gpu.parted:
        parts += [Part(one.name or f"pid {one.pid}", one.memory) for one in gpu.holders if one.memory]
        collision = msgspec.structs.replace(collision, name=gpu.name)
    rest = (collision.total or collision.free) - collision.free - sum(part.amount for part in parts)
    if parts and rest >= 0.01 * GIB:  # less is not shown
        parts.append(Part("gpu_rest", rest))
    return msgspec.structs.replace(collision, taken=tuple(parts))


def _in_gib(params: Mapping[str, Value]) -> dict[str, Value]:
    """With numbers of GiB for what is written as "960.00 MiB"."""
    found = {name: _SIZE.fullmatch(value) for name, value in params.items() if isinstance(value, str)}
    sizes = {name: float(one[1]) * _UNITS[one[2]] for name, one in found.items() if one is not None}
    return {**params, **sizes}
