"""The words under an answer and its question, for every way an answer can end."""

from __future__ import annotations

import math

import pytest

from core.chat.messages import Answer, PromptFacts
from core.chat.state import ChatState
from core.errors import EngineError
from desktop.chat import facts
from tests.core.chat.saved import answer
from tests.fakes.scripted_engine import finished


def ended(reason: str, stop: object = None, state: ChatState = ChatState.FINISHED) -> Answer:
    return answer("abcd", state, finished=finished(4, reason=reason, stop_reason=stop))


@pytest.mark.parametrize(
    ("made", "end"),
    [
        (ended("stop", 256), ""),
        (ended("stop", "\nUser:"), "ended at a stop string"),
        (ended("length"), "ended at the limit of new tokens"),
        (ended("context"), "ended because the context is full"),
        (ended("stopped", state=ChatState.STOPPED), "stopped by you"),
    ],
    ids=["usual", "stop string", "limit", "context", "person"],
)
def test_how_it_ended_stands_last_where_that_is_not_the_usual_way(made: Answer, end: str) -> None:
    parts = facts.facts(made, 0.3).split(" · ")
    assert parts[1:4] == ["50.0 tok/s", "first token 0.10 s", "perplexity 2.00"]
    assert parts[5:] == ([end] if end else [])


def test_nothing_is_said_of_an_answer_without_tokens_but_its_end() -> None:
    assert facts.facts(answer("", ChatState.FAILED), 0.3) == ""
    assert facts.facts(answer("", ChatState.STOPPED), 0.3) == "stopped by you"
    assert facts.facts(answer("", ChatState.DECODING), 0.3) == ""


def test_a_running_answer_has_the_speed_it_is_given_and_no_verdicts() -> None:
    parts = facts.facts(answer("abcd", ChatState.DECODING, finished=None), 0.3, 12.34).split(" · ")
    assert parts[1:] == ["12.3 tok/s", "first token 0.10 s", "streaming"]


def test_perplexity_needs_a_number_of_every_token() -> None:
    """A missing one is unknown, and an average over the others would be a made-up number."""
    made = answer("ab")
    assert facts.perplexity(made.table) == pytest.approx(2.0)
    made.table.columns["logprob"][1] = math.nan
    assert facts.perplexity(made.table) is None
    assert "perplexity" not in facts.facts(made, 0.3)
    assert facts.perplexity(answer("").table) is None


def test_doubtful_are_those_below_the_threshold() -> None:
    made = answer("abc")
    made.table.columns["logprob"][0] = math.nan
    assert facts.doubtful(made.table, 0.5) == 0
    assert facts.doubtful(made.table, 0.51) == 2


def test_the_footers_buttons_follow_from_the_answers_state() -> None:
    done, runs = answer("ab"), answer("ab", ChatState.DECODING)
    failed = answer("", ChatState.FAILED, error=EngineError("engine.failed"))
    assert facts.footer(done, (1, 1), 0.3, can_ask=True).actions == ("copy", "again")
    assert facts.footer(done, (1, 1), 0.3, can_ask=False).actions == ("copy",)
    assert facts.footer(runs, (1, 1), 0.3, can_ask=False).actions == ()
    assert facts.footer(failed, (1, 1), 0.3, can_ask=True).actions == ()  # its banner has the button
    assert facts.footer(done, (1, 1), 0.3, can_ask=True).branch is None
    assert facts.footer(done, (2, 3), 0.3, can_ask=True).branch == (2, 3)
    assert facts.footer(runs, (2, 3), 0.3, can_ask=False).branch is None


@pytest.mark.parametrize(
    ("prompt", "left_out", "expected"),
    [
        (PromptFacts(), False, ""),
        (PromptFacts(), True, "Not sent with the next question: its answer was cut off."),
        (PromptFacts(plain=True), False, "Sent without a template."),
        (
            PromptFacts(plain=True, unsent=2),
            False,
            "Sent without a template: only this text, no system prompt and no earlier messages.",
        ),
    ],
    ids=["none", "left out", "plain", "plain and alone"],
)
def test_the_note_below_a_question(prompt: PromptFacts, left_out: bool, expected: str) -> None:
    assert facts.note(answer("ab", prompt=prompt), left_out=left_out) == expected


def test_a_question_without_any_answer_says_so() -> None:
    assert facts.note(None, left_out=True) == "Not sent with the next question: it has no answer."


def test_a_begin_token_too_many_is_told_beside_the_rest() -> None:
    note = facts.note(answer("ab", prompt=PromptFacts(plain=True, bos_removed=1)), left_out=False)
    assert note.startswith("Sent without a template. 1 begin token")


def test_a_question_without_an_answer_has_only_what_is_known() -> None:
    assert facts.note(None, left_out=False) == ""
    assert facts.note(None, left_out=True) != ""


def test_the_waiting_line_counts_what_is_left_to_read() -> None:
    assert facts.reading(1240, 0, 1.44) == "reading 1,240 tokens, 1.4 s"
    assert facts.reading(1240, 240, 2.0) == "reading 1,000 tokens, 2.0 s · 240 known from before"


def test_the_waiting_line_does_not_say_what_is_left_to_read_where_no_server_told() -> None:
    assert facts.reading(1240, None, 1.44) == "prompt of 1,240 tokens, 1.4 s"


def test_a_surprise_beyond_all_numbers_is_no_perplexity() -> None:
    made = answer("ab")
    made.table.columns["logprob"][1] = -5000.0
    assert facts.perplexity(made.table) is None
