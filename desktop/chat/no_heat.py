"""Why an answer has no heat: its numbers say nothing of how sure the model was."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.chat.messages import Answer


def no_heat(answer: Answer | None) -> str:
    """The reason in words, "" if its tokens have probabilities of the model."""
    if answer is None:
        return ""
    if not answer.extras.numbers:
        return QCoreApplication.translate("NoHeat", "This answer was asked for without token numbers.")
    if answer.finished is not None and answer.finished.refused is not None:
        return QCoreApplication.translate("NoHeat", "The server refused to send token numbers.")
    evidence = answer.info.evidence
    if "model" in evidence:
        return ""
    if "logit" in evidence:
        return QCoreApplication.translate(
            "NoHeat", "This server sends scores (logits), which are no probabilities."
        )
    if "sampling" in evidence:
        return QCoreApplication.translate(
            "NoHeat", "This server sends what was drawn from, not what the model thought."
        )
    return QCoreApplication.translate(
        "NoHeat", "This server sends no numbers of its tokens, or none whose kind is known."
    )
