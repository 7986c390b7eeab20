"""What is wanted and what becomes of it: the states of downloads, and the orders that outlive the program."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from core.errors import LoupeError
from core.models.partial import Listing, bytes_there, partial_place, partial_root, partials
from core.prompt.families import families
from core.worker.download_values import FLOOR, TRIES, Download, Downloading

Phase = Literal[
    "queued", "resolving", "fetching", "waiting", "checking", "following", "paused", "failed", "ready"
]
RUNNING: frozenset[Phase] = frozenset({"resolving", "fetching", "waiting", "checking", "following"})
log = logging.getLogger(__name__)


class DownloadState(msgspec.Struct, frozen=True):
    """`revision`: as asked for; `commit`: "" until the hub has said it; `named`: as asked for, where the hub
    has another name for it. Bytes, bytes a second, seconds left (-1 = not known). `tries`, `wait`, `problem`:
    of a break that is waited out. `error`: of a failed one, or why a pause does not outlive the program.
    `folder`: of a ready one."""

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
    named: str = ""

    def is_of(self, repo: str, revision: str = "", tokenizer_only: bool = False) -> bool:
        """`revision`: as asked for, or its commit; "" = any."""
        return (
            repo in (self.repo, self.named)
            and (not revision or revision in (self.revision, self.commit))
            and tokenizer_only == self.tokenizer_only
        )


class HubSettings(msgspec.Struct, frozen=True):
    """`endpoint`, `proxy`: "" = those of the environment. `offline`: nothing but this computer is asked.
    `seconds`: without a byte before a transfer counts as stalled."""

    endpoint: str = ""
    proxy: str = ""
    offline: bool = False
    seconds: float = 30.0
    tries: int = TRIES
    pause: float = 1.0
    floor: int = FLOOR


class Order(msgspec.Struct, frozen=True):
    """What lies in the queue's folder until it is done or cancelled, or paused with a listing on disk.
    `given`: seconds since the epoch."""

    repo: str
    revision: str = ""
    tokenizer_only: bool = False
    consent: str = ""
    paused: bool = False
    given: float = msgspec.field(default_factory=time.time)


def save_order(models: Path, order: Order, path: Path | None = None) -> Path | None:
    """`path`: where it lies already. None where it cannot be written: it does not outlive the program."""
    path = path or partial_root(models) / "queue" / f"{time.time_ns()}.json"
    temporary = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(msgspec.json.encode(order))
        temporary.replace(path)
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


def forget_orders(models: Path, fits: Callable[[Order], bool]) -> None:
    for path, order in list(saved_orders(models)):
        if fits(order):
            remove_order(path)


def is_for(order: Order, listing: Listing) -> bool:
    return (
        order.repo in (listing.repo, listing.named)
        and order.revision in (listing.asked, listing.commit)
        and order.tokenizer_only == listing.tokenizer_only
    )


def restored(models: Path) -> list[tuple[Order, Path | None, DownloadState]]:
    """What a start of the program finds, in the order in which it was asked for. An order's own file is
    removed where a listing says the same."""
    found: list[tuple[Order, Path | None, DownloadState]] = []
    orders = list(saved_orders(models))
    for _, one in partials(models):
        mine = [(path, order) for path, order in orders if is_for(order, one)]
        orders = [other for other in orders if other not in mine]
        kept = next((path for path, order in mine if order.paused), None)
        for path, _ in mine:
            if path != kept:
                remove_order(path)
        if one.wanted != "cancelled":
            again = Order(one.repo, one.commit, one.tokenizer_only, one.commit if one.consent else "")
            phase: Phase = "paused" if kept is not None or one.wanted == "paused" else "queued"
            found.append((again, kept, on_disk(models, one, phase)))
    for path, order in orders:
        state = DownloadState(order.repo, order.revision, order.tokenizer_only)
        found.append((order, path, still(state, "paused" if order.paused else "queued")))
    return found


def request_of(order: Order, models: Path, token: str, settings: HubSettings) -> Download:
    plain = tuple(kind for family in families() for kind in family.model_types)
    return Download(
        0, order.repo, order.revision, str(models), token, settings.endpoint, order.tokenizer_only,
        order.consent, plain, settings.offline, settings.seconds, settings.tries, settings.pause,
        settings.floor, order.given,
    )  # fmt: skip


def moved(state: DownloadState, said: Downloading) -> DownloadState:
    """By what its process says."""
    state = named(state, said.repo)
    if said.step == "waiting":
        changes = {"phase": "waiting", "tries": said.tries, "wait": said.wait, "problem": said.problem}
        return msgspec.structs.replace(state, **changes, speed=0.0, left=-1.0)
    return msgspec.structs.replace(
        state,
        phase=said.step,
        commit=said.commit or state.commit,
        file=said.file,
        file_done=said.file_done,
        file_size=said.file_size,
        done=said.done,
        total=said.total or state.total,
        speed=said.speed,
        left=said.left,
        tries=0,
        wait=0.0,
        problem="",
    )


def named(state: DownloadState, repo: str) -> DownloadState:
    """`repo`: as the hub names it, "" = it said nothing."""
    if repo in ("", state.repo):
        return state
    return msgspec.structs.replace(state, repo=repo, named=state.named or state.repo)


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
