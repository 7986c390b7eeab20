"""The models a server lists, and which of them this program knows: by their config.json alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from core.engines.vllm.choice import Served
from core.engines.vllm.files import is_hub_id, own_folder
from core.engines.vllm.wire import ServedModel
from core.prompt.families import families, family_of

FAMILY_UNKNOWN = "family_unknown"


def rows(models: Sequence[ServedModel]) -> tuple[Served, ...]:
    """One row a model, in the server's order."""
    return tuple(_row(Served(one.id, one.root or "")) for one in models)


def _row(row: Served) -> Served:
    folder = own_folder(row.root)
    if folder is not None:
        return judged(row, _model_type(folder), folder.name)
    for name in (row.root, row.id):
        family = next((one for one in families() if any(pin.model == name for pin in one.pinned)), None)
        if is_hub_id(name) and family is not None:
            return msgspec.structs.replace(row, family=family.name, supported=True)
    return row


def judged(row: Served, model_type: str, name: str) -> Served:
    """The row with what its config.json says; `name`: what its files are called."""
    if not model_type:
        return row
    family = family_of(model_type, name) or family_of(model_type, row.root) or family_of(model_type, row.id)
    return msgspec.structs.replace(
        row,
        family=family.name if family else "",
        supported=family is not None,
        why="" if family else FAMILY_UNKNOWN,
        model_type=model_type,
    )


def _model_type(folder: Path) -> str:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    found = config.get("model_type") if isinstance(config, dict) else None
    return found if isinstance(found, str) else ""


def first(served: Sequence[Served]) -> str:
    """The id to begin with: the first supported model, else the first that may be, else the first."""
    ordered = (True, None, False)
    return min(served, key=lambda row: ordered.index(row.supported)).id
