"""From a LaunchSpec to what Compose is called with, to the lines that say the same, and back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from core.models.manifest import hub_folder
from core.paths import clean, compose_files, variable
from core.server.access import BY_HAND, LABEL_LAUNCH, LABEL_SPEC, PROJECT, Container
from core.server.mounts import Mount, mount_of
from core.server.spec import GIB, GPU_SHARE, KV_BYTES, PORT, VERSION, Device, LaunchSpec
from core.server.versions import version_of

LABEL_DEVICE = "io.tokenloupe.device"
LABEL_VERSION = "io.tokenloupe.version"
LABEL_KV = "io.tokenloupe.kv-gib"  # on the CPU, where it is no argument
# what Compose is told to read its files for no server: a value of the person's own could be one it refuses
BLANK: Final = dict.fromkeys(
    (
        "TOKENLOUPE_KEY_MARK", "TOKENLOUPE_LAUNCH", "TOKENLOUPE_SPEC", "TOKENLOUPE_MODEL_PATH",
        "TOKENLOUPE_MODELS", "TOKENLOUPE_MOUNT", "TOKENLOUPE_MOUNT_AT", "VLLM_API_KEY",
        "VLLM_CPU_KVCACHE_SPACE", "VLLM_ENFORCE_EAGER", "VLLM_GPU_MEMORY_UTILIZATION", "VLLM_IMAGE",
        "VLLM_KV_CACHE_MEMORY_BYTES", "VLLM_MAX_MODEL_LEN", "VLLM_MEMORY_LIMIT", "VLLM_MODEL",
        "VLLM_PORT", "VLLM_REVISION", "VLLM_SHM_SIZE", "VLLM_SPECULATIVE_CONFIG", "VLLM_VERSION",
    ),
    "",
)  # fmt: skip


class ComposeCall(msgspec.Struct, frozen=True):
    """What one start tells Compose. `files`: absolute paths, in order. `environment`: every variable that the
    files know, those not wanted as "", so that none of the person's own comes in between. `image`: what runs;
    `pull`: the Compose service whose image comes from a registry (`download`); `builds`: `image` is made from
    that here.
    """

    files: tuple[str, ...]
    environment: Mapping[str, str]
    image: str
    download: str
    pull: str
    builds: bool


def launch(
    spec: LaunchSpec,
    *,
    launch_id: str,
    models: Path,
    key: str = "",
    key_mark: str = "",
    engine_memory: int = 0,
    selinux: bool = False,
    cdi: bool = False,
    arch: str = "",
    mount: Mount | None = None,
) -> ComposeCall:
    """`models`: the program's models folder. `key_mark`: of `key`, as core.server.key_mark makes it.
    `engine_memory`: what Docker may use, in bytes; of it a start that sets no limit gets all but a tenth (0:
    no limit). `selinux`: it is enforced where the engine runs (TOKENLOUPE_SELINUX=1 says so as well). `cdi`:
    the engine has its GPUs by CDI alone. `arch`: of the engine's machine, "" = not known. `mount`: None = as
    the model's files need it.

    Raises ModelError (model.not_found, model.links, model.drafter) and DockerError("docker.version").
    """
    image = version_of(clean(spec.version)).on(spec.device)
    mount = mount or mount_of(spec, models)
    own_image = variable("VLLM_IMAGE")
    limit = memory_of(spec, engine_memory)
    environment = {
        "TOKENLOUPE_KEY_MARK": key_mark,
        "TOKENLOUPE_LAUNCH": launch_id,
        "TOKENLOUPE_SPEC": msgspec.json.encode(spec).decode(),
        "TOKENLOUPE_MODEL_PATH": mount.model,
        "TOKENLOUPE_MODELS": str(models),
        "TOKENLOUPE_MOUNT": mount.source,
        "TOKENLOUPE_MOUNT_AT": mount.target,
        "VLLM_API_KEY": key,
        "VLLM_CPU_KVCACHE_SPACE": str(_whole_gib(spec.kv_bytes)),
        "VLLM_ENFORCE_EAGER": "1" if spec.eager else "",
        "VLLM_GPU_MEMORY_UTILIZATION": f"{spec.gpu_share:g}",
        "VLLM_IMAGE": own_image,
        "VLLM_KV_CACHE_MEMORY_BYTES": str(spec.kv_bytes),
        "VLLM_MAX_MODEL_LEN": str(spec.context or ""),
        "VLLM_MEMORY_LIMIT": str(limit or ""),
        "VLLM_MODEL": clean(spec.model),
        "VLLM_PORT": str(spec.port),
        "VLLM_REVISION": clean(spec.revision),
        "VLLM_SHM_SIZE": variable("VLLM_SHM_SIZE"),
        "VLLM_SPECULATIVE_CONFIG": _speculative(spec, mount),
        "VLLM_VERSION": clean(spec.version),
        # the person's own, which would change which files or services are meant
        "COMPOSE_DISABLE_ENV_FILE": "1",
        "COMPOSE_PROFILES": "",
        "COMPOSE_PROJECT_NAME": PROJECT,
        # nor images for another machine, which vLLM crashes on
        "DOCKER_DEFAULT_PLATFORM": arch and f"linux/{arch}",
    }
    return ComposeCall(
        files=_files(spec.device, cdi, selinux or variable("TOKENLOUPE_SELINUX") not in ("", "0")),
        environment=environment,
        image=image.image if image.base else own_image or image.image,
        download=own_image or image.download,
        pull="base" if image.base else "vllm",
        builds=bool(image.base),
    )


def _files(device: Device, cdi: bool, selinux: bool) -> tuple[str, ...]:
    names = ["compose.yaml"]
    names += ["compose.gpu.yaml"] if device == "gpu" else []
    names += ["compose.cdi.yaml"] if device == "gpu" and cdi else []
    names += ["compose.selinux.yaml"] if selinux else []
    return tuple(str(compose_files() / name) for name in names)


def memory_of(spec: LaunchSpec, engine_memory: int) -> int:
    """The limit that the container gets, in bytes; 0 = none."""
    return spec.memory if spec.memory is not None else memory_limit(engine_memory)


def memory_limit(engine_memory: int) -> int:
    """What a container may have of Docker's memory, in bytes: the rest is for the system. 0 = no limit."""
    return engine_memory - max(engine_memory // 10, GIB // 2) if engine_memory > 2 * GIB else 0


def _whole_gib(size: int) -> int:
    return max(1, -(-size // GIB))


def _speculative(spec: LaunchSpec, mount: Mount) -> str:
    """The drafter by its place in the container: offline, its name on the hub means nothing there."""
    if not mount.drafter:
        return spec.speculative
    config = json.loads(spec.speculative)
    config.pop("revision", None)
    return json.dumps({**config, "model": mount.drafter}, ensure_ascii=False)


# --- the same, to read ----------------------------------------------------------------------------------


def command_line(
    spec: LaunchSpec, *, models: Path, engine_memory: int = 0, selinux: bool = False, cdi: bool = False
) -> tuple[str, str]:
    """The shell lines of this start for its record: of Compose, and of vLLM inside. No key is in them."""
    call = launch(
        spec, launch_id=BY_HAND, models=models, engine_memory=engine_memory, selinux=selinux, cdi=cdi
    )
    left_out = {"TOKENLOUPE_LAUNCH", "TOKENLOUPE_SPEC", "TOKENLOUPE_MODELS", "COMPOSE_PROJECT_NAME"}
    variables = [
        f"{name}={shlex.quote(value)}"
        for name, value in call.environment.items()
        if value and name not in left_out
    ]
    files = [word for file in call.files for word in ("-f", file)]
    return (
        " ".join([*variables, shlex.join(["docker", "compose", *files, "up", "-d"])]),
        shlex.join(["vllm", "serve", *serve_arguments(spec, mount_of(spec, models))]),
    )


def serve_arguments(spec: LaunchSpec, mount: Mount) -> list[str]:
    """What the container gives `vllm serve`; tests compare it with what the Compose files make of it."""
    arguments = [mount.model, f"--served-model-name={clean(spec.model)}"]
    arguments += ["--enable-scale-out", "--enable-prompt-tokens-details"]
    if spec.context:
        arguments.append(f"--max-model-len={spec.context}")
    if spec.eager:
        arguments.append("--enforce-eager")
    if spec.speculative:
        arguments.append(f"--speculative-config={_speculative(spec, mount)}")
        arguments.append("--per-request-spec-decode-metrics=detailed")
    if spec.device == "cpu":
        return [*arguments, "--skip-mm-profiling"]
    arguments.append(f"--kv-cache-memory-bytes={spec.kv_bytes}")
    return [*arguments, f"--gpu-memory-utilization={spec.gpu_share:g}"]


# --- and back -------------------------------------------------------------------------------------------


def spec_of(container: Container) -> LaunchSpec | None:
    """What a container of ours was started as: by its label, or, started by hand, by what can be seen of it.
    None where that is no server of ours."""
    if LABEL_LAUNCH not in container.labels:
        return None
    try:
        return msgspec.json.decode(container.labels.get(LABEL_SPEC, ""), type=LaunchSpec)
    except msgspec.MsgspecError:
        return _by_hand(container)


def _by_hand(container: Container) -> LaunchSpec | None:
    flags = _flags(container.arguments)
    model = flags.get("--served-model-name", "")
    if not model:
        return None
    inside, name, commit = _named(container.arguments)
    gpu = container.labels.get(LABEL_DEVICE) == "gpu"
    values: dict[str, Any] = {
        "model": model,
        "folder": _folder(container, inside, name, commit),
        "revision": commit,
        "device": "gpu" if gpu else "cpu",
        "version": container.labels.get(LABEL_VERSION) or VERSION,
        "port": next((outside for _, outside, port in container.ports if port == 8000), PORT),
        "kv_bytes": _number(flags.get("--kv-cache-memory-bytes")) or KV_BYTES,
        "gpu_share": _share(flags.get("--gpu-memory-utilization", "")),
        "context": _number(flags.get("--max-model-len")) or None,
        "speculative": flags.get("--speculative-config", ""),
        "eager": "--enforce-eager" in flags,
    }
    if not gpu and (gib := _number(container.labels.get(LABEL_KV))):
        values["kv_bytes"] = gib * GIB
    try:
        return msgspec.convert(values, type=LaunchSpec)
    except msgspec.ValidationError:
        return None


def _flags(arguments: Sequence[str]) -> dict[str, str]:
    flags: dict[str, str] = {}
    for one in arguments:
        if one.startswith("--"):
            name, _, value = one.partition("=")
            flags[name] = value
    return flags


def _named(arguments: Sequence[str]) -> tuple[str, str, str]:
    """The three words before vLLM's own arguments: path inside or "", name, commit."""
    first = next((at for at, one in enumerate(arguments) if one.startswith("--served-model-name=")), 0)
    before = ["", "", "", *arguments[:first]][-3:]
    return before[0], before[1], before[2]


def _folder(container: Container, inside: str, name: str, commit: str) -> str:
    """On this computer, if its mount is a folder here."""
    for source, target in container.mounts:
        if inside and PurePosixPath(inside).is_relative_to(target):
            return str(Path(source) / PurePosixPath(inside).relative_to(target))
        if not inside and target == "/models":
            plain = Path(source) / name
            return str(plain if plain.is_dir() else Path(source) / hub_folder(name, commit))
    return ""


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        return GPU_SHARE
    return share if 0 < share <= 1 else GPU_SHARE


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
