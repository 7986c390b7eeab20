"""What a local model folder says of itself, read from its JSON files alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from core.engines.base import Sampling
from core.errors import ModelError
from core.models.catalog import built_in
from core.models.manifest import read_manifest
from core.prompt.families import Family, family_of
from core.worker import file_rules


class ModelFolder(msgspec.Struct, frozen=True):
    """`revision`: the manifest's, or a hash of the small files for a folder that has none. `bytes`: of all
    files."""

    path: str
    name: str
    model_type: str
    family: Family | None
    revision: str
    bytes: int
    recommended: Sampling
    has_recommended: bool
    context_limit: int | None


def read_folder(path: Path, *, name: str = "", weights: bool = True) -> ModelFolder:
    """Check a folder and read what its files say.

    Raises ModelError: not_found, config (no or broken config.json), remote_code, no_safetensors,
    no_tokenizer.
    """
    if not path.is_dir():
        raise ModelError("model.not_found", folder=str(path))
    config = _json(path / "config.json", required=True)
    model_type = config.get("model_type")
    if not isinstance(model_type, str):
        raise ModelError("model.config", folder=str(path), detail="config.json names no model_type")
    _check_files(path, config, weights=weights)
    generation = _json(path / "generation_config.json")
    shown = name or path.resolve().name
    sampling = recommended_sampling(generation)
    return ModelFolder(
        path=str(path),
        name=shown,
        model_type=model_type,
        family=family_of(model_type, shown),
        revision=_revision(path),
        bytes=sum(file.stat().st_size for file in path.iterdir() if file.is_file()),
        recommended=sampling or Sampling(max_tokens=512),
        has_recommended=sampling is not None,
        context_limit=_limit(config),
    )


def _check_files(path: Path, config: dict[str, Any], *, weights: bool) -> None:
    if weights and _names_code(path, config):
        raise ModelError("model.remote_code", folder=str(path))
    if weights and not any(path.glob("*.safetensors")):
        raise ModelError("model.no_safetensors", folder=str(path))
    if not any((path / file).is_file() for file in ("tokenizer.json", "tokenizer.model", "vocab.json")):
        raise ModelError("model.no_tokenizer", folder=str(path))


def _names_code(path: Path, config: dict[str, Any]) -> bool:
    """A family of ours never needs code from the folder, whatever an auto_map says."""
    if family_of(str(config.get("model_type"))) is not None:
        return False
    return file_rules.needs_code(config, (), *(_json(path / name) for name in file_rules.TELLING[1:]))


def needs_code(path: Path) -> bool:
    """Whether code of its own would have to be run to open it, which no engine here does."""
    return _names_code(path, _json(path / file_rules.TELLING[0]))


def unknown_type(path: Path, name: str) -> str:
    """Its model_type where that is of no known family, "" = it is known, or not said."""
    said = _json(path / "config.json").get("model_type")
    return said if isinstance(said, str) and family_of(said, name) is None else ""


def _json(path: Path, *, required: bool = False) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(value, dict):
            return value
        problem = "not an object"
    except FileNotFoundError:
        problem = "not there"
    except (OSError, ValueError) as error:
        problem = str(error)
    if required:
        raise ModelError("model.config", folder=str(path.parent), detail=f"{path.name}: {problem}")
    return {}


def _limit(config: dict[str, Any]) -> int | None:
    text = config.get("text_config") if isinstance(config.get("text_config"), dict) else config
    limit = text.get("max_position_embeddings") if text else None
    return limit if isinstance(limit, int) and limit > 0 else None


def recommended_sampling(generation: dict[str, Any]) -> Sampling | None:
    """The sampling values of a generation_config.json, None if it recommends none."""
    ranges = {
        "temperature": (0.0, 2.0),
        "top_k": (0, 1_000_000),
        "top_p": (0.0, 1.0),
        "min_p": (0.0, 1.0),
        "repetition_penalty": (0.01, 2.0),
    }
    found: dict[str, Any] = {}
    for key, (low, high) in ranges.items():
        value = generation.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            found[key] = int(value) if key == "top_k" else float(value)
    if generation.get("do_sample") is False and "temperature" not in found:
        found["temperature"] = 0.0
    return Sampling(**found, max_tokens=512) if found else None


def _revision(path: Path) -> str:
    manifest = read_manifest(path)
    if manifest is not None:
        return manifest.revision
    digest = hashlib.sha256()
    for file in ("config.json", "generation_config.json", "tokenizer_config.json"):
        if (path / file).is_file():
            digest.update((path / file).read_bytes())
    for weights in sorted(path.glob("*.safetensors")):
        digest.update(f"{weights.name} {weights.stat().st_size}\n".encode())
    return "local-" + digest.hexdigest()[:12]


def built_in_folder(models: Path) -> Path:
    """Where the built-in model lies; its version is in the name, so that a new one does not overwrite it."""
    package = built_in().package
    assert package is not None
    return models / "built-in" / package.requirement.replace("==", "-")
