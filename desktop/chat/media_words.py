"""What is said of an attachment: in the composer's chip, and under the question it went with."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.chat.messages import Answer, Message
from core.prompt.base import Attachment


def facts(one: Attachment) -> str:
    """Its measures; which picture of several."""
    parts = []
    if one.width:
        parts.append(f"{one.width} × {one.height}")
    if one.seconds is not None:
        parts.append(QCoreApplication.translate("Media", "{n} s").format(n=f"{one.seconds:,.1f}"))
    parts.append(f"{one.bytes / 1e6:,.1f} MB" if one.bytes >= 1e6 else f"{one.bytes / 1000:,.1f} kB")
    if one.first_of > 1:
        first = QCoreApplication.translate("Media", "first of {n} pictures").format(n=one.first_of)
        parts.append(first)
    return " · ".join(parts)


def below(question: Message, answer: Answer | None) -> str:
    """One line for each attachment of a question, with its tokens as far as the answer in view knows them."""
    spans = list(answer.prompt.media) if answer is not None else []
    mine = len(question.attachments)
    own = spans[len(spans) - mine :] if mine else []  # those of the question stand last in its prompt
    lines = []
    for at, one in enumerate(question.attachments):
        parts = [one.name, _kind(one), facts(one)]
        if at < len(own) and own[at].attachment == one:
            parts.append(
                QCoreApplication.translate("Facts", "%n token(s)", "", own[at].count)
                if own[at].expanded
                else QCoreApplication.translate("Media", "tokens not known: expanded by the server")
            )
        lines.append(" · ".join(parts))
    return "\n".join(lines)


def _kind(one: Attachment) -> str:
    return {
        "image": QCoreApplication.translate("Media", "picture"),
        "sound": QCoreApplication.translate("Media", "sound"),
        "video": QCoreApplication.translate("Media", "video"),
    }[one.kind]
