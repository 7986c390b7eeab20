"""The start timeline: what its rows say, how its time moves, and that it stands still when nothing runs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.server.state import ServerPhase, ServerState, StepStatus
from desktop.kit import fonts
from desktop.kit.theme import DARK
from desktop.server import timeline_rows
from desktop.server.pages import ServerPages
from desktop.server.parts import Page
from desktop.server.run_words import seconds_left
from desktop.server.timeline import TURN, Timeline
from desktop.server.timeline_paint import places
from tests.desktop.server.starts import MODEL, SPEC, Clock, start

P = ServerPhase


class Painted(QObject):
    """The regions that a widget and what is in it paint."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.regions: list[QRect] = []
        for each in (widget, *widget.findChildren(QWidget)):
            each.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.regions.append(event.rect())
        return False


@pytest.fixture
def clock() -> Clock:
    return Clock(38.0)


@pytest.fixture
def timeline(qtbot: QtBot, clock: Clock) -> Iterator[Timeline]:
    made = Timeline(clock=clock)
    qtbot.addWidget(made)
    made.resize(950, 420)
    made.set_state(start(P.COMPILING, earlier=4, last_line_at=30.0), MODEL)
    yield made
    made.timer.stop()


def _settle() -> None:
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


# --- words --------------------------------------------------------------------------------------------------


def test_title_outlook_and_foot(timeline: Timeline) -> None:
    assert timeline.title.text() == "Starting Qwen3.5 0.8B on the GPU"
    assert timeline.outlook.text().startswith("About 66 s left, going by 4 ")
    assert timeline.elapsed.text() == "0:38"
    assert timeline.foot.text().startswith("Last log line 8 s ago.")


def test_a_first_start_has_no_estimate_and_no_outline(timeline: Timeline) -> None:
    timeline.set_state(start(P.COMPILING), MODEL)
    assert timeline.outlook.text() == "First start, no estimate yet."
    assert all(row.outline is None for row in timeline.steps.rows)


def test_quiet_is_said_from_30_seconds_on(timeline: Timeline, clock: Clock) -> None:
    clock.now = 59.9
    timeline.set_state(timeline.state, MODEL)
    assert timeline.foot.text().startswith("Last log line 29 s ago.")
    clock.now = 64.0
    timeline.set_state(timeline.state, MODEL)
    assert timeline.foot.text() == "Nothing new for 34 s. This is normal while compiling."


def test_a_container_that_writes_nothing_at_all_is_said(timeline: Timeline, clock: Clock) -> None:
    state = start(P.CREATING)  # begun at 6
    clock.now = 40.0
    timeline.set_state(state, MODEL)
    assert timeline.foot.text() == "", "there is no container yet"
    made = msgspec.structs.replace(state, container="c")
    timeline.set_state(made, MODEL)
    assert timeline.foot.text() == "No log line for 34 s. Importing vLLM can be slow the first time."
    clock.now = 30.0
    timeline.set_state(made, MODEL)
    assert timeline.foot.text() == ""


def test_past_its_estimate_the_outline_stretches_and_says_so(timeline: Timeline, clock: Clock) -> None:
    clock.now = 24.0 + 75
    timeline.set_state(timeline.state, MODEL)
    row = timeline.steps.rows[5]
    assert row.late and row.outline == row.end == pytest.approx(99.0)
    assert row.detail.startswith("longer than usual")
    assert timeline.outlook.text() == "This step takes longer than usual."
    assert timeline.steps.rows[6].begin == pytest.approx(99.0)


def test_a_pull_shows_bytes_and_what_stays(timeline: Timeline) -> None:
    timeline.set_state(start(P.IMAGE, done=3_412_000_000, total=8_915_000_000), MODEL)
    assert timeline.steps.rows[1].detail.startswith("3.41 GB of 8.91 GB")
    assert "stays on disk" in timeline.foot.text()


def test_every_step_has_a_name_and_a_status_in_words(timeline: Timeline) -> None:
    names = [row.name for row in timeline.steps.rows]
    wanted = ["Check", "Image", "Weights", "Start vLLM", "Load", "Compile", "Warm up", "Ask"]
    assert names == wanted
    for status in StepStatus:
        assert timeline_rows.status_word(status)


def test_a_skipped_step_says_so_and_has_no_bar(timeline: Timeline) -> None:
    state = start(P.WARMING)
    steps = list(state.steps)
    steps[5] = msgspec.structs.replace(steps[5], status=StepStatus.SKIPPED, began=None, seconds=None)
    row = timeline_rows.rows(msgspec.structs.replace(state, steps=tuple(steps)), 30.0)[5]
    assert (row.begin, row.detail) == (None, "not needed")


# --- the axis -----------------------------------------------------------------------------------------------


def test_the_axis_holds_every_bar_with_few_ticks() -> None:
    for spent in (0.0, 7.0, 61.0, 500.0, 5_000.0, 50_000.0):
        for earlier in (0, 3):
            rows = timeline_rows.rows(start(P.COMPILING, earlier=earlier), 24.0 + spent)
            axis = timeline_rows.axis(rows, 24.0 + spent)
            assert axis.span >= 24.0 + spent
            assert all((row.outline or row.end or 0.0) <= axis.span for row in rows)
            assert 2 <= len(axis.ticks) <= 6


def test_a_bar_never_runs_ahead_of_the_clock(timeline: Timeline, clock: Clock) -> None:
    for now in (25.0, 38.0, 70.0):
        rows = timeline_rows.rows(timeline.state, now)
        assert max(row.end or 0.0 for row in rows) == pytest.approx(now)


def test_bars_keep_their_room_at_every_width(timeline: Timeline) -> None:
    rows = timeline.steps.rows
    for width in (320, 480, 640, 950, 1600):
        at = places(rows, width)
        assert at.name < at.detail <= at.detail_end <= at.bars or width < 480
        assert at.bars <= at.bars_end < at.time_end <= width


# --- rest and motion ----------------------------------------------------------------------------------------


def test_it_moves_only_while_a_start_runs_and_is_seen(timeline: Timeline, qtbot: QtBot) -> None:
    assert not timeline.timer.isActive()
    timeline.show()
    assert timeline.timer.isActive()
    assert timeline.timer.interval() >= 1000 / 30
    timeline.hide()
    assert not timeline.timer.isActive()
    timeline.show()
    timeline.set_state(ServerState(P.READY, SPEC, timeline.state.steps, began=0.0), MODEL)
    assert not timeline.timer.isActive()


def test_idle_paints_nothing(timeline: Timeline, qtbot: QtBot, clock: Clock) -> None:
    timeline.set_state(ServerState(P.FAILED, SPEC, timeline.state.steps, began=0.0), MODEL)
    timeline.show()
    _settle()
    painted = Painted(timeline)
    clock.now += 100
    _settle()
    timeline.set_state(timeline.state, MODEL)
    _settle()
    assert painted.regions == []


def test_a_frame_paints_the_mark_alone(timeline: Timeline, qtbot: QtBot, clock: Clock) -> None:
    timeline.show()
    _settle()
    timeline.timer.stop()
    timeline._beat()
    _settle()
    painted = Painted(timeline)
    clock.now += 0.034
    timeline._beat()
    _settle()
    side = fonts.px(18)
    assert {(rect.width(), rect.height()) for rect in painted.regions} == {(side, side)}


def test_the_mark_turns_once_in_its_time_and_not_at_all_with_reduced_motion(
    timeline: Timeline, qtbot: QtBot, clock: Clock
) -> None:
    timeline.show()
    clock.now = 10 * TURN + TURN / 4
    timeline._beat()
    assert timeline.steps.turn == pytest.approx(0.25)
    timeline.set_reduce_motion(True)
    clock.now += TURN / 4
    timeline._beat()
    assert timeline.steps.turn == 0.0
    assert timeline.timer.interval() >= 250
    clock.now = 70.0
    timeline._beat()
    assert timeline.elapsed.text() == "1:10"


# --- screen reader, keyboard, tooltips ----------------------------------------------------------------------


def test_a_screen_reader_has_each_row_once_a_step_not_a_frame(timeline: Timeline, clock: Clock) -> None:
    told = timeline.steps.accessibleDescription().splitlines()
    assert len(told) == 8
    assert told[0].startswith("Check, done, 1.0 s")
    assert told[5].startswith("Compile, running")
    clock.now += 20
    timeline._beat()
    assert timeline.steps.accessibleDescription().splitlines() == told
    timeline.set_state(start(P.WARMING, earlier=4), MODEL)
    assert timeline.steps.accessibleDescription().splitlines()[5].startswith("Compile, done")


def test_the_keyboard_goes_from_row_to_row(timeline: Timeline, qtbot: QtBot) -> None:
    steps = timeline.steps
    assert steps.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert steps.accessibleName()
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_End, 7), (Qt.Key.Key_Down, 7), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(steps, key)
        assert steps.current == row
        assert steps.accessible_value() == steps.rows[row].sentence


def test_what_is_shortened_has_a_tooltip(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.show()
    timeline.resize(500, 420)
    _settle()
    at = places(timeline.steps.rows, timeline.steps.width())
    row = 6
    middle = QPoint(at.detail + 2, at.row(row).center().y())
    assert timeline.steps.tip_at(middle) == timeline.steps.rows[row].detail
    assert timeline.steps.tip_at(QPoint(at.bars + 2, middle.y())) == ""
    timeline.resize(1400, 420)
    _settle()
    assert timeline.steps.tip_at(middle) == ""


def test_in_a_page_it_takes_the_theme_and_never_scrolls_sideways(qtbot: QtBot, clock: Clock) -> None:
    made = Timeline(clock=clock)
    page = Page(made, 950)
    qtbot.addWidget(page)
    made.set_state(start(P.LOADING), MODEL)
    page.set_theme(DARK)
    page.resize(480, 300)
    page.show()
    _settle()
    assert page.horizontalScrollBar().maximum() == 0
    assert made.width() <= page.viewport().width()
    made.timer.stop()


def test_in_a_low_page_the_running_row_is_in_view(qtbot: QtBot, clock: Clock) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    pages = ServerPages(host)
    page, timeline = pages.pages["timeline"], pages.timeline
    page.resize(700, 220)
    host.show()

    def seen() -> bool:
        part = timeline.running_part()
        top = timeline.mapTo(page.viewport(), part.topLeft()).y()
        return not part.isEmpty() and 0 <= top <= page.viewport().height() - part.height()

    for phase in (P.CHECKING, P.COMPILING, P.ASKING):
        timeline.set_state(start(phase), MODEL)
        qtbot.waitUntil(seen)
    page.resize(700, 160)
    qtbot.waitUntil(seen)


def test_without_an_estimate_of_the_step_at_work_no_time_is_told() -> None:
    """The image was there in all earlier starts, and is not now."""
    state = start(P.IMAGE, earlier=5)
    steps = tuple(
        msgspec.structs.replace(step, estimate=None) if step.phase is P.IMAGE else step
        for step in state.steps
    )
    assert seconds_left(state, 0.5) is not None
    assert seconds_left(msgspec.structs.replace(state, steps=steps), 0.5) is None
