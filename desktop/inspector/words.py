"""The words of a token card, in the person's language, and the whole card as plain text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.tokens import figures
from core.tokens.visible import visible
from desktop.inspector.sentences import sentence
from desktop.inspector.values import CardModel, Fact, Figure, Kind, Label, Name, Note, Row, Shape

ICONS = {
    Kind.EVERYTHING: "eye",
    Kind.RAW: "info",
    Kind.PROCESSED: "sliders",
    Kind.LOGITS: "warn",
    Kind.PROCESSED_LOGITS: "warn",
    Kind.NOTHING: "warn",
}


def name(token: Name) -> str:
    """A token as it is written in the card: blanks seen, never empty."""
    if token.shape is Shape.EMPTY:
        return token.text or QCoreApplication.translate("TokenCard", "no visible text")
    return visible(token.text) if token.shape is Shape.TEXT else token.text


def row_name(row: Row) -> str:
    """A candidate as it is written in its row; two that look the same are told apart by their ids."""
    text = name(row.name)
    return f"{text}  {row.id}" if row.twin else text


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
    if not model.bytes_count and model.name.shape is Shape.BYTES:
        count = QCoreApplication.translate("TokenCard", "bytes not known")
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


def figure_label(figure: Figure) -> str:
    """What a large number is, in short."""
    if figure.label is Label.LEFT:
        return QCoreApplication.translate("TokenCard", "Left")
    return label(figure.label, figure.number)


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
        if any(remark.note is Note.BARE for remark in model.remarks):
            return QCoreApplication.translate("TokenCard", "Asked for without numbers")
        if not model.helpless:
            return QCoreApplication.translate("TokenCard", "No numbers for this token")
        return QCoreApplication.translate("TokenCard", "No numbers from this server")
    if model.kind is Kind.PROCESSED:
        base = QCoreApplication.translate("TokenCard", "Processed: what was drawn from")
        return " · ".join((base, *_guessed(model)))
    if model.kind is Kind.LOGITS:
        base = QCoreApplication.translate("TokenCard", "Raw logits: scores only")
        return " · ".join((base, *_guessed(model)))
    if model.kind is Kind.PROCESSED_LOGITS:
        base = QCoreApplication.translate("TokenCard", "Processed logits: scores after the settings")
        return " · ".join((base, *_guessed(model)))
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
    found += _guessed(model)
    if not model.ranked and model.kind is Kind.RAW:
        found.append(QCoreApplication.translate("TokenCard", "rank not sent"))
    return found


def _guessed(model: CardModel) -> list[str]:
    return [QCoreApplication.translate("TokenCard", "guessed ahead")] if model.guess else []


def between(count: int) -> str:
    return QCoreApplication.translate("TokenCard", "%n more in between", "", count)


def rank(row: Row) -> str:
    return "?" if row.rank is None else figures.count(row.rank)


def everything_else() -> str:
    return QCoreApplication.translate("TokenCard", "Everything else")


def guess_kept(model: CardModel) -> str:
    if model.kept_guesses is None:
        return QCoreApplication.translate("TokenCard", "Guess kept")
    kept, offered = model.kept_guesses
    text = QCoreApplication.translate("TokenCard", "Guess kept: {a} of {n} kept in this step")
    return text.format(a=kept, n=offered)


def bytes_label() -> str:
    return QCoreApplication.translate("TokenCard", "Bytes")


def as_text(model: CardModel) -> str:
    """The whole card as plain text, for the clipboard."""
    lines = [heading(model), place(model)]
    lines += [f"{figure_label(one)}: {value(one)}" for one in model.figures]
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
        lines.append(guess_kept(model))
    data = b"".join(piece.data for piece in model.pieces) if model.pieces else model.data
    if data:
        lines.append(f"{bytes_label()}: {data.hex(' ').upper()}")
    for remark in model.remarks:
        lines += [line for line in (sentence(model, remark), remark.flag) if line]
    return "\n".join(lines)
