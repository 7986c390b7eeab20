"""Icons: each file is plain one-colour SVG that paints something, in the colour asked for."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.paths import resources
from desktop.kit import icons
from desktop.kit.theme import DARK, LIGHT

FILES = sorted((resources() / "icons").glob("*.svg"))
NAMED = """
sidebar rightbar bottombar play stop pause chevron-down chevron-right chevron-left plus x check dots search
loupe gear log chart sliders copy redo pencil branch pin next warn err info down trash lock disk chip clock
clip send eye follow offline link arrow app tray-stopped tray-starting tray-ready tray-failed
"""


def colours(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def test_every_icon_of_the_design_is_there() -> None:
    assert set(NAMED.split()) <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_icon_is_plain_svg_on_the_grid(path, qapp) -> None:
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert QSvgRenderer(str(path)).isValid()
    if path.stem == "app":
        return
    assert root.get("viewBox") == "0 0 24 24"
    assert root.get("stroke-width") == "1.75"
    assert "#" not in text, "icons hold no colour of their own"
    image = icons.pixmap(path.stem, "#FF0000", 24, 2.0).toImage()
    assert colours(image) == {"#FF0000"}
    edge = [image.pixelColor(x, y).alpha() for i in range(48) for x, y in ((i, 0), (i, 47), (0, i), (47, i))]
    assert max(edge) == 0, "clipped at the edge"


def test_pixmaps_have_the_ratio_and_are_cached(qapp) -> None:
    two = icons.pixmap("copy", "#000000", 16, 2.0)
    assert (two.width(), two.devicePixelRatio(), two.deviceIndependentSize().width()) == (32, 2.0, 16.0)
    assert icons.pixmap("copy", "#000000", 16, 2.0) is two


def test_unknown_icon_is_said(qapp) -> None:
    with pytest.raises(FileNotFoundError):
        icons.pixmap("no-such-icon", "#000000", 16, 1.0)


def test_dressed_buttons_follow_the_theme(qtbot: QtBot) -> None:
    tinted = icons.Tinted()
    button, doomed = QPushButton(), QPushButton()
    qtbot.addWidget(button)
    for one in (button, doomed):
        tinted.dress(one, "stop", "accent")
    assert colours(button.icon().pixmap(16).toImage()) == {LIGHT.accent}
    doomed.deleteLater()
    qtbot.waitUntil(lambda: not icons.isValid(doomed))
    tinted.retint(DARK)
    assert colours(button.icon().pixmap(16).toImage()) == {QColor(DARK.accent).name().upper()}


def test_app_icon_has_all_sizes(qapp) -> None:
    assert {size.width() for size in icons.app_icon().availableSizes()} >= {16, 32, 256, 512}
