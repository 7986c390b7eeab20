"""What is wanted and what becomes of it: the states of downloads, and the orders that outlive the program."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from core.errors import LoupeError
from core.models.partial import Listing, bytes_there, partial_place, partial_root

Phase = Literal[
    "queued", "resolving", "fetching", "waiting", "checking", "following", "paused", "failed", "ready"
]
RUNNING: frozenset[Phase] = frozenset({"resolving", "fetching", "waiting", "checking", "following"})
log = logging.getLogger(__name__)


class DownloadState(msgspec.Struct, frozen=True):
    """`revision`: as asked for; `commit`: "" until the hub has said it. Bytes, bytes a second, seconds left
    (-1 = not known). `tries`, `wait`, `problem`: of a break that is waited out. `folder`: of a ready one."""

    repo: str
    revision: str = ""
    tokenizer_only: bool = False
    phase: Phase = "queued"
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
    error: LoupeError | None = None
    folder: str = ""


class HubSettings(msgspec.Struct, frozen=True):
    """`endpoint`, `proxy`: "" = those of the environment. `offline`: nothing but this computer is asked.
    `seconds`: without a byte before a transfer counts as stalled."""

    endpoint: str = ""
    proxy: str = ""
    offline: bool = False
    seconds: float = 30.0
    tries: int = 6
    pause: float = 1.0
    floor: int = 500_000_000


class Order(msgspec.Struct, frozen=True):
    """What lies in the queue's folder until it is done, paused or cancelled."""

    repo: str
    revision: str = ""
    tokenizer_only: bool = False
    consent: str = ""


def save_order(models: Path, order: Order) -> Path | None:
    """None where it cannot be written: then it does not outlive the program."""
    folder = partial_root(models) / "queue"
    path = folder / f"{time.time_ns()}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(order))
    except OSError as error:
        log.warning("the queue cannot be written: %s", error)
        return None
    return path


def saved_orders(models: Path) -> Iterator[tuple[Path, Order]]:
    """In the order in which they were given."""
    for path in sorted((partial_root(models) / "queue").glob("*.json")):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            yield path, msgspec.json.decode(path.read_bytes(), type=Order)


def remove_order(path: Path) -> None:
    """And the folders that are empty then."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()
        path.parent.parent.rmdir()


def still(state: DownloadState, phase: Phase) -> DownloadState:
    return msgspec.structs.replace(
        state, phase=phase, speed=0.0, left=-1.0, tries=0, wait=0.0, problem="", error=None
    )


def on_disk(
    models: Path, listing: Listing, phase: Phase, state: DownloadState | None = None
) -> DownloadState:
    state = state or DownloadState(listing.repo, listing.asked, listing.tokenizer_only)
    partial = partial_place(models, listing.repo, listing.commit, tokenizer_only=listing.tokenizer_only)
    done = sum(bytes_there(partial, one) for one in listing.files)
    return msgspec.structs.replace(
        state,
        phase=phase,
        commit=listing.commit,
        done=done,
        total=listing.bytes,
        file="",
        speed=0.0,
        left=-1.0,
    )
