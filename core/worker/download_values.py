"""What the program and its download process say to each other (see core/worker/protocol.py)."""

from __future__ import annotations

import time
from typing import Literal

import msgspec

FLOOR = 500_000_000  # bytes of the disk that stay free beside a download
TRIES = 6  # with no byte more
# errors that another try, unasked, would not change: what is on disk waits for the person then
FINAL = frozenset(
    {
        *("hub.no_repo", "hub.no_revision", "hub.not_model", "hub.name", "hub.no_safetensors"),
        *("hub.files_missing", "hub.too_large", "hub.too_long", "hub.path", "hub.code", "hub.mismatch"),
        *("store.damaged", "store.in_the_way", "store.no_lock"),
    }
)


class Download(msgspec.Struct, frozen=True, tag="download"):
    """A model of the hub → `models/<org>--<name>@<commit>`, going on from what is on disk.

    Answered with `Contacted`, `Downloading` and `Downloaded`. `consent`: the commit whose own code the person
    agreed to run. `plain`: model types that need no code of theirs. `seconds`: without a byte; then, and
    after every other break, again after `pause` seconds, doubled each time, `tries` times with no byte more.
    `given`: when the person asked for it, seconds since the epoch; a pause or cancel after that holds.
    """

    job: int
    repo: str
    revision: str  # "" = the default branch
    models: str
    token: str = ""
    endpoint: str = ""  # "" = huggingface_hub's own
    tokenizer_only: bool = False
    consent: str = ""
    plain: tuple[str, ...] = ()
    offline: bool = False  # nothing but this computer itself is asked
    seconds: float = 30.0
    tries: int = TRIES
    pause: float = 1.0
    floor: int = FLOOR
    given: float = msgspec.field(default_factory=time.time)

    def __repr__(self) -> str:
        return "Download(…)"  # a debugging event loop logs it, and a token is in it


class VerifyModel(msgspec.Struct, frozen=True, tag="verify_model"):
    """Every byte of a folder with a manifest is read. Answered with `Downloading` and `Verified`."""

    job: int
    folder: str


class Contacted(msgspec.Struct, frozen=True, tag="contacted"):
    """A host is asked now, and why; once a job for each reason."""

    job: int
    host: str
    why: str


class Downloading(msgspec.Struct, frozen=True, tag="downloading"):
    """`repo`: as the hub names it, "" = not known yet. `done`, `total`: bytes of the model; `speed`: bytes a
    second, 0 = not known yet; `left`: seconds, -1 = not known. Waiting: for `wait` seconds because of
    `problem`, an error's code, after `tries` tries."""

    job: int
    step: Literal["resolving", "fetching", "waiting", "checking"]
    commit: str = ""
    file: str = ""
    file_done: int = 0
    file_size: int = 0
    done: int = 0
    total: int = 0
    speed: float = 0.0
    left: float = -1.0
    tries: int = 0
    wait: float = 0.0
    problem: str = ""
    repo: str = ""


class Downloaded(msgspec.Struct, frozen=True, tag="downloaded"):
    job: int
    folder: str
    commit: str
    repo: str = ""


class Verified(msgspec.Struct, frozen=True, tag="verified"):
    """`damaged`: names of files. `links`: those that lead out of the folder."""

    job: int
    files: int
    bytes: int
    damaged: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
