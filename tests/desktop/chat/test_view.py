"""The transcript as a whole: following, anchors, footers, thinking, selection, copy, one repaint a frame."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.chat.blocks import AnswerBlock
from desktop.chat.view import (
    AnswerTurn,
    Banner,
    Footer,
    QuestionTurn,
    TokenRef,
    TranscriptView,
    Turn,
)
from desktop.kit.theme import DARK, HIGH_CONTRAST, LIGHT
from tests.fakes.answers import Answer, answer, words

LONG = "The capital of Australia is Canberra, chosen as a compromise between Sydney and Melbourne. "


def turn_of(made: Answer, turn_id: str = "a", **more: object) -> AnswerTurn:
    return AnswerTurn(turn_id, made.table, made.vocabulary, **more)  # type: ignore[arg-type]


def growing(text: str) -> Answer:
    """An answer whose vocabulary knows the tokens of this text, without any yet."""
    return Answer(words(text * 2))


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    made = TranscriptView()
    qtbot.addWidget(made)
    made.reduce_motion = True
    made.resize(700, 500)
    made.set_theme(LIGHT)
    made.show()
    return made


def show(view: TranscriptView, *turns: Turn) -> None:
    view.set_turns(turns)
    view.batcher.flush()


def screen_y(view: TranscriptView, ref: TokenRef) -> float:
    return view._stage.rects(ref)[0].top() - view.verticalScrollBar().value()


def picture(view: TranscriptView) -> QImage:
    return view.viewport().grab().toImage()


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


# --- selection and copy -------------------------------------------------------------------------------

EXACT = "A\u00a0b  c\tdé e\u0301 👩\u200d💻 שלום\r\nline\u2028two\n\n```\n\tcode  x\n```\nend. "


def test_copying_gives_the_original_characters(view: TranscriptView) -> None:
    made = answer([*words(EXACT), b"<|im_end|>"], special=(b"<|im_end|>",))
    show(view, QuestionTurn("q", "Tab\there\u00a0?"), turn_of(made))
    view.select_all()
    assert view.selected_text() == "Tab\there\u00a0?\n\n" + EXACT
    assert view.copy()
    assert QGuiApplication.clipboard().text() == "Tab\there\u00a0?\n\n" + EXACT
    assert view.answer_text("a") == EXACT


def test_copying_leaves_out_special_tokens_in_the_middle(view: TranscriptView) -> None:
    made = answer([b"one", b"<|x|>", b" two", b"<|y|>"], special=(b"<|x|>", b"<|y|>"))
    show(view, turn_of(made))
    view.select_all()
    assert view.selected_text() == "one two"


def test_the_copied_answer_ends_at_the_cut(view: TranscriptView) -> None:
    made = answer([b"one", b" two", b" STOP", b" three"])
    show(view, turn_of(made, cut=7))
    assert view.answer_text("a") == "one two"


def drag(view: TranscriptView, start: QPoint, stop: QPoint) -> None:
    port = view.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(port, (start + stop) / 2)
    QTest.mouseMove(port, stop)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, stop)


def test_dragging_selects_and_does_not_open_a_card(view: TranscriptView, qtbot: QtBot) -> None:
    show(view, turn_of(answer(words("Hello brave new world"))))
    opened: list[object] = []
    view.token_clicked.connect(opened.append)
    start, stop = (view.token_rect(TokenRef("a", index)) for index in (1, 3))
    assert start is not None and stop is not None
    port = view.viewport()
    first = port.mapFromGlobal(QPoint(start.left() + 3, start.center().y()))
    last = port.mapFromGlobal(QPoint(stop.right() + 1, stop.center().y()))
    for point, kind in ((first, "press"), ((first + last) / 2, "move"), (last, "move"), (last, "release")):
        send_mouse(view, QPointF(point), kind)
    assert view.selected_text() == "brave new world"
    assert not opened


def send_mouse(view: TranscriptView, point: QPointF, kind: str) -> None:
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QMouseEvent

    types = {
        "press": QEvent.Type.MouseButtonPress,
        "move": QEvent.Type.MouseMove,
        "release": QEvent.Type.MouseButtonRelease,
        "double": QEvent.Type.MouseButtonDblClick,
        "hover": QEvent.Type.MouseMove,
    }
    port = view.viewport()
    down = Qt.MouseButton.NoButton if kind in ("release", "hover") else Qt.MouseButton.LeftButton
    button = Qt.MouseButton.NoButton if kind in ("move", "hover") else Qt.MouseButton.LeftButton
    place = QPointF(port.mapToGlobal(point))
    event = QMouseEvent(types[kind], point, place, button, down, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(port, event)


def middle(view: TranscriptView, index: int, turn_id: str = "a") -> QPointF:
    rect = view.token_rect(TokenRef(turn_id, index))
    assert rect is not None
    return QPointF(view.viewport().mapFromGlobal(rect.center()))


def test_a_drag_beyond_the_edge_scrolls_on(view: TranscriptView, qtbot: QtBot) -> None:
    show(view, turn_of(answer(words((LONG + "\n") * 60))))
    bar = view.verticalScrollBar()
    bar.setValue(0)
    send_mouse(view, QPointF(60, 60), "press")
    send_mouse(view, QPointF(200, 560), "move")
    qtbot.waitUntil(lambda: bar.value() > 300)
    send_mouse(view, QPointF(200, 560), "release")
    stopped = bar.value()
    assert len(view.selected_text()) > 500
    assert not view._pointer._autoscroll.isActive()
    assert bar.value() == stopped


def test_a_double_click_selects_a_word(view: TranscriptView) -> None:
    show(view, turn_of(answer([b"Un", b"believ", b"able, isn't it"])))
    point = middle(view, 1)
    send_mouse(view, point, "press")
    send_mouse(view, point, "release")
    send_mouse(view, point, "double")
    assert view.selected_text() == "Unbelievable"


def test_a_click_opens_and_a_click_beside_dismisses(view: TranscriptView) -> None:
    show(view, turn_of(answer(words("Hello brave world"))))
    opened: list[object] = []
    gone: list[bool] = []
    view.token_clicked.connect(opened.append)
    view.dismissed.connect(lambda: gone.append(True))
    point = middle(view, 1)
    send_mouse(view, point, "press")
    send_mouse(view, point, "release")
    assert opened == [TokenRef("a", 1)]
    assert view.cursor_token == TokenRef("a", 1)
    send_mouse(view, QPointF(650, 400), "press")
    send_mouse(view, QPointF(650, 400), "release")
    assert gone
    assert view.cursor_token is None


def test_hover_tells_only_changes(view: TranscriptView) -> None:
    show(view, turn_of(answer(words("Hello brave world"))))
    told: list[object] = []
    view.token_hovered.connect(told.append)
    for offset in (0, 1, 2):
        send_mouse(view, middle(view, 1) + QPointF(offset, 0), "hover")
    send_mouse(view, middle(view, 2), "hover")
    send_mouse(view, QPointF(650, 480), "hover")
    assert told == [TokenRef("a", 1), TokenRef("a", 2), None]


# --- thinking, status, footer --------------------------------------------------------------------------

THOUGHT = [b"<think>", b"Hmm", b" yes", b"</think>", b"\n\n", b"Paris", b"."]


def test_thinking_is_a_folded_line_that_unfolds(view: TranscriptView) -> None:
    made = answer(THOUGHT)
    end = made.table.text_end(3)
    show(view, turn_of(made, thinking=(0, end)))
    line = view._attachments.lines["a"]
    assert line.text() == "Thought for 0.30 s, 4 token(s)"
    assert view.token_rect(TokenRef("a", 1)) is None
    assert view.answer_text("a") == "Paris."
    tall = view._stage.height
    line.click()
    assert view._stage.height > tall
    assert view.token_rect(TokenRef("a", 1)) is not None
    view.select_all()
    assert view.selected_text() == made.table.text
    line.click()
    assert view.token_rect(TokenRef("a", 1)) is None


def test_thinking_that_goes_on_and_ends(view: TranscriptView) -> None:
    made = Answer(THOUGHT)
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    made.add(THOUGHT[:3])
    view.update_turn(turn_of(made, live=True, thinking=(0, 0), thinking_open=True))
    view.grow("a")
    view.batcher.flush()
    line = view._attachments.lines["a"]
    assert line.text().startswith("Thinking for 0.20 s, 3")
    made.add(THOUGHT[3:])
    view.grow("a")
    view.batcher.flush()  # the end of thinking is told later than its text
    view.update_turn(turn_of(made, live=True, thinking=(0, made.table.text_end(3))))
    assert line.text().startswith("Thought for 0.30 s, 4")
    assert view.answer_text("a") == "Paris."
    view.update_turn(turn_of(made, thinking=(0, made.table.text_end(3))))
    assert view.token_rect(TokenRef("a", 5)) is not None


def test_unfinished_thinking_says_so(view: TranscriptView) -> None:
    made = answer(THOUGHT[:3])
    show(view, turn_of(made, thinking=(0, 0), thinking_open=True))
    assert view._attachments.lines["a"].text().startswith("Thinking not finished, 0.20 s, 3")


def test_the_waiting_line_and_the_caret(view: TranscriptView) -> None:
    made = Answer(words(LONG))
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    block = view._stage.answer("a")
    assert block is not None and block.waits
    assert view._painter.caret(block) is not None or block.waits
    view.set_status("a", "reading 1,240 tokens, 1.4 s")
    assert block.status == "reading 1,240 tokens, 1.4 s"
    view.set_status("a", "")
    made.add(words(LONG))
    view.grow("a")
    view.batcher.flush()
    assert not block.waits
    caret = view._painter.caret(block)
    last = view._stage.rects(TokenRef("a", len(made.table) - 1))[0]
    assert caret is not None
    assert abs(caret.left() + view._stage.left - last.right()) < 12


def test_the_pulse_moves_only_while_something_waits(view: TranscriptView) -> None:
    view.reduce_motion = False
    made = Answer(words(LONG))
    show(view, QuestionTurn("q", "?"), turn_of(made, live=True))
    assert view._pulse.isActive()
    made.add(words(LONG))
    view.grow("a")
    view.batcher.flush()
    assert not view._pulse.isActive()


def test_the_footer_has_real_buttons(view: TranscriptView) -> None:
    show(view, QuestionTurn("q", "?"), turn_of(answer(words("Hello world"))))
    view.set_footer("a", Footer("2 tokens", (2, 2), ("copy", "again")))
    bar = view._attachments.footers["a"]
    assert bar.isVisible()
    assert bar.facts.text() == "2 tokens"
    assert bar.branch.text() == "2 / 2"
    assert bar.previous.isEnabled() and not bar.next.isEnabled()
    for button in (bar.previous, bar.next, bar.copy, bar.again):
        assert button.accessibleName() and button.toolTip()
    pressed: list[tuple[str, str]] = []
    view.action.connect(lambda what, turn: pressed.append((what, turn)))
    for button in (bar.previous, bar.copy, bar.again):
        button.click()
    assert pressed == [("previous", "a"), ("copy", "a"), ("again", "a")]
    assert QGuiApplication.clipboard().text() == "Hello world"
    view.set_footer("a", Footer("2 tokens", (1, 1), ()))
    assert not bar.branch.isVisible() and not bar.copy.isVisible()


def test_footers_out_of_view_are_hidden(view: TranscriptView) -> None:
    turns: list[Turn] = [turn_of(answer(words(LONG * 20)), f"a{n}") for n in range(6)]
    show(view, *turns)
    for turn in turns:
        view.set_footer(turn.id, Footer(turn.id))
    assert view._attachments.footers["a5"].isVisible()
    view.verticalScrollBar().setValue(0)
    assert not view._attachments.footers["a5"].isVisible()
    view.set_turns(turns[:1])
    assert set(view._attachments.footers) <= {"a0"}


def test_a_banner_tells_what_went_wrong_and_has_buttons(view: TranscriptView) -> None:
    show(view, QuestionTurn("q", "?"), turn_of(answer(words("Hello"))))
    tall = view._stage.height
    banner = Banner("The engine stopped", "It was killed.", "err", (("again", "Try again"),))
    view.set_footer("a", Footer("1 token", None, (), banner))
    bar = view._attachments.banners["a"]
    assert bar.isVisible()
    assert view._stage.height > tall + 30
    pressed: list[tuple[str, str]] = []
    view.action.connect(lambda what, turn: pressed.append((what, turn)))
    bar.buttons[0].click()
    assert pressed == [("again", "a")]
    view.set_footer("a", Footer("1 token"))
    assert "a" not in view._attachments.banners


def test_the_column_is_centred_and_never_too_wide(view: TranscriptView) -> None:
    for width in (320, 520, 759, 1400):
        view.resize(width, 500)
        left, wide = view.column()
        assert left > 0 and left + wide <= width
        assert wide <= 684
    assert view.horizontalScrollBar().maximum() == 0


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
