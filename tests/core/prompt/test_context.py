"""Prompts by message: every token in one group, with real templates and real vocabularies."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec
import pytest

from core.prompt.base import TEMPLATE, Attachment, ChatMessage, MediaSpan, Prompt
from core.prompt.context import (
    Budget,
    Context,
    Group,
    Media,
    Who,
    prompt_context,
    unknown_context,
    with_answer,
)
from core.tokens.label import Sort, characters, label
from core.tokens.vocabulary import Flag, Kind, Vocabulary
from tests.core.prompt.conftest import Family, Prompts

SYSTEM = ChatMessage("system", "Answer in verse.")
ASKED = ChatMessage("user", "What is the capital of Australia?")
SAID = ChatMessage("assistant", "Canberra, by the lake.")
AGAIN = ChatMessage("user", "台灣最高的山是？ 👩‍👩‍👧 مرحبا\u0301")
CHAT = (SYSTEM, ASKED, SAID, AGAIN)


def text(family: Family, context: Context, group: Group) -> str:
    ids = context.ids
    return "".join(characters(family.vocabulary, ids, at) for at in range(group.first, group.last))


def rendered(family: Family, messages: Sequence[ChatMessage]) -> tuple[Context, Prompt]:
    prompt = family.prompts.render(messages)
    return prompt_context(prompt, messages, family.vocabulary), prompt


def spoken(context: Context) -> list[Group]:
    """Without what the template has of its own."""
    return [group for group in context.groups if group.who is not Who.TEMPLATE]


def check(context: Context) -> None:
    """The groups are all of the ids, in order, none empty."""
    at = 0
    for group in context.groups:
        assert group.first == at < group.last
        at = group.last
    assert at == len(context.ids)


def test_a_chat_by_message(family: Family) -> None:
    context, _ = rendered(family, CHAT)
    check(context)
    who = [group.who for group in spoken(context)]
    if who[0] is Who.SYSTEM:
        assert who == [Who.SYSTEM, Who.USER, Who.ASSISTANT, Who.USER, Who.NEXT]
    else:  # this family's template puts the system text into the first question
        assert who == [Who.USER, Who.ASSISTANT, Who.USER, Who.NEXT]
    for group, message in zip(reversed(spoken(context)[:-1]), reversed(CHAT), strict=False):
        assert message.content in text(family, context, group)


def test_markers_stand_with_the_message_they_are_about(family: Family) -> None:
    context, _ = rendered(family, CHAT[1:])
    for group in spoken(context)[1:]:
        assert family.vocabulary.is_special(context.ids[group.first]), group
    for group in spoken(context)[:-1]:
        inside = text(family, context, group)
        closing = [
            token for token in context.ids[group.first : group.last] if family.vocabulary.is_special(token)
        ]
        assert len(closing) >= 2, inside


def test_a_lone_question(family: Family) -> None:
    context, _ = rendered(family, [ASKED])
    check(context)
    assert [group.who for group in spoken(context)] == [Who.USER, Who.NEXT]
    own = [group for group in context.groups if group.who is Who.TEMPLATE]
    if family.name == "smollm2":
        assert "helpful AI assistant" in text(family, context, own[0])
    assert ASKED.content in text(family, context, spoken(context)[0])


def test_typed_markers_stay_in_the_message_and_are_marked(family: Family) -> None:
    special = next(
        token for token in family.prompts.render([ASKED]).ids if family.vocabulary.is_special(token)
    )
    marker = label(family.vocabulary, special).text
    typed = ChatMessage("user", f"what does {marker} do")
    context, prompt = rendered(family, [typed])
    check(context)
    assert context.typed == set(prompt.typed_special) != set()
    question = next(group for group in context.groups if group.who is Who.USER)
    assert all(question.first <= at < question.last for at in context.typed)
    assert [group.who for group in spoken(context)] == [Who.USER, Who.NEXT]


def test_every_token_of_every_script_has_a_label(family: Family) -> None:
    context, prompt = rendered(family, [AGAIN])
    sorts = set()
    for token in prompt.ids:
        found = label(family.vocabulary, token)
        assert found.text.strip() and "\n" not in found.text
        sorts.add(found.sort)
    assert {Sort.SPECIAL, Sort.TEXT} <= sorts
    assert Sort.BYTES in sorts or family.vocabulary.kind is Kind.BYTE_FALLBACK  # which has these signs whole
    question = next(group for group in context.groups if group.who is Who.USER)
    assert AGAIN.content in text(family, context, question)


def test_thinking_switched_off_is_part_of_the_next_answer(prompts: Prompts, family: Family) -> None:
    if not family.ready.thinking_switch:
        pytest.skip("this template has no such switch")
    prompt = family.prompts.render([ASKED], thinking=False)
    context = prompt_context(prompt, [ASKED], family.vocabulary)
    check(context)
    assert context.groups[-1].who is Who.NEXT


def test_a_question_without_a_template_is_all_there_is(family: Family) -> None:
    prompt = family.prompts.render([ASKED], plain=True)
    context = prompt_context(prompt, [ASKED], family.vocabulary)
    check(context)
    assert [group.who for group in context.groups] == [Who.USER]


# --- templates made up -------------------------------------------------------------------------------------

PIECES = ["<|user|>", "<|assistant|>", "<end>", "[INST]", "[/INST]", "\n", "hi", "yes", "Today is Monday."]
FLAGS = [Flag.SPECIAL] * 5 + [Flag.NONE] * 4
VOCABULARY = Vocabulary.from_pieces([piece.encode() for piece in PIECES], FLAGS)


def made(*parts: tuple[str, int]) -> Prompt:
    ids = array("I", (PIECES.index(piece) for piece, _ in parts))
    return Prompt(ids, array("i", (origin for _, origin in parts)), "")


def groups(*parts: tuple[str, int], turns: int = 2) -> list[tuple[Who, list[str]]]:
    messages = [ChatMessage(("user", "assistant")[at % 2], "x") for at in range(turns)]
    context = prompt_context(made(*parts), messages, VOCABULARY)
    check(context)
    return [(g.who, [PIECES[t] for t in context.ids[g.first : g.last]]) for g in context.groups]


T = TEMPLATE


def test_markers_that_only_begin_a_turn() -> None:
    found = groups(
        ("<|user|>", T), ("\n", T), ("hi", 0), ("<|assistant|>", T), ("yes", 1), ("<|user|>", T), ("hi", 2),
        ("<|assistant|>", T), turns=3,
    )  # fmt: skip
    assert found == [
        (Who.USER, ["<|user|>", "\n", "hi"]),
        (Who.ASSISTANT, ["<|assistant|>", "yes"]),
        (Who.USER, ["<|user|>", "hi"]),
        (Who.NEXT, ["<|assistant|>"]),
    ]


def test_markers_that_only_end_a_turn() -> None:
    found = groups(("[INST]", T), ("hi", 0), ("[/INST]", T), ("yes", 1), ("<end>", T))
    assert found == [(Who.USER, ["[INST]", "hi", "[/INST]"]), (Who.ASSISTANT, ["yes", "<end>"])]


def test_a_text_of_the_template_between_two_messages_is_a_group_of_its_own() -> None:
    found = groups(
        ("<|user|>", T), ("hi", 0), ("<end>", T), ("\n", T), ("<|user|>", T), ("Today is Monday.", T),
        ("<end>", T), ("<|user|>", T), ("hi", 2), ("<end>", T), turns=3,
    )  # fmt: skip
    assert [who for who, _ in found] == [Who.USER, Who.TEMPLATE, Who.USER]
    assert found[1][1] == ["<|user|>", "Today is Monday.", "<end>"]


def test_a_picture_belongs_to_the_message_it_came_with() -> None:
    picture = Attachment("image", "a.png", "0", "image/png", 9)
    prompt = made(("<|user|>", T), ("[INST]", T), ("hi", T), ("[/INST]", T), ("yes", 0), ("<end>", T))
    prompt = msgspec.structs.replace(prompt, media=(MediaSpan(picture, 0, 2),))
    context = prompt_context(prompt, [ASKED], VOCABULARY)
    assert context.groups == (Group(Who.USER, 0, 6),)
    assert context.media == (Media(2, 3, "image", expanded=False),)
    alone = msgspec.structs.replace(prompt, origins=array("i", [T] * 6))
    assert prompt_context(alone, [ASKED], VOCABULARY).groups[0].who is Who.USER


def test_nothing_of_any_message_is_one_group() -> None:
    assert groups(("<|user|>", T), ("\n", T)) == [(Who.PROMPT, ["<|user|>", "\n"])]


def test_no_ids_no_groups() -> None:
    assert unknown_context(array("I")).groups == ()


# --- with its answer ---------------------------------------------------------------------------------------


def asked() -> Context:
    parts = [("<|user|>", T), ("hi", 0), ("<end>", T), ("<|assistant|>", T)]
    return prompt_context(made(*parts), [ASKED], VOCABULARY)


def test_the_answer_takes_the_opening_that_was_written_for_it() -> None:
    context = with_answer(asked(), array("I", [7, 2]))
    check(context)
    assert context.groups[-1] == Group(Who.ASSISTANT, 3, 6)
    assert context.read == 4


def test_thinking_stands_before_the_answer() -> None:
    context = with_answer(asked(), array("I", [7, 7, 2]), thinking=2)
    check(context)
    assert context.groups[1:] == (Group(Who.THINKING, 3, 6), Group(Who.ASSISTANT, 6, 7))
    still = with_answer(asked(), array("I", [7, 7]), thinking=2)
    assert still.groups[-1] == Group(Who.THINKING, 3, 6)


def test_without_a_token_yet_it_is_the_prompt() -> None:
    assert with_answer(asked(), array("I")) == asked()


def test_a_prompt_of_unknown_parts_has_its_answer_behind_it() -> None:
    context = with_answer(unknown_context(array("I", [0, 6])), array("I", [7]))
    assert context.groups == (Group(Who.PROMPT, 0, 2), Group(Who.ASSISTANT, 2, 3))


# --- room --------------------------------------------------------------------------------------------------


def test_what_is_left_is_exact_or_not_known() -> None:
    assert Budget(120, limit=32_768).left == 32_648
    assert Budget(96, 24, reused=64, limit=100).left == -20
    assert Budget(96, 24, reused=64).left is None
    assert Budget(96, 24, reused=64).to_read == 32
    assert Budget(96).to_read == 96
