"""The chips and the head: what keys do, what is kept, what is said, and what a frame costs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from core.prompt.context import Budget, Media, Who
from desktop.context import laid, paint
from desktop.context.chips import ChipsView
from desktop.context.model import Cache, Form, Parts, Sight
from desktop.context.view import ContextView
from desktop.kit import fonts
from desktop.kit.theme import DARK, LIGHT
from tests.fakes.sights import MESSAGES, long_sight, sight


@pytest.fixture
def view(qtbot: QtBot) -> ContextView:
    made = ContextView()
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.set_theme(LIGHT)
    made.show()
    return made


@pytest.fixture
def chips(view: ContextView) -> ChipsView:
    view.set_sight(sight())
    finish(view.chips)
    return view.chips


def finish(chips: ChipsView) -> None:
    while chips.laying:
        chips._lay_on()


def boxes(chips: ChipsView) -> dict[int, QPoint]:
    """Token → the middle of its chip in the viewport."""
    assert chips._laid is not None
    found = {}
    for row in range(len(chips._laid.flow.rows)):
        for cell, box in chips._laid.boxes(row):
            at = box.center() - chips._inside(QPointF())
            found[chips._laid.flow.cells.token(cell)] = at.toPoint()
    return found


def press(qtbot: QtBot, chips: ChipsView, *keys: Qt.Key, ctrl: bool = False) -> int:
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    for key in keys:
        qtbot.keyClick(chips, key, modifier)
    return chips.current


# --- the cursor ---------------------------------------------------------------------------------------------


def test_keys_walk_by_token_and_by_line(chips: ChipsView, qtbot: QtBot) -> None:
    assert press(qtbot, chips, Qt.Key.Key_Right) == 0
    assert press(qtbot, chips, Qt.Key.Key_Right, Qt.Key.Key_Right) == 2
    assert press(qtbot, chips, Qt.Key.Key_Left) == 1
    assert press(qtbot, chips, Qt.Key.Key_End) == 6
    assert press(qtbot, chips, Qt.Key.Key_Home) == 0
    assert press(qtbot, chips, Qt.Key.Key_Down) == 7
    assert press(qtbot, chips, Qt.Key.Key_Up, Qt.Key.Key_Up) == 0
    assert press(qtbot, chips, Qt.Key.Key_End, ctrl=True) == 22
    assert press(qtbot, chips, Qt.Key.Key_Right) == 22
    assert press(qtbot, chips, Qt.Key.Key_PageUp) < 7
    assert press(qtbot, chips, Qt.Key.Key_Home, ctrl=True) == 0


def test_a_click_chooses_and_tells(chips: ChipsView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(chips.chosen) as told:
        qtbot.mouseClick(chips.viewport(), Qt.MouseButton.LeftButton, pos=boxes(chips)[12])
    assert told.args == [12] and chips.current == 12


def test_beside_the_chips_a_click_chooses_nothing(chips: ChipsView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(chips.chosen):
        qtbot.mouseClick(chips.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(590, 30))
        qtbot.mouseClick(chips.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 30))


def test_every_chip_is_found_where_it_stands_in_every_form(chips: ChipsView) -> None:
    for form in Form:
        chips.set_form(form)
        finish(chips)
        for token, at in boxes(chips).items():
            found = chips._token_at(QPointF(at))
            assert found == token or form is Form.TEXT, (form, token)  # pieces of a character share its place


def test_the_tab_key_brings_a_cursor_to_be_seen_a_click_beside_does_not(chips: ChipsView) -> None:
    chips.setFocus(Qt.FocusReason.MouseFocusReason)
    assert chips.current == -1
    chips.clearFocus()
    chips.setFocus(Qt.FocusReason.TabFocusReason)
    assert chips.current == 0


def test_copying_asks_for_the_id_or_the_text(chips: ChipsView, qtbot: QtBot) -> None:
    wanted: list[str] = []
    chips.copy_wanted.connect(wanted.append)
    press(qtbot, chips, Qt.Key.Key_C)
    chips.select(3)
    press(qtbot, chips, Qt.Key.Key_C)
    press(qtbot, chips, Qt.Key.Key_C, ctrl=True)
    assert wanted == ["id", "text"]


def test_a_screen_reader_hears_whose_token_it_is_and_all_of_it(chips: ChipsView) -> None:
    chips.select(11)
    said = QAccessible.queryAccessibleInterface(chips)
    assert said.text(QAccessible.Text.Name) == "Tokens in order"
    value = said.text(QAccessible.Text.Value)
    assert value.startswith("You, Position 11, id ") and "·capital" in value and "8 byte" in value


def test_a_piece_of_a_character_says_of_which(chips: ChipsView) -> None:
    chips.select(18)
    assert "E5 B3" in chips.accessible_value() and "part of 峯" in chips.accessible_value()
    chips.select(19)
    assert "part of 峯" in chips.accessible_value()


# --- what is kept -------------------------------------------------------------------------------------------


def test_what_grows_keeps_the_cursor_and_the_layout(view: ContextView, chips: ChipsView) -> None:
    chips.select(9)
    assert chips._laid is not None
    rows, kept = list(chips._laid.flow.rows), chips._laid
    who, tokens = MESSAGES[-1]
    view.set_sight(sight(*MESSAGES[:-1], (who, [*tokens, 3, 4])))
    finish(chips)
    assert chips.current == 9 and chips._laid is kept and list(kept.flow.rows)[: len(rows)] == rows
    assert kept.flow.count == 25


def test_another_context_begins_at_its_top(view: ContextView) -> None:
    view.set_sight(long_sight(3000))
    finish(view.chips)
    view.chips.select(2500)
    assert view.chips.verticalScrollBar().value() > 0
    view.set_sight(long_sight(2000, groups=4))
    finish(view.chips)
    assert view.chips.current == -1 and view.chips.verticalScrollBar().value() == 0


def test_an_end_in_view_is_followed(view: ContextView) -> None:
    tokens = [3] * 900
    view.set_sight(sight((Who.ASSISTANT, tokens)))
    finish(view.chips)
    bar = view.chips.verticalScrollBar()
    bar.setValue(bar.maximum())
    view.set_sight(sight((Who.ASSISTANT, [*tokens, *tokens])))
    finish(view.chips)
    assert bar.value() == bar.maximum() > 0
    bar.setValue(10)
    view.set_sight(sight((Who.ASSISTANT, [*tokens, *tokens, *tokens])))
    finish(view.chips)
    assert bar.value() == 10


def test_another_width_keeps_the_tokens_at_the_top(view: ContextView) -> None:
    view.set_sight(long_sight(6000))
    finish(view.chips)
    view.chips.select(3000)
    bar, shown = view.chips.verticalScrollBar(), view.chips._laid
    assert shown is not None
    before = shown.first(shown.flow.row_at(bar.value() + shown.flow.measures.above))
    view.resize(900, 500)
    finish(view.chips)
    shown = view.chips._laid
    assert shown is not None
    row = shown.flow.row_at(bar.value() + shown.flow.measures.above)
    assert abs(shown.first(row) - before) <= len(shown.flow.in_row(row))


def test_a_theme_and_a_zoom_change_measures_anew(view: ContextView, chips: ChipsView) -> None:
    assert chips._laid is not None
    small = chips._laid.flow.height
    fonts.set_zoom(200)
    try:
        view.set_theme(DARK)
        finish(chips)
        assert chips._laid.flow.height > 1.5 * small
    finally:
        fonts.set_zoom(100)


# --- media --------------------------------------------------------------------------------------------------


def test_a_picture_is_one_chip_until_it_is_unfolded(view: ContextView, qtbot: QtBot) -> None:
    picture = (Who.USER, [2] + [3] * 256 + [4])
    view.set_sight(sight(picture, media=(Media(1, 257, "image"),)))
    chips = view.chips
    finish(chips)
    assert len(boxes(chips)) == 3
    chips.select(1)
    assert press(qtbot, chips, Qt.Key.Key_Right) == 257
    assert press(qtbot, chips, Qt.Key.Key_Left, Qt.Key.Key_Return) == 1
    finish(chips)
    assert len(boxes(chips)) == 258
    assert press(qtbot, chips, Qt.Key.Key_Right, Qt.Key.Key_Return) == 1
    finish(chips)
    assert len(boxes(chips)) == 3


def test_what_the_server_expands_is_said_and_never_counted(view: ContextView) -> None:
    shown = sight((Who.USER, [2, 3, 4]), media=(Media(1, 2, "image", expanded=False),))
    view.set_sight(shown)
    assert view.chips._laid is not None
    assert view.chips._laid.faces.face(1).text == "image, expanded by the server"
    assert "3 of 32,768, media not counted yet" in view.head.accessibleDescription()
    assert "left" not in view.head.accessibleDescription()


# --- what a frame costs -------------------------------------------------------------------------------------


def test_100_000_tokens_are_laid_out_in_parts_and_only_what_is_in_view_is_painted(view: ContextView) -> None:
    chips, parts = view.chips, []
    view.set_sight(long_sight(100_000))
    assert chips._laid is not None and chips.laying
    while chips.laying:
        before, made = chips._laid.flow.laid, chips._laid.faces.made
        chips._lay_on()
        parts.append(chips._laid.flow.laid - before)
        assert chips._laid.faces.made - made <= laid.MEASURED + laid.STEP
    assert max(parts) <= laid.SLICE and sum(parts) > 90_000
    chips.select(60_000)
    painted = chips.painted
    chips.viewport().grab()
    assert 0 < chips.painted - painted < 1000


def test_a_frame_draws_only_so_many_new_chips_and_the_next_one_the_rest(view: ContextView) -> None:
    view.resize(2400, 2000)
    chips = view.chips
    chips.set_form(Form.IDS)
    view.set_sight(sight((Who.USER, list(range(1000, 1600)))))
    finish(chips)
    counts = []
    for _ in range(8):
        before = chips._chips.drawn
        chips.viewport().grab()
        counts.append(chips._chips.drawn - before)
    assert max(counts) <= paint.NEW_A_FRAME and counts[-1] == 0 and not chips._chips.behind


def test_what_nobody_sees_is_not_laid_out(view: ContextView) -> None:
    chips = view.chips
    view.set_sight(long_sight(100_000))
    assert chips.laying
    view.hide()
    assert not chips.laying
    view.show()
    assert chips.laying


def test_a_cursor_far_away_comes_into_view_when_it_is_laid_out(view: ContextView) -> None:
    chips = view.chips
    view.set_sight(long_sight(50_000))
    chips.select(40_000)
    assert chips.laying and chips.current == 40_000
    finish(chips)
    at = boxes(chips)[40_000]
    assert 0 < at.y() < chips.viewport().height()


# --- the head -----------------------------------------------------------------------------------------------


def said(view: ContextView, shown: Sight) -> tuple[str, str]:
    view.set_sight(shown)
    return view.head.accessibleName(), view.head.accessibleDescription()


def test_what_comes_next_and_what_was_read_are_not_called_the_same(view: ContextView) -> None:
    assert "before the next answer" in said(view, sight())[0]
    assert "read and written so far" in said(view, sight(answer=True, live=True))[0]
    assert "read and wrote" in said(view, sight(answer=True))[0]


@pytest.mark.parametrize(
    ("budget", "cache", "engine", "words"),
    [
        (
            Budget(120, limit=32_768),
            Cache.LATER,
            "local",
            ["told when it is read", "32,768 − 120 = 32,648 left"],
        ),
        (Budget(120, 0, 96, 32_768), Cache.TOLD, "local", ["96 came", "24 read anew", "32,648 left"]),
        (Budget(96, 24, None, 100), Cache.NOT_TOLD, "vllm", ["--enable-prompt-tokens-details", "24 written"]),
        (Budget(96, 24, 0, 100), Cache.TOLD, "local", ["0 came", "120 − 100 = 20 too many"]),
        (Budget(120), Cache.LATER, "vllm", ["context limit not known"]),
    ],
)
def test_numbers_are_exact_or_said_to_be_unknown(
    view: ContextView, budget: Budget, cache: Cache, engine: str, words: list[str]
) -> None:
    _, facts = said(view, sight(budget=budget, cache=cache, engine=engine, answer=cache is not Cache.LATER))
    for one in words:
        assert one in facts
    assert "read anew" not in facts or budget.reused is not None


@pytest.mark.parametrize("parts", [one for one in Parts if one is not Parts.KNOWN])
def test_why_messages_cannot_be_told_apart_is_said_and_has_a_line(view: ContextView, parts: Parts) -> None:
    view.set_sight(sight(answer=True))
    lines = view.head.sizeHint().height()
    _, facts = said(view, sight(answer=True, parts=parts))
    assert "told apart" in facts
    assert view.head.sizeHint().height() > lines


def test_every_part_of_the_bar_says_whose_it_is(view: ContextView) -> None:
    view.set_sight(sight())
    left, wide = view.head._column()
    tips = [
        view.head._tip(round(left + box.center().x()), round(box.center().y()))
        for box, *_ in view.head._segments(wide)
    ]
    assert [tip.split(":")[0] for tip in tips] == ["System", "You", "Answer"]


def test_a_narrow_head_gives_each_fact_its_own_line(view: ContextView) -> None:
    view.set_sight(sight(cache=Cache.NOT_TOLD, engine="vllm", answer=True))
    view.resize(900, 500)
    wide = view.head.sizeHint().height()
    view.resize(300, 500)
    assert view.head.sizeHint().height() > wide
