"""What mends a finding: the numbers of each fix, from what collided, and which fixes apply here."""

from __future__ import annotations

import math
import shlex
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from core import sentences
from core.server.access import Holder
from core.server.evidence import Evidence
from core.server.finding import Fix, Value
from core.server.finding_words import FILE
from core.server.spec import GIB

LEAST_SHARE: Final = 0.05  # of a GPU; with less no model starts
MOST_SHARE: Final = 0.9
LEAST_CONTEXT: Final = 256  # tokens; with less no chat is possible
RUNTIME_BYTES: Final = 2 * GIB  # what vLLM needs beside weights and KV cache, as measured with a tiny model
PORTS_TRIED: Final = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One failure: its evidence, the parameters of its finding, and how a free port is found."""

    evidence: Evidence
    params: Mapping[str, Value]
    free_port: Callable[[int], int | None]

    def number(self, name: str) -> float | None:
        value = self.params.get(name)
        return float(value) if isinstance(value, int | float) else None


def next_free_port(port: int) -> int | None:
    """The next port of this computer after `port` that nobody listens on; None if there is none near."""
    for candidate in range(port + 1, min(port + 1 + PORTS_TRIED, 65536)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", candidate))
            except OSError:
                continue
            return candidate
    return None


def lower_share(free: float, total: float) -> float:
    """The share of a device's memory that is free for sure: rounded down, and one hundredth less."""
    return math.floor(free / total * 100) / 100 - 0.01


def _share(case: Case) -> Fix | None:
    free, total = case.number("free"), case.number("total")
    if free is None or not total:
        return None
    share = round(lower_share(free, total), 2)
    if share < LEAST_SHARE:
        return None
    params = {"percent": round(share * 100), "asked": share * total, "free": free, "total": total}
    return Fix("share", "start", params, {"gpu_share": share})


def _share_more(case: Case) -> Fix | None:
    spec, least = case.evidence.spec, case.number("least")
    if spec is None or spec.device == "cpu":  # there the KV cache has a size, and no share is told
        return None
    share = (
        math.ceil(least * 100) / 100 + 0.01 if least is not None else min(spec.gpu_share + 0.2, MOST_SHARE)
    )
    share = round(share, 2)
    if not spec.gpu_share < share <= MOST_SHARE:
        return None
    return Fix("share_more", "start", {"percent": round(share * 100)}, {"gpu_share": share})


def _context(case: Case) -> Fix | None:
    """To the number that the log names, or what there is room for; else to half."""
    fits = case.number("fits")
    if fits is None and case.params.get("room") == "tokens":
        fits = case.number("free")
    if fits is None:
        asked = case.number("context") or (case.evidence.spec and case.evidence.spec.context)
        fits = asked / 2 if asked else None
    if fits is None or fits < LEAST_CONTEXT:
        return None
    return Fix("context", "start", {"context": int(fits)}, {"context": int(fits)})


def _context_less(case: Case) -> Fix | None:
    found = _context(case)
    return found and Fix("context_less", "start", found.params, found.changes)


def _kv(case: Case, code: str, then: float) -> Fix | None:
    """Whole GiB: the CPU image takes nothing else."""
    spec = case.evidence.spec
    if spec is None or then < 1:
        return None
    now = spec.kv_bytes / GIB
    return Fix(code, "start", {"now": now, "then": float(then)}, {"kv_bytes": int(then) * GIB})


def _kv_less(case: Case) -> Fix | None:
    spec = case.evidence.spec
    if spec is None:
        return None
    now, room = spec.kv_bytes // GIB, math.inf
    if (
        case.params.get("room") == "kv"
    ):  # the rest is loaded already: what is free may be taken, but for a rest
        room = math.floor((case.number("free") or 0) - 1)
    then = min(now // 2, room)
    return _kv(case, "kv_less", then) if then < now else None


def _kv_more(case: Case) -> Fix | None:
    spec, asked, free = case.evidence.spec, case.number("asked"), case.number("free")
    if spec is None or asked is None:
        return None
    now = spec.kv_bytes / GIB
    if case.params.get("room") == "tokens":
        then = math.ceil(now * asked / free) if free else 0
    else:
        then = math.ceil(asked)
    info = case.evidence.info
    if info is not None and spec.device == "cpu":
        limit = (spec.memory or info.memory) - case.evidence.weights - RUNTIME_BYTES
        then = then if then * GIB <= limit else 0
    return _kv(case, "kv_more", then) if then > now else None


def _memory(case: Case) -> Fix | None:
    """A higher limit of the container, where Docker has more."""
    spec, info = case.evidence.spec, case.evidence.info
    if spec is None or info is None or spec.memory is None or spec.memory >= info.memory:
        return None
    wanted = max(spec.memory * 3 // 2, case.evidence.weights + spec.kv_bytes + RUNTIME_BYTES)
    then = min(wanted, info.memory)
    params = {"now": spec.memory / GIB, "then": then / GIB, "total": info.memory / GIB}
    return Fix("memory", "start", params, {"memory": then})


def _port(case: Case) -> Fix | None:
    spec = case.evidence.spec
    port = case.free_port(spec.port) if spec is not None else None
    return Fix("port", "start", {"port": port}, {"port": port}) if port is not None else None


def _cpu(case: Case) -> Fix | None:
    spec = case.evidence.spec
    return (
        Fix("cpu", "start", changes={"device": "cpu"}) if spec is not None and spec.device == "gpu" else None
    )


def _gpu(case: Case) -> Fix | None:
    spec, info = case.evidence.spec, case.evidence.info
    here = spec is not None and spec.device == "cpu" and info is not None and info.nvidia
    return Fix("gpu", "start", changes={"device": "gpu"}) if here else None


def _holder(case: Case) -> Holder | None:
    """Who holds most of the GPU that is spoken of."""
    gpus = case.evidence.gpus
    gpu = gpus.at(str(case.params.get("device", ""))) if gpus is not None else None
    return None if gpu is None else gpu.holder


def _free_gpu(case: Case) -> Fix | None:
    return None if _holder(case) else _stated("free_gpu")


def _free_gpu_of(case: Case) -> Fix | None:
    holder = _holder(case)
    if holder is None or holder.memory is None:
        return None
    return _stated("free_gpu_of", {"name": holder.name, "pid": holder.pid, "held": holder.memory / GIB})


def _other_version(case: Case) -> Fix | None:
    spec = case.evidence.spec
    other = next((one for one in case.evidence.versions if spec is not None and one != spec.version), None)
    return Fix("other_version", "start", {"version": other}, {"version": other}) if other else None


def _eager(case: Case) -> Fix | None:
    spec = case.evidence.spec
    return Fix("eager", "start", changes={"eager": True}) if spec is not None and not spec.eager else None


def _no_speculation(case: Case) -> Fix | None:
    spec = case.evidence.spec
    if spec is None or not spec.speculative:
        return None
    return Fix("no_speculation", "start", changes={"speculative": "", "drafter": ""})


def _again(code: str) -> Callable[[Case], Fix | None]:
    """Start the same once more; only where something was started."""
    return lambda case: Fix(code, "start") if case.evidence.spec is not None else None


def _other_image(case: Case) -> Fix | None:
    arch = case.params.get("arch")
    return Fix("other_image", "start", dict(case.params)) if arch in ("amd64", "arm64") else None


def _docker_memory(case: Case) -> Fix | None:
    """Only where Docker has a machine of its own: else it has all there is."""
    info = case.evidence.info
    if info is None or (case.evidence.platform == "linux" and "Desktop" not in info.system):
        return None
    return _stated("docker_memory", {"total": info.memory / GIB})


def _start_docker(case: Case) -> Fix | None:
    """Only where it needs no password: on Linux a command for the terminal is shown in its place."""
    return _stated("start_docker") if case.evidence.platform == "darwin" else None


def _start_docker_command(case: Case) -> Fix | None:
    return _stated("start_docker_command") if case.evidence.platform.startswith("linux") else None


def _for_folder(code: str, command: str) -> Callable[[Case], Fix | None]:
    def fix(case: Case) -> Fix | None:
        spec = case.evidence.spec
        return _stated(code, {"command": f"{command} {shlex.quote(spec.folder)}"}) if spec else None

    return fix


def _local_context(case: Case) -> Fix | None:
    return None if case.evidence.variable else _stated("local_context")


def _local_variable(case: Case) -> Fix | None:
    """It wins over the context, and stays as it was given to this process."""
    name = case.evidence.variable
    return _stated("local_variable", {"variable": name, "command": f"unset {name}"}) if name else None


def _docker_host(case: Case) -> Fix | None:
    """To what is meant, or to an engine that is there."""
    value = str(case.params.get("value", ""))
    right = case.params.get("socket") or case.params.get("suggestion") or (value and f"unix://{value}")
    if not right or right == "…":
        return None
    return _stated("docker_host", {"command": f"export DOCKER_HOST={shlex.quote(str(right))}"})


def _credential_helper(case: Case) -> Fix | None:
    config = case.evidence.config
    return _stated("credential_helper", {"config": config, "command": config})


def _stated(code: str, params: Mapping[str, Value] | None = None) -> Fix:
    """A fix as findings.toml states it."""
    table = sentences.tables(FILE)["fix"][code]
    command = {"command": table["command"]} if "command" in table else {}
    return Fix(code, table.get("action", "start"), {**command, **(params or {})}, url=table.get("url", ""))


_COMPUTED: Final[Mapping[str, Callable[[Case], Fix | None]]] = {
    "share": _share,
    "share_more": _share_more,
    "context": _context,
    "context_less": _context_less,
    "kv_less": _kv_less,
    "kv_more": _kv_more,
    "memory": _memory,
    "port": _port,
    "cpu": _cpu,
    "gpu": _gpu,
    "free_gpu": _free_gpu,
    "free_gpu_of": _free_gpu_of,
    "other_version": _other_version,
    "eager": _eager,
    "no_speculation": _no_speculation,
    "replace": _again("replace"),
    "retry": _again("retry"),
    "retry_later": _again("retry_later"),
    "other_image": _other_image,
    "docker_memory": _docker_memory,
    "start_docker": _start_docker,
    "start_docker_command": _start_docker_command,
    "selinux_label": _for_folder("selinux_label", "sudo chcon -Rt container_file_t"),
    "readable": _for_folder("readable", "chmod -R a+rX"),
    "local_context": _local_context,
    "local_variable": _local_variable,
    "docker_host": _docker_host,
    "credential_helper": _credential_helper,
}


def build(codes: Iterable[str], case: Case) -> tuple[Fix, ...]:
    """The fixes of these codes that apply, in their order."""
    found = (_COMPUTED[code](case) if code in _COMPUTED else _stated(code) for code in codes)
    return tuple(fix for fix in found if fix is not None)
