"""What the open picker shows of the models: all of it anew, or at a step of a download what moves alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.models.orders import DownloadState
from desktop.models.shelf import Entry, row_of
from desktop.models.typed import is_meant
from desktop.models.values import FitView, Group, ModelRow


class Picture:
    """`made`: the entries shown last, by key. `page`: the address of a model's page on the hub."""

    def __init__(self, page: Callable[[str], str]) -> None:
        self.made: dict[str, Entry] = {}
        self._page = page
        self._moving: tuple[str, ...] = ()

    def whole(self, made: dict[str, Entry], fits: Mapping[str, FitView], words: str) -> tuple[ModelRow, ...]:
        """`words`: of the search."""
        self.made = made
        shown = {
            key: entry
            for key, entry in made.items()
            if entry.group is Group.FOUND or is_meant(words, entry.name, entry.id)
        }
        self._moving = tuple(key for key, entry in shown.items() if entry.download is not None)
        now = time.time()
        return tuple(row_of(one, fits.get(key), now, self._page(one.id)) for key, one in shown.items())

    def moved(self, states: tuple[DownloadState, ...], fits: Mapping[str, FitView]) -> dict[str, ModelRow]:
        """The rows of downloads that are further than they were, by key."""
        now, known = time.time(), {_which(state): state for state in states}
        rows = {}
        for key in self._moving:
            entry = self.made[key]
            state = known.get(_which(entry.download)) if entry.download is not None else None
            if state is not None and state != entry.download:
                self.made[key] = entry = replace(entry, download=state)
                rows[key] = row_of(entry, fits.get(key), now, self._page(entry.id))
        return rows


def _which(state: DownloadState) -> tuple[str, str, str, bool]:
    return state.repo, state.revision, state.commit, state.tokenizer_only
