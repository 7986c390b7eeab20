"""What the hub says of models: found by words, or one looked at; one question of a kind at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from core.errors import LoupeError
from core.models.search import HubModel, Way, resolve, search
from core.observe import Event
from core.tasks import TaskScope
from core.worker.client import WorkerClient
from desktop.models.typed import folder_of, model_of

_PASSING: Final = 0.25  # seconds that a model is looked at before the hub is asked about it
_NOT_MEANT: Final = frozenset({"hub.no_repo", "hub.name", "hub.not_model", "hub.no_revision"})


class HubLook:
    """`changed`: anything below is another. `found`: by the words of the search; `named`: the one of which a
    revision was typed; `looked`: by "org/name@revision" (its commit, and as it was asked for) what the hub
    says of one. `trouble`: why there is nothing found, None = no failure."""

    def __init__(
        self,
        library: WorkerClient,
        scope: TaskScope,
        way: Callable[[], Awaitable[Way]],
        told: Callable[[str, str], None],
    ) -> None:
        """`told(host, why)`: each host before it is asked."""
        self._library, self._scope, self._way, self._told = library, scope, way, told
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.changed: Event[None] = Event()
        self.found: tuple[HubModel, ...] = ()
        self.named: HubModel | None = None
        self.looked: dict[str, HubModel] = {}
        self.words = ""
        self.trouble: LoupeError | None = None
        self.busy = False

    def search(self, words: str) -> None:
        """In place of what was searched before; "" = nothing is. A path is nobody else's business."""
        if not words and not self.words:
            return
        self.words, self.found, self.named, self.trouble = words, (), None, None
        self.busy = bool(words) and folder_of(words) is None
        self._run("search", self._search(words) if self.busy else None)
        self.changed.emit(None)

    def look(self, model: str, revision: str) -> None:
        """In place of the look before; one that is known is not asked about again, but for a closed gate."""
        text = "@".join(filter(None, (model, revision)))
        known = self.looked.get(text)
        needless = known is not None and (known.whole or not known.gated)
        self._run("look", None if needless else self._look(text))

    async def ask(self, model: str, revision: str) -> HubModel:
        """What the hub says of it now, whatever was known of it before. Raises LoupeError."""
        text = "@".join(filter(None, (model, revision)))
        return (await self._one(text, await self._way()))[0]

    def stop(self) -> None:
        self.busy = False
        for kind in ("search", "look"):
            self._run(kind, None)

    def _run(self, kind: str, work: Coroutine[Any, Any, None] | None) -> None:
        before = self._tasks.pop(kind, None)
        if before is not None:
            before.cancel()
        if work is not None:
            with contextlib.suppress(RuntimeError):  # the program is quitting
                self._tasks[kind] = self._scope.spawn(work, name=f"hub: {kind}")

    async def _search(self, words: str) -> None:
        way = await self._way()
        model, revision = model_of(words, way.endpoint) or ("", "")
        ways = [search(self._library, model or words, way, told=self._told)]
        if model:
            ways.append(self._one("@".join(filter(None, (model, revision))), way))
        answers = await asyncio.gather(*ways, return_exceptions=True)
        errors = [one for one in answers if isinstance(one, BaseException)]
        for error in errors:
            if not isinstance(error, LoupeError):
                raise error
        rows: dict[str, HubModel] = {}
        for answer in reversed(answers):  # what was named comes first, and as it was named
            for row in answer if isinstance(answer, tuple) else ():
                rows.setdefault(row.id, row)
        self.named = next(iter(rows.values())) if revision and isinstance(answers[-1], tuple) else None
        said = [error for error in errors if isinstance(error, LoupeError)]
        self.found, self.busy = tuple(rows.values()), False
        self.trouble = None if rows else next((one for one in said if one.code not in _NOT_MEANT), None)
        self.changed.emit(None)

    async def _one(self, text: str, way: Way) -> tuple[HubModel, ...]:
        model = await resolve(self._library, text, way, told=self._told)
        self.looked[text] = self.looked[f"{model.id}@{model.revision}"] = model
        return (model,)

    async def _look(self, text: str) -> None:
        await asyncio.sleep(_PASSING)
        with contextlib.suppress(LoupeError):  # its row and its download say so
            await self._one(text, await self._way())
            self.changed.emit(None)
