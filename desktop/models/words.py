"""The picker's words and numbers in the present language: badges, states, sizes, ranges, verdicts."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from core.tokens import figures
from desktop.models.values import Badge, FileRow, FitPart, FitView, Group, ModelRow, State, User

GIB: Final = 1 << 30
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400
# icon and colour role of a badge: each kind has its own shape
BADGE_SIGNS: Final = {
    Badge.FITS_GPU: ("check", "ok"),
    Badge.FITS_CPU: ("check", "ok"),
    Badge.FITS: ("check", "ok"),
    Badge.TIGHT: ("warn", "warn"),
    Badge.TOO_BIG: ("x", "err"),
    Badge.UNKNOWN: ("info", "text2"),
    Badge.UNSUPPORTED: ("warn", "warn"),
}


def group_word(group: Group) -> str:
    return {
        Group.HERE: QCoreApplication.translate("Models", "On this computer"),
        Group.DOWNLOADING: QCoreApplication.translate("Models", "Downloading"),
        Group.SUGGESTED: QCoreApplication.translate("Models", "Suggested"),
        Group.FOUND: QCoreApplication.translate("Models", "Found on the hub"),
    }[group]


def badge_word(badge: Badge) -> str:
    return {
        Badge.NONE: "",
        Badge.FITS_GPU: QCoreApplication.translate("Models", "Fits GPU"),
        Badge.FITS_CPU: QCoreApplication.translate("Models", "Fits CPU"),
        Badge.FITS: QCoreApplication.translate("Models", "Fits"),
        Badge.TIGHT: QCoreApplication.translate("Models", "Tight"),
        Badge.TOO_BIG: QCoreApplication.translate("Models", "Too big"),
        Badge.UNKNOWN: QCoreApplication.translate("Models", "Unknown"),
        Badge.UNSUPPORTED: QCoreApplication.translate("Models", "Not supported"),
    }[badge]


def media_word(code: str) -> str:
    """Foreign codes stay as they are."""
    return {
        "text": QCoreApplication.translate("Models", "text"),
        "image": QCoreApplication.translate("Models", "image"),
        "sound": QCoreApplication.translate("Models", "sound"),
        "audio": QCoreApplication.translate("Models", "sound"),
        "video": QCoreApplication.translate("Models", "video"),
    }.get(code, code)


def part_word(code: str) -> str:
    return {
        "weights": QCoreApplication.translate("Models", "Weights"),
        "kv": QCoreApplication.translate("Models", "KV cache"),
        "processes": QCoreApplication.translate("Models", "vLLM itself"),
        "engine": QCoreApplication.translate("Models", "The engine itself"),
        "media": QCoreApplication.translate("Models", "Files in the prompt"),
        "working": QCoreApplication.translate("Models", "Working memory"),
        "compiling": QCoreApplication.translate("Models", "Compiling"),
        "loading": QCoreApplication.translate("Models", "While it loads"),
    }.get(code, code)


# --- numbers ----------------------------------------------------------------------------------------------


def size(count: int) -> str:
    """Of disk and download: 10.25 GB, 0.27 GB, 32.2 MB, 16 kB."""
    number, unit = _in(count, *_unit(count))
    return f"{number} {unit}"


def of(done: int, whole: int) -> str:
    """6.31 of 10.25 GB, both in the unit of the whole."""
    scale = _unit(whole)
    words = QCoreApplication.translate("Models", "{done} of {whole} {unit}")
    number, unit = _in(whole, *scale)
    return words.format(done=_in(done, *scale)[0], whole=number, unit=unit)


def slash(done: int, whole: int) -> str:
    """6.28 / 10.21 GB: of one file."""
    scale = _unit(whole)
    number, unit = _in(whole, *scale)
    return f"{_in(done, *scale)[0]} / {number} {unit}"


def _unit(count: int) -> tuple[float, int, str]:
    if count >= 100_000_000:
        return 1e9, 2, "GB"
    return (1e6, 1, "MB") if count >= 1_000_000 else (1e3, 0, "kB")


def _in(count: int, scale: float, digits: int, unit: str) -> tuple[str, str]:
    if unit == "kB" and 0 < count < 1000:
        return "1", unit  # nothing that is there is nothing
    return f"{count / scale:,.{digits}f}", unit


def room(count: int) -> str:
    """212 GB: of a disk, no fractions of much."""
    return f"{count / 1e9:,.0f} GB" if count >= 100_000_000_000 else size(count)


def speed(rate: float) -> str:
    """Bytes a second: 84 MB/s, 640 kB/s."""
    if rate >= 1e6:
        return f"{rate / 1e6:,.1f} MB/s" if rate < 9.95e6 else f"{rate / 1e6:,.0f} MB/s"
    return f"{rate / 1e3:,.0f} kB/s"


def gib(count: float, digits: int = 1) -> str:
    """Memory, without its unit; what is very little has two decimals."""
    return f"{count / GIB:,.{2 if 0 < abs(count) < 0.1 * GIB else digits}f}"


def memory(low: int, high: int) -> str:
    """9.55 GiB where it is known, 0.6 to 0.9 GiB where it is a range."""
    if low == high:
        return f"{gib(high, 2)} GiB"
    if gib(low) == gib(high):
        return f"{gib(high)} GiB"
    if low == 0:
        return QCoreApplication.translate("Models", "up to {high} GiB").format(high=gib(high))
    words = QCoreApplication.translate("Models", "{low} to {high} GiB")
    return words.format(low=gib(low), high=gib(high))


def needs(fit: FitView) -> str:
    """11.4 to 12.3 of 13.9 GiB."""
    if fit.room is None:
        return memory(fit.low, fit.high)
    if gib(fit.low) == gib(fit.high):
        words = QCoreApplication.translate("Models", "{high} of {room} GiB")
    else:
        words = QCoreApplication.translate("Models", "{low} to {high} of {room} GiB")
    return words.format(low=gib(fit.low), high=gib(fit.high), room=gib(fit.room))


def spare(fit: FitView) -> str:
    """What is left by the upper estimate: 2.1 left; "" where nothing is."""
    if fit.room is None or fit.room <= fit.high:
        return ""
    return QCoreApplication.translate("Models", "{n} left").format(n=gib(fit.room - fit.high))


def left(seconds: float) -> str:
    """How long a download still takes."""
    if seconds < 99.5:
        return QCoreApplication.translate("Models", "{n} s left").format(n=max(1, round(seconds)))
    minutes = round(seconds / _MINUTE)
    if minutes < 90:
        return QCoreApplication.translate("Models", "{n} min left").format(n=minutes)
    words = QCoreApplication.translate("Models", "{h} h {n} min left")
    return words.format(h=minutes // 60, n=minutes % 60)


def ago(seconds: float) -> str:
    """When it was used last."""
    if seconds < _HOUR:
        return QCoreApplication.translate("Models", "just now")
    if seconds < _DAY:
        return QCoreApplication.translate("Models", "{n} h ago").format(n=int(seconds // _HOUR))
    days = int(seconds // _DAY)
    if days == 1:
        return QCoreApplication.translate("Models", "a day ago")
    if days < 60:
        return QCoreApplication.translate("Models", "{n} days ago").format(n=days)
    if days < 365:
        return QCoreApplication.translate("Models", "{n} months ago").format(n=days // 30)
    return QCoreApplication.translate("Models", "a year ago")


def share(done: int, whole: int) -> str:
    """Of a download: 62 %. 100 % only when all of it is there."""
    if whole <= 0:
        return ""
    return f"{100 if done >= whole else min(99, done * 100 // whole)} %"


# --- states -----------------------------------------------------------------------------------------------


def state_word(row: ModelRow) -> str:
    """At the right of a row, or of its bar: 62 % · 47 s left, 3 days ago, waiting."""
    state, part = row.state, share(row.done, row.size)
    if state is State.FETCHING:
        return _beside(part, left(row.left) if row.left is not None else "")
    if state is State.STALLED:
        return _beside(part, QCoreApplication.translate("Models", "nothing comes"))
    if state is State.PAUSED:
        return _beside(part, QCoreApplication.translate("Models", "paused"))
    if state is State.PARTIAL:
        return _beside(part, QCoreApplication.translate("Models", "not finished"))
    if state is State.FAILED:
        return _beside(part, QCoreApplication.translate("Models", "broke off"))
    if state is State.VERIFYING:
        return checking(row.files)
    if state in (State.READY, State.FOREIGN) and row.age is not None:
        return ago(row.age)
    return {
        State.WAITING: QCoreApplication.translate("Models", "waiting"),
        State.READY: QCoreApplication.translate("Models", "ready"),
        State.RUNNING: QCoreApplication.translate("Models", "running"),
        State.DAMAGED: QCoreApplication.translate("Models", "damaged"),
        State.FOREIGN: QCoreApplication.translate("Models", "your folder"),
    }.get(state, "")


def _beside(*words: str) -> str:
    return " · ".join(filter(None, words))


def checking(files: tuple[int, int]) -> str:
    """checking 3 of 9"""
    if not files[1]:
        return QCoreApplication.translate("Models", "checking")
    words = QCoreApplication.translate("Models", "checking {n} of {all}")
    return words.format(n=files[0], all=files[1])


def spoken(row: ModelRow) -> str:
    """A whole row, as a screen reader says it: name, id, size, fit, state, trouble."""
    state = {
        State.ABSENT: QCoreApplication.translate("Models", "not downloaded"),
        State.GATED: QCoreApplication.translate("Models", "access must be asked for"),
        State.FETCHING: _beside(group_word(Group.DOWNLOADING), state_word(row)),
    }.get(row.state, state_word(row))
    parts = (
        row.name,
        row.note,
        size(row.size) if row.size else "",
        badge_word(row.badge),
        state,
        row.trouble,
    )
    return ", ".join(filter(None, parts))


def file_spoken(row: FileRow) -> str:
    state = {
        "todo": QCoreApplication.translate("Models", "not there yet"),
        "coming": QCoreApplication.translate("Models", "coming"),
        "done": QCoreApplication.translate("Models", "there"),
        "damaged": QCoreApplication.translate("Models", "damaged"),
    }[row.state]
    return f"{row.name}, {state}, {file_amount(row)}"


def file_amount(row: FileRow) -> str:
    return slash(row.done, row.size) if row.state == "coming" else size(row.size)


# --- fit --------------------------------------------------------------------------------------------------


def verdict(fit: FitView) -> str:
    """One sentence: whether it fits, and why not."""
    if fit.badge in (Badge.FITS, Badge.FITS_CPU, Badge.FITS_GPU):
        unknown = QCoreApplication.translate("Models", "Speed is not known on this computer yet.")
        words = QCoreApplication.translate("Models", "Fits. {speed}")
        return words.format(speed=fit.speed or unknown)
    if fit.badge is Badge.TIGHT:
        if fit.reason == "kv_space":
            return QCoreApplication.translate(
                "Models", "Tight: this context takes more than the KV cache that is set aside."
            )
        return QCoreApplication.translate(
            "Models", "Tight: with the upper estimate, less than a tenth is left."
        )
    return _too_big(fit) if fit.badge is Badge.TOO_BIG else _unknown(fit)


def _too_big(fit: FitView) -> str:
    if fit.reason == "disk":
        words = QCoreApplication.translate("Models", "Too big for the disk: it needs {need}, {free} is free.")
        return words.format(need=size(fit.disk_needed + fit.disk_spare), free=size(fit.disk_free or 0))
    if fit.reason == "image":
        words = QCoreApplication.translate(
            "Models", "Too big for Docker's disk: the image takes {need}, {free} is free."
        )
        return words.format(need=size(fit.image or 0), free=size(fit.image_free or 0))
    if fit.reason == "share":
        return QCoreApplication.translate(
            "Models", "Too big now: other programs hold GPU memory that vLLM wants for its share."
        )
    if fit.room is not None and fit.low > fit.room:
        words = QCoreApplication.translate("Models", "Too big: at least {n} GiB more than there is.")
        return words.format(n=gib(fit.low - fit.room))
    return QCoreApplication.translate("Models", "Too big for this computer.")


def _unknown(fit: FitView) -> str:
    if fit.reason == "weights":
        return QCoreApplication.translate(
            "Models", "Not known: the hub does not tell the size of its weights."
        )
    if fit.reason == "room":
        return _no_room(fit.detail)
    if fit.reason == "context":
        return QCoreApplication.translate(
            "Models", "Not known: its config does not say how long a context is."
        )
    if fit.reason == "config":
        words = QCoreApplication.translate("Models", "Not known: its config does not tell {what}.")
        return words.format(what=fit.detail)
    return QCoreApplication.translate("Models", "Not known yet.")


def _no_room(why: str) -> str:
    """Why it is not known how much memory there is."""
    words = {
        "asked": QCoreApplication.translate("Models", "Docker is being asked how much memory there is."),
        "docker": QCoreApplication.translate("Models", "Not known: Docker does not answer."),
        "remote": QCoreApplication.translate("Models", "Not known: Docker runs on another computer."),
        "absent": QCoreApplication.translate("Models", "Not known: there is no nvidia-smi to ask for it."),
        "slow": QCoreApplication.translate("Models", "Not known: nvidia-smi does not answer."),
        "failed": QCoreApplication.translate("Models", "Not known: nvidia-smi does not tell."),
        "none": QCoreApplication.translate("Models", "Not known: there is no NVIDIA GPU here."),
        "parted": QCoreApplication.translate("Models", "Not known: the GPU is cut into parts (MIG)."),
        "untold": QCoreApplication.translate(
            "Models", "Not known: this GPU's driver does not tell how much memory it has."
        ),
    }
    other = QCoreApplication.translate("Models", "Not known: how much memory is free here cannot be read.")
    return words.get(why, other)


def disk(fit: FitView) -> str:
    """What is still to come to the disk of the models: 1.77 GB of 212 GB free; "" where nothing is."""
    if not fit.disk_needed or fit.disk_free is None:
        return ""
    return _of_free(fit.disk_needed, fit.disk_free)


def image(fit: FitView) -> str:
    """The same of vLLM's image and Docker's disk."""
    if fit.image == 0:
        return ""
    if fit.image is None:
        if fit.image_free is None:
            return QCoreApplication.translate("Models", "size not known")
        words = QCoreApplication.translate("Models", "size not known, {free} free")
        return words.format(free=room(fit.image_free))
    return size(fit.image) if fit.image_free is None else _of_free(fit.image, fit.image_free)


def _of_free(need: int, free: int) -> str:
    words = QCoreApplication.translate("Models", "{need} of {free} free")
    return words.format(need=size(need), free=room(free))


def largest(fit: FitView) -> str:
    """The longest context that fits; "" where that is not known or all of it does."""
    if fit.largest is None:
        return ""
    if fit.largest == 0:
        return QCoreApplication.translate("Models", "none fits")
    return tokens(fit.largest)


def tokens(count: int) -> str:
    return QCoreApplication.translate("Models", "{n} tokens").format(n=figures.count(count))


def fit_spoken(fit: FitView) -> str:
    """The bar in words."""
    parts = [f"{part_word(part.code)} {memory(part.low, part.high)}" for part in shown(fit)]
    return ", ".join(filter(None, (*parts, needs(fit), verdict(fit), disk(fit), image(fit))))


def why_kept(user: User) -> str:
    """Why a model cannot be deleted now, by who has it open."""
    if user == "server":
        return QCoreApplication.translate(
            "Models", "The server in Docker has it open. Stop the server first."
        )
    if user == "local":
        return QCoreApplication.translate(
            "Models", "The built-in engine has it open. Choose another model first."
        )
    return ""


def shown(fit: FitView) -> tuple[FitPart, ...]:
    """The summands that are something."""
    return tuple(part for part in fit.parts if part.high > 0)
