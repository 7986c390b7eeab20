"""From a line that vLLM wrote to the step of a start it belongs to, with what it says of that step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from core.log_lines import strip_escapes
from core.server.finding import Value
from core.server.state import STARTING, ServerPhase

P = ServerPhase
_LONGEST: Final = 2048  # characters looked at; what a step begins with stands at the front


class PhaseMark(msgspec.Struct, frozen=True):
    """The start is in `phase` now. `note`: code of findings.toml under `steps.`, `params` fill it; "" only
    where the step begins without a word of its own. `done` of `total` files or graphs, total 0 = not
    counted."""

    phase: ServerPhase
    note: str = ""
    params: Mapping[str, Value] = {}
    done: int = 0
    total: int = 0


class Facts(msgspec.Struct, frozen=True):
    """What a log has told so far, None or "" where it has not. `context`: the longest prompt and answer in
    tokens. `cached`: compiled code came from the cache (True) or was made anew, `refused`: since what was
    there could not be loaded. `concurrency`: how many of the longest requests fit into the KV cache of
    `kv_tokens` at once."""

    version: str = ""
    architecture: str = ""
    context: int | None = None
    files: int | None = None
    weights_gib: float | None = None
    weights_seconds: float | None = None
    compile_seconds: float | None = None
    cached: bool | None = None
    kv_tokens: int | None = None
    concurrency: float | None = None
    refused: bool = False


# "(Worker_TP0 pid=77) ", set before each line of a child's stdout and stderr
_PROCESS = re.compile(r"\([\w.:-]+ pid=\d+\) ?")
# "INFO 11-29 14:19:17 [file.py:12] ", with whatever VLLM_LOGGING_PREFIX puts before it
_PREFIX = re.compile(r".{0,64}?\b[A-Z]{4,8} \d\d-\d\d \d\d:\d\d:\d\d \[[^\]\n]{1,80}\] ")
_COMPONENT = re.compile(r"\[\w+\] ")  # "[backbone] ": which part of the model is compiled
_PERCENT = r":?[^:|]*:?\s+\d+%[^|]*\|[^|]*?\|?\s*(\d+)/(\d+) \["


def _number(text: str) -> int:
    return int(text.replace(",", ""))


class _Json(msgspec.Struct):
    message: str


def message_of(line: str) -> str:
    """The line without the prefixes of its process and level, in the plain form or one JSON object a line;
    of what is not from vLLM's own logger the whole line."""
    text = strip_escapes(line[: _LONGEST * 2]).strip("\n") if "\x1b" in line else line[: _LONGEST * 2]
    process = _PROCESS.match(text)
    if process:
        text = text[process.end() :]
    if text.startswith("{"):
        try:
            return msgspec.json.decode(line[line.index("{") :], type=_Json).message[:_LONGEST]
        except (msgspec.MsgspecError, UnicodeError):
            return text[:_LONGEST]
    prefix = _PREFIX.match(text)
    return text[prefix.end() if prefix else 0 :][:_LONGEST]


class PhaseReader:
    """Fed with every line in its order, stdout and stderr mixed as they come. Phases never go backwards: a
    bar that is drawn late, after its step, says nothing. Lines after ASKING are not looked at."""

    def __init__(self) -> None:
        self.phase = P.CREATING
        self.facts = Facts()
        self._last: PhaseMark | None = None

    def feed(self, text: str) -> list[PhaseMark]:
        """One line, or a piece of several with carriage returns or line feeds between them."""
        if self.phase is P.ASKING:
            return []
        found = []
        for line in re.split(r"[\r\n]+", text) if "\r" in text or "\n" in text else (text,):
            mark = self._read(line)
            if mark is not None:
                found.append(mark)
        return found

    def _read(self, line: str) -> PhaseMark | None:
        text = _COMPONENT.sub("", message_of(line), count=1).strip()
        for pattern, take in _LINES:
            match = pattern.match(text)
            if match is not None:
                mark, told = take(match, self.facts)
                if told:
                    self.facts = msgspec.structs.replace(self.facts, **told)
                return self._forward(mark)
        return None

    def _forward(self, mark: PhaseMark | None) -> PhaseMark | None:
        if mark is None or mark == self._last:
            return None
        ahead = STARTING.index(mark.phase) - STARTING.index(self.phase)
        if ahead < 0 or (ahead == 0 and not mark.note):  # what a step said last stays
            return None
        self.phase, self._last = mark.phase, mark
        return mark


# --- the lines -----------------------------------------------------------------------------------------

_Told = tuple[PhaseMark | None, dict[str, object]]
_Take = Callable[[re.Match[str], Facts], _Told]


def _plain(phase: ServerPhase, note: str) -> _Take:
    return lambda _match, _facts: (PhaseMark(phase, note), {})


def _files(match: re.Match[str], _: Facts) -> _Told:
    done, total = int(match[1]), int(match[2])
    return PhaseMark(P.LOADING, "shards", {"done": done, "total": total}, done, total), {"files": total}


def _graphs(match: re.Match[str], _: Facts) -> _Told:
    done, total = int(match[1]), int(match[2])
    percent = done * 100 // total if total else 0
    return PhaseMark(P.WARMING, "graphs", {"percent": percent}, done, total), {}


def _graphs_begin(_match: re.Match[str], _facts: Facts) -> _Told:
    return PhaseMark(P.WARMING, "graphs", {"percent": 0}), {}


def _version(match: re.Match[str], _: Facts) -> _Told:
    return PhaseMark(P.CREATING, "importing", {"version": match[1]}), {"version": match[1]}


def _architecture(match: re.Match[str], _: Facts) -> _Told:
    name = match[1]
    return PhaseMark(P.CREATING, "config", {"architecture": name}), {"architecture": name}


def _context(match: re.Match[str], facts: Facts) -> _Told:
    tokens = _number(match[1])
    params: dict[str, Value] = {"architecture": facts.architecture or "?", "context": tokens}
    return PhaseMark(P.CREATING, "config_context", params), {"context": tokens}


def _shortened(match: re.Match[str], _: Facts) -> _Told:
    tokens = _number(match[2])
    params: dict[str, Value] = {"before": _number(match[1]), "context": tokens}
    return PhaseMark(P.WARMING, "shortened", params), {"context": tokens}


def _checkpoint(match: re.Match[str], _: Facts) -> _Told:
    gib = round(float(match[1]), 2)
    told: dict[str, object] = {"weights_gib": gib or None}
    return PhaseMark(P.LOADING, "loading_size", {"gib": gib}) if gib else None, told


def _loaded(note: str, facts: Facts, params: dict[str, Value], told: dict[str, object]) -> _Told:
    files = facts.files or 0
    return PhaseMark(P.LOADING, note, params, done=files, total=files), told


def _weights(match: re.Match[str], facts: Facts) -> _Told:
    seconds = round(float(match[1]), 1)
    told: dict[str, object] = {"weights_seconds": seconds}
    if facts.weights_gib:
        return _loaded("loaded_size", facts, {"gib": facts.weights_gib, "seconds": seconds}, told)
    return _loaded("loaded", facts, {"seconds": seconds}, told)


def _in_memory(match: re.Match[str], facts: Facts) -> _Told:
    gib, seconds = round(float(match[1]), 2), round(float(match[2]), 1)
    told: dict[str, object] = {"weights_gib": gib, "weights_seconds": seconds}
    return _loaded("loaded_memory", facts, {"gib": gib, "seconds": seconds}, told)


def _from_cache(_match: re.Match[str], facts: Facts) -> _Told:
    if facts.cached is False:  # one part of several was compiled anew
        return None, {}
    return PhaseMark(P.COMPILING, "compile_warm"), {"cached": True}


def _refused(_match: re.Match[str], _facts: Facts) -> _Told:
    """As every second start on 0.32's CPU that compiles ahead of time, which compose/ does not: what it then
    saves is of no more use to the next one."""
    return PhaseMark(P.COMPILING, "compile_again"), {"cached": False, "refused": True}


def _anew(_match: re.Match[str], facts: Facts) -> _Told:
    note = "compiled_again" if facts.refused else "compile_kept"
    return PhaseMark(P.COMPILING, note), {"cached": False}


def _compiled(match: re.Match[str], facts: Facts) -> _Told:
    seconds = round(float(match[1]), 1)
    note = "compile_warm" if facts.cached else "compiled_again" if facts.refused else "compiled"
    params: Mapping[str, Value] = {"seconds": seconds} if note == "compiled" else {}
    return PhaseMark(P.COMPILING, note, params), {"compile_seconds": seconds}


def _kv_room(match: re.Match[str], _: Facts) -> _Told:
    return PhaseMark(P.WARMING, "kv_room", {"gib": round(float(match[1]), 2)}), {}


def _kv_size(match: re.Match[str], _: Facts) -> _Told:
    tokens, concurrency = _number(match[1]), float(match[3])
    told: dict[str, object] = {
        "kv_tokens": tokens,
        "context": _number(match[2]),
        "concurrency": concurrency,
    }
    return PhaseMark(P.WARMING, "kv_cache", {"tokens": tokens}), told


def _graphs_done(match: re.Match[str], facts: Facts) -> _Told:
    params: dict[str, Value] = {"tokens": facts.kv_tokens or 0, "seconds": int(match[1])}
    return PhaseMark(P.WARMING, "graphs_done", params), {}


def _engine_up(match: re.Match[str], _: Facts) -> _Told:
    told: dict[str, object] = {} if match[1] is None else {"compile_seconds": round(float(match[1]), 1)}
    return PhaseMark(P.WARMING), told


# Each is matched at the front of a message, so that a model's name or an argument never looks like a step.
# Both versions and both model runners; what only one of them writes is simply not seen with the other.
_LINES: Final[tuple[tuple[re.Pattern[str], _Take], ...]] = tuple(
    (re.compile(pattern), take)
    for pattern, take in (
        # of the banner, whose lines are drawn with blocks, or of the line that stands for it
        (r"[\s▄▀█]{0,40}version (\d\S*)", _version),
        (r"vLLM server version (\S+?),", _version),
        (r"Resolved architecture: (\S+)", _architecture),
        (r"Using max model len ([\d,]+)", _context),
        (r"Starting to load model |Loading model from scratch", _plain(P.LOADING, "loading")),
        (r"Loading drafter model", _plain(P.LOADING, "loading_drafter")),
        (r"Filesystem type for checkpoints: .*?Checkpoint size: ([\d.]+) GiB", _checkpoint),
        (rf"Loading (?:\w+ )?checkpoint shards{_PERCENT}", _files),
        (r"Loading weights took ([\d.]+) seconds", _weights),
        (r"Model loading took ([\d.]+) GiB memory and ([\d.]+) seconds", _in_memory),
        (
            r"Warming up model for the compilation|Using cache directory: .* for vLLM's torch\.compile"
            r"|Starting torch\.compile|Start compiling|Dynamo bytecode transform time",
            _plain(P.COMPILING, "compile_cold"),
        ),
        (r"Directly load ", _from_cache),
        (r"Compiling model again due to a load failure", _refused),
        (r"Compiling a graph for compile range |saved AOT compiled function to ", _anew),
        (r"torch\.compile (?:took ([\d.]+) s in total|takes ([\d.]+) s in total)", _compiled),
        (r"Warming up done", _plain(P.WARMING, "warming")),
        (r"Available KV cache memory: ([\d.]+) GiB", _kv_room),
        (r"(?:Explicitly|Auto) set \(([\d.]+)/[\d.]+\) GiB for KV cache", _kv_room),
        (
            r"[\w +]+ KV cache size: ([\d,]+) tokens, "
            r"Maximum concurrency for ([\d,]+) tokens per request: ([\d.]+)x",
            _kv_size,
        ),
        (r"Auto-fit max_model_len: reduced from (\d+) to (\d+)", _shortened),
        (r"Profiling CUDA graph memory", _graphs_begin),
        (rf"Capturing (?:[a-z]+ )?CUDA graphs{_PERCENT}", _graphs),
        (r"Graph capturing finished in (\d+) secs", _graphs_done),
        (
            r"init engine \(profile, create kv cache, warmup model\) took [\d.]+ s"
            r"(?: \(compilation: ([\d.]+) s)?",
            _engine_up,
        ),
        (r"Supported tasks: |Starting vLLM server on ", _plain(P.WARMING, "")),
        (r"(?:INFO:\s+)?Application startup complete", _plain(P.ASKING, "probe")),
    )
)
