"""The tree of a conversation: siblings, the chosen path, the title."""

from __future__ import annotations

import pytest

from core.chat.messages import Answer, Conversation, clean, title_of
from core.engines.base import EngineInfo, Sampling
from core.tokens.table import TokenTable


def answer() -> Answer:
    return Answer(TokenTable(), "", Sampling(), EngineInfo("local", "m"), 0.0)


def chat() -> tuple[Conversation, list[str]]:
    """Two questions; the first with two answers, the second asked after the second of them."""
    conversation = Conversation()
    first = conversation.add_question("one", 1.0)
    left = conversation.add_answer(first.id, answer(), 2.0)
    right = conversation.add_answer(first.id, answer(), 3.0)
    second = conversation.add_question("two", 4.0)
    last = conversation.add_answer(second.id, answer(), 5.0)
    return conversation, [first.id, left.id, right.id, second.id, last.id]


def ids(conversation: Conversation) -> list[str]:
    return [message.id for message in conversation.path()]


def test_the_newest_sibling_is_chosen_and_the_other_is_two_steps_away() -> None:
    conversation, (first, left, right, second, last) = chat()
    assert ids(conversation) == [first, right, second, last]
    assert conversation.place(right) == (2, 2)
    assert conversation.place(first) == (1, 1)
    conversation.select(left)
    assert ids(conversation) == [first, left]
    conversation.select(right)
    assert ids(conversation) == [first, right, second, last]


def test_choosing_a_message_deep_down_chooses_all_above_it() -> None:
    conversation, (first, left, right, second, last) = chat()
    conversation.select(left)
    conversation.select(last)
    assert ids(conversation) == [first, right, second, last]
    conversation.select(left)
    assert [one.id for one in conversation.path_to(last)] == [first, right, second, last]


def test_a_question_goes_where_the_chosen_path_ends() -> None:
    conversation, (first, left, *_) = chat()
    conversation.select(left)
    third = conversation.add_question("three", 6.0)
    assert ids(conversation) == [first, left, third.id]
    assert [one.id for one in conversation.children(left)] == [third.id]
    assert [one.id for one in conversation.siblings(third.id)] == [third.id]


def test_only_a_question_has_answers_and_a_parent_must_be_there() -> None:
    conversation, (_, left, *_) = chat()
    with pytest.raises(ValueError):
        conversation.add_answer(left, answer(), 7.0)
    with pytest.raises(KeyError):
        conversation.add_answer("nobody", answer(), 7.0)


def test_a_chosen_child_that_is_gone_gives_way_to_the_newest() -> None:
    conversation, (first, _, right, second, last) = chat()
    conversation.chosen = {first: "nobody"}
    assert ids(conversation) == [first, right, second, last]


def test_the_first_question_gives_the_title_and_only_that() -> None:
    conversation, _ = chat()
    assert conversation.title == "one"
    named = Conversation(title="mine")
    named.add_question("theirs", 0.0)
    assert named.title == "mine"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("hello", "hello"),
        ("\n\n  two   words \r\nmore", "two words"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("word " * 20, ("word " * 12).strip() + "…"),
        ("longer " * 20, ("longer " * 8).strip() + "…"),
        ("是" * 80, "是" * 59 + "…"),
        ("", ""),
        ("\u2028\n", ""),
        # never inside a sign: a family, a combining mark, a flag
        ("x" * 57 + "👩\u200d👧" + "x" * 20, "x" * 57 + "…"),
        ("x" * 58 + "e\u0301" + "x" * 20, "x" * 58 + "…"),
        ("x" * 58 + "🇹🇼" + "x" * 20, "x" * 58 + "…"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert title_of(text) == title


def test_clean_keeps_all_text_and_replaces_what_is_none() -> None:
    kept = "a\tb\r\n\u00a0 \u2028 e\u0301 👩\u200d👧 \x00"
    assert clean(kept) == kept
    assert clean("a\ud83d\ude00b\ud800") == "a😀b\ufffd"
