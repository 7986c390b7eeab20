"""The words of the Context tab, in the person's language."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from core.prompt.context import Budget, Media, Who
from core.tokens import figures
from core.tokens.label import Sort, characters, label
from core.tokens.vocabulary import Vocabulary
from desktop.context.model import Cache, Form, Parts, Sight

DETAILS_FLAG = "--enable-prompt-tokens-details"


def who(one: Who) -> str:
    """A group's name."""
    return {
        Who.SYSTEM: QCoreApplication.translate("Context", "System"),
        Who.USER: QCoreApplication.translate("Context", "You"),
        Who.ASSISTANT: QCoreApplication.translate("Context", "Answer"),
        Who.THINKING: QCoreApplication.translate("Context", "Thinking"),
        Who.TEMPLATE: QCoreApplication.translate("Context", "Template"),
        Who.NEXT: QCoreApplication.translate("Context", "Next answer"),
        Who.PROMPT: QCoreApplication.translate("Context", "Prompt"),
    }[one]


def tokens(count: int) -> str:
    return QCoreApplication.translate("Context", "%Ln token(s)", "", count)


def about(sight: Sight) -> str:
    """What the tokens are, behind their number."""
    if not sight.answer:
        return QCoreApplication.translate("Context", "exactly what the model reads before the next answer")
    if sight.live:
        return QCoreApplication.translate("Context", "exactly what the model has read and written so far")
    return QCoreApplication.translate("Context", "exactly what the model read and wrote")


def parts(sight: Sight) -> str:
    """Why the messages cannot be told apart; "" if they can."""
    return {
        Parts.KNOWN: "",
        Parts.OTHER_MODEL: QCoreApplication.translate(
            "Context", "The messages cannot be told apart: the model in use is not the one that read this."
        ),
        Parts.NOT_READY: QCoreApplication.translate(
            "Context", "The messages can be told apart when the model is ready."
        ),
        Parts.NOT_TOLD: QCoreApplication.translate(
            "Context", "The messages cannot be told apart: the server does not tell which made which token."
        ),
        Parts.CHANGED: QCoreApplication.translate(
            "Context", "The messages cannot be told apart: rendered again today they give other tokens."
        ),
    }[sight.parts]


def cached(sight: Sight) -> str:
    """What is known of the KV cache."""
    budget = sight.budget
    if budget.reused is not None:
        text = (
            QCoreApplication.translate("Context", "{n} came from the KV cache")
            if sight.answer and not sight.live
            else QCoreApplication.translate("Context", "{n} already in the KV cache")
        )
        return text.format(n=figures.count(budget.reused))
    if sight.cache is Cache.LATER:
        return QCoreApplication.translate("Context", "the part in the KV cache is told when it is read")
    if sight.engine == "vllm":
        text = QCoreApplication.translate("Context", "KV cache: not told by the server ({flag})")
        return text.format(flag=DETAILS_FLAG)
    return QCoreApplication.translate("Context", "KV cache: not recorded")


def room(sight: Sight) -> str:
    """What was or is to be read anew, and what is left of the context, with the sum it comes from."""
    budget, facts = sight.budget, []
    if budget.reused is not None:
        text = (
            QCoreApplication.translate("Context", "{n} read anew")
            if sight.answer and not sight.live
            else QCoreApplication.translate("Context", "{n} to read")
        )
        facts.append(text.format(n=figures.count(budget.to_read)))
    if budget.written:
        text = QCoreApplication.translate("Context", "{n} written")
        facts.append(text.format(n=figures.count(budget.written)))
    known = all(medium.expanded for medium in sight.context.media)
    return " · ".join((*facts, _left(budget) if known else _so_far(budget)))


def _so_far(budget: Budget) -> str:
    """The server will make more tokens of pictures and sounds than stand here."""
    if budget.limit is None:
        return _left(budget)
    text = QCoreApplication.translate("Context", "{total} of {limit}, media not counted yet")
    return text.format(total=figures.count(budget.total), limit=figures.count(budget.limit))


def _left(budget: Budget) -> str:
    if budget.limit is None or budget.left is None:
        return QCoreApplication.translate("Context", "context limit not known")
    total, limit = figures.count(budget.total), figures.count(budget.limit)
    if budget.left < 0:
        text = QCoreApplication.translate("Context", "{total} − {limit} = {over} too many")
        return text.format(total=total, limit=limit, over=figures.count(-budget.left))
    text = QCoreApplication.translate("Context", "{limit} − {total} = {left} left")
    return text.format(limit=limit, total=total, left=figures.count(budget.left))


def form(one: Form) -> str:
    return {
        Form.TOKENS: QCoreApplication.translate("Context", "Show as: tokens"),
        Form.IDS: QCoreApplication.translate("Context", "Show as: ids"),
        Form.TEXT: QCoreApplication.translate("Context", "Show as: text"),
    }[one]


def typed() -> str:
    """The mark of a special token that a person typed."""
    return QCoreApplication.translate("Context", "typed")


def medium(one: Media) -> str:
    """A folded picture, sound or video."""
    kind = {
        "image": QCoreApplication.translate("Context", "image"),
        "sound": QCoreApplication.translate("Context", "sound"),
        "video": QCoreApplication.translate("Context", "video"),
    }[one.kind]
    if not one.expanded:
        text = QCoreApplication.translate("Context", "{kind}, expanded by the server")
        return text.format(kind=kind)
    text = QCoreApplication.translate("Context", "{kind}, {tokens}")
    return text.format(kind=kind, tokens=tokens(one.last - one.first))


def token(sight: Sight, index: int) -> str:
    """All of one token in a line: for tooltips and screen readers."""
    ids, vocabulary = sight.context.ids, sight.vocabulary
    shown = label(vocabulary, ids[index])
    position = QCoreApplication.translate("Context", "Position {n}").format(n=figures.count(index))
    number = QCoreApplication.translate("Context", "id {id}").format(id=ids[index])
    facts = [position, number, shown.text]
    if shown.size:
        facts.append(QCoreApplication.translate("Context", "%n byte(s)", "", shown.size))
    if shown.sort is Sort.SPECIAL:
        facts.append(QCoreApplication.translate("Context", "special token"))
        if index in sight.context.typed:
            facts.append(typed())
    elif shown.sort is Sort.BYTES:
        facts.append(_of_character(vocabulary, ids, index))
    elif shown.sort is Sort.ABSENT:
        facts.append(QCoreApplication.translate("Context", "not in the vocabulary"))
    return " · ".join(facts)


def _of_character(vocabulary: Vocabulary, ids: Sequence[int], index: int) -> str:
    """Of which character the bytes are a part: it begins in this token or in one shortly before."""
    for at in range(index, max(-1, index - 4), -1):
        text = characters(vocabulary, ids, at)
        if text and "\ufffd" not in text:
            return QCoreApplication.translate("Context", "part of {character}").format(character=text.strip())
    return QCoreApplication.translate("Context", "no whole character")


def spoken(sight: Sight, index: int) -> str:
    """The token as a screen reader says it, with whose it is."""
    group = next((one for one in sight.context.groups if one.first <= index < one.last), None)
    facts = token(sight, index).replace(" · ", ", ")
    return f"{who(group.who)}, {facts}" if group is not None else facts
