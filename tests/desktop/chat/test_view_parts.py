"""The transcript under the hand: selection and copy, clicks, thinking, waiting, footers."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.chat.view import Banner, Footer, QuestionTurn, TokenRef, TranscriptView, Turn
from tests.fakes.answers import Answer, answer, words
from tests.fakes.transcript import LONG, middle, send_mouse, show, turn_of

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
    assert view._pulse.active
    made.add(words(LONG))
    view.grow("a")
    view.batcher.flush()
    assert not view._pulse.active


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


def test_the_buttons_of_a_banner_leave_its_words_the_room(view: TranscriptView) -> None:
    show(view, turn_of(answer(words("Hello"))))
    two = (("again", "Ask again"), ("bare", "Ask again without token numbers"))
    for actions, said, below in ((two[:1], "", False), (two, "", True), (two[:1], "  ^^", True)):
        view.set_footer(
            "a", Footer("1 token", None, (), Banner("It failed.", "Why. " * 20, "err", actions, said))
        )
        bar = view._attachments.banners["a"]
        bar.grab()  # lays out
        assert (bar.buttons[0].y() >= bar.why.geometry().bottom()) is below
        assert bar.said.text() == said and bar.said.isVisible() is bool(said)
        assert all(button.geometry().bottom() < bar.height() for button in bar.buttons)


def test_the_column_is_centred_and_never_too_wide(view: TranscriptView) -> None:
    for width in (320, 520, 759, 1400):
        view.resize(width, 500)
        left, wide = view.column()
        assert left > 0 and left + wide <= width
        assert wide <= 684
    assert view.horizontalScrollBar().maximum() == 0


def test_a_code_block_can_be_copied_without_its_fences(view: TranscriptView) -> None:
    text = "Look:\n```py\n\tx = 1\n\ny = 2\n```\nand\n```\nz"
    show(view, turn_of(answer(words(text))))
    buttons = list(view._attachments.copies.values())
    assert len(buttons) == 2
    for button, code in zip(buttons, ("\tx = 1\n\ny = 2\n", "z"), strict=True):
        assert button.isVisible() and button.accessibleName()
        button.click()
        assert QGuiApplication.clipboard().text() == code
    show(view, turn_of(answer(words(text + "\n```")), "b"))
    last = list(view._attachments.copies.values())[-1]
    last.click()
    assert QGuiApplication.clipboard().text() == "z\n"
    show(view)
    assert not view._attachments.copies


def test_tab_goes_through_the_buttons_from_top_to_bottom(view: TranscriptView) -> None:
    show(view, turn_of(answer(words("one")), "a1"), turn_of(answer(words("```\ntwo\n```")), "a2"))
    for turn_id in ("a2", "a1"):
        view.set_footer(turn_id, Footer("facts", (2, 3), ("copy", "again")))
    bars = view._attachments.footers
    expected = [
        *(bars["a1"].previous, bars["a1"].next, bars["a1"].copy, bars["a1"].again),
        *view._attachments.copies.values(),
        *(bars["a2"].previous, bars["a2"].next, bars["a2"].copy, bars["a2"].again),
    ]
    found = []
    widget = view.nextInFocusChain()
    while widget is not view and len(found) < 40:
        if widget in expected:
            found.append(widget)
        widget = widget.nextInFocusChain()
    assert found == expected
