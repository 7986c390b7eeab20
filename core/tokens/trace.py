"""The trace of an answer: one JSON object a line, for `--json` and the window's export. Format 1.

What is not known is absent: never null, never a stand-in, and never a number that JSON cannot say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from core.engines.base import NOTHING, EngineInfo, Evidence, Expanded, Extras, Finished, Sampling
from core.prompt.base import MediaSpan
from core.tokens.row import Candidate, TokenRow
from core.tokens.table import TokenTable
from core.tokens.vocabulary import Vocabulary

FORMAT = 1


def start(
    info: EngineInfo,
    prompt_ids: Sequence[int],
    sampling: Sampling,
    extras: Extras = NOTHING,
    attached: Sequence[MediaSpan] = (),
) -> dict[str, Any]:
    """The first line: what was asked of which engine. `sampling` as used, with its seed."""
    form = extras.structured
    return _known(
        type="start",
        format=FORMAT,
        engine=info.engine or None,
        model=info.model or None,
        revision=info.revision or None,
        dtype=info.dtype or None,
        dtype_reason=info.dtype_reason or None,
        device=info.device or None,
        prompt_ids=list(prompt_ids),
        media=media(attached),
        sampling=_known(**msgspec.to_builtins(sampling)),
        structured=None if form is None else {form.form: form.value},
        fields=dict(extras.fields) or None,
        version=info.version or None,
        route=info.route or None,
        numbers=info.numbers or None,
        evidence=evidence_of(info, sampling),
    )


def media(spans: Sequence[MediaSpan]) -> list[dict[str, Any]] | None:
    """What stands for each attachment: `count` prompt tokens from number `first` on."""
    return [
        _known(
            kind=one.attachment.kind,
            name=one.attachment.name,
            sha256=one.attachment.digest,
            bytes=one.attachment.bytes,
            width=one.attachment.width or None,
            height=one.attachment.height or None,
            seconds=one.attachment.seconds,
            first_of=one.attachment.first_of if one.attachment.first_of > 1 else None,
            first=one.first,
            count=one.count,
        )
        for one in spans
    ] or None


def expanded(read: Expanded) -> dict[str, Any]:
    """The prompt as the server read it; `prompt_ids` of the first line are those that were sent."""
    return _known(type="expanded", prompt_ids=list(read.ids), media=media(read.media))


def evidence_of(info: EngineInfo, sampling: Sampling) -> list[Evidence]:
    """The kinds of numbers in this answer: at temperature 0 nothing was sampled, and that is said."""
    return ["greedy" if kind == "sampling" and sampling.greedy else kind for kind in info.evidence]


def token(
    index: int, row: TokenRow, text: str, vocabulary: Vocabulary, *, scores: bool = False
) -> dict[str, Any]:
    """One token. `index` from 0; `text` is what became complete with it, so joined texts are the answer's.

    `scores`: the evidence is "logit", so a candidate has a "score", which is no log probability.
    """
    return _known(
        type="token",
        index=index,
        id=row.id,
        text=text,
        bytes=None if vocabulary.is_part(row.id) else vocabulary.bytes_of(row.id).hex(),
        special=vocabulary.is_special(row.id),
        t_ms=row.t_ms,
        logprob=row.logprob,
        rank=row.rank,
        entropy=row.entropy,
        candidates=[_candidate(one, vocabulary, scores) for one in row.candidates] or None,
        others=row.others,
        kept_count=row.kept_count,
        sampling_logprob=row.sampling_logprob,
        guess=row.guess,
    )


def end(finished: Finished) -> dict[str, Any]:
    """The last line of an answer that ended by itself or was stopped."""
    return _known(
        type="end",
        finish_reason=finished.reason,
        stop_reason=finished.stop_reason,
        prompt_tokens=finished.prompt_tokens,
        completion_tokens=finished.completion_tokens,
        reused_tokens=finished.reused_tokens,
        prefill_ms=finished.prefill_ms,
        decode_tokens_per_second=finished.decode_tokens_per_second,
        server_tokens=finished.server_tokens,
        server_prompt_tokens=finished.server_prompt_tokens,
        refused=None if finished.refused is None else list(finished.refused),
        speculation=None
        if finished.speculation is None
        else _known(**msgspec.to_builtins(finished.speculation)),
        notes=list(finished.notes) or None,
    )


def answer(
    info: EngineInfo,
    prompt_ids: Sequence[int],
    sampling: Sampling,
    table: TokenTable,
    vocabulary: Vocabulary,
    finished: Finished | None,
    extras: Extras = NOTHING,
) -> Iterator[dict[str, Any]]:
    """All lines of a stored answer. Without `finished` (an error ended it) there is no end line.

    Numbers that a table keeps in single precision have that precision here.
    """
    yield start(info, prompt_ids, sampling, extras)
    text, scores = table.text.encode("utf-16-le"), "logit" in info.evidence
    for index in range(len(table)):
        own = text[2 * table.text_start(index) : 2 * table.text_end(index)].decode("utf-16-le")
        yield token(index, table.row(index), own, vocabulary, scores=scores)
    if finished is not None:
        yield end(finished)


def line(value: dict[str, Any]) -> str:
    """One object as a line of JSON with its line end."""
    return msgspec.json.encode(value).decode() + "\n"


def _candidate(candidate: Candidate, vocabulary: Vocabulary, scores: bool) -> dict[str, Any]:
    return _known(
        id=candidate.id,
        text=vocabulary.label(candidate.id),
        logprob=None if scores else candidate.logprob,
        score=candidate.logprob if scores else None,
        rank=candidate.rank,
        kept=candidate.kept,
    )


def _known(**fields: Any) -> dict[str, Any]:
    return {
        name: value
        for name, value in fields.items()
        if value is not None and not (isinstance(value, float) and not math.isfinite(value))
    }
