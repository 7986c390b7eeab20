"""The page of the Model tab: what it shows, where the keyboard leads, and how it stands at any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.engines.abilities import NAMES
from core.engines.state import Phase
from core.errors import EngineError
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.kit.theme import DARK
from desktop.model.capabilities import AbilityRow
from desktop.model.values import Speed
from desktop.model.view import CAPABILITIES, OVERVIEW, ModelView
from tests.desktop.model.pages import NOW, local, server


class Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ModelView]:
    made = ModelView(clock=Clock())
    qtbot.addWidget(made)
    made.resize(1055, 720)
    made.show()
    yield made


def settle(view: ModelView) -> None:
    """Timers of 0 ms and layouts are done with."""
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()


def marked(view: ModelView) -> list[str]:
    return [name for name, row in view.capabilities.rows.items() if row.marked]


def test_before_a_model_is_ready_only_a_line_stands_there(view: ModelView) -> None:
    assert view.nothing.isVisible() and not view.area.isVisible()
    assert not view.copy.isEnabled() and view.text() == ""
    view.show_known(local())
    assert view.area.isVisible() and not view.nothing.isVisible()


def test_segments(view: ModelView) -> None:
    view.show_known(server())
    assert view.overview.isVisible() and not view.capabilities.isVisible() and not view.model.isVisible()
    view.segments[CAPABILITIES].click()
    assert view.capabilities.isVisible() and view.model.isVisible() and not view.overview.isVisible()
    view.segments[CAPABILITIES].setFocus()
    QTest.keyClick(view.segments[CAPABILITIES], Qt.Key.Key_Left)
    assert view.overview.isVisible() and view.segments[OVERVIEW].isChecked()


def test_each_row_says_its_answer_in_words(view: ModelView) -> None:
    page = server()
    view.show_known(page)
    view.show_segment(CAPABILITIES)
    for line in page.lines:
        row = view.capabilities.rows[line.name]
        assert row.answer.text() in ("yes", "no", "unknown", "n/a") and row.why.text()
        assert row.flag.isVisible() == row.copy.isVisible() == bool(line.flag)
        assert row.answer.text() in row.accessibleName() and line.evidence in row.accessibleName()
    rank = view.capabilities.rows["rank"]
    assert rank.evidence_line.isVisible() and not rank.evidence.isVisible()
    assert "Scale-out endpoints are disabled" in rank.toolTip()
    assert not view.capabilities.rows["kind"].evidence_line.isVisible()


def test_flags_are_copied_as_they_are_typed(view: ModelView) -> None:
    view.show_known(server())
    view.show_segment(CAPABILITIES)
    view.capabilities.rows["left"].copy.click()
    flags = "--enable-scale-out --return-sampling-mask --logprobs-mode processed_logprobs"
    assert QGuiApplication.clipboard().text() == flags
    assert flags in view.capabilities.rows["left"].copy.accessibleName()
    view.show_segment(OVERVIEW)
    view.overview.line.copy.click()
    assert QGuiApplication.clipboard().text() == server().serve_line


def test_the_page_is_copied_as_text(view: ModelView) -> None:
    view.show_known(server())
    view.copy.click()
    text = QGuiApplication.clipboard().text()
    assert text == view.text() and "What this server can show" in text and "--enable-scale-out" in text


def test_leading_to_a_row_marks_it_shows_its_evidence_and_brings_it_into_view(view: ModelView) -> None:
    view.show_known(server())
    view.resize(800, 420)
    view.show_ability("cached_tokens")  # a cell of the matrix, whose line is another
    settle(view)
    row = view.capabilities.rows["cached"]
    assert marked(view) == ["cached"] and row.evidence.isVisible() and not row.evidence_line.isVisible()
    top = row.mapTo(view.area.viewport(), QPoint(0, 0)).y()
    assert 0 <= top <= view.area.viewport().height() - row.height()
    view.show_ability("nothing of that name")
    assert marked(view) == []
    view.show_ability("rank")
    view.hide()
    assert marked(view) == []


def test_arrows_walk_through_the_rows_and_tab_comes_to_one(view: ModelView) -> None:
    view.show_known(server())
    view.show_segment(CAPABILITIES)
    view.activateWindow()
    rows = view.capabilities.rows
    stops = [name for name, row in rows.items() if row.focusPolicy() == Qt.FocusPolicy.StrongFocus]
    assert stops == [NAMES[0]]
    rows[NAMES[0]].setFocus()
    for key, name in (
        (Qt.Key.Key_Down, NAMES[1]), (Qt.Key.Key_Up, NAMES[0]), (Qt.Key.Key_Up, NAMES[0]),
        (Qt.Key.Key_End, NAMES[-1]), (Qt.Key.Key_Home, NAMES[0]),
    ):  # fmt: skip
        focused = QApplication.focusWidget()
        assert isinstance(focused, AbilityRow)
        QTest.keyClick(focused, key)
        assert marked(view) == [name] and rows[name].hasFocus()
    settle(view)
    assert view.area.verticalScrollBar().value() <= fonts.px(60)


def test_ask_again_only_while_it_can_be_asked(view: ModelView) -> None:
    asked: list[int] = []
    view.ask_again.connect(lambda: asked.append(1))
    view.show_known(local())
    assert not view.again.isVisible()
    for page, enabled in (
        (server(), True),
        (server(running=True), False),
        (server(asking=True), False),
        (server(phase=Phase.LOST), False),
    ):
        view.show_known(page)
        view.again.click()
        assert view.again.isVisible() and view.again.isEnabled() == enabled
        assert view.again.toolTip() == view.again.accessibleDescription()
    assert asked == [1]
    view.show_known(server(asking=True))
    assert view.again.text() == "Asking…" and view.capabilities.aside.text() == "asking…"
    view.errors.show_error(EngineError("server.unreachable", address="http://127.0.0.1:8000"))
    assert view.errors.isVisible()


def test_time_goes_on_while_the_page_is_open(view: ModelView) -> None:
    view.show_known(server())
    clock = view._clock
    assert isinstance(clock, Clock) and view._ago.isActive()
    clock.now = NOW + 600
    view._tick()
    clock.now = NOW
    assert view.capabilities.aside.text().startswith("asked 22 min ago")
    view.hide()
    assert not view._ago.isActive()


def test_the_short_facts_go_below_where_there_is_little_room(view: ModelView) -> None:
    view.show_known(server())
    view.show_segment(CAPABILITIES)
    settle(view)
    side = view.engine.mapTo(view, QPoint(0, 0))
    assert side.x() > view.capabilities.width()
    view.resize(760, 720)
    settle(view)
    below = view.engine.mapTo(view, QPoint(0, 0))
    assert below.x() == view.capabilities.mapTo(view, QPoint(0, 0)).x() < side.x()


@pytest.mark.parametrize("zoom", [80, 100, 200])
@pytest.mark.parametrize("width", [420, 720, 1280])
def test_nothing_is_cut_off_at_any_size(
    view: ModelView, qapp: QApplication, tmp_path: Path, zoom: int, width: int
) -> None:
    appearance = Appearance(qapp, tmp_path / "style")
    try:
        appearance.take("light", zoom)
        view.set_theme(appearance.theme)
        view.show_known(server(mode="raw_logits", speculative=True, version="0.31.0"))
        view.resize(max(width, round(width * zoom / 100)), 500)
        for segment in (CAPABILITIES, OVERVIEW):
            view.show_segment(segment)
            settle(view)
            inside = view.area.widget()
            assert inside.width() <= view.area.viewport().width()
            for label in inside.findChildren(QLabel):
                if label.isVisible() and label.wordWrap() and label.text():
                    assert label.height() >= label.heightForWidth(label.width()), label.text()
    finally:
        appearance.take("light", 100)
        qapp.setStyleSheet("")


def test_everything_has_a_name_and_is_plain_text(view: ModelView) -> None:
    view.show_known(server())
    for button in view.findChildren(QAbstractButton):
        assert button.text() or button.accessibleName() or not button.isVisibleTo(view), button
    for label in view.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or not label.text()


def test_tab_walks_down_the_page(view: ModelView) -> None:
    view.show_known(server())
    view.show_segment(CAPABILITIES)
    view.order_after(view.segments[OVERVIEW])
    view.activateWindow()
    view.segments[CAPABILITIES].setFocus()
    walked = []
    while len(walked) < 6:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        walked.append(QApplication.focusWidget())
    rows = view.capabilities.rows
    assert walked == [
        view.copy, view.again, view.area, rows[NAMES[0]], rows["rank"].copy, rows["left"].copy
    ]  # fmt: skip


def test_words_follow_the_page_and_the_language(view: ModelView, qapp: QApplication) -> None:
    view.set_theme(DARK)
    view.show_known(server())
    assert view.overview.hidden.isVisible() and view.overview.serve.isVisible()
    view.show_known(local(serve_line="", speed=Speed()))
    assert not view.overview.hidden.isVisible() and not view.overview.serve.isVisible()
    assert view.engine.title.text() == "Engine"
    view.show_known(replace(local(), speed=Speed(10.0, 100.0, 1)))
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert view.speed.aside.text() == "last answer"


def test_cards_below_each_other_leave_no_gap(view: ModelView) -> None:
    view.show_known(server())
    view.resize(700, 2400)
    settle(view)
    assert view.engine.geometry().top() - view.overview.geometry().bottom() < 60
