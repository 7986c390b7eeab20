"""What a test found of a server, in plain lines."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.engines.vllm.capabilities import Capabilities
from core.engines.vllm.rows import Mode
from core.tokens import figures

_MODELS = 6  # that are named


def headline(found: Capabilities) -> str:
    if found.version:
        words = QCoreApplication.translate("Found", "vLLM {version} answers.")
        return words.format(version=found.version)
    return QCoreApplication.translate("Found", "A server answers, and does not tell its version.")


def lines(found: Capabilities) -> list[str]:
    """Models, context, numbers, and what it does not do."""
    told = [_models(found.served), _context(found.context_limit), _numbers(found), _ranks(found)]
    if not found.greedy:
        told.append(QCoreApplication.translate("Found", "It refuses temperature 0."))
    if not found.current:
        told.append(
            QCoreApplication.translate("Found", "Older than vLLM 0.32: not all of it may be shown rightly.")
        )
    return [line for line in told if line]


def _models(served: tuple[str, ...]) -> str:
    names = ", ".join((*served[:_MODELS], *(["…"] if len(served) > _MODELS else [])))
    return QCoreApplication.translate("Found", "Models: {names}").format(names=names)


def _context(limit: int | None) -> str:
    if limit is None:
        return QCoreApplication.translate("Found", "Context: not told")
    return QCoreApplication.translate("Found", "Context: {n} tokens").format(n=figures.count(limit))


def _numbers(found: Capabilities) -> str:
    if found.mode is Mode.NONE or found.max_logprobs is None:
        return QCoreApplication.translate("Found", "Numbers of each token: none")
    words = {
        Mode.RAW_LOGPROBS: QCoreApplication.translate(
            "Found", "Numbers of each token: what the model thought (raw log probabilities)"
        ),
        Mode.PROCESSED_LOGPROBS: QCoreApplication.translate(
            "Found", "Numbers of each token: what was drawn from (processed log probabilities)"
        ),
        Mode.RAW_LOGITS: QCoreApplication.translate(
            "Found", "Numbers of each token: raw scores, which are no probabilities"
        ),
        Mode.PROCESSED_LOGITS: QCoreApplication.translate(
            "Found", "Numbers of each token: processed scores, which are no probabilities"
        ),
    }
    unknown = QCoreApplication.translate(
        "Found", "Numbers of each token: of an unknown kind, so none is shown"
    )
    return words.get(found.mode, unknown)


def _ranks(found: Capabilities) -> str:
    if found.mode in (Mode.NONE, Mode.UNKNOWN) or found.max_logprobs is None:
        return ""
    if found.route == "generate":
        return QCoreApplication.translate("Found", "Ranks: of every token")
    return QCoreApplication.translate(
        "Found", "Ranks: of listed tokens only (--enable-scale-out would tell them all)"
    )
