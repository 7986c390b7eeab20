"""What stands above the footer of an answer that failed: what happened, and the buttons that lead on."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.errors import LoupeError
from desktop.chat.turns import Banner
from desktop.kit.errors_text import describe, joined

# the server is not there any more, as far as this answer could see
GONE = frozenset({"server.unreachable", "server.cut", "server.engine_dead"})
# error code → (footer action, what it does) where another way than asking again leads on
WAYS_OUT = {"prompt.no_system_role": "fold", "prompt.no_template": "plain", "engine.no_extras": "clear"}
# a server that lives and failed in mid-answer: its numbers may be the cause
PERHAPS_NUMBERS = frozenset({"server.said", "server.refused", "server.unreadable"})


def banner(error: LoupeError | None, kept: int, cause: str = "") -> Banner | None:
    """`kept`: tokens of the answer that came before. `cause`: why the server of ours is gone, "" where it is
    not gone, or where the server is somebody else's."""
    if error is None:
        return None
    if error.code in GONE and (kept or cause):
        return _gone(error, kept, cause)
    text = describe(error)
    why = joined(text.why, text.next)
    way = WAYS_OUT.get(error.code)
    actions = [("again", _again(error))]
    if way == "fold":
        words = QCoreApplication.translate("Facts", "Put the system prompt into the first question")
        actions.insert(0, (way, words))
    elif way == "plain":
        words = QCoreApplication.translate("Facts", "Complete the text without a template")
        actions.insert(0, (way, words))
        words = QCoreApplication.translate(
            "Facts", "Only the question is sent then: no system prompt and no earlier messages."
        )
        why = joined(why, words)
    elif way == "clear":
        actions.insert(0, (way, QCoreApplication.translate("Facts", "Clear them and ask again")))
    if error.code in PERHAPS_NUMBERS:
        actions.append(("bare", QCoreApplication.translate("Facts", "Ask again without token numbers")))
    return Banner(text.what, why, "err", tuple(actions), text.detail)


def _gone(error: LoupeError, kept: int, cause: str) -> Banner:
    text = describe(error)
    if kept:
        what = QCoreApplication.translate("Facts", "The server stopped in the middle of an answer")
        words = QCoreApplication.translate("Facts", "The %n token(s) so far are kept.", "", kept)
    else:
        what = QCoreApplication.translate("Facts", "The server stopped before the answer began")
        words = ""
    said = text.detail if error.code == "server.engine_dead" and not cause else ""
    log = ("log", QCoreApplication.translate("Facts", "Show log"))
    if cause:
        again = ("again", QCoreApplication.translate("Facts", "Start again"))
    else:
        again = ("again", QCoreApplication.translate("Facts", "Try again"))
    return Banner(what, joined(cause or text.what, words), "err", (log, again), said)


def _again(error: LoupeError) -> str:
    """A server that still answers is only asked again."""
    if error.code.startswith("server.") and error.code not in GONE:
        return QCoreApplication.translate("Facts", "Ask again")
    return QCoreApplication.translate("Facts", "Try again")
