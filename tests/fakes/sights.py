"""Contexts made up for tests of the Context tab: messages as lists of tokens."""

from __future__ import annotations

from array import array

from core.prompt.context import Budget, Context, Group, Media, Who
from core.tokens.vocabulary import Flag, Vocabulary
from desktop.context.model import Sight

START, END = "<|im_start|>", "<|im_end|>"
WORDS = ["You", " are", " careful", ".", "\n", " capital", " of", "\t", "user", " Australia", "峯", "مرحبا"]
PIECES = [START.encode(), END.encode(), *(word.encode() for word in WORDS), b"\xe5\xb3", b"\xaf"]
VOCABULARY = Vocabulary.from_pieces(PIECES, [Flag.SPECIAL] * 2 + [Flag.NONE] * (len(PIECES) - 2))


def numbers(*pieces: str | bytes) -> list[int]:
    return [PIECES.index(piece if isinstance(piece, bytes) else piece.encode()) for piece in pieces]


MESSAGES: tuple[tuple[Who, list[int]], ...] = (
    (Who.SYSTEM, numbers(START, "You", " are", " careful", ".", END, "\n")),
    (Who.USER, numbers(START, "user", "\n", "\t", " capital", " of", " Australia", END, "\n")),
    (Who.ASSISTANT, numbers(START, "\n", b"\xe5\xb3", b"\xaf", "مرحبا", " capital", END)),
)


def sight(
    *messages: tuple[Who, list[int]],
    typed: tuple[int, ...] = (),
    media: tuple[Media, ...] = (),
    **more: object,
) -> Sight:
    """The three messages above, or others."""
    ids, groups = array("I"), []
    for who, tokens in messages or MESSAGES:
        groups.append(Group(who, len(ids), len(ids) + len(tokens)))
        ids.extend(tokens)
    context = Context(ids, tuple(groups), frozenset(typed), len(ids), media)
    budget = more.pop("budget", None) or Budget(len(ids), limit=32_768)
    return Sight(context, VOCABULARY, budget, **more)  # type: ignore[arg-type]


def long_sight(tokens: int, groups: int = 10) -> Sight:
    """So many tokens of all kinds."""
    size = tokens // groups
    kinds = (Who.USER, Who.ASSISTANT)
    pattern = [at % len(PIECES) for at in range(size)]
    return sight(*((kinds[at % 2], pattern) for at in range(groups)))
