"""The hub's search: as far as huggingface_hub's list_models asks it, and this program.

`GET /api/models?search=&sort=&limit=&cursor=&expand=…`, `full`, `config` and `cardData`. A row has what was
asked for and no more; of a config the hub tells a few fields alone. Other pages are named in a Link header.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from tests.fakes.hub.server import FakeHub

_PLAIN = frozenset({"id", "modelId", "private", "downloads", "likes", "tags", "createdAt"})
_FULL = frozenset({"author", "gated", "lastModified", "sha", "siblings"})
_TOLD = ("architectures", "model_type", "auto_map", "quantization_config", "tokenizer_config")
_SORTS = ("downloads", "likes", "lastModified", "createdAt", "trendingScore")
_MOST = 1000  # of one page
Query = dict[str, list[str]]


def search(hub: FakeHub, query: Query) -> tuple[list[dict[str, Any]], str]:
    """The rows of this page, and the query of the next one ("" = this is the last)."""
    words = query.get("search", [""])[0].lower().split()
    found = [one for one in hub.models if all(word in one.repo.lower() for word in words)]
    by = query.get("sort", ["trendingScore"])[0]
    assert by in _SORTS, by
    found.sort(key=lambda one: (-one.downloads, one.repo))
    limit = max(1, min(int(query.get("limit", [str(_MOST)])[0]), hub.page_rows))
    start = int(query.get("cursor", ["0"])[0])
    asked = _asked(query)
    rows = [{k: v for k, v in row(one).items() if k in asked} for one in found[start : start + limit]]
    more = start + limit < len(found)
    following = {**query, "cursor": [str(start + limit)]}
    return rows, urlencode(following, doseq=True) if more else ""


def _asked(query: Query) -> frozenset[str]:
    if "expand" in query:
        return frozenset({"id", *query["expand"]})
    extra = [name for name in ("config", "cardData") if name in query]
    return _PLAIN.union(_FULL if "full" in query else (), extra)


def row(hub: FakeHub) -> dict[str, Any]:
    """All that the hub knows of one model."""
    try:
        config = json.loads(hub.files.get("config.json", b"{}"))
    except ValueError:
        config = {}
    found: dict[str, Any] = {
        "id": hub.repo,
        "modelId": hub.repo,
        "author": hub.repo.partition("/")[0],
        "sha": hub.commit,
        "private": False,
        "gated": "manual" if hub.gated else False,
        "downloads": hub.downloads,
        "likes": 0,
        "tags": [f"license:{hub.licence}"],
        "createdAt": "2026-01-01T12:00:00.000Z",
        "lastModified": "2026-03-01T12:00:00.000Z",
        "cardData": {"license": hub.licence, "language": list(hub.languages)},
        "config": {name: config[name] for name in _TOLD if name in config},
        "siblings": [{"rfilename": name} for name in hub.files],
    }
    if hub.licence_name:
        found["cardData"]["license_name"] = hub.licence_name
    if hub.parameters:
        found["safetensors"] = {"parameters": hub.parameters, "total": sum(hub.parameters.values())}
    return found
