"""Owns the icons: SVG files of one colour, painted in any colour and size, cached by device pixel ratio."""

from __future__ import annotations

import weakref
from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton
from shiboken6 import isValid

from core.paths import resources
from desktop.kit import fonts
from desktop.kit.theme import ICON, LIGHT, Theme, mix


@cache
def source(name: str) -> str:
    """The SVG text of an icon, strokes in `currentColor`. Raises FileNotFoundError for an unknown name."""
    return path(name).read_text(encoding="utf-8")


def path(name: str) -> Path:
    """The file of an icon."""
    return resources() / "icons" / f"{name}.svg"


@lru_cache(maxsize=512)
def pixmap(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    """An icon for painting: `size` logical pixels at this device pixel ratio."""
    renderer = QSvgRenderer(QByteArray(source(name).replace("currentColor", colour).encode()))
    side = max(1, round(size * ratio))
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def _ratios() -> tuple[float, ...]:
    return tuple(sorted({1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}))


def icon(
    name: str, colour: str, size: int = ICON, *, checked: str | None = None, disabled: str | None = None
) -> QIcon:
    """An icon in `colour` for each screen here; `checked` and `disabled` are its colours in those states."""
    made = QIcon()
    for ratio in _ratios():
        made.addPixmap(pixmap(name, colour, size, ratio))
        if checked is not None:
            made.addPixmap(pixmap(name, checked, size, ratio), QIcon.Mode.Normal, QIcon.State.On)
        if disabled is not None:
            for state in (QIcon.State.Off, QIcon.State.On):
                made.addPixmap(pixmap(name, disabled, size, ratio), QIcon.Mode.Disabled, state)
    return made


def app_icon() -> QIcon:
    """The program's own icon, in its own colours, at the sizes that systems ask for."""
    made = QIcon()
    for side in (16, 24, 32, 48, 64, 128, 256, 512):
        made.addPixmap(pixmap("app", "", side, 1.0))
    return made


class Tinted:
    """Buttons and actions whose icon follows the theme: `dress` once, `retint` on a change of appearance."""

    def __init__(self) -> None:
        self._dress: weakref.WeakKeyDictionary[QAbstractButton | QAction, tuple[str, str, int]] = (
            weakref.WeakKeyDictionary()
        )
        self._theme: Theme = LIGHT

    def dress(
        self, wearer: QAbstractButton | QAction, name: str, role: str = "text2", size: int = ICON
    ) -> None:
        """Give a button or an action an icon in a colour role of the theme (say "text2" or "on_accent")."""
        self._dress[wearer] = (name, role, size)
        self._paint(wearer, name, role, size)

    def _paint(self, wearer: QAbstractButton | QAction, name: str, role: str, size: int) -> None:
        theme = self._theme
        side = fonts.px(size)
        faded = mix(theme.text3, theme.surface, 0.5)
        wearer.setIcon(icon(name, getattr(theme, role), side, checked=theme.accent, disabled=faded))
        if isinstance(wearer, QAbstractButton):
            wearer.setIconSize(QSize(side, side))

    def retint(self, theme: Theme) -> None:
        """Paint every dressed button again; those that Qt has deleted are forgotten."""
        self._theme = theme
        for wearer, (name, role, size) in list(self._dress.items()):
            if isValid(wearer):
                self._paint(wearer, name, role, size)
            else:
                del self._dress[wearer]


tinted = Tinted()
dress = tinted.dress
