"""What continues what, and a search in parts."""

from __future__ import annotations

from array import array

import msgspec
import pytest

from core.prompt.context import Group, Who
from desktop.context.model import Finder, Sight
from tests.fakes.sights import MESSAGES, VOCABULARY, numbers, sight


def test_a_longer_last_group_continues() -> None:
    before = sight()
    who, tokens = MESSAGES[-1]
    assert sight(*MESSAGES[:-1], (who, [*tokens, 3])).continues(before)
    assert sight(*MESSAGES, (Who.ASSISTANT, [3])).continues(before)
    assert before.continues(sight()) and not before.continues(None)


@pytest.mark.parametrize(
    "other",
    [
        sight(*MESSAGES[:-1]),
        sight(*MESSAGES[1:]),
        sight((Who.SYSTEM, [*MESSAGES[0][1][:-1], 3]), *MESSAGES[1:]),
        sight(typed=(1,)),
    ],
    ids=["shorter", "without the first", "another token", "another typed"],
)
def test_anything_else_does_not(other: Sight) -> None:
    assert not other.continues(sight())


def test_other_borders_are_not_the_same() -> None:
    before = sight()
    groups = (Group(Who.PROMPT, 0, len(before.context.ids)),)
    whole = Sight(msgspec.structs.replace(before.context, groups=groups), VOCABULARY, before.budget)
    assert not whole.continues(before)


# --- finding ------------------------------------------------------------------------------------------------

IDS = array("I", numbers("You", " capital", " of", " capital", "\n"))


def find(words: str, start: int, step: int = 1, part: int = 1000) -> int | None:
    finder = Finder(IDS, VOCABULARY, words, start, step)
    while not finder.over:
        finder.advance(part)
    return finder.found


@pytest.mark.parametrize("part", [1, 2, 1000])
@pytest.mark.parametrize(
    ("words", "start", "step", "found"),
    [
        ("capital", 0, 1, 1), ("capital", 2, 1, 3), ("capital", 4, 1, 1), ("capital", 0, -1, 3),
        ("↵", 0, 1, 4), (str(IDS[2]), 0, 1, 2), ("nowhere", 2, 1, None), ("", 0, 1, None),
        ("you", 0, -1, 0),
    ],
)  # fmt: skip
def test_all_around_in_parts_of_any_size(
    part: int, words: str, start: int, step: int, found: int | None
) -> None:
    assert find(words, start, step, part) == found


def test_each_id_is_looked_at_once() -> None:
    asked: list[int] = []

    class Counting:
        def bytes_of(self, token: int) -> bytes:
            asked.append(token)
            return b"x"

        def is_special(self, token: int) -> bool:
            return False

        def is_part(self, token: int) -> bool:
            return False

    finder = Finder([5, 6] * 50_000, Counting(), "zz", 0, 1)  # type: ignore[arg-type]
    parts = 0
    while not finder.over:
        finder.advance()
        parts += 1
    assert set(asked) == {5, 6} and len(asked) == 4 and parts == 25


def test_nothing_to_search_is_over_at_once() -> None:
    assert Finder([], VOCABULARY, "x", 3, 1).over
