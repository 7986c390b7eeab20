"""From the matrix of one server to what can be shown of its answers, and the flags that would change it."""

from __future__ import annotations

import msgspec

from core.engines.abilities import MEDIA, Ability, Why, context
from core.engines.vllm import completions, generate
from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.rows import Mode
from core.models.specs import Specs

SCALE_OUT = "--enable-scale-out"
RAW = "--logprobs-mode raw_logprobs"
PROCESSED = "--logprobs-mode processed_logprobs"
MASK = f"--return-sampling-mask {PROCESSED}"
MORE = "--max-logprobs 20"  # vLLM's default
EACH_STEP = "--per-request-spec-decode-metrics detailed"
CACHED = "--enable-prompt-tokens-details"
PATHS = {"generate": generate.PATH, "completions": completions.PATH}

KINDS = {
    Mode.RAW_LOGPROBS: Why.KIND_RAW,
    Mode.PROCESSED_LOGPROBS: Why.KIND_PROCESSED,
    Mode.RAW_LOGITS: Why.KIND_LOGITS,
    Mode.PROCESSED_LOGITS: Why.KIND_PROCESSED_LOGITS,
}

# every cell of the matrix → the line that tells it; "" = it stands elsewhere (the version, before all lines)
LINES: dict[str, str] = {
    "version": "",
    "context_limit": "context",
    "scale_out": "rank",
    "numbers": "candidates",
    "logprobs_mode": "kind",
    "max_logprobs": "candidates",
    "greedy": "greedy",
    "sampling_mask": "left",
    "speculation": "guesses_counted",
    "speculation_metrics": "guesses_marked",
    "cached_tokens": "cached",
}


class Seen(msgspec.Struct, frozen=True):
    """What only answers show. `cached`: the most prompt tokens an answer took from the KV cache, None = not
    told so far. `refused`: the server's words to a request with numbers, "" = it never refused one.
    `compared`: a prompt was the same with the server's own tokenizer; False = it has none to ask, None = not
    compared yet."""

    cached: int | None = None
    refused: str = ""
    compared: bool | None = None


def abilities(
    found: Capabilities, specs: Specs | None, seen: Seen, stored: int, *, server_text: bool = False
) -> tuple[Ability, ...]:
    """In the order of NAMES. `stored`: candidates kept at each token. `server_text`: prompts are tokenized by
    the server itself."""
    mode = Mode.NONE if seen.refused else found.mode
    listed = min(stored, found.max_logprobs or 0)
    greedy = Why.GREEDY if found.greedy else Why.GREEDY_REFUSED
    return (
        _probability(found, mode, seen),
        _candidates(found, mode, seen, stored),
        _rank(found, mode, seen, listed),
        _left(found, mode, stored),
        _drawn(found, mode, seen),
        _counted(found),
        _marked(found),
        Ability("greedy", "yes" if found.greedy else "no", greedy, evidence=_told(found, "greedy")),
        Ability("ids", "yes", Why.IDS_SENT, (PATHS[found.route],)),
        _kind(found, mode, seen),
        context(found.context_limit, specs, _told(found, "context_limit")),
        _cached(found, seen),
        _tokenizer(seen, server_text),
        Ability("stop", "unknown", Why.STOP_NOT_SEEN),
        *(_media(found, name, specs) for name in MEDIA),
    )


def _told(found: Capabilities, name: str) -> str:
    """The evidence of a cell; "" if this server was not asked."""
    return next((cell.evidence for cell in found.cells if cell.name == name), "")


def _none(found: Capabilities, name: str, seen: Seen) -> Ability:
    """A line about numbers where there are none."""
    if seen.refused:
        return Ability(name, "no", Why.NUMBERS_REFUSED, evidence=seen.refused)
    return Ability(name, "no", Why.NO_NUMBERS, evidence=_told(found, "numbers"))


def _probability(found: Capabilities, mode: Mode, seen: Seen) -> Ability:
    evidence = _told(found, "logprobs_mode")
    if mode is Mode.NONE:
        return _none(found, "probability", seen)
    if mode is Mode.UNKNOWN:
        return Ability("probability", "unknown", Why.UNCLEAR, evidence=evidence)
    if mode is Mode.RAW_LOGPROBS:
        return Ability("probability", "yes", Why.RAW, (PATHS[found.route],))
    why = Why.LOGITS if mode.logits else Why.PROCESSED
    return Ability("probability", "no", why, evidence=evidence, flag=RAW)


def _candidates(found: Capabilities, mode: Mode, seen: Seen, stored: int) -> Ability:
    most = found.max_logprobs
    if mode is Mode.NONE or most is None:
        return _none(found, "candidates", seen)
    evidence = _told(found, "max_logprobs") or _told(found, "numbers")
    if most == 0:
        return Ability("candidates", "no", Why.LISTED_NONE, evidence=evidence, flag=MORE)
    if mode is Mode.UNKNOWN:
        return Ability("candidates", "unknown", Why.LISTED_UNCLEAR, (most,), evidence)
    why = Why.LISTED
    if mode is Mode.PROCESSED_LOGPROBS:
        why = Why.LISTED_LEFT
    elif mode.logits:
        why = Why.LISTED_SCORES
    elif any(cell.name == "max_logprobs" and cell.value.endswith("+") for cell in found.cells):
        why = Why.LISTED_AT_LEAST
    return Ability("candidates", "yes", why, (most,), evidence, MORE if most < stored else "")


def _rank(found: Capabilities, mode: Mode, seen: Seen, listed: int) -> Ability:
    if mode is Mode.NONE:
        return _none(found, "rank", seen)
    evidence = _told(found, "scale_out")
    if mode is Mode.UNKNOWN:
        return Ability("rank", "unknown", Why.UNCLEAR, evidence=_told(found, "logprobs_mode"))
    if found.route == "generate":
        return Ability("rank", "yes", Why.RANKS_SENT, evidence=evidence)
    return Ability("rank", "no", Why.RANKS_OF_LISTED, (listed,), evidence, SCALE_OUT)


def _left(found: Capabilities, mode: Mode, stored: int) -> Ability:
    evidence = _told(found, "sampling_mask")
    if found.sampling_mask:
        return Ability("left", "yes", Why.MASK, evidence=evidence)
    flag = MASK if found.route == "generate" else f"{SCALE_OUT} {MASK}"
    if mode.processed and found.max_logprobs:
        # a list that is not full is all that was left; the route of ids is asked for one more than is shown
        asked = min(stored + (found.route == "generate"), found.max_logprobs)
        return Ability("left", "yes", Why.LEFT_IF_FEW, (asked,), evidence, flag)
    return Ability("left", "no", Why.SAMPLER_NOT_SENT, evidence=evidence, flag=flag)


def _drawn(found: Capabilities, mode: Mode, seen: Seen) -> Ability:
    if mode is Mode.NONE:
        return _none(found, "drawn", seen)
    if mode is Mode.UNKNOWN:
        return Ability("drawn", "unknown", Why.UNCLEAR, evidence=_told(found, "logprobs_mode"))
    if mode is Mode.PROCESSED_LOGPROBS:
        return Ability("drawn", "yes", Why.DRAWN_SENT)
    return Ability("drawn", "no", Why.SAMPLER_NOT_SENT, flag=PROCESSED)


def _counted(found: Capabilities) -> Ability:
    name, evidence = "guesses_counted", _told(found, "speculation")
    if found.speculative is None:
        return Ability(name, "unknown", Why.GUESSING_NOT_TOLD, evidence=evidence)
    if not found.speculative:
        return Ability(name, "none", Why.NO_GUESSING, evidence=evidence)
    evidence = _told(found, "speculation_metrics")
    if found.speculation_metrics in ("summary", "detailed"):
        return Ability(name, "yes", Why.GUESSES_COUNTED, evidence=evidence)
    return Ability(name, "no", Why.GUESSES_NOT_COUNTED, evidence=evidence, flag=EACH_STEP)


def _marked(found: Capabilities) -> Ability:
    name, evidence = "guesses_marked", _told(found, "speculation_metrics")
    if found.speculative is None:
        return Ability(name, "unknown", Why.GUESSING_NOT_TOLD, evidence=evidence)
    if not found.speculative:
        return Ability(name, "none", Why.NO_GUESSING, evidence=evidence)
    if found.speculation_metrics == "detailed":
        return Ability(name, "yes", Why.GUESSES_EACH_STEP, evidence=evidence)
    sure = any(cell.name == "speculation_metrics" and cell.verdict != "unknown" for cell in found.cells)
    if found.speculation_metrics == "summary" and not sure:
        return Ability(name, "unknown", Why.GUESSES_NO_STEP_YET, evidence=evidence, flag=EACH_STEP)
    return Ability(name, "no", Why.GUESSES_WITHOUT_STEPS, evidence=evidence, flag=EACH_STEP)


def _kind(found: Capabilities, mode: Mode, seen: Seen) -> Ability:
    if mode is Mode.NONE:
        return _none(found, "kind", seen)
    evidence = _told(found, "logprobs_mode")
    if mode is Mode.UNKNOWN:
        return Ability("kind", "unknown", Why.UNCLEAR, evidence=evidence)
    return Ability("kind", "yes", KINDS[mode], evidence=evidence)


def _cached(found: Capabilities, seen: Seen) -> Ability:
    if seen.cached is not None:
        return Ability("cached", "yes", Why.CACHED_SEEN, (seen.cached,))
    evidence = _told(found, "cached_tokens")
    return Ability("cached", "unknown", Why.CACHED_NOT_SEEN, evidence=evidence, flag=CACHED)


def _tokenizer(seen: Seen, server_text: bool) -> Ability:
    if server_text:
        return Ability("tokenizer", "none", Why.TOKENIZER_SERVER)
    if seen.compared:
        return Ability("tokenizer", "yes", Why.TOKENIZER_SAME)
    why = Why.TOKENIZER_NOT_COMPARED if seen.compared is None else Why.TOKENIZER_NOT_SERVED
    return Ability("tokenizer", "unknown", why)


def _media(found: Capabilities, name: str, specs: Specs | None) -> Ability:
    if specs is None:
        return Ability(name, "unknown", Why.MODEL_NOT_READ)
    if not getattr(specs, name):
        return Ability(name, "none", Why.NO_INPUT)
    if found.route != "generate":
        return Ability(name, "no", Why.MEDIA_ROUTE, evidence=_told(found, "scale_out"), flag=SCALE_OUT)
    cell = next((cell for cell in found.cells if cell.name == name), None)
    if cell is None:
        return Ability(name, "unknown", Why.MEDIA_NOT_ASKED)
    why = {"yes": Why.MEDIA_TAKEN, "no": Why.MEDIA_REFUSED, "unknown": Why.MEDIA_UNCLEAR}[cell.verdict]
    return Ability(name, cell.verdict, why, evidence=cell.evidence)
