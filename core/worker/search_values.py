"""What the program and the library process say to each other of models on the hub (see protocol.py)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class SearchHub(msgspec.Struct, frozen=True, tag="search_hub"):
    """Answered with `Contacted` and `HubFound`: at most `limit` models with these words in their names."""

    job: int
    words: str
    limit: int
    token: str = ""
    endpoint: str = ""  # "" = huggingface_hub's own
    offline: bool = False  # nothing but this computer itself is asked
    proxy: str = ""  # "" = the environment's
    seconds: float = 30.0  # without a byte

    def __repr__(self) -> str:
        return "SearchHub(…)"  # a debugging event loop logs it, and a token is in it


class LookUpModel(msgspec.Struct, frozen=True, tag="look_up_model"):
    """Answered with `Contacted` and `HubFound`: one model with its config.json, at the commit that `revision`
    means now."""

    job: int
    repo: str
    revision: str  # "" = the default branch
    token: str = ""
    endpoint: str = ""
    offline: bool = False
    proxy: str = ""
    seconds: float = 30.0

    def __repr__(self) -> str:
        return "LookUpModel(…)"


class HubEntry(msgspec.Struct, frozen=True):
    """What the hub says of a model. `commit`: "" where it does not say. `config`: the contents of its
    config.json, or what the hub tells of them (`whole` False). `modified`: as it writes it, ISO 8601.
    `files`: names and bytes, () where they were not asked for; `fetched`: bytes of those that are. `code`:
    those with program code; `unsafe`: weights that are never fetched. `parameters`: their number by dtype."""

    repo: str
    commit: str = ""
    config: bytes = b"{}"
    whole: bool = False
    licence: str = ""
    gated: bool = False
    languages: tuple[str, ...] = ()
    modified: str = ""
    downloads: int = 0
    files: tuple[tuple[str, int], ...] = ()
    fetched: int = 0
    code: tuple[tuple[str, int], ...] = ()
    unsafe: tuple[str, ...] = ()
    parameters: Mapping[str, int] = {}


class HubFound(msgspec.Struct, frozen=True, tag="hub_found"):
    job: int
    models: tuple[HubEntry, ...]
