"""Rows become a table: held characters, stop strings over several tokens, thinking in all its shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chat.dialogue import spoken
from core.chat.messages import Answer, Thinking
from core.chat.state import ChatState
from core.chat.thinking import ThinkingMarkers
from core.chat.writer import AnswerWriter
from core.engines.base import EngineInfo, Sampling, Speculation
from core.tokens.row import TokenRow
from core.tokens.table import MARK_AFTER_STOP, MARK_SPECIAL, MARK_SPLIT, MARK_THINKING, TokenTable
from tests.fakes.scripted_engine import END, END_THINK, THINK, byte_vocabulary, finished, row, rows

MARKERS = ThinkingMarkers("<think>", "</think>")


def blank() -> Answer:
    return Answer(TokenTable(), "", Sampling(), EngineInfo("local", "m"), 0.0, state=ChatState.FINISHED)


def written(
    tokens: list[TokenRow],
    stop: str | int | None = None,
    *,
    opened: bool = False,
    words: tuple[str, ...] = (),
) -> Answer:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary(words), MARKERS, thinking_open=opened)
    for one in tokens:
        writer.add([one])
    writer.close(finished(len(tokens), stop_reason=stop))
    return answer


def marked(answer: Answer, mark: int) -> list[int]:
    return [index for index in range(len(answer.table)) if answer.table.mark(index) & mark]


def test_a_split_character_waits_and_then_belongs_to_all_its_tokens() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary())
    assert writer.add(rows("a")) == 1
    assert [writer.add([one]) for one in rows("👩")] == [0, 0, 0, 4]
    assert answer.table.text == "a👩"
    assert marked(answer, MARK_SPLIT) == [1, 2, 3, 4]


def test_a_character_that_never_completes_comes_out_at_the_end_once() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary())
    writer.add(rows("x👩".encode()[:3]))
    assert len(answer.table) == 1 and len(writer.waiting) == 2
    assert writer.close(None) == 2
    assert writer.close(None) == 0
    assert answer.table.text == "x\ufffd"
    assert len(answer.table) == 3


def test_special_tokens_are_marked_and_not_spoken() -> None:
    answer = written([*rows("hi"), row(END, 1.0)], END)
    assert answer.table.text == "hi<|end|>"
    assert marked(answer, MARK_SPECIAL) == [2]
    assert answer.cut is None
    assert spoken(answer) == "hi"


def test_special_tokens_in_the_middle_are_left_out_of_the_text() -> None:
    answer = written([*rows("é"), row(END, 1.0), *rows("👩z"), row(END, 2.0), row(END, 3.0)])
    assert spoken(answer) == "é👩z"


def test_a_stop_string_over_several_tokens_cuts_where_it_begins() -> None:
    answer = written([*rows("👩 one"), *rows("\nUser:"), *rows(" past")], "\nUser:")
    assert answer.cut == len("👩 one") + 1  # UTF-16
    assert spoken(answer) == "👩 one"
    first = len("👩 one".encode())
    assert marked(answer, MARK_AFTER_STOP) == list(range(first, len(answer.table)))


def test_the_token_in_which_the_stop_string_begins_is_not_wholly_after_it() -> None:
    vocabulary_words = ("one\nUs", "er: two", " three")
    answer = written([row(259, 1.0), row(260, 2.0), row(261, 3.0)], "\nUser:", words=vocabulary_words)
    assert answer.cut == 3
    assert marked(answer, MARK_AFTER_STOP) == [1, 2]
    assert spoken(answer) == "one"


def test_the_first_place_of_the_stop_string_counts() -> None:
    answer = written(rows("a##b##"), "##")
    assert answer.cut == 1


@pytest.mark.parametrize("stop", ["not there", "", 17, None])
def test_a_stop_that_is_not_in_the_text_cuts_nothing(stop: str | int | None) -> None:
    answer = written(rows("text"), stop)
    assert answer.cut is None
    assert marked(answer, MARK_AFTER_STOP) == []


def test_a_stop_id_that_is_ordinary_text_is_no_part_of_the_answer() -> None:
    answer = written(rows("yes."), ord("."))
    assert answer.cut == 3
    assert spoken(answer) == "yes"
    assert marked(answer, MARK_AFTER_STOP) == [3]


@given(st.text(max_size=30), st.text(min_size=1, max_size=4), st.text(max_size=10))
def test_what_is_spoken_ends_where_the_stop_string_begins(before: str, stop: str, after: str) -> None:
    text = before + stop + after
    answer = written(rows(text), stop)
    assert spoken(answer) == text[: text.index(stop)]


# --- thinking ------------------------------------------------------------------------------------------


def test_thinking_in_single_special_tokens() -> None:
    tokens = [row(THINK, 1.0), *rows("hm 👩"), row(END_THINK, 2.0), *rows("\n\nyes"), row(END, 3.0)]
    answer = written(tokens, END)
    count = 2 + len("hm 👩".encode())
    assert answer.thinking == Thinking(count, len("<think>hm 👩</think>") + 1, closed=True)
    assert marked(answer, MARK_THINKING) == list(range(count))
    assert spoken(answer) == "yes"


def test_thinking_markers_split_over_many_tokens() -> None:
    answer = written(rows(" \n<think>hm</think>yes"))
    count = len(" \n<think>hm</think>")
    assert answer.thinking == Thinking(count, count, closed=True)
    assert marked(answer, MARK_THINKING) == list(range(count))
    assert spoken(answer) == "yes"


def test_a_token_that_closes_thinking_and_goes_on_belongs_to_it_but_its_text_is_kept() -> None:
    answer = written([*rows("<think>x"), row(259, 1.0), *rows("s")], words=("</think>ye",))
    assert answer.thinking is not None and answer.thinking.closed
    assert answer.thinking.tokens == len("<think>x") + 1
    assert spoken(answer) == "yes"


def test_thinking_that_began_in_the_prompt_has_only_the_closing_marker() -> None:
    answer = written([*rows("hm"), row(END_THINK, 1.0), *rows("yes")], opened=True)
    assert answer.thinking == Thinking(3, len("hm</think>"), closed=True)
    assert spoken(answer) == "yes"
    assert len(answer.table) == 6


@pytest.mark.parametrize("opened", [True, False])
def test_thinking_that_does_not_end_is_unfinished_and_says_nothing(opened: bool) -> None:
    tokens = rows("still on it </thin") if opened else [row(THINK, 1.0), *rows("still on it")]
    answer = written(tokens, opened=opened)
    assert answer.thinking == Thinking(len(tokens), answer.table.length, closed=False)
    assert len(marked(answer, MARK_THINKING)) == len(tokens)
    assert spoken(answer) == ""


@pytest.mark.parametrize("text", ["yes", "<thin", "<thinking>no", "a <think>b</think>", "</think>x", ""])
def test_what_only_looks_like_thinking_is_text(text: str) -> None:
    answer = written(rows(text))
    assert answer.thinking is None
    assert marked(answer, MARK_THINKING) == []
    assert spoken(answer) == text


def test_a_family_without_markers_never_thinks() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary(), None, thinking_open=True)
    writer.add([row(THINK, 1.0), *rows("a")])
    writer.close(finished(2))
    assert answer.thinking is None


def test_thinking_is_known_while_it_streams() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary(), MARKERS)
    writer.add([row(THINK, 1.0)])
    assert answer.thinking == Thinking(1, 7, closed=False)
    writer.add(rows("ab"))
    assert answer.thinking == Thinking(3, 9, closed=False)


@given(st.text(max_size=20).filter(lambda text: "</think>" not in text), st.text(max_size=20), st.booleans())
def test_thinking_and_answer_are_parted_for_any_text(inside: str, after: str, opened: bool) -> None:
    start = "" if opened else "<think>"
    answer = written(rows(f"{start}{inside}</think>{after}"), opened=opened)
    assert answer.thinking is not None and answer.thinking.closed
    assert answer.thinking.tokens == len(f"{start}{inside}</think>".encode())
    assert spoken(answer) == after.lstrip("\r\n")


def test_guesses_are_marked_when_the_counts_tell_them() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary())
    writer.add(rows("abcd"))
    assert {answer.table.row(index).guess for index in range(4)} == {None}
    writer.close(finished(4, speculation=Speculation(2, 6, 2, (1, 2), (3, 3))))
    assert [answer.table.row(index).guess for index in range(4)] == [False, True, True, False]


def test_counts_alone_mark_nothing() -> None:
    answer = blank()
    writer = AnswerWriter(answer, byte_vocabulary())
    writer.add(rows("ab"))
    writer.close(finished(2, speculation=Speculation(2, 6, 1)))
    assert [answer.table.row(index).guess for index in range(2)] == [None, None]
