"""The words of a token card, in the person's language, and the whole card as plain text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.tokens import figures
from core.tokens.visible import visible
from desktop.inspector.values import CardModel, Fact, Figure, Kind, Label, Name, Note, Row, Shape

ICONS = {
    Kind.EVERYTHING: "eye",
    Kind.RAW: "info",
    Kind.PROCESSED: "sliders",
    Kind.LOGITS: "warn",
    Kind.NOTHING: "warn",
}


def name(token: Name) -> str:
    """A token as it is written in the card: blanks seen, never empty."""
    if token.shape is Shape.EMPTY:
        return token.text or QCoreApplication.translate("TokenCard", "no visible text")
    return visible(token.text) if token.shape is Shape.TEXT else token.text


def heading(model: CardModel) -> str:
    """What stands on the chip: the token, or the character that its pieces make."""
    return visible(model.sign) if model.pieces and model.sign.strip() else name(model.name)


def place(model: CardModel) -> str:
    """Position, id and bytes."""
    if model.pieces:
        first, last = model.pieces[0].index + 1, model.pieces[-1].index + 1
        if len(model.pieces) == 2:
            text = QCoreApplication.translate("TokenCard", "Tokens {a} and {b}")
        else:
            text = QCoreApplication.translate("TokenCard", "Tokens {a} to {b}")
        where = _of_total(text.format(a=figures.count(first), b=figures.count(last)), model)
        return " · ".join((where, QCoreApplication.translate("TokenCard", "one character"), _id(model)))
    text = QCoreApplication.translate("TokenCard", "Token {a}")
    where = _of_total(text.format(a=figures.count(model.index + 1)), model)
    count = QCoreApplication.translate("TokenCard", "%n byte(s)", "", model.bytes_count)
    return " · ".join((where, _id(model), count))


def _of_total(which: str, model: CardModel) -> str:
    """While the answer grows there is no total: it would be wrong with the next token."""
    if not model.total:
        return which
    of = QCoreApplication.translate("TokenCard", "{which} of {n}")
    return of.format(which=which, n=figures.count(model.total))


def _id(model: CardModel) -> str:
    return QCoreApplication.translate("TokenCard", "id {id}").format(id=model.id)


def value(figure: Figure | Fact) -> str:
    """A number with its unit; the reason why there is none is told by `missing`."""
    if figure.value is None:
        return ""
    if figure.unit == "bits":
        return QCoreApplication.translate("TokenCard", "{n} bits").format(n=figure.value)
    return figure.value


def missing(model: CardModel) -> str:
    if model.engine == "local":
        return QCoreApplication.translate("TokenCard", "not recorded")
    return QCoreApplication.translate("TokenCard", "not sent")


def label(what: Label, number: int = 0) -> str:
    """What a number is."""
    if what is Label.PIECE:
        return QCoreApplication.translate("TokenCard", "Piece {n}").format(n=number)
    words = {
        Label.PROBABILITY: QCoreApplication.translate("TokenCard", "Probability"),
        Label.RANK: QCoreApplication.translate("TokenCard", "Rank"),
        Label.SURPRISE: QCoreApplication.translate("TokenCard", "Surprise"),
        Label.DRAWN_WITH: QCoreApplication.translate("TokenCard", "Drawn with"),
        Label.LEFT: QCoreApplication.translate("TokenCard", "Candidates left"),
        Label.SCORE: QCoreApplication.translate("TokenCard", "Score (logit)"),
        Label.ALL_PIECES: QCoreApplication.translate("TokenCard", "All pieces"),
        Label.ENTROPY: QCoreApplication.translate("TokenCard", "Entropy"),
        Label.MODEL_PROBABILITY: QCoreApplication.translate("TokenCard", "Model probability"),
    }
    return words[what]


def evidence(model: CardModel) -> str:
    """Which kind of numbers these are, and what is special about this token."""
    if model.kind is Kind.NOTHING:
        if model.engine == "local":
            return QCoreApplication.translate("TokenCard", "No numbers for this token")
        return QCoreApplication.translate("TokenCard", "No numbers from this server")
    if model.kind is Kind.PROCESSED:
        return QCoreApplication.translate("TokenCard", "Processed: what was drawn from")
    if model.kind is Kind.LOGITS:
        return QCoreApplication.translate("TokenCard", "Raw logits: scores only")
    special = _special(model)
    if model.greedy:
        base = QCoreApplication.translate("TokenCard", "Greedy: temperature 0")
    elif special:
        both = model.kind is Kind.EVERYTHING
        base = (
            QCoreApplication.translate("TokenCard", "Model and sampler")
            if both
            else QCoreApplication.translate("TokenCard", "Raw")
        )
    elif model.kind is Kind.EVERYTHING:
        base = QCoreApplication.translate("TokenCard", "Model, and what the sampler did")
    else:
        base = QCoreApplication.translate("TokenCard", "What the model thought (raw log probabilities)")
    return " · ".join((base, *special))


def _special(model: CardModel) -> list[str]:
    found = []
    if model.pieces:
        found.append(
            QCoreApplication.translate("TokenCard", "piece {a} of {n}").format(
                a=model.piece, n=len(model.pieces)
            )
        )
    if not model.listed and model.rows:
        count = sum(1 for row in model.rows if not row.chosen)
        found.append(QCoreApplication.translate("TokenCard", "not among the %n listed", "", count))
    if model.guess:
        found.append(QCoreApplication.translate("TokenCard", "guessed ahead"))
    if not model.ranked and model.kind is Kind.RAW:
        found.append(QCoreApplication.translate("TokenCard", "rank not sent"))
    return found


def between(count: int) -> str:
    return QCoreApplication.translate("TokenCard", "%n more in between", "", count)


def rank(row: Row) -> str:
    return "?" if row.rank is None else figures.count(row.rank)


def everything_else() -> str:
    return QCoreApplication.translate("TokenCard", "Everything else")


def guess_kept() -> str:
    return QCoreApplication.translate("TokenCard", "Guess kept")


def bytes_label() -> str:
    return QCoreApplication.translate("TokenCard", "Bytes")


def notes(model: CardModel) -> list[str]:
    """The sentences below the numbers."""
    return [_note(model, note, list(parameters)) for note, parameters in model.notes]


def _note(model: CardModel, note: Note, parameters: list[str]) -> str:
    if note is Note.NOTHING_SENT:
        return model.absent_reason or QCoreApplication.translate(
            "TokenCard", "The engine gave no probabilities for it. Id and bytes come from the vocabulary."
        )
    if note is Note.CUT_BY:
        if not parameters:
            return QCoreApplication.translate("TokenCard", "Grey: cut by the sampler.")
        return QCoreApplication.translate("TokenCard", "Grey: cut by {filters}.").format(
            filters=", ".join(parameters)
        )
    if note is Note.CUT_BY_ONE_OF:
        choice = QCoreApplication.translate("TokenCard", "{these} or {last}").format(
            these=", ".join(parameters[:-1]), last=parameters[-1]
        )
        return QCoreApplication.translate("TokenCard", "Grey: cut by the sampler ({filters}).").format(
            filters=choice
        )
    if note is Note.PROCESSED_BY:
        return QCoreApplication.translate("TokenCard", "After {settings}. No heat in this mode.").format(
            settings=", ".join(parameters)
        )
    words = {
        Note.CUT_GREEDY: QCoreApplication.translate("TokenCard", "Grey candidates had no chance."),
        Note.SAMPLER_NOT_SENT: QCoreApplication.translate(
            "TokenCard", "This server sends the model’s own numbers, so what the sampler kept is not known."
        ),
        Note.SCORES_ONLY: QCoreApplication.translate(
            "TokenCard", "Scores cannot be turned into shares without the whole vocabulary."
        ),
        Note.RANK_NOT_SENT: QCoreApplication.translate(
            "TokenCard", "The exact rank needs a server that sends it."
        ),
        Note.STEP_PIECES: QCoreApplication.translate(
            "TokenCard", "Left and right arrow keys step between the pieces."
        ),
        Note.AFTER_STOP: QCoreApplication.translate(
            "TokenCard", "Came with or after the stop string: not part of the answer."
        ),
        Note.MISSING: QCoreApplication.translate(
            "TokenCard", "What is not shown was not recorded with this answer."
        ),
    }
    return words[note]


def as_text(model: CardModel) -> str:
    """The whole card as plain text, for the clipboard."""
    lines = [heading(model), place(model)]
    lines += [f"{label(one.label, one.number)}: {value(one)}" for one in model.figures]
    lines.append(evidence(model))
    for row in model.rows:
        if row.chosen and model.between:
            lines.append(f"  {between(model.between)}")
        mark = "→" if row.chosen else " "
        lines.append(f"{mark} {rank(row)}  {name(row.name)}  {row.value}  ({row.id})")
    if model.others is not None:
        lines.append(f"  {everything_else()}  {model.others.value}")
    lines += [f"{label(fact.label)}: {value(fact) or missing(model)}" for fact in model.facts]
    if model.guess:
        lines.append(guess_kept())
    data = b"".join(piece.data for piece in model.pieces) if model.pieces else model.data
    lines.append(f"{bytes_label()}: {data.hex(' ').upper()}")
    return "\n".join([*lines, *notes(model)])
