"""The person's settings: a frozen struct, read value by value so that a broken file stops nothing."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from core.errors import LoupeError, SettingsError
from core.observe import Event

log = logging.getLogger(__name__)

BUILT_IN = "built-in"
LanguageChoice = Literal["system", "en", "zh_TW"]
ThemeChoice = Literal["system", "light", "dark", "high_contrast"]
HeatChoice = Literal["both", "colour", "bar", "off"]
HoverChoice = Literal["hover", "ctrl", "click", "off"]
SendKey = Literal["enter", "ctrl_enter"]
DeviceChoice = Literal["auto", "cpu", "gpu"]
QuitChoice = Literal["ask", "stop", "leave"]


class SavedServer(msgspec.Struct, frozen=True):
    """A server that was connected to. `model`: the last one used there, "" = the first that is supported.
    `files`: per served model where its tokenizer comes from: a hub id, a folder's path, or "server". `key`:
    one lies in the keyring under this address; it is never in this file."""

    address: Annotated[str, msgspec.Meta(min_length=1)]
    model: str = ""
    files: dict[str, str] = {}
    key: bool = False


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All values have a default that works. The field names are the keys in the file.

    `zoom`: percent. `card_candidates`: how many of the most likely tokens are stored and shown.
    `doubt_threshold`: probability below which a token counts as doubtful. `model`: "built-in" or the path of
    a model folder, `folders` those opened before. `server`: the address of the server in use, "" = the local
    engine, "docker" = vLLM in Docker; `servers` those connected to before, the last one first.
    Of vLLM in Docker: `vllm_device`, `vllm_version` ("" = the default of vllm.toml), `vllm_port` on this
    computer, `vllm_kv_gib` for the KV cache, `vllm_gpu_share` of the GPU's memory, `speculation` where it is
    possible, and what becomes of the server `on_quit`.
    Of the hub: `hub_endpoint` and `hub_proxy` ("" = HF_ENDPOINT, HTTPS_PROXY), `hub_seconds` without a byte
    until a transfer counts as stalled, `offline`: nothing is fetched from another computer, `hub_tokens`:
    addresses of hubs whose token lies in the keyring. `window_geometry`, `window_state`: Qt's own bytes as
    base64. `notices`: what was said once and need not be said again.
    """

    language: LanguageChoice = "system"
    theme: ThemeChoice = "system"
    zoom: Annotated[int, msgspec.Meta(ge=80, le=200)] = 100
    heat: HeatChoice = "both"
    hover: HoverChoice = "hover"
    card_candidates: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    send_key: SendKey = "enter"
    reduce_motion: bool = False
    doubt_threshold: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.15
    model: Annotated[str, msgspec.Meta(min_length=1)] = BUILT_IN
    folders: tuple[str, ...] = ()
    server: str = ""
    servers: tuple[SavedServer, ...] = ()
    vllm_device: DeviceChoice = "auto"
    vllm_version: str = ""
    vllm_port: Annotated[int, msgspec.Meta(ge=1024, le=65535)] = 8000
    vllm_kv_gib: Annotated[int, msgspec.Meta(ge=1, le=1024)] = 2
    vllm_gpu_share: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.3
    speculation: bool = True
    on_quit: QuitChoice = "ask"
    hub_endpoint: str = ""
    hub_proxy: str = ""
    hub_seconds: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 30
    offline: bool = False
    hub_tokens: tuple[str, ...] = ()
    window_geometry: str = ""
    window_state: str = ""
    last_conversation: str = ""
    notices: tuple[str, ...] = ()


_TYPES: dict[str, Any] = get_type_hints(Settings, include_extras=True)


def load(path: Path) -> tuple[Settings, list[SettingsError]]:
    """Read the settings; whatever cannot be used is named in the problems and has its default.

    A file that is no settings file at all is set aside as `.broken` and the backup is read in its place. One
    with bad values in it is copied to `.broken`. Raises nothing.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return _from_backup(path, [])
    except OSError as error:
        return Settings(), [SettingsError("settings.unreadable", detail=str(error), path=str(path))]
    values = _parse(raw)
    if values is None:
        broken = _keep_broken(path, move=True)
        return _from_backup(path, [SettingsError("settings.damaged", path=str(path), kept=str(broken))])
    settings, problems = _pick(values)
    if problems:
        _keep_broken(path, move=False)
    return settings, problems


def save(path: Path, settings: Settings) -> None:
    """Write atomically; the file that was there stays as `.bak`. Raises SettingsError("settings.not_saved").

    There is no fsync, which can hold the window up for long: after a power cut the backup is read.
    """
    data = msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n"
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if path.exists():
            second = Path(temporary + ".bak")
            shutil.copyfile(path, second)
            second.replace(_beside(path, ".bak"))
        Path(temporary).replace(path)
    except OSError as error:
        for leftover in (temporary, temporary + ".bak"):
            if temporary:
                with contextlib.suppress(OSError):
                    Path(leftover).unlink(missing_ok=True)
        raise SettingsError("settings.not_saved", detail=str(error), path=str(path)) from error


class SettingsStore:
    """The settings in use and their file. `changed` tells the new value, `failed` that it was not written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.changed: Event[Settings] = Event()
        self.failed: Event[LoupeError] = Event()
        self.value, self.problems = load(path)
        for problem in self.problems:
            log.warning("%s", problem)

    def update(self, **changes: object) -> None:
        """Set some fields, tell it and write the file. Raises SettingsError for a bad value."""
        new = msgspec.structs.replace(self.value, **{name: _convert(name, v) for name, v in changes.items()})
        if new == self.value:
            return
        self.value = new
        self.changed.emit(new)
        try:
            save(self.path, new)
        except SettingsError as error:
            log.warning("%s", error)
            self.failed.emit(error)

    def noticed(self, notice: str) -> bool:
        """True if this notice was remembered as said."""
        return notice in self.value.notices

    def remember(self, notice: str) -> None:
        if not self.noticed(notice):
            self.update(notices=(*self.value.notices, notice))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _parse(raw: bytes) -> dict[str, Any] | None:
    try:
        values = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _convert(name: str, value: object) -> object:
    if name not in _TYPES:
        raise SettingsError(name=name, value=repr(value)[:80])
    try:
        return msgspec.convert(value, _TYPES[name])
    except msgspec.ValidationError as error:
        raise SettingsError(detail=str(error), name=name, value=repr(value)[:80]) from error


def _pick(values: dict[str, Any]) -> tuple[Settings, list[SettingsError]]:
    """Each value for itself; keys of other versions are left alone."""
    good: dict[str, Any] = {}
    problems: list[SettingsError] = []
    for name, value in values.items():
        if name in _TYPES:
            try:
                good[name] = _convert(name, value)
            except SettingsError as error:
                problems.append(error)
    return Settings(**good), problems


def _from_backup(path: Path, problems: list[SettingsError]) -> tuple[Settings, list[SettingsError]]:
    try:
        values = _parse(_beside(path, ".bak").read_bytes())
    except OSError:
        values = None
    if values is None:
        return Settings(), problems
    settings, more = _pick(values)
    return settings, problems + more


def _keep_broken(path: Path, *, move: bool) -> Path | None:
    """Keep the person's file for them to look at; that this works is not worth an error of its own."""
    broken = _beside(path, ".broken")
    try:
        if move:
            path.replace(broken)
        else:
            shutil.copyfile(path, broken)
    except OSError as error:
        log.warning("%s could not be kept as %s: %s", path, broken, error)
        return None
    return broken
