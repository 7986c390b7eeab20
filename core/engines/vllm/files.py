"""Where the tokenizer and template of a served model are: a folder here, the hub, or the server alone."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from core.engines.vllm.choice import FROM_SERVER, Source
from core.errors import EngineError, ModelError
from core.models.folder import ModelFolder, read_folder
from core.prompt.families import pinned

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def is_hub_id(text: str) -> bool:
    """True for `org/name`."""
    return _HUB_ID.fullmatch(text) is not None


def own_folder(root: str) -> Path | None:
    """The server's own model folder, where it can be read here too."""
    if root.startswith(("//", "\\\\")):  # a stranger's answer must not make this computer visit another
        return None
    folder = Path(root)
    try:
        return folder if root and folder.is_absolute() and (folder / "config.json").is_file() else None
    except (OSError, ValueError):
        return None


def find(files: str, model: str, root: str) -> Source:
    """Where to look, by the person's choice `files`, else by what the server tells of its model.

    Raises ModelError("model.not_found"), EngineError("server.files_unknown").
    """
    if files == FROM_SERVER:
        return Source("server", FROM_SERVER)
    if files:
        folder = Path(files).expanduser()
        if folder.is_dir():
            return Source("folder", str(folder))
        repo, _, revision = files.partition("@")
        if not is_hub_id(repo):
            raise ModelError("model.not_found", folder=files)
        return _of_hub(repo, revision)
    if own_folder(root) is not None:
        return Source("folder", root)
    for name in (root, model):
        if is_hub_id(name):
            return _of_hub(name, "")
    raise EngineError("server.files_unknown", model=model, root=root or "?")


def _of_hub(repo: str, revision: str) -> Source:
    pin = pinned(repo)
    return Source("hub", repo, revision or (pin.revision if pin else ""))


def read(source: Source, folder: Path) -> tuple[Source, ModelFolder]:
    """The files of a source that lie in `folder`, and the source with the revision they have.

    Raises ModelError.
    """
    hub = source.kind == "hub"
    files = read_folder(folder, name=source.place if hub else "", weights=False)
    pin = pinned(source.place) if hub else None
    sure = pin is not None and pin.revision == source.revision
    revision = source.revision if sure else files.revision
    return msgspec.structs.replace(source, revision=revision, assumed=not sure), files
