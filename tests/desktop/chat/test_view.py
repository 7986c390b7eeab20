"""The transcript as a whole: following, anchors, what is laid out, looks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.chat.blocks import AnswerBlock
from desktop.chat.view import Footer, QuestionTurn, TokenRef, TranscriptView, Turn
from desktop.kit.theme import DARK, HIGH_CONTRAST, LIGHT
from tests.fakes.answers import Answer, answer, words
from tests.fakes.transcript import LONG, growing, picture, show, turn_of


def screen_y(view: TranscriptView, ref: TokenRef) -> float:
    return view._stage.rects(ref)[0].top() - view.verticalScrollBar().value()


# --- growing and following ----------------------------------------------------------------------------


def test_growing_only_marks_until_the_frame(view: TranscriptView) -> None:
    made = growing(LONG)
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    block = view._stage.answer("a")
    assert block is not None
    for token in words(LONG):
        made.add([token])
        view.grow("a")
    assert block.seen == 0
    assert view.batcher.pending
    view.batcher.flush()
    assert block.seen == len(made.table)
    assert block.answer.layout.flow.slice(0, 10_000) == LONG


def test_the_end_is_followed_until_the_person_scrolls_up(view: TranscriptView) -> None:
    made = growing(LONG)
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    bar = view.verticalScrollBar()
    for _ in range(30):
        made.add(words(LONG))
        view.grow("a")
        view.batcher.flush()
        assert bar.value() == bar.maximum()
    assert view._follow.isHidden()
    bar.setValue(bar.maximum() - 300)
    held = bar.value()
    before = len(made.table)
    for _ in range(20):
        made.add(words(LONG))
        view.grow("a")
        view.batcher.flush()
        assert bar.value() == held
    assert not view._follow.isHidden()
    assert view._follow.count == len(made.table) - before
    assert f"{view._follow.count}" in view._follow.accessibleName()
    view._follow.click()
    assert bar.value() == bar.maximum()
    assert view._follow.isHidden()
    made.add(words(LONG))
    view.grow("a")
    view.batcher.flush()
    assert bar.value() == bar.maximum()


def test_scrolling_back_to_the_end_follows_again(view: TranscriptView) -> None:
    made = growing(LONG).add(words(LONG * 30))
    show(view, turn_of(made, live=True))
    bar = view.verticalScrollBar()
    bar.setValue(10)
    bar.setValue(bar.maximum())
    made.add(words(LONG * 3))
    view.grow("a")
    view.batcher.flush()
    assert bar.value() == bar.maximum()


def test_a_question_of_the_person_brings_the_end_into_view(view: TranscriptView) -> None:
    show(view, turn_of(answer(words(LONG * 40))))
    view.verticalScrollBar().setValue(0)
    view.append_turn(QuestionTurn("q2", "And?"))
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_only_what_is_in_view_is_laid_out(view: TranscriptView) -> None:
    turns: list[Turn] = []
    for number in range(40):
        turns += [QuestionTurn(f"q{number}", "?"), turn_of(answer(words(LONG * 20)), f"a{number}")]
    show(view, *turns)
    counted = sum(part.layout.laid_characters for block in view._stage.blocks for part in block.parts())
    assert counted < 12_000  # of 70,000
    bar = view.verticalScrollBar()
    for value in range(bar.maximum(), 0, -400):
        bar.setValue(value)
    held = sum(len(part.layout._laid) for block in view._stage.blocks for part in block.parts())
    assert held < 40


def test_a_frame_of_a_long_paragraph_costs_what_shows(view: TranscriptView) -> None:
    made = growing(LONG)
    show(view, turn_of(made, live=True))
    made.add(words(LONG * 250))
    view.grow("a")
    view.batcher.flush()
    block = view._stage.answer("a")
    assert block is not None
    layout = block.answer.layout
    costs = []
    for _ in range(50):
        before = layout.laid_characters
        made.add(words(LONG)[:4])
        view.grow("a")
        view.batcher.flush()
        costs.append(layout.laid_characters - before)
    assert max(costs) < 2500
    assert sorted(costs)[25] < 900


def test_text_that_is_moved_on_the_screen_looks_as_if_painted_anew(
    view: TranscriptView, qtbot: QtBot
) -> None:
    text = (LONG * 3 + "\n\n```\ncode = 1\n```\n") * 6
    made = growing(text)
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    view.set_footer("a", Footer("streaming", None, ("copy",)))
    QApplication.processEvents()
    tokens = words(text)
    for start in range(0, len(tokens), 7):
        made.add(tokens[start : start + 7], (0.01, 0.2, 0.6, 0.99)[start % 4])
        view.grow("a")
        view.batcher.flush()
        QApplication.processEvents()
    on_screen = view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    fresh = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert on_screen.size() == fresh.size()
    assert view.verticalScrollBar().maximum() > 500
    pairs = zip(bytes(on_screen.constBits()), bytes(fresh.constBits()), strict=True)
    # antialiasing may round to the next value
    assert max(abs(one - other) for one, other in pairs) <= 8


# --- anchors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [LONG * 150, (LONG + "\n\n") * 60])
def test_a_new_width_keeps_the_token_at_the_top(view: TranscriptView, text: str, qtbot: QtBot) -> None:
    made = answer(words(text))
    show(view, QuestionTurn("q", "?"), turn_of(made))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    ref = view._cursor.step_in()
    assert ref is not None
    before = screen_y(view, ref)
    for width in (520, 900, 430, 700):
        view.resize(width, 500)
        assert abs(screen_y(view, ref) - before) <= view._stage.metrics.line
    qtbot.waitUntil(lambda: not view._scroller.tightening)
    assert abs(screen_y(view, ref) - before) <= view._stage.metrics.line


def test_scrolling_up_into_estimated_text_does_not_jump(view: TranscriptView) -> None:
    show(view, turn_of(answer(words((LONG * 3 + "\n") * 50))))
    bar = view.verticalScrollBar()
    for _ in range(30):
        ref = view._cursor.step_in()
        assert ref is not None
        before = screen_y(view, ref)
        value = bar.value()
        bar.setValue(value - 60)
        assert screen_y(view, ref) == pytest.approx(before + 60, abs=1)


def test_long_paragraphs_become_exact_in_slices(view: TranscriptView, qtbot: QtBot) -> None:
    show(view, turn_of(answer(words(LONG * 300))))
    view.resize(480, 500)
    block = view._stage.answer("a")
    assert block is not None
    layout = block.answer.layout
    qtbot.waitUntil(lambda: not view._scroller.tightening)
    assert layout.loose(0, len(layout.flow.chunks) - 1) is None
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()


# --- looks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [LIGHT, DARK, HIGH_CONTRAST], ids=lambda theme: theme.name)
def test_heat_and_bar_are_painted_in_the_themes_colours(view: TranscriptView, theme: object) -> None:
    made = answer([b"unlikely", b" token"], 0.01)
    show(view, turn_of(made))
    view.set_theme(theme)  # type: ignore[arg-type]
    rect = view.token_rect(TokenRef("a", 0))
    assert rect is not None
    corner = view.viewport().mapFromGlobal(rect.topLeft())
    tint, bar = theme.heat_probability[6], theme.doubt_bar  # type: ignore[attr-defined]

    def colours() -> tuple[str, str]:
        shot = picture(view)
        inside = shot.pixelColor(corner.x() + 4, corner.y() + 3).name().upper()
        below = shot.pixelColor(corner.x() + 6, corner.y() + rect.height() - 2).name().upper()
        return inside, below

    ground = theme.surface  # type: ignore[attr-defined]
    for mode, expected in (
        ("both", (tint, bar)),
        ("colour", (tint, tint)),
        ("bar", (ground, bar)),
        ("off", (ground, ground)),
    ):
        view.set_heat(mode)
        assert colours() == expected


def test_the_cursor_is_drawn_with_heat_off(view: TranscriptView) -> None:
    show(view, turn_of(answer(words("Hello world"))))
    view.set_heat("off")
    before = picture(view)
    view.set_cursor(TokenRef("a", 0))
    assert picture(view) != before


def test_a_theme_change_keeps_lines_and_place(view: TranscriptView) -> None:
    show(view, turn_of(answer(words(LONG * 40))))
    view.verticalScrollBar().setValue(200)
    block = view._stage.answer("a")
    assert block is not None
    height = view._stage.height
    view.set_theme(DARK)
    assert view._stage.height == height
    assert view.verticalScrollBar().value() == 200


def test_set_turns_keeps_what_is_the_same(view: TranscriptView) -> None:
    first = turn_of(answer(words(LONG * 3)), "a1")
    show(view, QuestionTurn("q", "?"), first)
    block = view._stage.answer("a1")
    show(view, QuestionTurn("q", "?"), first, QuestionTurn("q2", "!"))
    assert view._stage.answer("a1") is block
    show(view)
    assert view._stage.blocks == []
    assert view.verticalScrollBar().maximum() == 0


def test_the_text_after_a_cut_is_grey(view: TranscriptView) -> None:
    made = answer([b"one", b" two"], 0.99)
    show(view, turn_of(made))
    block = view._stage.answer("a")
    assert isinstance(block, AnswerBlock)
    before = picture(view)
    view.update_turn(turn_of(made, cut=3))
    assert picture(view) != before


def test_a_screen_reader_hears_the_token_and_the_end(view: TranscriptView) -> None:
    made = Answer([b"one", b" two"])
    show(view, QuestionTurn("q", "?"), turn_of(made.add([b"one", b" two"], 0.118)))
    assert view.accessible_name() == "Conversation"
    assert view.accessible_value() == "one two"
    view.set_cursor(TokenRef("a", 1))
    assert view.accessible_value() == " two, probability 11.8 %, rank 1"


def test_guesses_told_at_the_end_have_dots_on_the_top_edge(view: TranscriptView) -> None:
    """Whatever the heat; the bottom edge is doubt's."""
    made = answer(words("one two three four"), 0.9)
    show(view, turn_of(made, live=True))
    view.set_heat("off")
    before = picture(view)
    made.table.mark_guesses((1, 2))
    view.update_turn(turn_of(made))
    view.batcher.flush()
    after = picture(view)
    accent = QColor(LIGHT.accent).rgb()
    for index, guessed in ((0, False), (1, True), (2, True), (3, False)):
        rect = view.token_rect(TokenRef("a", index))
        assert rect is not None
        box = QRect(view.viewport().mapFromGlobal(rect.topLeft()), rect.size())
        rows = {
            y
            for y in range(box.top(), box.bottom() + 1)
            for x in range(box.left() + 1, box.right())
            if after.pixelColor(x, y).rgb() == accent
        }
        assert rows == (set(range(box.top(), box.top() + 2)) if guessed else set()), index
        assert all(before.pixelColor(x, box.top()).rgb() != accent for x in range(box.left(), box.right()))
