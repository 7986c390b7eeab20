"""The list of models: its groups and rows, the keyboard's way, buttons, what a screen reader hears."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from desktop.kit.theme import THEMES, contrast
from desktop.models import words
from desktop.models.list_view import ModelList
from desktop.models.row_paint import RowDelegate, button_of, places, tip_at
from desktop.models.rows import ModelRows
from desktop.models.values import Badge, Group, State
from tests.desktop.models import models as m


@pytest.fixture
def list_(qtbot: QtBot) -> ModelList:
    made = ModelList()
    qtbot.addWidget(made)
    made.resize(532, 700)
    made.set_rows(m.ROWS, {Group.HERE: "7.61 GB"})
    made.show()
    return made


def button_point(list_: ModelList, key: str) -> QPoint:
    index = list_.rows.index_of(key)
    row = list_.rows.at(index)
    assert row is not None
    return places(list_.visualRect(index), row).button.center()


def test_groups_stand_in_order_and_empty_ones_are_not_there(list_: ModelList) -> None:
    texts = [list_.rows.index(at).data() for at in range(list_.rows.rowCount())]
    assert [text for text in texts if text in map(words.group_word, Group)] == [
        "On this computer",
        "Downloading",
        "Suggested",
    ]
    assert texts[1:4] == ["SmolLM2 135M Instruct", "Qwen3.5 0.8B", "Qwen2.5 7B Instruct AWQ"]


def test_the_keyboard_goes_over_headings(list_: ModelList, qtbot: QtBot) -> None:
    list_.setFocus()
    qtbot.keyClick(list_, Qt.Key.Key_Home)
    assert list_.key == m.BUILT_IN.key
    for key in (m.RUNNING.key, m.OLDER.key, m.GEMMA):
        qtbot.keyClick(list_, Qt.Key.Key_Down)
        assert list_.key == key
    qtbot.keyClick(list_, Qt.Key.Key_Up)
    assert list_.key == m.OLDER.key
    qtbot.keyClick(list_, Qt.Key.Key_End)
    assert list_.key == m.UNSUPPORTED.key


def test_enter_chooses_delete_deletes_and_letters_search(list_: ModelList, qtbot: QtBot) -> None:
    list_.select(m.OLDER.key)
    with qtbot.waitSignal(list_.chosen) as told:
        qtbot.keyClick(list_, Qt.Key.Key_Return)
    assert told.args == [m.OLDER.key]
    with qtbot.waitSignal(list_.delete_pressed) as told:
        qtbot.keyClick(list_, Qt.Key.Key_Delete)
    assert told.args == [m.OLDER.key]
    with qtbot.waitSignal(list_.typed) as told:
        qtbot.keyClick(list_, "q")
    assert told.args == ["q"] and list_.key == m.OLDER.key
    list_.select(m.BUILT_IN.key)
    with qtbot.waitSignal(list_.up):
        qtbot.keyClick(list_, Qt.Key.Key_Up)


@pytest.mark.parametrize(
    ("row", "action"),
    [(m.ABSENT, "get"), (m.GATED, "ask"), (m.UNSUPPORTED, "why"), (m.DAMAGED, "repair")],
)
def test_the_button_of_a_row_acts_on_it(list_: ModelList, qtbot: QtBot, row: m.ModelRow, action: str) -> None:
    list_.set_rows((row,), {})
    with qtbot.waitSignal(list_.acted) as told:
        qtbot.mouseClick(list_.viewport(), Qt.MouseButton.LeftButton, pos=button_point(list_, row.key))
    assert told.args == [action, row.key]


def test_a_press_that_slips_off_the_row_does_nothing(list_: ModelList, qtbot: QtBot) -> None:
    heard: list[tuple[str, str]] = []
    list_.acted.connect(lambda what, key: heard.append((what, key)))
    view = list_.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=button_point(list_, m.ABSENT.key))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=button_point(list_, m.TIGHT.key))
    assert heard == []


def test_a_model_that_is_here_has_no_button_and_a_double_click_chooses_it(
    list_: ModelList, qtbot: QtBot
) -> None:
    assert button_of(m.OLDER)[0] == "" and button_of(m.FETCHING)[0] == ""
    at = list_.visualRect(list_.rows.index_of(m.OLDER.key)).center()
    with qtbot.waitSignal(list_.chosen) as told:
        qtbot.mouseDClick(list_.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert told.args == [m.OLDER.key]


def test_progress_changes_one_row_and_keeps_the_place(list_: ModelList, qtbot: QtBot) -> None:
    list_.select(m.OLDER.key)
    resets: list[object] = []
    changed: list[int] = []
    list_.rows.modelReset.connect(lambda: resets.append(None))
    list_.rows.dataChanged.connect(lambda first, *_: changed.append(first.row()))
    further = replace(m.FETCHING, done=m.FETCHING.done + m.GB, left=30.0)
    list_.set_rows(tuple(further if row is m.FETCHING else row for row in m.ROWS), {Group.HERE: "7.61 GB"})
    assert (resets, changed) == ([], [list_.rows.index_of(m.GEMMA).row()])
    assert list_.key == m.OLDER.key


def test_the_selected_model_stays_when_it_moves_and_the_next_is_taken_when_it_goes(
    list_: ModelList, qtbot: QtBot
) -> None:
    list_.select(m.GEMMA)
    here = replace(m.FETCHING, group=Group.HERE, state=State.READY)
    heard: list[str] = []
    list_.selected.connect(heard.append)
    list_.set_rows((*m.ROWS[:2], here, m.OLDER, *m.ROWS[4:]), {})
    assert (list_.key, heard) == (m.GEMMA, [])
    list_.set_rows((*m.ROWS[:3], *m.ROWS[4:]), {})
    assert (list_.key, heard) == (m.OLDER.key, [m.OLDER.key])
    list_.set_rows((m.HIT, *m.many(40)), {})  # what a search found: others altogether
    assert (list_.key, list_.verticalScrollBar().value()) == (m.HIT.key, 0)
    list_.set_rows((), {})
    assert (list_.key, heard[-1]) == ("", "")


def test_a_screen_reader_hears_a_row(list_: ModelList) -> None:
    said = {row.key: words.spoken(row) for row in (*m.ROWS, *m.STATES)}
    assert words.spoken(m.FETCHING) == (
        "Gemma 4 E2B, google/gemma-4-E2B-it, 10.25 GB, Fits GPU, Downloading · 62 % · 47 s left"
    )
    assert words.spoken(m.GATED).endswith("16.06 GB, Too big, access must be asked for")
    assert words.spoken(m.NO_ROOM).endswith("62 % · paused, Paused: 1.2 GB of disk left")
    assert all(text.count(",") >= 3 for text in said.values()), said
    view = QAccessible.queryAccessibleInterface(list_)
    names = [view.child(at).text(QAccessible.Text.Name) for at in range(view.childCount())]
    assert words.spoken(m.TIGHT) in names


def test_states_are_told_in_words() -> None:
    assert {row.name: words.state_word(row) for row in m.STATES if row.has_bar} == {
        "Gemma 4 E2B": "62 % · paused",
        "Stalled": "62 % · nothing comes",
        m.NO_ROOM.name: "62 % · paused",
        "Broken off": "62 % · broke off",
        "Checked": "checking 3 of 9",
        "Begun last week": "62 % · not finished",
    }
    assert words.state_word(m.OLDER) == "3 days ago"
    assert words.state_word(m.RUNNING) == "running"


def test_never_all_of_it_before_all_of_it_is_there() -> None:
    assert words.share(10 * m.GB - 1, 10 * m.GB) == "99 %"
    assert words.share(10 * m.GB, 10 * m.GB) == "100 %"


@pytest.mark.parametrize("width", [300, 400, 532, 700])
@pytest.mark.parametrize("row", [*m.ROWS, *m.STATES], ids=lambda row: f"{row.name[:12]}-{row.state.value}")
def test_no_part_of_a_row_lies_on_another(list_: ModelList, row: m.ModelRow, width: int) -> None:
    list_.resize(width, 700)
    list_.set_rows((row,), {})
    at = places(list_.visualRect(list_.rows.index_of(row.key)), row)
    beside = [at.name, at.size, at.badge, at.button if not at.button.isNull() else at.state]
    for left, right in pairwise(beside):
        if not left.isEmpty() and not right.isEmpty():
            assert left.right() < right.left()
    if row.has_bar:
        assert at.bar.right() < at.bar_words.left() and at.note.bottom() < at.bar_words.top()


def test_what_is_shortened_is_whole_in_the_tooltip(list_: ModelList) -> None:
    list_.set_rows((m.NO_ROOM, m.FETCHING), {})
    for row, wanted in ((m.NO_ROOM, m.NO_ROOM.name), (m.FETCHING, "")):
        rect = list_.visualRect(list_.rows.index_of(row.key))
        assert tip_at(rect, row, places(rect, row).name.center()) == wanted


def test_five_hundred_rows_paint_only_what_is_in_view(
    list_: ModelList, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []
    paint = RowDelegate._paint_row

    def count(self: RowDelegate, painter: Any, option: Any, index: Any, row: m.ModelRow) -> None:
        painted.append(row.key)
        paint(self, painter, option, index, row)

    monkeypatch.setattr(RowDelegate, "_paint_row", count)
    list_.set_rows(m.many(500), {})
    list_.viewport().grab()
    assert 0 < len(painted) <= 700 // 52 + 2


def test_a_step_of_a_download_touches_its_row_alone(list_: ModelList) -> None:
    rows = (m.FETCHING, *m.many(500))
    list_.set_rows(rows, {Group.DOWNLOADING: "1 MB/s"})
    touched: list[int] = []
    list_.rows.dataChanged.connect(lambda first, last: touched.extend(range(first.row(), last.row() + 1)))
    further = replace(m.FETCHING, done=m.FETCHING.done + 1)
    assert list_.rows.step({further.key: further}, {Group.DOWNLOADING: "2 MB/s"})
    assert list_.row(further.key) == further and sorted(touched) == [0, 1]  # its heading, and itself
    assert not list_.rows.step({further.key: replace(further, state=State.READY, group=Group.HERE)}, {})
    assert list_.row(further.key) == further


def test_five_hundred_rows_are_measured_once(list_: ModelList, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []
    kind = ModelRows.kind

    def count(self: ModelRows, place: int) -> Any:
        measured.append(place)
        return kind(self, place)

    monkeypatch.setattr(ModelRows, "kind", count)
    list_.set_rows(m.many(500), {})
    list_.viewport().grab()
    assert set(measured) == set(range(501)) and len(measured) <= 2 * 501


def test_every_badge_has_a_sign_of_its_kind_and_can_be_read() -> None:
    signs = {badge: words.BADGE_SIGNS[badge] for badge in Badge if badge is not Badge.NONE}
    assert len({signs[one][0] for one in (Badge.FITS, Badge.TIGHT, Badge.TOO_BIG, Badge.UNKNOWN)}) == 4
    for theme in THEMES.values():
        for badge, (_, role) in signs.items():
            ground = getattr(theme, f"{role}_soft", theme.hover)
            assert contrast(getattr(theme, role), ground) >= 4.5, (theme.name, badge)
            assert words.badge_word(badge)
