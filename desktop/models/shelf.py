"""All models the picker knows, from the disk, the downloads, the catalog and the hub, as one list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QCoreApplication

from core.models.catalog import BUILT_IN, KnownModel, known_model, suggested
from core.models.orders import DownloadState
from core.models.search import HubModel
from core.models.store import OnDisk, StoredModel
from desktop.kit.errors_text import describe
from desktop.models.values import HALTED, MOVING, Badge, FitView, Group, ModelRow, State

REFUSED: Final = frozenset({"hub.no_token", "hub.bad_token", "hub.no_access", "hub.gated"})
_NO_ROOM: Final = frozenset({"hub.room", "model.disk_full"})  # waits for the person to make some
_PHASES: Final = {
    "queued": State.WAITING,
    "resolving": State.FETCHING,
    "fetching": State.FETCHING,
    "following": State.FETCHING,
    "waiting": State.STALLED,
    "checking": State.VERIFYING,
    "paused": State.PAUSED,
    "failed": State.FAILED,
    "ready": State.VERIFYING,  # until it is seen on the disk
}
_STORED: Final = {
    OnDisk.ABSENT: State.ABSENT,
    OnDisk.PARTIAL: State.PARTIAL,
    OnDisk.VERIFYING: State.PARTIAL,  # nobody checks it now
    OnDisk.READY: State.READY,
    OnDisk.DAMAGED: State.DAMAGED,
    OnDisk.FOREIGN: State.FOREIGN,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One model. `key`: "built-in", a folder's path, "org/name", or "org/name@commit" of another commit."""

    key: str
    id: str
    stored: StoredModel | None = None
    download: DownloadState | None = None
    known: KnownModel | None = None
    hub: HubModel | None = None
    running: bool = False

    @property
    def name(self) -> str:
        if self.known is not None:
            return self.known.name
        return self.stored.name if self.stored is not None else self.id

    @property
    def revision(self) -> str:
        """The commit, or what was asked for; "" = the default branch."""
        if self.stored is not None and self.stored.revision:
            return self.stored.revision
        if self.download is not None:
            return self.download.commit or self.download.revision
        if self.hub is not None and self.hub.revision:
            return self.hub.revision
        return self.known.revision if self.known is not None else ""

    @property
    def order(self) -> str:
        """What the downloads call it."""
        return "@".join(filter(None, (self.id, self.revision)))

    @property
    def state(self) -> State:
        if self.download is not None and not (self.download.phase == "ready" and self.on_disk):
            error = self.download.error
            code = error.code if error is not None else ""
            if code in _NO_ROOM:
                return State.PAUSED
            return State.GATED if code in REFUSED else _PHASES[self.download.phase]
        if self.stored is not None:
            if self.running and self.on_disk:
                return State.RUNNING
            if self.elsewhere:
                checked = self.stored.state is OnDisk.VERIFYING
                return State.VERIFYING if checked else State.FETCHING
            return State.PAUSED if self.stored.paused else _STORED[self.stored.state]
        # whose config.json was given out, that gate is open
        closed = self.hub is not None and self.hub.gated and not self.hub.whole
        return State.GATED if closed else State.ABSENT

    @property
    def elsewhere(self) -> bool:
        """Another window or command fetches it now."""
        return (
            self.download is None and self.stored is not None and self.stored.busy and not self.stored.paused
        )

    @property
    def on_disk(self) -> bool:
        """Complete, so that it can be opened."""
        return self.stored is not None and self.stored.state in (OnDisk.READY, OnDisk.FOREIGN)

    @property
    def can_go(self) -> bool:
        """It can be deleted, once no engine has it open."""
        return self.stored is not None and self.stored.state in (OnDisk.READY, OnDisk.DAMAGED)

    @property
    def size(self) -> int:
        """Bytes of the whole, 0 = not known."""
        if self.download is not None and self.download.total:
            return self.download.total
        if self.stored is not None and (self.stored.bytes or self.stored.done):
            return self.stored.bytes or self.stored.done
        package = self.known.package if self.known is not None else None
        if package is not None:
            return package.wheel_bytes
        return self.hub.bytes if self.hub is not None else 0

    @property
    def done(self) -> int:
        if self.download is not None and self.download.total:
            return self.download.done
        return self.stored.done if self.stored is not None else 0

    @property
    def left(self) -> float | None:
        """Seconds."""
        return self.download.left if self.download is not None and self.download.left >= 0 else None

    @property
    def trouble(self) -> str:
        error = self.download.error if self.download is not None else None
        if error is not None and error.code == "hub.room":
            words = QCoreApplication.translate("Models", "Paused: {free} GB of disk left")
            return words.format(free=error.params["free"])
        return describe(error).what if error is not None else ""

    @property
    def licence(self) -> str:
        said = (self.stored, self.hub, self.known)
        return next((one.licence for one in said if one is not None and one.licence), "")

    @property
    def group(self) -> Group:
        if self.state in MOVING | HALTED or (self.download is not None and self.state is State.GATED):
            return Group.DOWNLOADING
        if self.stored is not None:
            return Group.HERE
        suggested = self.known is not None and self.known.suggested and self.key == self.id
        return Group.SUGGESTED if suggested else Group.FOUND


def entries(
    stored: tuple[StoredModel, ...],
    downloads: tuple[DownloadState, ...],
    found: tuple[HubModel, ...],
    looked: Mapping[str, HubModel],
    running: str,
    named: HubModel | None = None,
    keys: dict[str, str] | None = None,
) -> dict[str, Entry]:
    """By key, in the order of their rows. `looked`: what the hub said of those that were looked at, by
    "org/name@revision"; `found`: of a search; `named`: one whose revision was typed. `running`: the folder
    that an engine has open, "" = none. `keys`: given before, by "org/name@commit"; new ones are added."""
    made: dict[str, Entry] = {}
    given = {} if keys is None else keys

    def add(entry: Entry) -> None:
        key, hub = _key(given, entry), looked.get(entry.order, entry.hub)
        made[key] = replace(entry, key=key, known=known_model(entry.id), hub=hub)

    for row in stored:
        add(Entry("", row.id, row, running=row.folder == running))
    for state in downloads:
        key = next((key for key, one in made.items() if _same(one, state)), "")
        if key:
            made[key] = replace(made[key], download=state)
        else:
            add(Entry("", state.repo, download=state))
    for known in suggested():
        if known.id not in made:
            add(Entry("", known.id, known=known))
    if named is not None and not any(_is_at(one, named) for one in made.values()):
        add(Entry("", named.id, hub=named))
    ids = {one.id for one in made.values()}
    for hub in found:
        if hub.id not in ids:
            add(Entry("", hub.id, hub=hub))
    return made


def _key(given: dict[str, str], entry: Entry) -> str:
    """A commit keeps its key, whichever others come and go: a button must not act on another one. Of a known
    model the commit that it is known at has the short one."""
    order = entry.order
    if order == entry.id:
        return order
    if order not in given:
        known = known_model(entry.id)
        pinned = known.revision if known is not None else ""
        other = pinned not in ("", entry.revision) or entry.id in given.values()
        given[order] = order if other else entry.id
    return given[order]


def _is_at(entry: Entry, hub: HubModel) -> bool:
    return (entry.id, entry.revision) == (hub.id, hub.revision)


def _same(entry: Entry, state: DownloadState) -> bool:
    if entry.stored is None or entry.id != state.repo:
        return False
    revision = state.commit or state.revision
    return revision in ("", entry.stored.revision)


def row_of(entry: Entry, view: FitView | None, now: float, page: str) -> ModelRow:
    """`view`: whether it fits, None = not asked yet: nothing is said. `now`: seconds since the epoch."""
    state, stored = entry.state, entry.stored
    used = stored.used if stored is not None else 0.0
    badge = view.badge if view is not None else Badge.NONE
    if not entry.on_disk:
        refused = entry.hub is not None and unsupported(entry.hub) != ""
    else:
        refused = stored is not None and (stored.code or stored.unknown != "")
    if refused:
        badge = Badge.UNSUPPORTED
    if stored is not None and stored.tokenizer_only:
        badge = Badge.NONE
    return ModelRow(
        entry.key,
        entry.name,
        note=_note(entry),
        size=entry.size,
        group=entry.group,
        state=state,
        badge=badge,
        done=entry.done,
        left=entry.left,
        age=max(0.0, now - used) if used else None,
        trouble=entry.trouble,
        page=page if state is State.GATED else "",
    )


def _note(entry: Entry) -> str:
    if entry.key == BUILT_IN:
        return QCoreApplication.translate("Models", "built in, runs in the app or on vLLM")
    if entry.stored is not None and entry.stored.tokenizer_only:
        return QCoreApplication.translate("Models", "tokenizer and template alone")
    name = entry.id if entry.name != entry.id else ""
    # where its name is its id, or another commit of it is there, the commit tells more
    more = (entry.revision[:7], entry.licence) if not name or entry.key != entry.id else ()
    return " · ".join(filter(None, (name, *more)))


def brings_code(entry: Entry) -> bool:
    """It is here by consent to its code, and opened by no engine."""
    return entry.stored is not None and entry.stored.code


def unsupported(hub: HubModel) -> str:
    """Why it cannot be used, "" = it can, or that is not known before it is looked at."""
    return "" if hub.unsupported == "config" and not hub.whole else hub.unsupported
