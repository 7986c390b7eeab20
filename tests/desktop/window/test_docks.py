"""Docks that are dragged, closed and squeezed, and the window's size at large zooms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from core.errors import LoupeError
from core.log_lines import LogBuffer
from desktop.chat.view import TranscriptView
from desktop.kit import fonts
from desktop.kit.appearance import Appearance
from desktop.window.geometry import WindowMemory
from desktop.window.main_window import MainWindow
from desktop.window.placement import Panel
from desktop.window.zoom_fit import ZoomFit


@pytest.fixture
def appearance(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Appearance]:
    made = Appearance(qapp, tmp_path_factory.getbasetemp() / "style")
    made.set_reduce_motion(True)
    made.apply("light")
    yield made
    made.set_zoom(100)
    qapp.setStyleSheet("")  # it names files of this run


def make(qtbot: QtBot, appearance: Appearance, memory: WindowMemory | None = None) -> MainWindow:
    made = MainWindow(TranscriptView(), appearance, LogBuffer(), memory or WindowMemory())
    qtbot.addWidget(made, before_close_func=MainWindow.close_for_real)
    made.resize(1280, 800)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def window(qtbot: QtBot, appearance: Appearance) -> MainWindow:
    return make(qtbot, appearance)


def move_to_the_left(window: MainWindow) -> None:
    """As a drag by the title does: off its place (hidden, shown as a window), then onto another."""
    dock = window.docks[Panel.SAMPLING]
    dock.setFloating(True)
    dock.resize(500, 300)
    QApplication.processEvents()
    dock.setFloating(False)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    QApplication.processEvents()


def test_a_dragged_dock_stays_open_and_its_button_lit(window: MainWindow, qtbot: QtBot) -> None:
    move_to_the_left(window)
    assert window.docks[Panel.SAMPLING].isVisible()
    assert window.panel_shown(Panel.SAMPLING) and window.run_bar.sampling.isChecked()
    window.toggle_panel(Panel.SAMPLING)
    assert window.docks[Panel.SAMPLING].isHidden()
    window.toggle_panel(Panel.SAMPLING)
    assert window.docks[Panel.SAMPLING].isVisible()


def test_the_size_of_a_dock_in_the_air_is_not_remembered(window: MainWindow, qtbot: QtBot) -> None:
    before = dict(window.panels.sizes)
    dock = window.docks[Panel.SAMPLING]
    dock.setFloating(True)
    dock.resize(500, 300)
    QApplication.processEvents()
    assert window.panels.sizes == before


def test_an_edge_drawn_by_the_pointer_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    dock = window.docks[Panel.CONVERSATIONS]
    window.resize(1279, 790)  # the layout's doing is not remembered
    assert window.panels.sizes[Panel.CONVERSATIONS] == 224
    edge = QPoint(dock.geometry().right() + 1, 400)
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(window, edge + QPoint(60, 0))
    qtbot.waitUntil(lambda: window.panels.sizes[Panel.CONVERSATIONS] == dock.width() > 260)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=edge + QPoint(60, 0))


def test_where_a_dock_was_dragged_to_is_remembered(
    window: MainWindow, qtbot: QtBot, appearance: Appearance
) -> None:
    move_to_the_left(window)
    second = make(qtbot, appearance, window.memory())
    assert second.dockWidgetArea(second.docks[Panel.SAMPLING]) is Qt.DockWidgetArea.LeftDockWidgetArea
    assert second.docks[Panel.SAMPLING].isVisible() and second.run_bar.sampling.isChecked()
    assert second.docks[Panel.SAMPLING].y() > second.docks[Panel.CONVERSATIONS].y()


def test_a_dock_closed_by_qts_own_means_is_closed(window: MainWindow) -> None:
    window.docks[Panel.SAMPLING].close()
    assert not window.panel_shown(Panel.SAMPLING) and not window.run_bar.sampling.isChecked()
    window.toggle_panel(Panel.SAMPLING)
    assert window.docks[Panel.SAMPLING].isVisible()


def test_docks_do_not_hide_behind_each_other(window: MainWindow) -> None:
    assert not window.dockOptions() & QMainWindow.DockOption.AllowTabbedDocks


def test_the_log_leaves_the_chat_room_and_takes_it_back(window: MainWindow) -> None:
    window.resize(720, 520)
    window.show_panel(Panel.LOG, True)
    QApplication.processEvents()
    assert window.centre.stage.height() >= 110
    window.resize(720, 800)
    QApplication.processEvents()
    assert window.docks[Panel.LOG].height() == pytest.approx(250, abs=2)
    window.resize(720, 520)
    QApplication.processEvents()
    assert window.centre.stage.height() >= 110


def test_the_smallest_size_leaves_room_on_the_screen(window: MainWindow, appearance: Appearance) -> None:
    appearance.set_zoom(200)
    screen = window.screen().availableSize()
    least = window.minimumSize()
    assert least.width() <= screen.width() - 48 and least.height() <= screen.height() - 48 - 32


def test_a_zoom_gives_the_size_back(window: MainWindow, appearance: Appearance) -> None:
    window.resize(720, 520)
    appearance.set_zoom(130)
    assert window.size() != QSize(720, 520)
    appearance.set_zoom(100)
    assert window.size() == QSize(720, 520)
    assert window.minimumSize() == QSize(720, 520)


def test_a_size_chosen_meanwhile_stays(window: MainWindow, appearance: Appearance) -> None:
    window.resize(720, 520)
    appearance.set_zoom(110)
    window.resize(window.width() + 30, window.height() + 30)
    chosen = window.size()
    appearance.set_zoom(100)
    assert window.size() == chosen


def test_a_window_that_grows_stays_whole_on_its_screen(qtbot: QtBot, appearance: Appearance) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    fit = ZoomFit(window)
    screen = window.screen().availableGeometry()
    window.resize(300, 300)
    window.move(screen.bottomRight().x() - 310, screen.bottomRight().y() - 310)
    with qtbot.waitExposed(window):
        window.show()
    fonts.set_zoom(120)
    fit.apply()
    fonts.set_zoom(100)
    assert screen.contains(QRect(window.frameGeometry().topLeft(), window.size()))


def test_the_composer_is_whole_beside_the_log_at_any_zoom(
    window: MainWindow, appearance: Appearance, qtbot: QtBot
) -> None:
    window.resize(720, 520)
    window.show_panel(Panel.LOG, True)
    appearance.set_zoom(200)
    composer, pages = window.composer, window.centre
    qtbot.waitUntil(lambda: composer.height() >= composer.minimumSizeHint().height())
    qtbot.waitUntil(lambda: pages.rect().contains(composer.geometry()))


def test_a_closed_error_leaves_the_focus_to_the_composer(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.show_error(LoupeError("prompt.empty"))
    window.centre.errors.close_button.setFocus()
    qtbot.keyClick(window.centre.errors.close_button, Qt.Key.Key_Space)
    assert window.composer.edit.hasFocus()


# --- another panel in the right dock ------------------------------------------------------------------------


def test_a_tab_has_its_own_panel_in_the_right_dock(window: MainWindow) -> None:
    panel = QWidget()
    window.side.add("context", panel, lambda: ("Tokens", ""))
    assert window.sampling.isVisible() and not panel.isVisible()
    window.side.show_for("context")
    assert panel.isVisible() and not window.sampling.isVisible()
    assert "Tokens" in [label.text() for label in window.side.head.findChildren(QLabel)]
    window.side.show_for("chat")
    assert window.sampling.isVisible() and not panel.isVisible()
    assert "Sampling" in [label.text() for label in window.side.head.findChildren(QLabel)]


def test_a_tab_s_panel_comes_over_the_page_in_a_narrow_window(window: MainWindow) -> None:
    panel = QWidget()
    window.side.add("context", panel, lambda: ("Tokens", ""))
    window.side.show_for("context")
    window.resize(900, 700)
    assert not panel.isVisible()
    window.show_panel(Panel.SAMPLING, True)
    assert panel.isVisible()
    window.escape()
    assert not panel.isVisible()
