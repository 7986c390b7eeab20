"""From an answer on record to what its tokens' cards must know of it beside the numbers."""

from __future__ import annotations

from core.chat.messages import Answer
from core.engines.vllm.rows import Mode
from desktop.inspector.values import AnswerFacts


def facts_of(answer: Answer) -> AnswerFacts:
    """Everything is the answer's own: it stays true whatever the server becomes."""
    info, finished = answer.info, answer.finished
    return AnswerFacts(
        sampling=answer.sampling,
        evidence=info.evidence,
        engine=info.engine,
        route=info.route,
        mode=Mode(info.numbers) if info.numbers in _MODES else None,
        refused=finished.refused if finished else None,
        bare=not answer.extras.numbers,
        masked=answer.extras.structured is not None,
        speculation=finished.speculation if finished else None,
    )


_MODES = frozenset(mode.value for mode in Mode)
