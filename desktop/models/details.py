"""The details of one model: what the disk says of it, put together with the rest. Reads files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from core.errors import ModelError
from core.models.catalog import BUILT_IN, known_model
from core.models.manifest import read_manifest
from core.models.partial import ListedFile, bytes_there, partial_place, read_listing
from core.models.search import HubModel
from core.models.specs import Specs, read_specs
from core.models.store import OnDisk, Store
from core.worker.download_values import TRIES
from desktop.kit.errors_text import describe, joined
from desktop.models.next_steps import CLOSED, Step, step_of
from desktop.models.shelf import Entry, brings_code, unsupported
from desktop.models.values import CheckView, FileRow, FileState, FitView, ModelDetail, State, User

_DETAIL: Final = 600  # characters of the hub's, a proxy's or the system's own words


@dataclass(frozen=True, slots=True)
class Looked:
    """What is read of one model. `users`: names of those on disk that need it."""

    files: tuple[FileRow, ...] = ()
    specs: Specs | None = None
    users: tuple[str, ...] = ()


def look(entry: Entry, models: Path, store: Store) -> Looked:
    """Reads the disk: not for the window's own loop."""
    folder = _folder(entry, models)
    users = store.users(entry.id) if entry.stored is not None else ()
    named = (known_model(one) for one in users)
    return Looked(
        _files(entry, folder) if folder is not None else (),
        _specs(folder) if folder is not None else None,
        tuple(known.name if known else one for one, known in zip(users, named, strict=True)),
    )


def _folder(entry: Entry, models: Path) -> Path | None:
    """Where its files lie now."""
    download = entry.download
    if download is not None and download.commit:
        only = download.tokenizer_only
        place = partial_place(models, download.repo, download.commit, tokenizer_only=only)
        if place.is_dir():
            return place
    return Path(entry.stored.folder) if entry.stored is not None else None


def _files(entry: Entry, folder: Path) -> tuple[FileRow, ...]:
    listing = read_listing(folder)
    if listing is not None:
        rows = (_row(entry, folder, one) for one in listing.files)
        return tuple(sorted(rows, key=lambda row: -row.size))
    manifest = read_manifest(folder)
    if manifest is None or entry.stored is None or entry.stored.state is not OnDisk.DAMAGED:
        return ()
    bad = entry.stored.damaged
    rows = (
        FileRow(one.name, one.size, one.size, "damaged" if one.name in bad else "done")
        for one in manifest.files
    )
    return tuple(sorted(rows, key=lambda row: (row.state != "damaged", -row.size)))


def _row(entry: Entry, folder: Path, one: ListedFile) -> FileRow:
    done = bytes_there(folder, one)
    whole = done == one.size and (folder / one.path).is_file()
    state: FileState = "done" if whole else "coming" if done else "todo"
    if entry.download is not None and entry.download.file == one.path and not whole:
        state = "coming"
    return FileRow(one.path, one.size, done, state)


def _specs(folder: Path) -> Specs | None:
    try:
        return read_specs(folder)
    except ModelError:
        return None


def detail_of(
    entry: Entry,
    looked: Looked,
    view: FitView | None,
    *,
    page: str,
    use: bool,
    start_after: bool,
    used_by: User = "",
    check: CheckView | None = None,
) -> ModelDetail:
    """`page`: of the model on the hub. `use`: the engine in use needs no start."""
    stored, download, state = entry.stored, entry.download, entry.state
    tokenizer_only = _tokenizer_only(entry)
    files = looked.files
    specs = looked.specs or (entry.hub.specs if entry.hub is not None and entry.hub.config else None)
    speed = download.speed if download is not None else 0.0
    step = _step(entry)
    return ModelDetail(
        entry.key,
        entry.name,
        id="" if entry.key == BUILT_IN else entry.id,
        revision="" if entry.key == BUILT_IN else entry.revision,
        state=state,
        media=_media(specs, entry),
        limit=(specs.context_limit or 0) if specs is not None else 0,
        languages=_languages(entry),
        fit=None if tokenizer_only else view,
        done=entry.done,
        total=entry.size,
        speed=speed,
        left=entry.left,
        files=files,
        checked=(sum(one.state == "done" for one in files), len(files)) if files else (0, 0),
        retry=(download.tries, TRIES) if download is not None and download.tries else (0, 0),
        trouble=_trouble(entry),
        licence=entry.licence,
        gated=any(one is not None and one.gated for one in (stored, entry.hub)),
        page=page if step.page else "",
        settings=step.settings,
        refused=step.refused,
        again=step.again,
        folder=stored.folder if stored is not None else "",
        tokenizer_only=tokenizer_only,
        frees=stored.done if stored is not None and entry.can_go else 0,
        also_used_by=looked.users,
        why=_why(entry),
        doubt=_doubt(entry),
        listed=stored is not None and stored.listed,
        use=use,
        start_after=start_after,
        used_by=used_by,
        check=check,
        elsewhere=entry.elsewhere,
    )


def _tokenizer_only(entry: Entry) -> bool:
    if entry.download is not None:
        return entry.download.tokenizer_only
    return entry.stored is not None and entry.stored.tokenizer_only


def _media(specs: Specs | None, entry: Entry) -> tuple[str, ...]:
    if specs is not None:
        named = (("image", specs.images), ("sound", specs.sound), ("video", specs.video))
        return ("text", *(name for name, there in named if there))
    return ("text", *entry.known.media) if entry.known is not None else ()


def _languages(entry: Entry) -> tuple[str, ...]:
    said = (entry.hub, entry.known)
    return next((one.languages for one in said if one is not None and one.languages), ())


def _step(entry: Entry) -> Step:
    error = entry.download.error if entry.download is not None else None
    if error is None and entry.state is State.GATED:
        return CLOSED  # as far as the hub has said
    return step_of(error)


def _trouble(entry: Entry) -> str:
    error = entry.download.error if entry.download is not None else None
    if error is None:
        return ""
    text = describe(error)
    return "\n".join(filter(None, (joined(text.what, text.why, text.next), text.detail[:_DETAIL])))


def _why(entry: Entry) -> str:
    if entry.on_disk:
        return _reason("remote_code") if brings_code(entry) else ""
    return why(entry.hub) if entry.hub is not None else ""


def _doubt(entry: Entry) -> str:
    """It may be opened all the same: what is special about its template and tokens is not known here."""
    stored = entry.stored
    if stored is None or not entry.on_disk or stored.code or not stored.unknown:
        return ""
    return _reason("family").format(type=stored.unknown)


def why(hub: HubModel) -> str:
    """The reason why it is not supported, "" = it is."""
    return _reason(unsupported(hub)).format(type=hub.model_type or "?")


def _reason(code: str) -> str:
    return {
        "": "",
        "config": QCoreApplication.translate("Models", "Its config.json does not say what kind it is."),
        "remote_code": QCoreApplication.translate(
            "Models", "It brings program code of its own, which is not run here."
        ),
        "family": QCoreApplication.translate("Models", "Models of the type {type} are not supported yet."),
        "no_weights": QCoreApplication.translate(
            "Models", "It has no weights as safetensors, the only kind that is opened here."
        ),
    }[code]
