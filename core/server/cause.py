"""Finds the line that says why, in Docker's words and in the server's log, where the last line never does.

The texts are in resources/findings.toml. Time grows with the text's length only: a pattern is tried on a line
that has its literal text, and a line is cut before anything looks at it.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, Literal

from core import sentences
from core.log_lines import LONGEST, strip_escapes
from core.server.finding import Value
from core.server.finding_words import FILE

SHOWN: Final = 400  # characters of a line that are kept for showing
LINES: Final = 200_000  # of a log, the newest ones, that are looked at
LOUD: Final = 20_000  # of these, the newest ones that may report trouble
STEP_LINES: Final = 4  # of what a step of a build wrote
_BLOCK: Final = 1 << 17  # characters
BEFORE: Final = 400  # loud lines before the end of a server that was ready; older ones are of other troubles

_PREFIX: Final = re.compile(
    r"(?:\((?P<process>[\w .:-]{1,60}) pid=\d+\) ?)?"
    r"(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)\b:?(?: \d\d-\d\d \d\d:\d\d:\d\d)?"
    r"(?: \[[^\]]{1,80}\])? ?)?"
)
_QUIET: Final = frozenset({"DEBUG", "INFO", "WARNING"})
# an engine's last words; what is after them and their traceback are other parts that noticed
_ENGINE_ENDS: Final = (
    "EngineCore failed to start.",
    "EngineCore encountered a fatal error.",
    "Engine core initialization failed",
)
_EXCEPTION: Final = re.compile(
    r"(?:[A-Za-z_]\w*\.){0,8}[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Expired)(?::|$)"
)
_SAYS_NOTHING: Final = (
    "Engine core initialization failed",
    "WorkerProc initialization failed",
    "EngineDeadError",
    "please check the stack trace above",
)
# of BuildKit, with the seconds before what a step wrote; and what a builder itself writes around it
_STEP: Final = re.compile(r"(?P<step>#\d+) (?:\d+\.\d+ (?P<said>.*\S)|ERROR: )")
_FRAME: Final = re.compile(r"#\d+ |Step \d+/\d+ |\s*--->|-{4}")


@dataclass(frozen=True, slots=True)
class _Pattern:
    code: str
    find: str
    take: re.Pattern[str] | None
    rank: int
    params: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Cause:
    """`rank` 0: this text is a cause; 1: it is only if nothing else is. `at`: where in the lines."""

    code: str
    line: str
    params: Mapping[str, Value] = field(default_factory=dict)
    rank: int = 0
    at: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    process: str
    level: str
    text: str


@cache
def _patterns(source: Literal["docker", "engine"]) -> tuple[_Pattern, ...]:
    """Those of Docker in small letters: Compose's versions begin one sentence with either."""
    small = source == "docker"
    return tuple(
        _Pattern(
            code,
            entry["find"].lower() if small else entry["find"],
            re.compile(entry["take"], re.IGNORECASE if small else 0) if "take" in entry else None,
            entry.get("rank", 0),
            entry.get("params", {}),
        )
        for code, finding in sentences.tables(FILE)["finding"].items()
        for entry in finding.get(source, ())
    )


def shown(text: str) -> str:
    """The line as far as it is shown: lists of hundreds of names are cut, with "…" after it."""
    text = text.strip()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _match(pattern: _Pattern, text: str, at: int) -> Cause | None:
    params = dict(pattern.params)
    if pattern.take is not None:
        found = pattern.take.search(text)
        if found is None:
            return None
        params |= {name: _number(value) for name, value in found.groupdict().items() if value is not None}
    return Cause(pattern.code, shown(text), params, pattern.rank, at)


def _causes(source: Literal["docker", "engine"], texts: Sequence[str]) -> list[Cause]:
    """Every pattern on every line; of one line and rank only the first."""
    searched = [text.lower() for text in texts] if source == "docker" else texts
    blocks = list(_blocks(searched))
    patterns = [  # a few, of a hundred
        pattern for pattern in _patterns(source) if any(pattern.find in block for block in blocks)
    ]
    found: list[Cause] = []
    for at, text in enumerate(texts):
        of_line: dict[int, Cause] = {}
        for pattern in patterns:
            if pattern.rank in of_line or pattern.find not in searched[at]:
                continue
            if (cause := _match(pattern, text, at)) is not None:
                of_line[pattern.rank] = cause
        found += of_line.values()
    return found


def _blocks(texts: Sequence[str]) -> Iterator[str]:
    """Lines together, as many as can be searched in far less than a millisecond: the interpreter is held."""
    begin = size = 0
    for at, text in enumerate(texts, start=1):
        size += len(text)
        if size >= _BLOCK or at == len(texts):
            yield "\n".join(texts[begin:at])
            begin, size = at, 0


def _cut(raw: str) -> str:
    """What is left of a line that redraws itself, cut, without escapes."""
    raw = raw.rstrip("\r\n")
    return strip_escapes(raw[raw.rfind("\r") + 1 :][:LONGEST])


# --- Docker's words ---------------------------------------------------------------------------------------


def docker_lines(error: str) -> list[str]:
    """Docker's words line by line; of Compose's JSON only the message."""
    lines = []
    for raw in error.split("\n")[-LOUD:]:
        text = _cut(raw)
        if text.startswith("{"):
            text = _message(text)
        if text.strip():
            lines.append(text)
    return lines


def _message(text: str) -> str:
    try:
        said = json.loads(text)
    except ValueError:
        return text
    if not isinstance(said, dict):
        return text
    return " ".join(str(said[key]) for key in ("message", "text", "details") if said.get(key))


def of_docker(error: str) -> Cause | None:
    """The first cause in Docker's words, from the line that says most of it; of a build that failed with what
    its step wrote last above that line."""
    lines = docker_lines(error)
    causes = _causes("docker", lines)
    first = min(causes, key=lambda cause: cause.rank, default=None)
    if first is not None and first.code == "build_failed":
        said = _step_said(lines[: first.at], lines[first.at])[-STEP_LINES:]
        return replace(first, line="\n".join([*map(shown, said), first.line]))
    same = (one for one in causes if first and (one.code, one.rank) == (first.code, first.rank))
    return next((one for one in same if one.params), first)


def _step_said(before: Sequence[str], failed: str) -> list[str]:
    """BuildKit numbers the lines of its steps, which may run side by side; without it they are above."""
    if (step := _STEP.match(failed)) is not None:
        found = [_STEP.match(line) for line in before]
        return [one["said"] for one in found if one and one["said"] and one["step"] == step["step"]]
    return list(itertools.takewhile(lambda line: not _FRAME.match(line), reversed(before)))[::-1]


def docker_line(error: str) -> str:
    """The line that says most where no cause is known: the first that speaks of an error, else the last."""
    lines = docker_lines(error)
    return shown(
        next((line for line in lines if "rror" in line or "failed" in line), lines[-1] if lines else "")
    )


# --- the server's log ---------------------------------------------------------------------------------------


def _backwards(log: Sequence[str]) -> Iterator[str]:
    for piece in reversed(log):
        yield from reversed(piece.split("\n")) if "\n" in piece else (piece,)


def _loud(text: str) -> _Line | None:
    """The line without its prefix; None where it reports no trouble, or is a line of a program's text."""
    prefix = _PREFIX.match(text)
    assert prefix is not None  # all of it is optional
    rest = text[prefix.end() :]
    if prefix["level"] in _QUIET or not rest.strip() or rest.lstrip().startswith("raise "):
        return None
    return _Line(prefix["process"] or "", prefix["level"] or "", rest)


class EngineLog:
    """The lines of a log that may say a cause. `ready`: the server had been ready; then what was before that
    and long before its end is no cause."""

    def __init__(self, log: Sequence[str], *, ready: bool = False) -> None:
        newest = [line for line in itertools.islice(_backwards(log), LINES) if line.strip()]
        self._last = newest[0] if newest else ""
        loud: list[_Line] = []
        for raw in newest:
            head = raw[:80]
            if " INFO " in head and "rror" not in head and "ERROR" not in head and "\r" not in raw:
                continue  # most lines are, and are known without a closer look
            text = _cut(raw)
            if ready and "Application startup complete." in text:
                break
            if (line := _loud(text)) is not None:
                loud.append(line)
            if len(loud) == LOUD:
                break
        self._lines = loud[::-1]
        if ready:
            begin = max(0, self._engine_ends(or_else=len(self._lines)) - BEFORE)
            self._lines = self._lines[begin:]

    def _engine_ends(self, *, or_else: int) -> int:
        return next(
            (at for at, line in enumerate(self._lines) if any(end in line.text for end in _ENGINE_ENDS)),
            or_else,
        )

    def _end(self) -> int:
        """Past the first traceback of the engine; past all where there is none."""
        at = self._engine_ends(or_else=len(self._lines))
        if at == len(self._lines):
            return at
        process = self._lines[at].process
        while at < len(self._lines) and self._lines[at].process == process:
            at += 1
        return at

    @property
    def engine_ended(self) -> bool:
        return self._engine_ends(or_else=-1) >= 0

    def cause(self) -> Cause | None:
        """Backwards from the end of the engine's first traceback to the nearest cause, and then to where it
        was said first: other parts repeat it in their own tracebacks."""
        found = _causes("engine", [line.text for line in self._lines])
        end = self._end()
        for rank in (0, 1):
            ranked = [cause for cause in found if cause.rank == rank]
            before = [cause for cause in ranked if cause.at < end]
            if nearest := (before[-1] if before else ranked[0] if ranked else None):
                return next(cause for cause in ranked if cause.code == nearest.code)
        return None

    def first_error(self) -> str:
        """For a cause that is not known: the exception that the first block of errors ends in, else its first
        line, else the last line of all."""
        first = ""
        for at, line in enumerate(self._lines):
            text = line.text.strip()
            if not first and (
                line.level in ("ERROR", "CRITICAL") or text.startswith(("Error", "error", "ERROR"))
            ):
                first = text
            if _EXCEPTION.match(text) and not any(phrase in text for phrase in _SAYS_NOTHING):
                return shown(self._pydantic(at) or text)
        return shown(first or _PREFIX.sub("", _cut(self._last), count=1))

    def _pydantic(self, at: int) -> str:
        """What a validation error is about stands in the line below it."""
        following = self._lines[at + 1].text.strip() if at + 1 < len(self._lines) else ""
        return following if "validation error" in self._lines[at].text else ""
