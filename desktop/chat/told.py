"""What an answer's engine told of it beside its tokens: counts that differ, refused numbers, kept guesses."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from core.chat.messages import Answer
from core.engines.base import Extras, Finished, Speculation
from core.tokens import figures
from desktop.chat.turns import Banner
from desktop.kit.errors_text import joined

# codes of `Finished.notes` that stand in a banner; those of the second row say that something is missing
INFO = ("details_refused", "all_certain", "text_from_server")
WARNINGS = ("text_without_ids", "counts_differ", "prompt_count_differs")
# codes that are told elsewhere: among the facts, or on the cards
ELSEWHERE = ("burst", "no_reason", "aborted_by_server", "form_masked")


def banner(answer: Answer) -> Banner | None:
    """What must be known before the answer is read or its numbers are; None if there is nothing."""
    finished = answer.finished
    if finished is None:
        return None
    codes = [code for code in (*WARNINGS, *INFO) if code in finished.notes]
    if not codes:
        return None
    kind = "warn" if codes[0] in WARNINGS else "info"
    said = [_sentences(code, finished) for code in codes]
    rest = [sentence for what, why in said[1:] for sentence in (what, why)]
    return Banner(said[0][0], joined(said[0][1], *rest), kind)


def _sentences(code: str, finished: Finished) -> tuple[str, str]:
    """(what, why or what follows)"""
    if code == "details_refused":
        return _refused(finished)
    if code == "counts_differ":
        text = QCoreApplication.translate(
            "Facts", "The server counted {server} tokens; {here} were received."
        )
        why = QCoreApplication.translate("Facts", "Tokens were lost on the way, or sent without their ids.")
        counts = {"server": finished.server_tokens, "here": finished.completion_tokens}
        return _counted(text, counts), why
    if code == "prompt_count_differs":
        text = QCoreApplication.translate(
            "Facts", "The server counted {server} prompt tokens; {here} were sent."
        )
        why = QCoreApplication.translate("Facts", "It may have read another prompt than the one shown.")
        counts = {"server": finished.server_prompt_tokens, "here": finished.prompt_tokens}
        return _counted(text, counts), why
    if code == "text_without_ids":
        return (
            QCoreApplication.translate("Facts", "Some text came without token ids and is missing here."),
            QCoreApplication.translate("Facts", "Older servers and some proxies leave ids out."),
        )
    if code == "all_certain":
        return (
            QCoreApplication.translate("Facts", "Every token was sent as 100 % certain."),
            QCoreApplication.translate(
                "Facts",
                "Some ways of guessing ahead send no other value. Perplexity and doubt are left out.",
            ),
        )
    return (
        QCoreApplication.translate("Facts", "The server made the tokens of this prompt and the text."),
        QCoreApplication.translate("Facts", "The model’s own tokenizer is not known here."),
    )


def _counted(text: str, counts: dict[str, int | None]) -> str:
    known = {name: figures.DASH if n is None else figures.count(n) for name, n in counts.items()}
    return text.format(**known)


def _refused(finished: Finished) -> tuple[str, str]:
    what = QCoreApplication.translate(
        "Facts", "The server refused token numbers, so this answer came without them."
    )
    if finished.refused is None:
        return what, ""
    status, words = finished.refused
    said = QCoreApplication.translate("Facts", "It said, with status {status}: {words}")
    if not words:
        said = QCoreApplication.translate("Facts", "It gave no reason but status {status}.")
    return what, said.format(status=status, words=words)


def cached(answer: Answer) -> str:
    """The part of the prompt that a server took from its KV cache, if it told; "" otherwise."""
    finished = answer.finished
    if finished is None or not finished.reused_tokens or answer.info.engine != "vllm":
        return ""
    return QCoreApplication.translate("Facts", "{n} of {total} tokens from the cache").format(
        n=figures.count(finished.reused_tokens), total=figures.count(finished.prompt_tokens)
    )


def parts(answer: Answer) -> Iterator[str]:
    """Facts of an answer that has ended: kept guesses, and what it was asked for beside the sampling."""
    if answer.finished is not None and answer.finished.speculation is not None:
        yield _guesses(answer.finished.speculation)
    yield from asked(answer.extras)


def _guesses(counts: Speculation) -> str:
    text = QCoreApplication.translate(
        "Facts", "%n guess(es) kept of {drafted}, {steps} passes with guesses", "", counts.accepted
    ).format(drafted=figures.count(counts.drafted), steps=figures.count(counts.steps))
    if counts.guesses is None:
        caution = QCoreApplication.translate("Facts", "may include guesses after the stop token")
        return QCoreApplication.translate("Facts", "{a} ({b})").format(a=text, b=caution)
    return text


def asked(extras: Extras) -> Iterator[str]:
    """The form, and how many further fields."""
    if extras.structured is not None:
        forms = {
            "json": QCoreApplication.translate("Facts", "form: JSON schema"),
            "regex": QCoreApplication.translate("Facts", "form: regular expression"),
            "choice": QCoreApplication.translate("Facts", "form: one of several texts"),
            "grammar": QCoreApplication.translate("Facts", "form: grammar"),
        }
        yield forms[extras.structured.form]
    if extras.fields:
        yield ", ".join(extras.fields)  # vLLM's own names
    if not extras.numbers:
        yield QCoreApplication.translate("Facts", "asked without token numbers")
