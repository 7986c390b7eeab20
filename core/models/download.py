"""Downloads of models: a queue, one at a time, that outlives the program, and what each of them does now.

The work is done by a process of its own, which is killed to pause or cancel; what is on disk is the truth.
Another window or command that fetches the same model is followed from the disk, and taken over at its end;
it is no reason for the others to wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from core.errors import LoupeError, ModelError
from core.models.hub_address import token_of_environment
from core.models.ledger import Ledger
from core.models.lock import FolderLock, is_locked
from core.models.manifest import hub_folder, is_name, is_there
from core.models.orders import (
    RUNNING,
    DownloadState,
    HubSettings,
    Order,
    moved,
    named,
    on_disk,
    remove_order,
    request_of,
    restored,
    save_order,
    still,
)
from core.models.partial import discard, partial_place, read_listing, set_wanted, sweep
from core.observe import Event
from core.paths import Paths
from core.tasks import TaskScope
from core.worker.client import WorkerClient, download_worker
from core.worker.download_values import FINAL, Contacted, Downloaded, Downloading, Verified, VerifyModel

FOLLOW_SECONDS = 0.5
_REVISION = re.compile(r"[\w][\w./-]*|", re.ASCII)
log = logging.getLogger(__name__)


class Downloads:
    """`changed` tells all states, in the queue's order. `settings` and `token` are asked at each start.

    A model is named by "org/name" or "org/name@revision" (as asked for, or its commit). `tokenizer_only`:
    which of its two downloads is meant, None = the whole one if there is one.
    """

    def __init__(
        self,
        paths: Paths,
        *,
        settings: Callable[[], HubSettings] = HubSettings,
        token: Callable[[], Awaitable[str]] = token_of_environment,
        ledger: Ledger | None = None,
    ) -> None:
        self._models = paths.models
        self._settings, self._token = settings, token
        self.ledger = ledger or Ledger(paths.data)
        self.changed: Event[tuple[DownloadState, ...]] = Event()
        self._states: dict[int, DownloadState] = {}
        self._orders: dict[int, tuple[Order, Path | None]] = {}
        self._numbers = itertools.count()
        self._scope = TaskScope()
        self._running: tuple[int, WorkerClient] | None = None
        self._pump: asyncio.Task[None] | None = None
        self._closed = False
        self._deciding = asyncio.Lock()  # a pause, a cancel and a resume each end before the next one begins
        self.lines: Event[str] = Event()

    @property
    def states(self) -> tuple[DownloadState, ...]:
        return tuple(self._states.values())

    @property
    def pid(self) -> int | None:
        """Of the process at work."""
        return self._running[1].pid if self._running else None

    # --- what the person wants -----------------------------------------------------------------------

    def start(
        self, repo: str, revision: str = "", tokenizer_only: bool = False, *, consent: str = ""
    ) -> None:
        """Queue it, or let it go on. Raises ModelError("hub.name")."""
        if not is_name(repo) or not _REVISION.fullmatch(revision):
            raise ModelError("hub.name", repo=f"{repo}@{revision}" if revision else repo)
        order = Order(repo, revision, tokenizer_only, consent)
        number = self._number(f"{repo}@{revision}" if revision else repo, tokenizer_only)
        if number is not None:
            if self._states[number].phase not in ("paused", "failed", "ready"):
                return
            self._drop(number)
        number = next(self._numbers)
        self._orders[number] = (order, save_order(self._models, order))
        self._set(number, DownloadState(repo, revision, tokenizer_only))
        self._begin()

    async def pause(self, model: str, tokenizer_only: bool | None = None) -> None:
        """What is on disk stays. The process is gone when this returns."""
        async with self._deciding:
            number = self._number(model, tokenizer_only)
            if self._closed or number is None or self._states[number].phase not in RUNNING | {"queued"}:
                return
            state = still(self._states[number], "paused")
            self._set(number, state)
            partial = self._partial(state)
            if partial is not None:
                # before its process ends: another window would take over
                await asyncio.to_thread(set_wanted, partial, "paused")
            await self._end_running(number)
            there = await self._on_disk(state, partial) if partial is not None else None
            if self._states.get(number) != state:
                return  # it is ready, or was started again
            if there is not None:
                state = there  # more has come than was told
                self._set(number, state)
            kept = partial is not None and await asyncio.to_thread(set_wanted, partial, "paused")
            if self._states.get(number) == state and not self._keep_pause(number, in_listing=kept):
                error = ModelError("store.not_paused", model=state.repo, folder=str(self._models))
                self._set(number, msgspec.structs.replace(state, error=error))

    async def _on_disk(self, state: DownloadState, partial: Path) -> DownloadState | None:
        """In the same phase, by what is there; None without a listing. It may be of thousands of files."""

        def look() -> DownloadState | None:
            listing = read_listing(partial)
            return on_disk(self._models, listing, state.phase, state) if listing is not None else None

        return await asyncio.to_thread(look)

    def _keep_pause(self, number: int, *, in_listing: bool) -> bool:
        """In the order, where the listing does not say it: for the next start, and for other windows."""
        if in_listing:
            self._forget_order(number)
            return True
        order, path = self._orders[number]
        path = save_order(self._models, msgspec.structs.replace(order, paused=True), path)
        self._orders[number] = (order, path)
        return path is not None

    async def resume(self, model: str, tokenizer_only: bool | None = None) -> None:
        async with self._deciding:
            number = self._number(model, tokenizer_only)
            if number is not None and self._states[number].phase in ("paused", "failed"):
                state = self._states[number]
                if partial := self._partial(state):
                    # at once: the program may end before its process begins
                    await asyncio.to_thread(set_wanted, partial, "fetch")
                if number not in self._orders:
                    return
                revision, consent = state.commit or state.revision, self._orders[number][0].consent
                self.start(state.repo, revision, state.tokenizer_only, consent=consent)

    async def cancel(self, model: str, tokenizer_only: bool | None = None) -> None:
        """Nothing of it stays. The process is gone when this returns."""
        async with self._deciding:
            number = self._number(model, tokenizer_only)
            if number is None:
                return
            partial = self._partial(self._drop(number))
            if partial is not None:
                # another window's process ends by it, and none takes over
                await asyncio.to_thread(set_wanted, partial, "cancelled")
            await self._end_running(number)
            if partial is not None:
                await asyncio.to_thread(_remove, self._models, partial)
            self._tell()

    def forget(self, model: str, tokenizer_only: bool | None = None) -> None:
        """Take a ready or failed one off the list; nothing on disk changes."""
        number = self._number(model, tokenizer_only)
        if number is not None and self._states[number].phase in ("ready", "failed"):
            self._drop(number)
            self._tell()

    async def restore(self) -> None:
        """After a start: what was not paused goes on, in the order it had."""
        await asyncio.to_thread(sweep, self._models)
        for order, path, state in await asyncio.to_thread(restored, self._models):
            commit = state.commit or state.revision
            if self._number(f"{state.repo}@{commit}", state.tokenizer_only) is None:
                number = next(self._numbers)
                self._orders[number], self._states[number] = (order, path), state
        self._tell()
        self._begin()

    async def close(self) -> None:
        """The process is gone; what was running goes on at the next start."""
        self._closed = True
        if self._running is not None:
            await self._running[1].kill()
        await self._scope.close()

    # --- the check of what is there --------------------------------------------------------------------

    async def verify(self, folder: Path, told: Callable[[Downloading], None] = lambda _: None) -> Verified:
        """Every byte is read, in a process of its own; cancelling ends it. What is damaged is known to all
        from then on; `start` with the model's commit fetches that alone."""
        worker = self._worker(self._settings())
        try:
            async with contextlib.aclosing(
                worker.stream(lambda job: VerifyModel(job, str(folder)))
            ) as replies:
                async for reply in replies:
                    if isinstance(reply, Verified):
                        return reply
                    told(reply)
        finally:
            await worker.kill()
        raise ModelError("store.no_manifest", folder=str(folder))

    # --- the queue ---------------------------------------------------------------------------------------

    def _forget_order(self, number: int) -> None:
        order, path = self._orders[number]
        self._orders[number] = (order, None)
        if path is not None:
            remove_order(path)

    def _drop(self, number: int) -> DownloadState:
        self._forget_order(number)
        self._orders.pop(number)
        return self._states.pop(number)

    def _number(self, model: str, tokenizer_only: bool | None = None) -> int | None:
        repo, _, revision = model.partition("@")
        kinds = (False, True) if tokenizer_only is None else (tokenizer_only,)
        fits = (n for kind in kinds for n, one in self._states.items() if one.is_of(repo, revision, kind))
        return next(fits, None)

    def _runs(self, number: int) -> bool:
        """It was not paused or cancelled meanwhile."""
        return number in self._states and self._states[number].phase in RUNNING

    def _begin(self) -> None:
        if self._pump is None or self._pump.done():
            self._pump = self._scope.spawn(self._work(), name="downloads")

    async def _work(self) -> None:
        while not self._closed:
            number = next((n for n, state in self._states.items() if state.phase == "queued"), None)
            if number is None:
                return
            try:
                await self._one(number)
            except Exception as error:  # whatever it is, the next one is to go on
                await self._failed(number, error)

    async def _one(self, number: int) -> None:
        self._set(number, msgspec.structs.replace(self._states[number], phase="resolving", error=None))
        settings, token = self._settings(), await self._token()
        if not self._runs(number):
            return
        worker = self._worker(settings)
        self._running = (number, worker)
        try:
            request = request_of(self._orders[number][0], self._models, token, settings)
            stream = worker.stream(lambda job: msgspec.structs.replace(request, job=job))
            async with contextlib.aclosing(stream) as replies:
                async for reply in replies:
                    if isinstance(reply, Contacted):
                        self.ledger.note(reply.host, reply.why)
                    elif isinstance(reply, Downloading) and self._runs(number):
                        self._set(number, moved(self._states[number], reply))
                    elif isinstance(reply, Downloaded):
                        self._finished(number, reply)
        finally:
            await worker.kill()
            self._running = None

    def _finished(self, number: int, said: Downloaded) -> None:
        state = self._states.get(number)
        if state is not None:
            self._forget_order(number)
            state = named(still(state, "ready"), said.repo)
            self._set(
                number,
                msgspec.structs.replace(state, commit=said.commit, folder=said.folder, done=state.total),
            )

    async def _failed(self, number: int, error: Exception) -> None:
        if self._closed or not self._runs(number):
            return  # the kill of a pause, a cancel or the program's end
        state = self._states[number]
        if not isinstance(error, LoupeError):
            log.error("download of %s", state.repo, exc_info=error)
            error = ModelError("hub.failed", repo=state.repo, detail=f"{type(error).__name__}: {error}")
        partial = self._partial(state)
        if error.code == "store.busy" and partial is not None:
            self._scope.spawn(self._follow(number, partial), name="follow")  # the next one need not wait
            return
        if error.code == "engine.cancelled":  # another window or command paused or cancelled it
            listing = await asyncio.to_thread(read_listing, partial) if partial else None
            if not self._runs(number):
                return
            if listing is None or listing.wanted == "cancelled":
                self._drop(number)
                if partial is not None:
                    await asyncio.to_thread(_remove, self._models, partial)
                self._tell()
                return
            self._forget_order(number)
            self._set(number, still(state, "paused"))
            return
        if error.code in FINAL:
            self._forget_order(number)
        log.info("download of %s: %s", state.repo, error)
        self._set(number, msgspec.structs.replace(still(state, "failed"), error=error))

    async def _follow(self, number: int, partial: Path) -> None:
        """Another process fetches it: its bytes on disk are told, until it has ended in some way."""
        seen = False
        while is_locked(partial) and self._runs(number):
            following = msgspec.structs.replace(self._states[number], phase="following")
            there = await self._on_disk(following, partial)
            if there is not None and self._runs(number):
                seen = True
                self._set(number, there)
            await asyncio.sleep(FOLLOW_SECONDS)
        if not self._runs(number):
            return
        state = self._states[number]
        place = self._models / hub_folder(state.repo, state.commit)
        listing = await asyncio.to_thread(read_listing, partial)
        if not self._runs(number):
            return
        if is_there(place, tokenizer_only=state.tokenizer_only):
            self._finished(number, Downloaded(0, str(place), state.commit))
        elif listing is not None and listing.wanted == "paused":
            self._forget_order(number)
            self._set(number, still(state, "paused"))
        elif seen and (listing is None or listing.wanted == "cancelled"):
            self._drop(number)
            self._tell()
        else:
            self._set(number, still(state, "queued"))  # it died: this one goes on
            self._begin()

    async def _end_running(self, number: int) -> None:
        if self._running is not None and self._running[0] == number:
            await self._running[1].kill()

    def _worker(self, settings: HubSettings) -> WorkerClient:
        # the small names count before the large ones
        names = ("https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY") if settings.proxy else ()
        proxy = dict.fromkeys(names, settings.proxy)
        worker = download_worker(**proxy)
        worker.lines.connect(self.lines.emit)
        return worker

    def _partial(self, state: DownloadState) -> Path | None:
        if not state.commit:
            return None
        return partial_place(self._models, state.repo, state.commit, tokenizer_only=state.tokenizer_only)

    def _set(self, number: int, state: DownloadState) -> None:
        self._states[number] = state
        self._tell()

    def _tell(self) -> None:
        self.changed.emit(self.states)


def _remove(models: Path, partial: Path) -> None:
    """Its writer is gone; what cannot be removed now the next start removes."""
    set_wanted(partial, "cancelled")  # where its own process was just beginning
    with contextlib.suppress(OSError), FolderLock(partial) as lock:
        if lock.take() and partial.exists():
            discard(models, partial)
    sweep(models)
