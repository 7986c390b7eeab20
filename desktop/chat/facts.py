"""The words under an answer: its facts, what went wrong, and what the engine does before the first token."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from core.chat.messages import Answer, PromptFacts
from core.chat.state import ChatState
from core.tokens import figures
from core.tokens.table import TokenTable
from desktop.chat import told
from desktop.chat.banners import banner
from desktop.chat.turns import Footer
from desktop.kit.errors_text import joined


def perplexity(table: TokenTable) -> float | None:
    """exp of the mean surprise; None unless every token has a number (a missing one is NaN in the sum), and
    where several are all exactly certain: such numbers were not computed."""
    mean = -sum(table.columns["logprob"]) / len(table) if len(table) else math.nan
    computed = math.isfinite(mean) and mean < 700 and (mean > 0 or len(table) == 1)
    return math.exp(mean) if computed else None


def doubtful(table: TokenTable, threshold: float) -> int:
    """How many tokens are below the threshold; one without a number is not."""
    limit = math.log(threshold)
    return sum(1 for logprob in table.columns["logprob"] if logprob < limit)


def facts(answer: Answer, threshold: float, speed: float | None = None) -> str:
    """`speed`: of the running answer; the engine's own figure once it has ended."""
    table, finished = answer.table, answer.finished
    count = len(table)
    if not count:
        return _end(answer)
    parts = [QCoreApplication.translate("Facts", "%n token(s)", "", count)]
    rate = finished.decode_tokens_per_second if finished else speed
    if finished and "burst" in finished.notes:
        parts.append(QCoreApplication.translate("Facts", "speed not measurable: arrived at once"))
    elif rate is not None:
        parts.append(QCoreApplication.translate("Facts", "{n} tok/s").format(n=f"{rate:,.1f}"))
    first = finished.prefill_ms if finished else float(table.columns["t_ms"][0])
    if first is not None:
        seconds = figures.seconds(first)
        parts.append(QCoreApplication.translate("Facts", "first token {s} s").format(s=seconds))
    parts.append(told.cached(answer))
    if answer.live:
        parts.append(QCoreApplication.translate("Facts", "streaming"))
        return " · ".join(part for part in parts if part)
    value = perplexity(table)
    if value is not None:
        parts.append(QCoreApplication.translate("Facts", "perplexity {n}").format(n=f"{value:,.2f}"))
        number = doubtful(table, threshold)
        parts.append(QCoreApplication.translate("Facts", "%n doubtful", "", number))
    parts += told.parts(answer)
    parts.append(_end(answer))
    return " · ".join(part for part in parts if part)


def _end(answer: Answer) -> str:
    """Why it ended, where that is not the usual way."""
    if answer.live:
        return ""
    if answer.state is ChatState.STOPPED:
        return QCoreApplication.translate("Facts", "stopped by you")
    reason = answer.finished.reason if answer.finished else ""
    notes = answer.finished.notes if answer.finished else ()
    if "aborted_by_server" in notes:
        return QCoreApplication.translate("Facts", "stopped by the server")
    if reason == "unknown":
        return QCoreApplication.translate("Facts", "ended without a reason")
    if reason == "length":
        return QCoreApplication.translate("Facts", "ended at the limit of new tokens")
    if reason == "context":
        return QCoreApplication.translate("Facts", "ended because the context is full")
    if answer.finished and isinstance(answer.finished.stop_reason, str):
        return QCoreApplication.translate("Facts", "ended at a stop string")
    return ""


def footer(
    answer: Answer,
    place: tuple[int, int],
    threshold: float,
    *,
    can_ask: bool,
    speed: float | None = None,
    cause: str = "",
) -> Footer:
    """`place`: (this, of how many) answers to the same question. `cause`: why the server of ours is gone."""
    shown = banner(answer.error, len(answer.table), cause) or told.banner(answer)
    actions: tuple[str, ...] = ()
    if not answer.live:
        actions = ("copy",) if len(answer.table) else ()
        if can_ask and answer.error is None:  # a banner about an error has that button itself
            actions += ("again",)
    return Footer(
        facts(answer, threshold, speed), place if place[1] > 1 and not answer.live else None, actions, shown
    )


def note(answer: Answer | None, *, left_out: bool) -> str:
    """What stands below a question: how its prompt was made, if the answer in view shows that it was not
    made as usual, and that it is no part of the next one."""
    parts = []
    if left_out:
        if answer is not None and len(answer.table):
            words = QCoreApplication.translate(
                "Facts", "Not sent with the next question: its answer was cut off."
            )
        else:
            words = QCoreApplication.translate("Facts", "Not sent with the next question: it has no answer.")
        parts.append(words)
    prompt = answer.prompt if answer is not None else PromptFacts()
    if prompt.plain and prompt.unsent:
        words = QCoreApplication.translate(
            "Facts", "Sent without a template: only this text, no system prompt and no earlier messages."
        )
        parts.append(words)
    elif prompt.plain:
        parts.append(QCoreApplication.translate("Facts", "Sent without a template."))
    if prompt.bos_removed:
        words = QCoreApplication.translate(
            "Facts", "%n begin token(s) too many taken out of the prompt.", "", prompt.bos_removed
        )
        parts.append(words)
    return joined(*parts)


def reading(total: int, reused: int | None, seconds: float) -> str:
    """The waiting line while the prompt is read. `reused` None: what is left of it is not known."""
    words = QCoreApplication.translate("Facts", "reading {n} tokens, {s} s")
    if reused is None:
        words = QCoreApplication.translate("Facts", "prompt of {n} tokens, {s} s")
    text = words.format(n=figures.count(total - (reused or 0)), s=f"{seconds:.1f}")
    if reused:
        known = QCoreApplication.translate("Facts", "{n} known from before").format(n=figures.count(reused))
        text = f"{text} · {known}"
    return text
