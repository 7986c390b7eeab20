"""Compose's lines of progress, of every version, → `Progress`; and a pull's bytes, which never go back."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from core.server.access import Progress

# CSI and OSC sequences, two-letter escapes
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_WORDS = (
    "Pulling fs layer|Pulling|Pulled|Waiting|Downloading|Verifying Checksum|Download complete|Extracting"
    "|Pull complete|Already exists|Retrying in \\d+ seconds?|Skipped|Interrupted|Warning|Error"
    "|Building|Built|Creating|Created|Recreate|Recreated|Starting|Started|Restarting|Restarted|Running|Waiting"
    "|Healthy|Unhealthy|Exited|Stopping|Stopped|Killing|Killed|Removing|Removed|Resource is still in use"
)
_AMOUNT = r"(?P<done>[\d.]+ ?[kKMGT]?i?B) ?/ ?(?P<total>[\d.]+ ?[kKMGT]?i?B)"
_PLAIN = re.compile(rf"(?P<id>\S.*?) +(?P<word>{_WORDS})\b(?P<rest>.*)")
_BAR = re.compile(rf"(?:\[[=> ]*\])? *{_AMOUNT}")
_BUILD = re.compile(r"(?P<id>#\d+) +(?P<text>\S.*)|(?P<step>Step \d+/\d+) : (?P<what>.+)")
_BASE = re.compile(rf"(?P<word>extracting )?(?P<layer>sha256:[0-9a-f]{{64}})(?: {_AMOUNT})?(?P<rest>.*)")
_LAYER = re.compile(r"[0-9a-f]{12}|(?:sha256:)?[0-9a-f]{64}|layer \d+")
_UNITS: Final = "bkmgt"
_NAMED: Final = ("working", "done", "warning", "error")  # status of Compose 5, whose word is in `text`
_RESOURCES: Final = ("Container ", "Image ", "Network ", "Volume ", "Service ", "Secret ", "Config ")
_WHOLE: Final = ("download complete", "extracting", "pull complete")
BUILD: Final = "build"  # parent of a build's steps
OUTPUT: Final = "output"  # status of a line that is none of progress
_UNNAMED: Final = "image"  # that no line has named


class ProgressReader:
    """Lines of one command, in their order. For each line of a layer there is one more value: the sum over
    the layers of its image, with the image's own id."""

    def __init__(self) -> None:
        self._pulls: dict[str, PullBytes] = {}
        self._pulling = ""  # plain progress names no parent: the image that was begun last

    def feed(self, line: str) -> tuple[Progress, ...]:
        found = parse(line)
        if found is None:
            return ()
        if found.status in ("pulling", "pulled") and not found.parent:
            self._pulling = found.id if found.status == "pulling" else ""
        if not _is_layer(found):
            return (found,)
        parent = found.parent or self._pulling
        pull = self._pulls.setdefault(parent, PullBytes())
        done, total = pull.add(found)
        layer = Progress(found.id, found.status, found.text, parent, *pull.layer(found.id))
        return (layer, Progress(parent or _UNNAMED, "pulling", "", "", done, total))


class ProgressLines:
    """Progress of one command after another → what a person would have read of it, line by line."""

    def __init__(self) -> None:
        self._status: dict[str, str] = {}  # of layers, containers, networks

    def feed(self, progress: Progress) -> str:
        """Nothing where only a number is new, or the value is a sum that Docker did not write."""
        if progress.id in (BUILD, _UNNAMED):
            return ""
        if progress.id and not _is_step(progress):
            if self._status.get(progress.id) == progress.status:
                return ""
            self._status[progress.id] = progress.status
        return _line(progress)


class PullBytes:
    """Of one image: (done, total) over its layers; the total is 0 until the last of them has told its size. A
    layer that is begun anew keeps the count it had, until it is beyond it."""

    def __init__(self) -> None:
        self._layers: dict[str, tuple[int, int]] = {}
        self._open: set[str] = set()  # will come, and have not told their size

    def add(self, progress: Progress) -> tuple[int, int]:
        done, total = self._layers.get(progress.id, (0, 0))
        if progress.status == "downloading":
            done, total = max(done, progress.current), max(total, progress.total)
        elif progress.status in _WHOLE:
            # what is counted while it is unpacked may be another size: of the layer as it was downloaded
            total = total or progress.total
            done = total
        if total or progress.status in (*_WHOLE, "already exists"):
            self._open.discard(progress.id)
        else:
            self._open.add(progress.id)
        self._layers[progress.id] = done, total
        return self.sum()

    def layer(self, id_: str) -> tuple[int, int]:
        return self._layers.get(id_, (0, 0))

    def sum(self) -> tuple[int, int]:
        done, total = (sum(sizes) for sizes in zip(*self._layers.values(), strict=True))
        return done, 0 if self._open else total


def readable(text: str) -> str:
    """What Compose wrote, as a person would have been told: without escapes, JSON in words."""
    lines = []
    for line in text.splitlines():
        found = parse(line) if line.lstrip().startswith("{") else None
        if found is None:
            lines.append(_ESCAPES.sub("", line))
        elif found.id or found.text not in lines:
            lines.append(_line(found))
    return "\n".join(lines)


def _line(progress: Progress) -> str:
    status = progress.status if progress.id and not _is_step(progress) else ""
    return " ".join(filter(None, (progress.id, status, progress.text)))


def _is_step(progress: Progress) -> bool:
    return (progress.parent, progress.status) == (BUILD, "building")


def parse(line: str) -> Progress | None:
    """One line; None for an empty one. What is no progress has the status "output"."""
    text = _ESCAPES.sub("", line).replace("\r", "").strip()
    if not text:
        return None
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return _of_json(found, text)
    return _of_text(text)


def _of_json(found: dict[str, Any], line: str) -> Progress:
    status, text, details = (_text(found.get(name)) for name in ("status", "text", "details"))
    if "message" in found and "id" not in found:
        return Progress("", "error" if found.get("error") else OUTPUT, _text(found["message"]))
    id_, parent = _text(found.get("id")), _text(found.get("parent_id"))
    if not id_:
        return Progress("", OUTPUT, text or status or line)
    current, total = _whole(found.get("current")), _whole(found.get("total"))
    for word, rest in ((status, text), (text, status)):  # 5, then 2
        if word.lower() in ("error", "warning"):
            said = [one for one in (rest, details) if one and one != word]
            return Progress(id_, word.lower(), " ".join(said), parent)
    if status.lower() in _NAMED:
        return Progress(id_, (text or status).lower(), details, parent, current, total)
    # Compose 2: of a layer the word is in `text` and the bar in `status`; of the rest it is in `status`
    bar = _BAR.search(status)
    if text and (bar or not status):
        return Progress(id_, text.lower(), "", parent, current, total)
    return Progress(id_, (status or text).lower(), text if status else "", parent, current, total)


def _of_text(text: str) -> Progress:
    build = _BUILD.fullmatch(text)
    base = _BASE.fullmatch(build["text"] or "") if build is not None else None
    if base is not None:
        done, total = _amounts(base)
        whole = "download complete" if base["rest"].endswith(" done") else "downloading"
        return Progress(base["layer"], "extracting" if base["word"] else whole, "", BUILD, done, total)
    if build is not None:
        return Progress(build["id"] or build["step"], "building", build["text"] or build["what"], BUILD)
    plain = _PLAIN.fullmatch(text)
    if plain is None or not _is_name(plain["id"]):
        return Progress("", OUTPUT, text)
    amount = _BAR.search(plain["rest"])
    done, total = _amounts(amount) if amount else (0, 0)
    rest = "" if amount else plain["rest"].strip()
    return Progress(plain["id"].strip(), plain["word"].lower(), rest, "", done, total)


def _is_name(text: str) -> bool:
    """Of a resource, a service, or a layer: no sentence of a log."""
    return text.startswith(_RESOURCES) or " " not in text or _LAYER.fullmatch(text) is not None


def _amounts(found: re.Match[str]) -> tuple[int, int]:
    return (_bytes(found["done"]), _bytes(found["total"])) if found["total"] else (0, 0)


def _is_layer(progress: Progress) -> bool:
    return _LAYER.fullmatch(progress.id) is not None


def _bytes(text: str) -> int:
    number = text.rstrip("kKMGTiB ")
    unit = text[len(number) :].strip()
    power = _UNITS.index(unit[0].lower()) if unit[0].lower() in _UNITS else 0
    try:
        return round(float(number) * float(1024 if "i" in unit else 1000) ** power)
    except ValueError:  # "1.2.3"
        return 0


def _text(value: object) -> str:
    return _ESCAPES.sub("", value).strip() if isinstance(value, str) else ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
