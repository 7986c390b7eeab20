"""The log dock: follows, filters, finds, selects, copies, and does nothing while it is closed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.errors import LoupeError
from core.log_lines import LogBuffer
from desktop.log import copying
from desktop.log.panel import LogPanel, LogTools
from desktop.log.saving import save
from desktop.log.search import Search
from desktop.log.view import LogView


@pytest.fixture
def buffer() -> LogBuffer:
    return LogBuffer(1_000)


@pytest.fixture
def panel(qtbot: QtBot, buffer: LogBuffer) -> LogPanel:
    made = LogPanel(buffer)
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    return made


@pytest.fixture
def view(panel: LogPanel, buffer: LogBuffer) -> LogView:
    add(panel, buffer, 100)
    return panel.view


def add(panel: LogPanel, buffer: LogBuffer, count: int, word: str = "INFO line") -> None:
    for index in range(count):
        buffer.add(f"{word} {index}")
    panel.notify()
    panel.view.batcher.flush()


def copied(view: LogView) -> str:
    """The selected rows, where they are few."""
    view.copy()
    return QGuiApplication.clipboard().text()


def row_point(view: LogView, slot: int) -> QPoint:
    return QPoint(80, slot * view._row_height + view._row_height // 2)


def test_it_follows_the_end_until_somebody_scrolls_up(
    view: LogView, panel: LogPanel, buffer: LogBuffer, qtbot: QtBot
) -> None:
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    with qtbot.waitSignal(view.follow_changed) as signal:
        bar.setValue(bar.maximum() - 5)
    assert signal.args == [False]
    at = bar.value()
    add(panel, buffer, 50)
    assert bar.value() == at
    view.set_follow(True)
    assert bar.value() == bar.maximum()
    add(panel, buffer, 50)
    assert bar.value() == bar.maximum()


def test_the_row_at_the_top_stays_when_old_lines_are_dropped(
    view: LogView, panel: LogPanel, buffer: LogBuffer
) -> None:
    add(panel, buffer, 1_000)
    view.set_follow(False)
    bar = view.verticalScrollBar()
    bar.setValue(500)
    line = view.rows.line(500)
    add(panel, buffer, 120)
    assert bar.value() == 380
    assert view.rows.line(380) == line


def test_a_closed_dock_does_no_work(view: LogView, panel: LogPanel, buffer: LogBuffer) -> None:
    rows = len(view.rows)
    panel.hide()
    add(panel, buffer, 10)
    assert len(view.rows) == rows and not view.batcher.pending
    panel.show()
    assert len(view.rows) == rows + 10


def test_lines_may_come_from_another_thread(panel: LogPanel, buffer: LogBuffer, qtbot: QtBot) -> None:
    def work() -> None:
        for index in range(200):
            buffer.add(f"from a thread {index}")
            panel.notify()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(panel.view.rows) == 200)


def test_selected_rows_are_copied_as_they_came(view: LogView, qtbot: QtBot) -> None:
    view.set_follow(False)
    view.verticalScrollBar().setValue(0)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(view, 2))
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, shift, pos=row_point(view, 4))
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "INFO line 2\nINFO line 3\nINFO line 4\n"
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    view.copy()
    assert QGuiApplication.clipboard().text().count("\n") == 100


def test_keys_move_and_a_screen_reader_hears_the_row(view: LogView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0 and not view.follow
    assert view.accessibleDescription() == "INFO line 0"
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "INFO line 1"
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.follow and view.accessibleDescription() == "INFO line 99"


def test_tools(view: LogView, panel: LogPanel, buffer: LogBuffer, qtbot: QtBot) -> None:
    tools = LogTools(panel)
    qtbot.addWidget(tools)
    tools.show()
    add(panel, buffer, 3, "WARNING slow")
    tools.level.setCurrentIndex(2)
    assert len(view.rows) == 3
    tools.level.setCurrentIndex(0)
    assert len(view.rows) == 103
    tools.search.setText("line 42")
    assert copied(view) == "INFO line 42\n" and not tools.follow.isChecked()
    tools.search.setText("SLOW")
    assert copied(view) == "WARNING slow 0\n"
    qtbot.keyClick(tools.search, Qt.Key.Key_Return)
    assert copied(view) == "WARNING slow 1\n"
    qtbot.keyClick(tools.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(tools.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert copied(view) == "WARNING slow 2\n"
    tools.search.setText("nothing like it")
    assert tools.search.property("state") == "err"
    qtbot.keyClick(tools.search, Qt.Key.Key_Escape)
    assert tools.search.text() == "" and tools.search.property("state") == ""
    with qtbot.waitSignal(view.search_ended):
        tools.show_line("a line that has left the log")
    assert tools.search.property("state") == ""  # nothing was typed
    tools.follow.click()
    assert view.follow


def test_a_redrawn_line_is_painted_anew(view: LogView, panel: LogPanel, buffer: LogBuffer) -> None:
    buffer.add("loading 1 %\r")
    panel.notify()
    view.batcher.flush()
    rows = len(view.rows)
    buffer.add("loading 2 %\r")
    panel.notify()
    view.batcher.flush()
    assert len(view.rows) == rows
    line = view.rows.line(rows - 1)
    assert line is not None and line.text == "loading 2 %"


def test_it_paints_every_kind_of_line(view: LogView, panel: LogPanel, buffer: LogBuffer) -> None:
    for text in ("ERROR " + "x" * 5_000, "\ttabs\there", "玉山 🙂 \x1b[31mred", "ß strasse", "WARNING w"):
        buffer.add(text)
    panel.notify()
    view.batcher.flush()
    view.set_find("ss")
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    assert not view.grab().isNull()


def test_an_empty_log_says_when_it_fills(panel: LogPanel, buffer: LogBuffer) -> None:
    assert panel._empty.isVisible() and panel._empty.text()
    add(panel, buffer, 1)
    assert not panel._empty.isVisible()


def test_a_search_through_a_long_log_lets_the_window_live(
    view: LogView, panel: LogPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Search.advance, "__defaults__", (10,))
    tools = LogTools(panel)
    qtbot.addWidget(tools)
    with qtbot.waitSignal(view.search_ended) as ended:
        tools.search.setText("nothing like it")
        assert view._search_timer.isActive()  # a part is done, the rest waits for its turn
        assert tools.search.property("state") != "err"
    assert ended.args == [False] and tools.search.property("state") == "err"
    tools.search.setText("line 99")
    tools.search.setText("line 42")  # overtakes the one before
    qtbot.waitUntil(lambda: copied(view) == "INFO line 42\n")
    assert not view._search_timer.isActive()


def test_paused_it_stands_still_and_counts(panel: LogPanel, view: LogView, buffer: LogBuffer) -> None:
    tools = LogTools(panel)
    tools.pause.click()
    before = len(view.rows)
    add(panel, buffer, 3)
    assert len(view.rows) == before and "3" in tools._title.text()
    tools.pause.click()
    view.batcher.flush()
    assert len(view.rows) == before + 3 and "3" not in tools._title.text()


def test_the_filter_keeps_lines_with_the_words(panel: LogPanel, view: LogView) -> None:
    tools = LogTools(panel)
    tools.search.setText("line 9")
    tools.filter.click()
    assert len(view.rows) == 11  # 9 and 90 to 99
    tools.search.setText("line 99")
    assert len(view.rows) == 1
    tools.filter.click()
    assert len(view.rows) == 100


def test_a_line_is_shown_whatever_is_filtered(panel: LogPanel, view: LogView, qtbot: QtBot) -> None:
    tools = LogTools(panel)
    tools.level.setCurrentIndex(3)
    tools.search.setText("nothing")
    tools.filter.click()
    assert not len(view.rows)
    with qtbot.waitSignal(view.search_ended) as ended:
        tools.show_line("line 42")
    assert ended.args == [True] and copied(view) == "INFO line 42\n" and not view.follow


def test_cleared_it_says_when_lines_come(panel: LogPanel, view: LogView, buffer: LogBuffer) -> None:
    panel.clear()
    assert not view.isVisible()
    add(panel, buffer, 1)
    assert len(view.rows) == 1 and view.isVisible()


def test_of_many_lines_a_copy_is_made_in_parts(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "PART", 10)
    log = LogBuffer(25)
    made = LogPanel(log)
    qtbot.addWidget(made)
    made.show()
    add(made, log, 25, "玉山 line")
    QGuiApplication.clipboard().setText("before")
    made.view.copy()
    assert QGuiApplication.clipboard().text() == "before"
    log.add("pushes the first line out, which is copied already")
    log.add("and the second")
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() != "before")
    assert QGuiApplication.clipboard().text() == "".join(f"玉山 line {n}\n" for n in range(25))


def test_a_newer_copy_takes_the_place_of_one_that_is_not_done(
    view: LogView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PART", 10)
    view.copy()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(view, 0))
    row = view.accessibleDescription()
    view.copy()
    assert QGuiApplication.clipboard().text() == f"{row}\n"
    assert not view._copy._timer.isActive()


def test_saved_is_what_passes_the_filter(view: LogView, tmp_path: Path) -> None:
    view.set_filter("line 9")
    asyncio.run(save(view.rows, str(tmp_path / "a.log")))
    lines = (tmp_path / "a.log").read_text(encoding="utf-8").splitlines()
    assert lines == ["INFO line 9", *(f"INFO line {n}" for n in range(90, 100))]
    with pytest.raises(LoupeError) as caught:
        asyncio.run(save(view.rows, str(tmp_path / "none" / "a.log")))
    assert caught.value.code == "log.not_saved"
