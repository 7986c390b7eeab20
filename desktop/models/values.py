"""What the picker shows, as plain values: whoever knows the models makes them. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


class Group(Enum):
    """Where a row stands, in this order."""

    HERE = "here"
    DOWNLOADING = "downloading"
    SUGGESTED = "suggested"
    FOUND = "found"


class Badge(Enum):
    NONE = ""
    FITS_GPU = "fits_gpu"
    FITS_CPU = "fits_cpu"
    FITS = "fits"
    TIGHT = "tight"
    TOO_BIG = "too_big"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"


class State(Enum):
    """PARTIAL: begun once, nobody fetches it now. STALLED: being fetched, but nothing comes. FAILED: the
    download gave up, with a reason. FOREIGN: added by its path, only ever read."""

    ABSENT = "absent"
    GATED = "gated"
    PARTIAL = "partial"
    WAITING = "waiting"
    FETCHING = "fetching"
    STALLED = "stalled"
    PAUSED = "paused"
    FAILED = "failed"
    VERIFYING = "verifying"
    READY = "ready"
    RUNNING = "running"
    DAMAGED = "damaged"
    FOREIGN = "foreign"


MOVING: Final = frozenset({State.WAITING, State.FETCHING, State.STALLED, State.VERIFYING})
HALTED: Final = frozenset({State.PARTIAL, State.PAUSED, State.FAILED})
BARS: Final = MOVING - {State.WAITING}
ON_DISK: Final = frozenset({State.READY, State.RUNNING, State.DAMAGED, State.FOREIGN})


@dataclass(frozen=True, slots=True)
class ModelRow:
    """`key`: what the signals carry. `note`: the line in mono, mostly the hub id. `size`, `done`: bytes, 0 =
    not known. `left`: seconds. `age`: seconds since it was used, None = never. `files`: (checked, all) while
    it is checked. `trouble`: a short reason in the place of the note, as "Paused: 1.2 GB of disk left".
    `page`: where access is asked for, of a gated one."""

    key: str
    name: str
    note: str = ""
    size: int = 0
    group: Group = Group.HERE
    state: State = State.READY
    badge: Badge = Badge.NONE
    done: int = 0
    left: float | None = None
    age: float | None = None
    files: tuple[int, int] = (0, 0)
    trouble: str = ""
    page: str = ""

    @property
    def has_bar(self) -> bool:
        """Whether it shows how far its download is."""
        return self.state in HALTED | BARS and self.size > 0


User = Literal["", "server", "local"]  # who has a model open: the server in Docker, the built-in engine


@dataclass(frozen=True, slots=True)
class FitPart:
    """One summand in bytes. `code`: as in core.models.fit (weights, kv, processes, working, media,
    compiling, loading), or "engine": the built-in one."""

    code: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FitView:
    """Sizes in bytes. `room`: what a launch may use, None = not known. `device`: whose memory that is.
    `reason`: what decided a verdict other than "fits", as in core.models.fit; `detail`: for "config" what is
    not known, for "room" why. `context`, `largest`: tokens, 0 and None = not known. `disk_needed`: what still
    comes to the disk of the models, `disk_spare`: what must stay free beside it, `disk_free`. `image`: what
    of vLLM's image comes to another disk, `image_free`; None = its size is not known.
    `speed`: a sentence about it, if anything is known."""

    badge: Badge
    parts: tuple[FitPart, ...] = ()
    room: int | None = None
    device: Literal["", "gpu", "cpu"] = ""
    context: int = 0
    largest: int | None = None
    reason: str = ""
    detail: str = ""
    disk_needed: int = 0
    disk_spare: int = 0
    disk_free: int | None = None
    image: int | None = 0
    image_free: int | None = None
    speed: str = ""

    @property
    def low(self) -> int:
        return sum(part.low for part in self.parts)

    @property
    def high(self) -> int:
        return sum(part.high for part in self.parts)


FileState = Literal["todo", "coming", "done", "damaged"]


@dataclass(frozen=True, slots=True)
class FileRow:
    name: str
    size: int
    done: int = 0
    state: FileState = "todo"


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check of all files of a model on disk. `done`, `total`: bytes read, of all. `files`: names of those
    that are not as they should be."""

    state: Literal["", "runs", "good", "bad"] = ""
    done: int = 0
    total: int = 0
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelDetail:
    """The model that is looked at. `media`: codes (text, image, sound, video). `limit`: the longest context
    it is made for, in tokens, 0 = not known. `languages`: names or codes. `speed`: bytes a second.
    `retry`: (attempt, attempts) while it is tried again. `trouble`: why it halted, whole sentences.
    `also_used_by`: names of models that need it. `frees`: bytes that deleting it gives back, 0 = it cannot be
    deleted. `why`: it is not supported, and this is the reason. `settings`: the field of the hub's settings
    that may change what `trouble` says. `refused`: there is a sheet about what is not fetched. `again`:
    another try may help. `use`: it needs no start, choosing is enough.
    `why_not`: it cannot be started now. `doubt`: it is here and may be opened, but is of no kind that is
    known. `listed`: a folder that can be taken off the list. `start_after`: it starts once it is here.
    `check`: None = its files cannot be checked now. `elsewhere`: another window or command fetches it."""

    key: str
    name: str
    id: str = ""
    revision: str = ""
    state: State = State.READY
    media: tuple[str, ...] = ()
    limit: int = 0
    languages: tuple[str, ...] = ()
    fit: FitView | None = None
    done: int = 0
    total: int = 0
    speed: float = 0.0
    left: float | None = None
    files: tuple[FileRow, ...] = ()
    checked: tuple[int, int] = (0, 0)
    retry: tuple[int, int] = (0, 0)
    trouble: str = ""
    licence: str = ""
    gated: bool = False
    page: str = ""
    folder: str = ""
    tokenizer_only: bool = False
    frees: int = 0
    used_by: User = ""
    also_used_by: tuple[str, ...] = ()
    why: str = ""
    settings: str = ""
    refused: bool = False
    again: bool = True
    use: bool = False
    why_not: str = ""
    doubt: str = ""
    listed: bool = False
    start_after: bool = False
    check: CheckView | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """Sizes in bytes, None = not known. `name`: of the device whose memory it is; `room`: what a launch may
    use of it."""

    name: str = ""
    device: Literal["", "gpu", "cpu"] = ""
    room: int | None = None
    free: int | None = None
    total: int | None = None
    disk: int | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error of the hub, as a row: what happened, what next. `action`: the verb of the button that does
    the next step, "" = none; `code` comes back when it is pressed."""

    what: str
    next: str = ""
    action: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class ListPicture:
    """The left of the picker. `rows`: all, in the order in which they stand within their groups; None = not
    read yet. `speed`: of all downloads, in bytes a second. `busy`: the hub is being asked. `trouble`: the
    hub's error, which stands above the list."""

    rows: tuple[ModelRow, ...] | None = None
    machine: Machine = Machine()  # it is frozen
    speed: float = 0.0
    busy: bool = False
    trouble: Trouble | None = None
