"""Palette, sheet, zoom, appearance, focus ring and switch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.kit import appearance as appearance_module
from desktop.kit import fonts, icons, style
from desktop.kit.appearance import Appearance
from desktop.kit.focus import FocusRing
from desktop.kit.style import mark
from desktop.kit.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme
from desktop.kit.toggle import Toggle


@pytest.fixture
def appearance(qapp: QApplication, tmp_path: Path) -> Iterator[Appearance]:
    sheet, palette, font = qapp.styleSheet(), qapp.palette(), qapp.font()
    made = Appearance(qapp, tmp_path)
    made.apply("light")
    yield made
    made.apply("system")
    made.deleteLater()
    fonts.set_zoom(100)
    icons.tinted.retint(LIGHT)
    qapp.setStyleSheet(sheet)
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_the_sheet_is_whole_and_names_only_files_that_exist(qapp, theme: Theme, tmp_path: Path) -> None:
    sheet = style.style_sheet(theme, tmp_path)
    assert "$" not in sheet
    assert sheet.count("{") == sheet.count("}")
    files = re.findall(r'url\("(.+?)"\)', sheet)
    assert files and all(Path(file).is_file() for file in files)
    colours = {colour.upper() for colour in re.findall(r"#[0-9A-Fa-f]{6}", sheet)}
    assert {theme.accent, theme.focus, theme.line, theme.text} <= colours


def test_a_folder_that_cannot_be_written_costs_pictures_only(qapp, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    sheet = style.style_sheet(LIGHT, tmp_path / "file")
    assert all(Path(file).is_file() for file in re.findall(r'url\("(.+?)"\)', sheet))


def test_a_picture_of_another_version_is_written_anew(qapp, tmp_path: Path) -> None:
    path = Path(style.image("check", LIGHT.accent, tmp_path))
    good = path.read_text()
    path.write_text("<svg")
    assert Path(style.image("check", LIGHT.accent, tmp_path)).read_text() == good


def test_no_colour_stands_in_the_kit_outside_the_theme() -> None:
    for path in Path(style.__file__).parent.glob("*.py"):
        if path.name != "theme.py":
            assert not re.search(r"#[0-9A-Fa-f]{6}\b", path.read_text(encoding="utf-8")), path.name


def test_lengths_scale_and_hairlines_stay(qapp, tmp_path: Path) -> None:
    fonts.set_zoom(150)
    try:
        sheet = style.style_sheet(LIGHT, tmp_path)
    finally:
        fonts.set_zoom(100)
    assert "min-height: 45px" in sheet and "border: 1px solid" in sheet and "margin: -9px 0" in sheet


def test_palette(qapp) -> None:
    palette = style.palette(DARK)
    assert palette.color(QPalette.ColorRole.Base) == QColor(DARK.surface)
    assert palette.color(QPalette.ColorRole.Accent) == QColor(DARK.accent)


def test_control_heights_are_those_of_the_design(appearance: Appearance, qtbot: QtBot) -> None:
    page = QWidget()
    row = QHBoxLayout(page)
    plain, small, bar, icon, edit = (
        QPushButton("x"),
        QPushButton("x"),
        QPushButton("x"),
        QToolButton(),
        QLineEdit(),
    )
    mark(small, size="small")
    mark(bar, kind="bar")
    mark(icon, kind="icon")
    for widget in (plain, small, bar, icon, edit):
        row.addWidget(widget)
    qtbot.addWidget(page)
    page.show()
    heights = [widget.height() for widget in (plain, small, bar, icon, edit)]
    assert heights == [32, 28, 34, 32, 32]
    assert icon.width() == 32


def test_marking_a_shown_widget_changes_its_look(appearance: Appearance, qtbot: QtBot) -> None:
    label = QLabel("x")
    qtbot.addWidget(label)
    label.show()
    mark(label, tone="err", role="caption")
    assert label.palette().color(label.foregroundRole()) == QColor(LIGHT.err)
    assert label.font().pixelSize() == 11


def test_a_change_is_told_once_and_retints(appearance: Appearance, qtbot: QtBot) -> None:
    told: list[str] = []
    appearance.changed.connect(lambda theme: told.append(theme.name))
    appearance.apply("dark")
    appearance.apply("dark")
    appearance.set_zoom(150)
    appearance.take("high_contrast", 100)
    assert told == ["dark", "dark", "high_contrast"]
    assert appearance.theme is HIGH_CONTRAST
    assert QApplication.palette().color(QPalette.ColorRole.Base) == QColor(HIGH_CONTRAST.surface)
    appearance.take("light", 1000)
    assert (appearance.zoom, fonts.px(32)) == (200, 64)


def test_the_system_chooses_when_asked(appearance: Appearance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appearance_module, "system_theme", lambda: "dark")
    appearance.apply("no such theme")
    assert appearance.choice == "system" and appearance.theme is DARK
    monkeypatch.setattr(appearance_module, "system_theme", lambda: "light")
    appearance._system_changed()
    assert appearance.theme is LIGHT
    appearance.apply("dark")
    appearance._system_changed()
    assert appearance.theme is DARK, "a choice by hand stands"


def test_reduced_motion_has_no_durations(appearance: Appearance) -> None:
    assert appearance.duration(90) == 90
    appearance.set_reduce_motion(True)
    assert appearance.duration(90) == 0


def test_fonts_by_role(qapp) -> None:
    body, mono = fonts.font("body"), fonts.font("mono")
    assert body.pixelSize() == 13 and fonts.line_height("answer") == 28
    assert [tag.toString() for tag in body.featureTags()] == [b"tnum"]
    assert {bytes(tag.toString().data()) for tag in mono.featureTags()} == {b"liga", b"clig", b"calt"}
    with pytest.raises(KeyError):
        fonts.font("no such role")


def page_with_buttons(qtbot: QtBot) -> tuple[QWidget, QPushButton, QPushButton, QLineEdit]:
    page = QWidget()
    area = QScrollArea(page)
    inner = QWidget()
    column = QVBoxLayout(inner)
    one, two, edit = QPushButton("one"), QPushButton("two"), QLineEdit()
    for widget in (one, two, edit):
        column.addWidget(widget)
    area.setWidget(inner)
    page.resize(300, 300)
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    return page, one, two, edit


def test_the_ring_follows_the_keyboard_and_skips_text_fields(
    appearance: Appearance, qapp: QApplication, qtbot: QtBot
) -> None:
    ring = FocusRing(qapp, appearance)
    page, one, two, edit = page_with_buttons(qtbot)
    qtbot.waitUntil(page.isActiveWindow)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.ring is not None and ring.ring.isVisible()
    inside = ring.ring.geometry().adjusted(4, 4, -4, -4)
    assert inside.topLeft() == one.mapTo(ring.ring.parentWidget(), QPoint(0, 0))
    one.move(one.x() + 5, one.y() + 7)
    assert ring.ring.geometry().adjusted(4, 4, -4, -4).topLeft() == one.mapTo(
        ring.ring.parentWidget(), QPoint(0, 0)
    )
    old = ring.ring
    QTest.keyClick(one, Qt.Key.Key_Tab)
    assert qapp.focusWidget() is two and ring.ring is not old
    edit.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.ring is None
    ring.deleteLater()


def test_a_click_shows_no_ring_and_a_window_that_goes_takes_its_ring(
    appearance: Appearance, qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = FocusRing(qapp, appearance)
    page, one, two, _ = page_with_buttons(qtbot)
    qtbot.waitUntil(page.isActiveWindow)
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    one.setFocus(Qt.FocusReason.MouseFocusReason)
    assert ring.ring is None
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: Qt.MouseButton.NoButton)
    two.setFocus(Qt.FocusReason.TabFocusReason)
    held = ring.ring
    page.close()
    page.deleteLater()
    qtbot.waitUntil(lambda: not isValid(page))
    assert held is not None and not isValid(held)
    ring._recolour(DARK)
    ring._moved(None, None)
    ring.deleteLater()


def test_the_switch_shows_its_state_by_place(appearance: Appearance, qtbot: QtBot) -> None:
    toggle = Toggle()
    qtbot.addWidget(toggle)
    toggle.show()

    def knob_is_left() -> bool:
        image = toggle.grab().toImage()
        y = toggle.height() // 2
        left, right = image.pixelColor(8, y), image.pixelColor(toggle.width() - 9, y)
        surface = QColor(LIGHT.surface)
        assert (left == surface) != (right == surface)
        return left == surface

    assert knob_is_left()
    QTest.keyClick(toggle, Qt.Key.Key_Space)
    assert toggle.isChecked() and not knob_is_left()


class Counts(QPushButton):
    paints = 0

    def event(self, event: QEvent) -> bool:
        self.paints += event.type() == QEvent.Type.Paint
        return super().event(event)


def test_an_idle_page_repaints_nothing(appearance: Appearance, qapp: QApplication, qtbot: QtBot) -> None:
    page = QWidget()
    row = QHBoxLayout(page)
    button = Counts("x")
    mark(button, kind="primary")
    row.addWidget(button)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: button.paints > 0)
    qapp.sendPostedEvents()
    before = button.paints
    for _ in range(50):
        qapp.sendPostedEvents()
    assert button.paints == before
