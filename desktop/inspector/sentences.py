"""The sentences below a card's numbers, in the person's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.inspector.values import CardModel, Note, Remark

_QUOTED = 240  # characters of a server's own words


def sentence(model: CardModel, remark: Remark) -> str:
    """What a remark says. Its flag stands below it."""
    note, values = remark.note, list(remark.values)
    if note is Note.CUT_BY and not values:
        return QCoreApplication.translate("TokenCard", "Grey: cut by the sampler.")
    if note is Note.NO_NUMBER and model.engine == "vllm":
        return QCoreApplication.translate(
            "TokenCard", "The server sent no numbers for it. Id and bytes come from the vocabulary."
        )
    if note is Note.SCORES_ONLY and remark.flag:
        return QCoreApplication.translate(
            "TokenCard", "Scores cannot be turned into shares without the whole vocabulary. Start without:"
        )
    if note is Note.REFUSED:
        return _refused(*values)
    if note is Note.CUT_BY_ONE_OF:
        choice = QCoreApplication.translate("TokenCard", "{these} or {last}")
        values = [choice.format(these=", ".join(values[:-1]), last=values[-1])]
    known = _of_numbers() | _of_what_is_missing()
    named = ", ".join(values)
    return known[note].format(filters=named, settings=named)


def _refused(status: str, said: str) -> str:
    text = QCoreApplication.translate(
        "TokenCard",
        "It refused log probabilities with status {status}, so the answer came without them. Id and bytes "
        "are from the tokenizer on this computer. Ask again, or check on the Model tab.",
    ).format(status=status)
    if not said:
        return text
    short = said if len(said) <= _QUOTED else said[:_QUOTED].rstrip() + "…"
    return "\n".join(
        (text, QCoreApplication.translate("TokenCard", "Its words: {words}").format(words=short))
    )


def _of_numbers() -> dict[Note, str]:
    """On what stands above."""
    return {
        Note.CUT_BY: QCoreApplication.translate("TokenCard", "Grey: cut by {filters}."),
        Note.CUT_BY_ONE_OF: QCoreApplication.translate("TokenCard", "Grey: cut by the sampler ({filters})."),
        Note.CUT_GREEDY: QCoreApplication.translate("TokenCard", "Grey candidates had no chance."),
        Note.PROCESSED_BY: QCoreApplication.translate("TokenCard", "After {settings}. No heat in this mode."),
        Note.PROCESSED_GREEDY: QCoreApplication.translate(
            "TokenCard", "At temperature 0 nothing is drawn, so this mode lists no candidates."
        ),
        Note.RANK_OF_SERVER: QCoreApplication.translate(
            "TokenCard", "The rank is the server’s own and may count ties."
        ),
        Note.FORM_MASK: QCoreApplication.translate(
            "TokenCard",
            "What the form of the answer forbids has no chance here: its mask shows in every mode.",
        ),
        Note.TURNED_DOWN: QCoreApplication.translate(
            "TokenCard", "What a turned-down guess was, the server does not say."
        ),
        Note.STEP_PIECES: QCoreApplication.translate(
            "TokenCard", "Left and right arrow keys step between the pieces."
        ),
        Note.AFTER_STOP: QCoreApplication.translate(
            "TokenCard", "Came with or after the stop string: not part of the answer."
        ),
    }


def _of_what_is_missing() -> dict[Note, str]:
    """Why it is, and what would change that."""
    return {
        Note.SAMPLER_NOT_SENT: QCoreApplication.translate(
            "TokenCard", "What the sampler did comes, in place of these numbers, from a server started with:"
        ),
        Note.MODEL_NOT_SENT: QCoreApplication.translate(
            "TokenCard", "The model’s own probability comes from a server started with:"
        ),
        Note.SCORES_ONLY: QCoreApplication.translate(
            "TokenCard", "Scores cannot be turned into shares without the whole vocabulary."
        ),
        Note.RANK_NOT_SENT: QCoreApplication.translate(
            "TokenCard", "The exact rank needs a server started with:"
        ),
        Note.RANK_UNCLEAR: QCoreApplication.translate(
            "TokenCard", "The rank is not known: what the server sent does not fit together."
        ),
        Note.NO_NUMBER: QCoreApplication.translate(
            "TokenCard", "The engine gave no probabilities for it. Id and bytes come from the vocabulary."
        ),
        Note.BARE: QCoreApplication.translate(
            "TokenCard",
            "This answer was asked for without token numbers. Id and bytes are from the tokenizer on this "
            "computer.",
        ),
        Note.UNCLEAR: QCoreApplication.translate(
            "TokenCard",
            "What this server’s numbers mean could not be found out, so none are shown. The Model tab has "
            "what was asked and answered.",
        ),
        Note.SERVER_HAS_NONE: QCoreApplication.translate(
            "TokenCard",
            "This server sends no log probabilities. Id and bytes are from the tokenizer on this computer. "
            "The Model tab has what was asked and answered.",
        ),
        Note.MISSING: QCoreApplication.translate(
            "TokenCard", "What is not shown was not recorded with this answer."
        ),
    }
