"""Which of a model's files on the hub are fetched, by resources/downloads.toml, and which are refused."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.models.partial import ListedFile, folded, is_safe
from core.worker.file_rules import TELLING, is_code, is_fetched, is_unsafe, matches, needs_code, rules

SMALL, LARGE = 8_000_000, 100_000_000  # bytes
# exact names in the model's own folder: neither weights, nor code, nor a path that leads elsewhere
WANTED = {
    "config.json": SMALL,
    "generation_config.json": SMALL,
    "chat_template.jinja": SMALL,
    "chat_template.json": SMALL,
    "preprocessor_config.json": SMALL,
    "video_preprocessor_config.json": SMALL,
    "processor_config.json": SMALL,
    "special_tokens_map.json": SMALL,
    "tokenizer_config.json": LARGE,
    "added_tokens.json": LARGE,
    "tokenizer.json": LARGE,
    "tokenizer.model": LARGE,
    "vocab.json": LARGE,
    "vocab.txt": LARGE,
    "merges.txt": LARGE,
}
VOCABULARIES = ("tokenizer.json", "tokenizer.model", "vocab.json")


def listed(siblings: Iterable[Any], endpoint: str) -> tuple[ListedFile, ...]:
    """The hub's own listing. Raises ModelError("hub.headers") for a mirror that leaves out what is needed,
    ModelError("hub.path") for a name that leads out of the folder, or that not every system can hold."""
    found = []
    for one in siblings:
        if not is_safe(one.rfilename):
            if matches(one.rfilename, rules().wanted):
                raise ModelError("hub.path", file=one.rfilename)
            continue
        sha256 = (one.lfs.sha256 if one.lfs else "") or ""
        blob = "" if sha256 else one.blob_id or ""
        if one.size is None or not (sha256 or blob):
            lacking = "size" if one.size is None else "blobId"
            raise ModelError("hub.headers", endpoint=endpoint, header=f"{lacking} ({one.rfilename})")
        found.append(ListedFile(one.rfilename, one.size, sha256, blob))
    return tuple(found)


def small(repo: str, files: tuple[ListedFile, ...]) -> tuple[ListedFile, ...]:
    """Config, tokenizer and template. Raises ModelError: files_missing, too_large."""
    chosen = tuple(one for one in files if one.path in WANTED)
    for one in chosen:
        if one.size > WANTED[one.path]:
            raise ModelError("hub.too_large", repo=repo, file=one.path, limit=WANTED[one.path])
    _need(repo, chosen)
    return chosen


def whole(repo: str, files: tuple[ListedFile, ...]) -> tuple[ListedFile, ...]:
    """Weights and all that belongs to them, no code. Raises ModelError: files_missing, no_safetensors."""
    chosen = tuple(one for one in files if is_fetched(one.path))
    if not any(one.path.endswith(".safetensors") for one in chosen):
        others = sorted(one.path for one in files if is_unsafe(one.path))
        raise ModelError("hub.no_safetensors", repo=repo, found=", ".join(others[:3]) or "—")
    _need(repo, chosen)
    return chosen


def code(files: tuple[ListedFile, ...]) -> tuple[ListedFile, ...]:
    return tuple(one for one in files if is_code(one.path))


def told_by(path: str) -> int:
    """Its place: files that say whether the model needs code of its own come first."""
    return TELLING.index(path) if path in TELLING else len(TELLING)


def names_code(folder: Path, known: Collection[str], plain: Collection[str]) -> bool:
    """By those of TELLING that are `known` to be what is listed; see file_rules.needs_code."""
    config, *others = (_object(folder / name) if name in known else {} for name in TELLING)
    return needs_code(config, plain, *others)


def _object(path: Path) -> dict[str, Any]:
    """What cannot be read is refused by who opens it."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def need_apart(files: tuple[ListedFile, ...]) -> None:
    """Raises ModelError("hub.path") for two names that are one on disks that do not tell capitals apart."""
    seen: set[str] = set()
    for one in files:
        if folded(one.path) in seen:
            raise ModelError("hub.path", file=one.path)
        seen.add(folded(one.path))


def _need(repo: str, chosen: tuple[ListedFile, ...]) -> None:
    names = {one.path for one in chosen}
    if "config.json" not in names:
        raise ModelError("hub.files_missing", repo=repo, file="config.json")
    if not names & set(VOCABULARIES):
        raise ModelError("hub.files_missing", repo=repo, file=VOCABULARIES[0])
