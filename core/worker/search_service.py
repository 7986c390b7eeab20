"""The search service: models on the hub by name, and one of them at the commit that it has now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.errors import ModelError
from core.worker.download_values import Contacted
from core.worker.file_rules import is_code, is_fetched, is_unsafe
from core.worker.hub import Hub, TooLong, short, use_proxy
from core.worker.job import Job
from core.worker.model_card import languages_of, licence_of
from core.worker.search_values import HubEntry, HubFound, LookUpModel, SearchHub

MOST = 100  # models of one search
CONFIG = 256_000  # bytes of a config.json, which the window reads, too
# what a row needs; the files are not among it, they are asked for when a model is looked at
_WANTED = ("sha", "lastModified", "downloads", "gated", "config", "safetensors", "cardData", "tags")
# what is said of one model's files, in the words of a search
_OTHER_WORDS = {
    "hub.offline": "hub.search_offline",
    "hub.stalled": "hub.search_offline",
    "hub.switched_off": "hub.search_switched_off",
    **dict.fromkeys(
        ("hub.failed", "hub.no_repo", "hub.not_model", "hub.no_token", "hub.no_access", "hub.no_revision"),
        "hub.search_failed",
    ),
}
_REFUSED = frozenset({"hub.no_token", "hub.bad_token", "hub.no_access"})


def answer(job: Job, request: SearchHub | LookUpModel) -> None:
    """Raises ModelError, Cancelled."""
    use_proxy(request.proxy)
    hub = Hub(
        request.endpoint,
        request.token,
        offline=request.offline,
        seconds=request.seconds,
        told=lambda host, why: job.send(Contacted(job.number, host, why)),
    )
    entries = _search(job, hub, request) if isinstance(request, SearchHub) else (_one(job, hub, request),)
    job.check()
    job.send(HubFound(job.number, entries))


def _in_other_words(error: Exception, words: str) -> Exception:
    if not isinstance(error, ModelError) or error.code not in _OTHER_WORDS:
        return error
    return ModelError(_OTHER_WORDS[error.code], words=words, detail=error.detail or error.code)


def _search(job: Job, hub: Hub, request: SearchHub) -> tuple[HubEntry, ...]:
    limit = max(1, min(request.limit, MOST))
    parameters = {"search": request.words, "sort": "downloads", "limit": limit, "expand": _WANTED}
    try:
        found = hub.ask("/api/models", f"search {request.words}", parameters, check=job.check)
    except Exception as error:
        raise _in_other_words(hub.explained(error, request.words, ""), request.words) from error
    if not isinstance(found, list):
        raise ModelError("hub.search_failed", words=request.words, detail="its answer is no list of models")
    entries = (_entry(one) for one in found[:limit] if isinstance(one, dict))
    return tuple(entry for entry in entries if entry is not None)


def _entry(said: Mapping[str, Any]) -> HubEntry | None:
    """A row of the search; None for what has no name."""
    repo = said.get("id")
    if not isinstance(repo, str) or not repo:
        return None
    config, card, tensors = said.get("config"), said.get("cardData"), said.get("safetensors")
    card = card if isinstance(card, dict) else {}
    return HubEntry(
        repo=repo,
        commit=str(said.get("sha") or ""),
        config=json.dumps(config if isinstance(config, dict) else {}).encode(),
        licence=licence_of(card, said.get("tags")),
        languages=languages_of(card),
        gated=bool(said.get("gated")),
        modified=str(said.get("lastModified") or ""),
        downloads=_count(said.get("downloads")),
        parameters=_parameters(tensors.get("parameters") if isinstance(tensors, dict) else None),
    )


def _one(job: Job, hub: Hub, request: LookUpModel) -> HubEntry:
    found = hub.look_up(request.repo, request.revision, job.check)
    files = {one.rfilename: _count(one.size) for one in found.siblings or []}
    config, whole = json.dumps(found.config or {}).encode(), False
    if "config.json" in files:
        try:
            config, whole = _config(job, hub, request.repo, str(found.sha)), True
        except ModelError as error:
            if error.code not in _REFUSED:  # then the hub's own words have to do
                raise
    modified = found.last_modified
    card: Any = found.card_data or {}
    return HubEntry(
        repo=str(found.id or request.repo),
        commit=str(found.sha),
        config=config,
        whole=whole,
        licence=licence_of(card, found.tags),
        languages=languages_of(card),
        gated=bool(found.gated),
        modified=modified.isoformat() if isinstance(modified, datetime) else "",
        downloads=_count(found.downloads),
        files=tuple(files.items()),
        fetched=sum(size for name, size in files.items() if is_fetched(name)),
        code=tuple(one for one in files.items() if is_code(one[0])),
        unsafe=tuple(filter(is_unsafe, files)),
        parameters=_parameters(found.safetensors.parameters if found.safetensors else None),
    )


def _config(job: Job, hub: Hub, repo: str, commit: str) -> bytes:
    try:
        with hub.open(repo, commit, "config.json") as (response, _):
            return short(response, job.check, CONFIG)
    except TooLong as error:
        raise ModelError("hub.too_large", repo=repo, file="config.json", limit=CONFIG) from error
    except Exception as error:
        raise hub.explained(error, repo, commit) from error


def _parameters(said: object) -> dict[str, int]:
    return {str(name): _count(number) for name, number in said.items()} if isinstance(said, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
