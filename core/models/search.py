"""Models on the hub: found by words, or one looked up and pinned to the commit that it has now."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit

import msgspec

from core.errors import ModelError
from core.models.headers import Weights, weights_counted, weights_listed
from core.models.hub_address import Way as Way
from core.models.hub_address import hub_of
from core.models.specs import Specs, specs_of
from core.prompt.families import families, family_of, pinned
from core.worker import protocol
from core.worker.client import WorkerClient
from core.worker.download_values import Contacted
from core.worker.file_rules import needs_code
from core.worker.search_values import HubEntry, HubFound, LookUpModel, SearchHub

Unsupported = Literal["", "config", "remote_code", "family", "no_weights"]
LIMIT: Final = 30  # rows of a search
_NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*", re.ASCII)
_HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co")
_PAGES = frozenset({"tree", "blob", "resolve", "commit", "commits"})


class HubModel(msgspec.Struct, frozen=True):
    """`revision`: the commit. `config`: the contents of its config.json, `whole` False: only what the hub
    tells of them. `family`: its name in families.toml, "" = not supported. `unsupported`: why not:
    "config" (none, or without a model_type), "remote_code" (it brings code of its own), "family",
    "no_weights" (none as safetensors). `modified`: seconds since the epoch, 0 = not told. `bytes`: of what is
    fetched, 0 = not told. `weights` None = not told. `code`: those of `files` with program code of its own;
    `unsafe`: weights that are never fetched, as their format can hide such code."""

    id: str
    revision: str
    model_type: str
    architectures: tuple[str, ...]
    family: str
    unsupported: Unsupported
    licence: str = ""
    gated: bool = False
    languages: tuple[str, ...] = ()
    modified: float = 0.0
    downloads: int = 0
    bytes: int = 0
    weights: Weights | None = None
    files: tuple[tuple[str, int], ...] = ()
    code: tuple[tuple[str, int], ...] = ()
    unsafe: tuple[str, ...] = ()
    config: Mapping[str, Any] = {}
    whole: bool = False

    @property
    def specs(self) -> Specs:
        return specs_of(dict(self.config), self.weights.bytes if self.weights else 0)

    @property
    def needs_code(self) -> bool:
        """Its config names code that comes with it; such a model is fetched only with consent."""
        return needs_code(self.config, [kind for family in families() for kind in family.model_types])

    @property
    def lacks_weights(self) -> bool:
        """It has files, but none with weights as safetensors."""
        return bool(self.files) and not any(name.endswith(".safetensors") for name, _ in self.files)


def parse(text: str, endpoint: str = "") -> tuple[str, str] | None:
    """Repository and revision ("" = none said) of what was typed or pasted: ORG/NAME, ORG/NAME@REVISION, or
    the address of a page of a model, of its files or of a commit on the hub or at `endpoint` (see Way). None:
    it is none of these."""
    text = text.strip()
    host, _, path = text.removeprefix("https://").removeprefix("http://").partition("/")
    if "://" in text or ("." in host and "/" in path and "@" not in text):
        if host not in {*_HOSTS, hub_of(endpoint).partition("://")[2].partition("/")[0]}:
            return None
        parts = [unquote(part) for part in urlsplit(path).path.split("/") if part]
        at = next((place for place, part in enumerate(parts) if part in _PAGES), len(parts))
        name, revision = "/".join(parts[: min(at, 2)]), "".join(parts[at + 1 : at + 2])
        if parts[:1] in (["datasets"], ["spaces"]):
            return None
    else:
        name, _, revision = text.partition("@")
    if not _NAME.fullmatch(name) or ".." in name or "--" in name or name.endswith(".git"):
        return None
    return name, revision


async def search(
    library: WorkerClient,
    words: str,
    way: Way | None = None,
    *,
    limit: int = LIMIT,
    told: Callable[[str, str], None] = lambda *_: None,
) -> tuple[HubModel, ...]:
    """The most downloaded first. `told(host, why)`: each host before it is asked. To be called when the
    person has paused typing; cancelling it ends it.

    Raises ModelError (hub.search_offline, hub.search_failed, hub.rate_limit, …) and WorkerLost.
    """
    words, way = " ".join(words.split()), way or Way()
    if not words:
        return ()
    found = await _ask(
        library,
        lambda job: SearchHub(
            job, words, limit, way.token, way.endpoint, way.offline, way.proxy, way.seconds
        ),
        told,
    )
    return tuple(map(model_of, found))


async def resolve(
    library: WorkerClient,
    text: str,
    way: Way | None = None,
    *,
    told: Callable[[str, str], None] = lambda *_: None,
) -> HubModel:
    """What `text` means (see `parse`), pinned: at its own revision, else at the one this program knows, else
    at the commit of its default branch now. Raises ModelError (hub.…) and WorkerLost."""
    way = way or Way()
    meant = parse(text, way.endpoint)
    if meant is None:
        raise ModelError("hub.name", repo=text)
    repo, revision = meant
    pin = pinned(repo)
    revision = revision or (pin.revision if pin else "")
    found = await _ask(
        library,
        lambda job: LookUpModel(
            job, repo, revision, way.token, way.endpoint, way.offline, way.proxy, way.seconds
        ),
        told,
    )
    return model_of(found[0])


async def _ask(
    library: WorkerClient, make: Callable[[int], protocol.Request], told: Callable[[str, str], None]
) -> tuple[HubEntry, ...]:
    found: tuple[HubEntry, ...] = ()
    async with contextlib.aclosing(library.stream(make)) as replies:
        async for reply in replies:
            if isinstance(reply, Contacted):
                told(reply.host, reply.why)
            elif isinstance(reply, HubFound):
                found = reply.models
    return found


def model_of(entry: HubEntry) -> HubModel:
    """With what this program makes of it."""
    config = _json(entry.config)
    model_type = config.get("model_type")
    model_type = model_type if isinstance(model_type, str) else ""
    architectures = config.get("architectures")
    family = family_of(model_type, entry.repo)
    weights = _weights(entry)
    return HubModel(
        id=entry.repo,
        revision=entry.commit,
        model_type=model_type,
        architectures=tuple(map(str, architectures)) if isinstance(architectures, list) else (),
        family=family.name if family else "",
        unsupported=_unsupported(config, model_type, family is not None, weights, entry),
        licence=entry.licence,
        gated=entry.gated,
        languages=entry.languages,
        modified=_seconds(entry.modified),
        downloads=entry.downloads,
        bytes=entry.fetched,
        weights=weights if weights and weights.bytes else None,
        files=entry.files,
        code=entry.code,
        unsafe=entry.unsafe,
        config=config,
        whole=entry.whole,
    )


def _unsupported(
    config: Mapping[str, Any], model_type: str, known: bool, weights: Weights | None, entry: HubEntry
) -> Unsupported:
    if not model_type:
        return "config"
    if not known:  # what is known never needs code from the folder, whatever its auto_map says
        return "remote_code" if "auto_map" in config else "family"
    if entry.files and (weights is None or not weights.bytes):
        return "no_weights"
    return ""


def _weights(entry: HubEntry) -> Weights | None:
    """The sizes that are listed, with the dtypes that the hub counted where both say the same."""
    counted = weights_counted(entry.parameters)
    if not entry.files:
        return counted
    listed = weights_listed(entry.files)
    if counted is not None and 0 <= listed.bytes - counted.bytes <= listed.bytes / 100:
        return msgspec.structs.replace(counted, files=listed.files)
    return listed


def _json(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _seconds(told: str) -> float:
    try:
        return datetime.fromisoformat(told).timestamp() if told else 0.0
    except ValueError:
        return 0.0
