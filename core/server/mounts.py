"""Which folder of this computer a server sees, and where its model lies in it: real files and links alike."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from core.errors import ModelError
from core.server.spec import LaunchSpec

_AT = "/models"
_NEEDED = {".json", ".safetensors", ".jinja", ".model", ".txt", ".tiktoken"}
_LINKS = 40  # in a row: what Linux follows


class Mount(msgspec.Struct, frozen=True):
    """`source` on this computer is seen as `target`; `model`, `drafter` ("" = none): paths inside."""

    source: str
    target: str
    model: str
    drafter: str = ""


def mount_of(spec: LaunchSpec, models: Path) -> Mount:
    """As little as is needed: the model's own folder; with a drafter the folder that holds both.

    A folder whose files are links to elsewhere in its own cache of the hub (`models--…`) is mounted with
    that. Raises ModelError: model.not_found; model.links for links that a container could not follow;
    model.drafter where the two lie so far apart that much else would be mounted.
    """
    folder, root = _root(spec.folder)
    if not spec.drafter:
        target = f"{_AT}/{root.name}"
        return Mount(str(root), target, _inside(target, folder, root))
    drafter, drafter_root = _root(spec.drafter)
    shared = models.resolve()
    if not (root.is_relative_to(shared) and drafter_root.is_relative_to(shared)):
        shared = root.parent
        if drafter_root.parent != shared or shared == shared.parent:
            raise ModelError("model.drafter", folder=spec.drafter, models=str(models))
    return Mount(str(shared), _AT, _inside(_AT, folder, shared), _inside(_AT, drafter, shared))


def coming_mount(folder: Path) -> Mount:
    """Of a folder that a download will make: real files."""
    target = f"{_AT}/{folder.name}"
    return Mount(str(folder), target, target)


def _inside(target: str, folder: Path, root: Path) -> str:
    return "/".join([target, *folder.relative_to(root).parts])


def _root(path: str) -> tuple[Path, Path]:
    """The real folder, and what is to be mounted for it."""
    folder = Path(path)
    if not folder.is_dir():
        raise ModelError("model.not_found", folder=path)
    folder = folder.resolve()
    links = list(_links(folder))
    if all(_stays(link, folder) for link in links):
        return folder, folder
    cache = next((one for one in folder.parents if one.name.startswith("models--")), None)
    for link in links:
        if cache is None or not _stays(link, cache):
            raise ModelError("model.links", folder=path, file=link.name, target=str(link.readlink()))
    assert cache is not None
    return folder, cache


def _links(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.suffix in _NEEDED and path.is_symlink():
                yield path


def _stays(link: Path, root: Path) -> bool:
    """Every step of the way is relative and within `root`, and there is a file at its end."""
    step = link
    for _ in range(_LINKS):
        if not step.is_symlink():
            return step.is_file() and step.resolve().is_relative_to(root)
        to = step.readlink()
        step = Path(os.path.normpath(step.parent / to))
        if to.is_absolute() or not step.is_relative_to(root):
            return False
    return False
