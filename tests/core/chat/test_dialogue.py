"""What goes into the next prompt: always alternating, only what was said, and never more than fits."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chat.dialogue import NOT_SENT, dialogue, fit, notes
from core.chat.messages import Answer, Conversation, Message
from core.chat.state import ChatState
from core.chat.writer import AnswerWriter
from core.engines.base import EngineInfo, Sampling
from core.errors import EngineError, PromptError
from core.prompt.base import TEMPLATE, ChatMessage, Prompt
from core.tokens.table import TokenTable
from tests.fakes.scripted_engine import byte_vocabulary, finished, rows

VOCABULARY = byte_vocabulary()


def answer(text: str, state: ChatState = ChatState.FINISHED) -> Answer:
    made = Answer(TokenTable(), "", Sampling(), EngineInfo("local", "m"), 0.0, state=state)
    writer = AnswerWriter(made, VOCABULARY)
    writer.add(rows(text))
    writer.close(None if state is ChatState.FAILED else finished(len(text)))
    if state is ChatState.FAILED:
        made.error = EngineError()
    return made


def chat(*turns: tuple[str, Answer | None]) -> Conversation:
    conversation = Conversation()
    for question, reply in turns:
        asked = conversation.add_question(question, 0.0)
        if reply is not None:
            conversation.add_answer(asked.id, reply, 0.0)
    return conversation


def sent(conversation: Conversation, system: str = "") -> list[tuple[str, str]]:
    made = dialogue(system, conversation.path())
    assert len(made.sources) == len(made.messages)
    return [(message.role, message.content) for message in made.messages]


def test_good_and_stopped_answers_are_sent() -> None:
    conversation = chat(("a", answer("A")), ("b", answer("part", ChatState.STOPPED)), ("c", None))
    assert sent(conversation, "S") == [
        ("system", "S"),
        ("user", "a"),
        ("assistant", "A"),
        ("user", "b"),
        ("assistant", "part"),
        ("user", "c"),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        None,
        answer("", ChatState.STOPPED),
        answer(" \n", ChatState.FINISHED),
        answer("half", ChatState.FAILED),
        answer("", ChatState.FAILED),
        answer("x", ChatState.DECODING),
    ],
)
def test_a_turn_that_came_to_nothing_is_left_out_whole(bad: Answer | None) -> None:
    conversation = chat(("a", answer("A")), ("lost", bad), ("c", None))
    assert sent(conversation) == [("user", "a"), ("assistant", "A"), ("user", "c")]
    lost = conversation.path()[2:-1]  # the question, and its answer if there is one
    assert notes(conversation) == {message.id: NOT_SENT for message in lost}


def test_a_failed_last_turn_has_its_note_at_once() -> None:
    conversation = chat(("a", answer("A")), ("b", answer("half", ChatState.FAILED)))
    path = conversation.path()
    assert notes(conversation) == {path[2].id: NOT_SENT, path[3].id: NOT_SENT}


def test_a_running_answer_has_no_note() -> None:
    assert notes(chat(("a", answer("x", ChatState.DECODING)))) == {}


def test_blank_system_text_is_not_sent() -> None:
    assert sent(chat(("a", None)), " \n") == [("user", "a")]


@given(
    st.lists(
        st.sampled_from(["ok", "stopped", "empty", "failed", "none"]).map(
            lambda kind: {
                "ok": lambda: answer("fine"),
                "stopped": lambda: answer("part", ChatState.STOPPED),
                "empty": lambda: answer("", ChatState.STOPPED),
                "failed": lambda: answer("half", ChatState.FAILED),
                "none": lambda: None,
            }[kind]()
        ),
        max_size=8,
    )
)
def test_roles_alternate_whatever_happened(replies: list[Answer | None]) -> None:
    conversation = chat(*[(f"q{index}", reply) for index, reply in enumerate(replies)], ("last", None))
    roles = [role for role, _ in sent(conversation)]
    assert roles == [("user", "assistant")[index % 2] for index in range(len(roles))]
    assert roles[-1] == "user"
    assert sent(conversation)[-1] == ("user", "last")


# --- room ----------------------------------------------------------------------------------------------


def prompt(*parts: tuple[int, int]) -> Prompt:
    origins = array("i", [origin for origin, count in parts for _ in range(count)])
    return Prompt(ids=array("I", range(len(origins))), origins=origins, text="")


MESSAGES = tuple(ChatMessage(role, "") for role in ("system", "user", "assistant", "user"))


def test_a_full_context_is_refused_with_the_numbers() -> None:
    full = prompt((TEMPLATE, 4), (0, 10), (1, 20), (2, 30), (3, 40))
    with pytest.raises(PromptError) as caught:
        fit(full, MESSAGES, Sampling(), 100)
    assert caught.value.code == "prompt.context_full"
    assert caught.value.params == {
        "tokens": 104, "limit": 100, "over": 5, "system": 10, "earlier": 50, "question": 40,
    }  # fmt: skip


def test_exactly_full_is_full_and_one_less_is_not() -> None:
    with pytest.raises(PromptError):
        fit(prompt((0, 100)), MESSAGES[1:2], Sampling(), 100)
    assert fit(prompt((0, 99)), MESSAGES[1:2], Sampling(max_tokens=50), 100).max_tokens == 1


def test_max_tokens_is_cut_to_the_room_and_never_raised() -> None:
    some = prompt((0, 60))
    assert fit(some, MESSAGES[1:2], Sampling(max_tokens=500), 100).max_tokens == 40
    assert fit(some, MESSAGES[1:2], Sampling(max_tokens=10), 100).max_tokens == 10
    assert fit(some, MESSAGES[1:2], Sampling(), 100).max_tokens is None  # the engine goes on to the end
    assert fit(some, MESSAGES[1:2], Sampling(max_tokens=500), None).max_tokens == 500


def test_no_token_at_all_is_an_error() -> None:
    with pytest.raises(PromptError) as caught:
        fit(prompt(), (), Sampling(), 100)
    assert caught.value.code == "prompt.empty"


def test_an_answer_without_its_question_is_not_sent() -> None:
    stray = Message("x", None, "assistant", "", 0.0, answer("A"))
    assert dialogue("", [stray]).messages == ()
    assert dialogue("", [stray]).left_out == {"x"}
