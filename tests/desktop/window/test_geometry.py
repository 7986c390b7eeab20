"""The window comes back fully onto a screen that exists (case G07)."""

from __future__ import annotations

import base64

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow
from pytestqt.qtbot import QtBot

from desktop.window.geometry import (
    encode_geometry,
    encode_state,
    fitted,
    restore_geometry,
    restore_state,
)
from desktop.window.placement import Panel

LEFT = QRect(0, 0, 1920, 1080)
RIGHT = QRect(1920, 0, 2560, 1440)


@pytest.mark.parametrize(
    "rect",
    [
        QRect(9999, 9999, 1280, 800),
        QRect(-5000, -5000, 1280, 800),
        QRect(100, 900, 1280, 800),
        QRect(-600, 100, 1280, 800),
        QRect(0, 0, 8000, 6000),
        QRect(4400, 1400, 1280, 800),
    ],
)
def test_a_window_that_is_not_fully_visible_is_moved_onto_one_screen(rect: QRect) -> None:
    found = fitted(rect, [LEFT, RIGHT])
    assert LEFT.contains(found) or RIGHT.contains(found)
    assert found.width() == min(rect.width(), 2560)


def test_a_visible_window_stays() -> None:
    for rect in (QRect(100, 100, 1280, 800), QRect(1500, 100, 900, 800), QRect(0, 0, 1920, 1080)):
        assert fitted(rect, [LEFT, RIGHT]) == rect


def test_mirrored_screens_count_once() -> None:
    found = fitted(QRect(1500, 0, 840, 600), [LEFT, QRect(LEFT)])
    assert LEFT.contains(found)


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    dock = QDockWidget(made)
    dock.setObjectName(Panel.LOG.value)
    made.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    return made


def on_screen(window: QMainWindow) -> bool:
    return QGuiApplication.primaryScreen().availableGeometry().contains(window.geometry())


def test_far_away(window: QMainWindow, qtbot: QtBot) -> None:
    window.setGeometry(9999, 9999, 600, 400)
    saved = encode_geometry(window)
    other = QMainWindow()
    qtbot.addWidget(other)
    restore_geometry(other, saved)
    assert on_screen(other)


@pytest.mark.parametrize("text", ["", "%%%", base64.b64encode(b"nonsense" * 9).decode(), "é"])
def test_damaged_bytes_give_the_default(window: QMainWindow, text: str) -> None:
    restore_geometry(window, text)
    assert on_screen(window)
    assert window.width() > 500


def test_an_ordinary_place_is_kept(window: QMainWindow, qtbot: QtBot) -> None:
    window.setGeometry(40, 50, 610, 420)
    saved = encode_geometry(window)
    other = QMainWindow()
    qtbot.addWidget(other)
    restore_geometry(other, saved)
    assert other.geometry() == QRect(40, 50, 610, 420)


def test_docks_and_wishes_are_kept(window: QMainWindow) -> None:
    wanted = {Panel.CONVERSATIONS: False, Panel.SAMPLING: True, Panel.LOG: True}
    sizes = {Panel.CONVERSATIONS: 230, Panel.SAMPLING: 310, Panel.LOG: 180}
    text = encode_state(window, wanted, sizes)
    read, read_sizes = dict.fromkeys(Panel, False), dict.fromkeys(Panel, 0)
    restore_state(window, text, read, read_sizes)
    assert (read, read_sizes) == (wanted, sizes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[]",
        "{}",
        "null",
        '{"open": {"log": 7}, "sizes": {}, "docks": ""}',
        '{"open": {"log": true}, "sizes": {}, "docks": "%"}',
        '{"open": {"log": true}, "sizes": {"log": -5}, "docks": ""}',
        '{"open": {"log": true}, "sizes": {}, "docks": "AAAA"}',
    ],
)
def test_damaged_state_changes_nothing(window: QMainWindow, text: str) -> None:
    wanted = {Panel.CONVERSATIONS: True, Panel.SAMPLING: False, Panel.LOG: False}
    before = dict(wanted)
    restore_state(window, text, wanted, {})
    assert wanted == before
