"""What a start will be: from the settings, the environment, a model on disk and what the doctor found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from core.errors import ModelError, SettingsError
from core.models.catalog import BUILT_IN, built_in
from core.models.folder import ModelFolder, built_in_folder, read_folder
from core.models.manifest import hub_folder, hub_model, read_manifest
from core.paths import clean
from core.server.launcher import Doctor
from core.server.spec import GIB, Device, LaunchSpec
from core.server.versions import version_of
from core.settings import DeviceChoice, Settings

DEVICE_VARIABLE: Final = "TOKENLOUPE_VLLM_DEVICE"
PORT_VARIABLE: Final = "VLLM_PORT"
_CACHED = re.compile(r"models--([^/]+?)--([^/]+)")  # the hub's own cache: models--org--name/snapshots/commit
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Speculation(msgspec.Struct, frozen=True):
    """Whether a model can be served with guesses. `config`: JSON for vLLM, "" = none; `drafter`: folder of
    the model it names, "" = none. `why` there is none: "device" (not on a processor), "model" (not known to
    be right with this one), "drafter" (the model that guesses, `missing`, is not on disk), "absent" (not
    known while the model itself is not on disk)."""

    config: str = ""
    drafter: str = ""
    why: Literal["", "device", "model", "drafter", "absent"] = ""
    missing: str = ""


def spec_from(
    settings: Settings, folder: ModelFolder, environ: Mapping[str, str], doctor: Doctor, *, models: Path
) -> LaunchSpec:
    """The start that the person's choice means. `environ` wins over the settings: TOKENLOUPE_VLLM_DEVICE and
    VLLM_PORT. `models`: the program's models folder.

    Raises SettingsError("settings.variable") for a bad variable, DockerError("docker.version").
    """
    spec = _spec(settings, environ, doctor, served_name(folder, models), Path(folder.path), folder.revision)
    return with_guesses(spec, folder, models) if settings.speculation else spec


def spec_of_coming(
    settings: Settings, folder: Path, environ: Mapping[str, str], doctor: Doctor
) -> LaunchSpec:
    """The same of a model that is not on this computer yet; `folder`: where it will be, of which its name
    says repository and commit. Guesses are chosen when it is there. Raises as `spec_from`."""
    meant = hub_model(folder)
    assert meant is not None
    return _spec(settings, environ, doctor, meant[0], folder, meant[1])


def _spec(
    settings: Settings, environ: Mapping[str, str], doctor: Doctor, model: str, folder: Path, revision: str
) -> LaunchSpec:
    return LaunchSpec(
        model=model,
        folder=str(folder.absolute()),
        revision=revision,
        device=device_from(settings, environ, doctor),
        version=version_of(settings.vllm_version).version,
        port=_port(settings, environ),
        kv_bytes=settings.vllm_kv_gib * GIB,
        gpu_share=settings.vllm_gpu_share,
    )


def with_guesses(spec: LaunchSpec, folder: ModelFolder, models: Path) -> LaunchSpec:
    """With what is known to be right for the model on its device."""
    guesses = speculation(folder, spec.device, models)
    return msgspec.structs.replace(spec, speculative=guesses.config, drafter=guesses.drafter)


def doctor_looks_for(settings: Settings, environ: Mapping[str, str]) -> tuple[int, str]:
    """Port and version. A variable that is no port is told at the start, not here."""
    try:
        return _port(settings, environ), settings.vllm_version
    except SettingsError:
        return settings.vllm_port, settings.vllm_version


def device_from(settings: Settings, environ: Mapping[str, str], doctor: Doctor) -> Device:
    """Raises SettingsError("settings.variable")."""
    chosen: DeviceChoice = settings.vllm_device
    variable = clean(environ.get(DEVICE_VARIABLE, "")).lower()
    if variable:
        try:
            chosen = msgspec.convert(variable, DeviceChoice)
        except msgspec.ValidationError as error:
            raise _bad(DEVICE_VARIABLE, variable, "auto, cpu, gpu") from error
    return doctor.device if chosen == "auto" else chosen


def _port(settings: Settings, environ: Mapping[str, str]) -> int:
    text = clean(environ.get(PORT_VARIABLE, ""))
    if not text:
        return settings.vllm_port
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535):
        raise _bad(PORT_VARIABLE, text, "1 … 65535")
    return int(text)


def _bad(name: str, value: str, allowed: str) -> SettingsError:
    return SettingsError("settings.variable", name=name, value=value[:80], allowed=allowed)


def served_name(folder: ModelFolder, models: Path) -> str:
    """What the server calls the model: the hub's name where it is known, else the folder's."""
    path = Path(folder.path)
    if _is_built_in(path, models):
        return built_in().name.replace(" ", "-")
    return hub_name(path) or folder.name


def hub_name(folder: Path) -> str:
    """ "org/name" of a folder that came from the hub, "" if it does not say so."""
    manifest = read_manifest(folder)
    if manifest is not None and manifest.repo:
        return manifest.repo
    name, _, commit = folder.name.partition("@")
    if _COMMIT.fullmatch(commit) and "--" in name:
        return name.replace("--", "/", 1)
    cached = _CACHED.fullmatch(folder.parent.parent.name)
    if cached and folder.parent.name == "snapshots":
        return f"{cached[1]}/{cached[2]}"
    return ""


def speculation(folder: ModelFolder, device: Device, models: Path) -> Speculation:
    """What is known to be right for this model on this device, whatever the settings say."""
    if device != "gpu":
        return Speculation(why="device")
    pins = [pin for pin in (folder.family.pinned if folder.family else ()) if pin.speculative]
    path = Path(folder.path)
    if not pins:
        return Speculation(why="model")
    pin = next((pin for pin in pins if pin.model == hub_name(path)), None)
    if pin is None:
        pin = pins[0] if _guesses_by_itself(path) and "model" not in json.loads(pins[0].speculative) else None
    if pin is None:
        return Speculation(why="model")
    config: dict[str, Any] = json.loads(pin.speculative)
    if pin.guesses:
        config["num_speculative_tokens"] = pin.guesses
    named = config.get("model", "")
    if not named:
        return Speculation(json.dumps(config))
    for place in (models / hub_folder(named, config.get("revision", "")), models / named.split("/")[-1]):
        if (place / "config.json").is_file():
            return Speculation(json.dumps(config), str(place))
    return Speculation(why="drafter", missing=named)


def _guesses_by_itself(folder: Path) -> bool:
    """Its config names layers that guess the tokens after the next."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    text = config.get("text_config", config) if isinstance(config, dict) else {}
    layers = text.get("mtp_num_hidden_layers") if isinstance(text, dict) else None
    return isinstance(layers, int) and layers > 0


# --- the model -----------------------------------------------------------------------------------------


def model_folder(model: str, models: Path) -> Path:
    """Where the model is that a person names: "built-in", a folder, or one in the models folder by its own
    name or the hub's. The folder of the built-in one may not be there yet.

    Raises ModelError("model.not_found").
    """
    if model == BUILT_IN:
        return built_in_folder(models)
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder.absolute()
    for place in sorted(models.glob("*")) if models.is_dir() else ():
        named = place.is_dir() and not place.name.startswith(".") and model in (place.name, hub_name(place))
        if named and not _lacks_weights(place):
            return place
    raise ModelError("model.not_found", folder=model)


def coming(folder: Path, models: Path) -> bool:
    """A model of the hub that is not on this computer yet: `folder` is where it will be."""
    if hub_model(folder) is None or folder.parent.absolute() != models.absolute():
        return False
    return not folder.is_dir() or _lacks_weights(folder)


def _lacks_weights(folder: Path) -> bool:
    """Its small files were fetched for a server of somebody else."""
    manifest = read_manifest(folder)
    return manifest is not None and manifest.tokenizer_only


def read_model(folder: Path, models: Path) -> ModelFolder:
    """What its files say. Raises ModelError for one that cannot be served."""
    named = built_in().name if _is_built_in(folder, models) else hub_name(folder)
    return read_folder(folder, name=named)


def _is_built_in(folder: Path, models: Path) -> bool:
    return folder.absolute() == built_in_folder(models).absolute()
