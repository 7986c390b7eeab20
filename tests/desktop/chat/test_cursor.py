"""The token cursor and the keys of the transcript."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.chat.view import AnswerTurn, QuestionTurn, TokenRef, TranscriptView
from desktop.kit.theme import LIGHT
from tests.fakes.answers import Answer, answer, words

TEXT = "The capital of Australia is Canberra and not Sydney as many people often think it is today. " * 3


def turn_of(made: Answer, turn_id: str = "a", **more: object) -> AnswerTurn:
    return AnswerTurn(turn_id, made.table, made.vocabulary, **more)  # type: ignore[arg-type]


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    made = TranscriptView()
    qtbot.addWidget(made)
    made.reduce_motion = True
    made.resize(520, 400)
    made.set_theme(LIGHT)
    made.show()
    return made


def press(view: TranscriptView, *keys: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    for key in keys:
        QTest.keyClick(view, key, modifier or Qt.KeyboardModifier.NoModifier)


def at(view: TranscriptView) -> tuple[str, int] | None:
    ref = view.cursor_token
    return (ref.turn_id, ref.index) if ref is not None else None


def test_arrows_go_by_token_over_the_ends_of_answers(view: TranscriptView) -> None:
    view.set_turns(
        [
            QuestionTurn("q", "?"),
            turn_of(answer(words("one two")), "a1"),
            QuestionTurn("q2", "?"),
            turn_of(answer(words("three")), "a2"),
        ]
    )
    press(view, Qt.Key.Key_Right)
    assert at(view) == ("a1", 0)
    press(view, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert at(view) == ("a2", 0)
    press(view, Qt.Key.Key_Right)
    assert at(view) == ("a2", 0)
    press(view, Qt.Key.Key_Left)
    assert at(view) == ("a1", 1)


def test_tokens_without_text_and_pieces_are_reached(view: TranscriptView) -> None:
    made = answer([b"a", b"", b"\xe5\xb3", b"\xaf", b"\n\n", b"b"])
    view.set_turns([turn_of(made)])
    seen = []
    for _ in range(6):
        press(view, Qt.Key.Key_Right)
        seen.append(at(view))
        assert view.token_rect(TokenRef("a", len(seen) - 1)) is not None
    assert seen == [("a", index) for index in range(6)]


def test_up_down_home_end_go_by_line(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words(TEXT)))])
    view.set_cursor(TokenRef("a", 3))
    first = view.token_rect(TokenRef("a", 3))
    assert first is not None
    press(view, Qt.Key.Key_Down)
    down = view.cursor_token
    assert down is not None
    below = view.token_rect(down)
    assert below is not None
    assert below.top() - first.top() == view._stage.metrics.line
    assert below.left() <= first.center().x() <= below.right() + 8
    press(view, Qt.Key.Key_End)
    end = view.cursor_token
    assert end is not None
    right = view.token_rect(end)
    assert right is not None and right.top() == below.top() and right.left() > below.left()
    press(view, Qt.Key.Key_Home)
    home = view.token_rect(view.cursor_token)  # type: ignore[arg-type]
    assert home is not None and home.top() == below.top()
    press(view, Qt.Key.Key_Up)
    up = view.token_rect(view.cursor_token)  # type: ignore[arg-type]
    assert up is not None and up.top() == first.top()


def test_down_crosses_a_question_and_an_empty_line(view: TranscriptView) -> None:
    view.set_turns(
        [
            turn_of(answer([b"one", b"\n\n", b"two"]), "a1"),
            QuestionTurn("q", "in between"),
            turn_of(answer(words("three")), "a2"),
        ]
    )
    view.set_cursor(TokenRef("a1", 0))
    press(view, Qt.Key.Key_Down)
    assert at(view) in (("a1", 1), ("a1", 2))
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Down)
    assert at(view) == ("a2", 0)


def test_without_a_cursor_up_and_home_scroll(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words(TEXT * 20)))])
    bar = view.verticalScrollBar()
    press(view, Qt.Key.Key_Up)
    assert bar.value() < bar.maximum()
    assert at(view) is None
    press(view, Qt.Key.Key_Home, modifier=Qt.KeyboardModifier.ControlModifier)
    assert bar.value() == 0


def test_the_cursor_stays_in_view(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words(TEXT * 20)))])
    view.verticalScrollBar().setValue(0)
    view.step_in()
    for _ in range(40):
        press(view, Qt.Key.Key_Down)
        ref = view.cursor_token
        assert ref is not None
        assert view.token_rect(ref) is not None


def test_ctrl_t_steps_into_the_answer_in_view(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words(TEXT * 9)), f"a{n}") for n in range(3)])
    press(view, Qt.Key.Key_T, modifier=Qt.KeyboardModifier.ControlModifier)
    found = at(view)
    assert found is not None and found[0] == "a2" and found[1] > 0
    view.set_cursor(None)
    view.verticalScrollBar().setValue(0)
    view.step_in()
    assert at(view) == ("a0", 0)


def doubtful() -> Answer:
    made = Answer(words(TEXT))
    for number, token in enumerate(words(TEXT)):
        made.add([token], 0.1 if number in (5, 20) else 0.9)
    return made.finish()


def test_f8_goes_from_doubt_to_doubt_and_opens_the_card(view: TranscriptView) -> None:
    view.set_turns([turn_of(doubtful(), "a1"), turn_of(doubtful(), "a2")])
    opened: list[TokenRef] = []
    view.token_opened.connect(opened.append)
    view.verticalScrollBar().setValue(0)
    seen = []
    for _ in range(5):
        press(view, Qt.Key.Key_F8)
        seen.append(at(view))
    assert seen == [("a1", 5), ("a1", 20), ("a2", 5), ("a2", 20), ("a2", 20)]
    assert len(opened) == 4
    press(view, Qt.Key.Key_F8, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert at(view) == ("a2", 5)
    view.set_doubt(0.05)
    assert not view.next_doubtful()


def test_special_and_stopped_tokens_are_not_doubtful(view: TranscriptView) -> None:
    made = answer([b"a", b"<|x|>", b" b"], 0.01, special=(b"<|x|>",))
    view.set_turns([turn_of(made)])
    view.set_cursor(TokenRef("a", 0))
    assert view.next_doubtful()
    assert at(view) == ("a", 2)


def test_keys_for_the_card(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words("one two")))])
    view.set_cursor(TokenRef("a", 1))
    told: list[tuple[str, object]] = []
    view.token_opened.connect(lambda ref: told.append(("open", ref)))
    view.pin_requested.connect(lambda ref: told.append(("pin", ref)))
    view.copy_requested.connect(lambda ref: told.append(("copy", ref)))
    press(view, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_P, Qt.Key.Key_C)
    ref = TokenRef("a", 1)
    assert told == [("open", ref), ("open", ref), ("pin", ref), ("copy", ref)]


def test_ctrl_a_and_ctrl_c(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words("one two")))])
    control = Qt.KeyboardModifier.ControlModifier
    press(view, Qt.Key.Key_A, Qt.Key.Key_C, modifier=control)
    assert QGuiApplication.clipboard().text() == "one two"


def test_folded_thinking_is_stepped_over_and_reveal_unfolds_it(view: TranscriptView) -> None:
    made = answer([b"<think>", b"Hm", b"</think>", b"Yes", b"."])
    view.set_turns([turn_of(made, thinking=(0, made.table.text_end(2)))])
    press(view, Qt.Key.Key_Right)
    assert at(view) == ("a", 3)
    press(view, Qt.Key.Key_Left)
    assert at(view) == ("a", 3)
    assert view.reveal(TokenRef("a", 1))
    assert view.token_rect(TokenRef("a", 1)) is not None
    press(view, Qt.Key.Key_Left)
    assert at(view) == ("a", 0)


def test_reveal_brings_a_far_token_into_view(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words(TEXT * 60)))])
    for index in (3, 1200, 600, 2000):
        assert view.reveal(TokenRef("a", index))
        assert view.token_rect(TokenRef("a", index)) is not None
    assert not view.reveal(TokenRef("gone", 1))


def test_the_cursor_goes_when_its_answer_goes(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words("one two")))])
    view.set_cursor(TokenRef("a", 1))
    moved: list[object] = []
    view.cursor_moved.connect(moved.append)
    view.set_turns([])
    assert view.cursor_token is None
    assert moved == [None]


def test_a_screen_reader_finds_a_document_with_the_token_as_its_value(view: TranscriptView) -> None:
    view.set_turns([turn_of(answer(words("one two"), 0.118))])
    view.set_cursor(TokenRef("a", 1))
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface is not None
    assert interface.role() == QAccessible.Role.Document
    assert interface.text(QAccessible.Text.Name) == "Conversation"
    assert interface.text(QAccessible.Text.Value) == " two, probability 11.8 %, rank 1"
