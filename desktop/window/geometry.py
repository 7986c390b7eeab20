"""Where the window stands: remembered as text, and always brought back onto a screen that exists."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated

import msgspec
from PySide6.QtCore import QByteArray, QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from desktop.window.placement import Panel

DEFAULT = QSize(1280, 800)
SMALLEST = QSize(720, 520)
_VERSION = 1  # of the docks: raised when one is added, so that older bytes are not forced onto it
_TITLE_BAR = 32  # kept free above a window that fills the screen, for a frame of unknown height


@dataclass(frozen=True, slots=True)
class WindowMemory:
    """What the settings keep; empty at the first start."""

    geometry: str = ""
    state: str = ""


class _State(msgspec.Struct):
    """`open` and `sizes` (pixels at zoom 100 %) by panel; `docks`: Qt's own bytes, where each one stands."""

    open: dict[str, bool]
    sizes: dict[str, Annotated[int, msgspec.Meta(ge=50, le=10_000)]]
    docks: bytes


def encode_state(window: QMainWindow, wanted: dict[Panel, bool], sizes: dict[Panel, int]) -> str:
    state = _State(
        {panel.value: on for panel, on in wanted.items()},
        {panel.value: size for panel, size in sizes.items()},
        bytes(window.saveState(_VERSION).data()),
    )
    return msgspec.json.encode(state).decode("ascii")


def restore_state(window: QMainWindow, text: str, wanted: dict[Panel, bool], sizes: dict[Panel, int]) -> None:
    """Docks as they were; `wanted` and `sizes` are filled in. Damaged text changes nothing."""
    try:
        state = msgspec.json.decode(text.encode(), type=_State)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return
    if window.restoreState(QByteArray(state.docks), _VERSION):
        wanted.update((panel, state.open[panel.value]) for panel in Panel if panel.value in state.open)
        sizes.update((panel, state.sizes[panel.value]) for panel in Panel if panel.value in state.sizes)


def encode_geometry(window: QMainWindow) -> str:
    return base64.b64encode(window.saveGeometry().data()).decode("ascii")


def restore_geometry(window: QMainWindow, text: str) -> None:
    """Size and place as they were, fully on a screen; without anything to go by the default in its middle."""
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        data = b""
    restored = bool(data) and window.restoreGeometry(QByteArray(data))
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not screens:
        return
    if not restored:
        rect = QRect(QPoint(0, 0), DEFAULT)
        rect.moveCenter(QGuiApplication.primaryScreen().availableGeometry().center())
    elif window.isMaximized() or window.isFullScreen():
        return  # the window manager fits it to a screen
    else:
        rect = window.geometry()
    window.setGeometry(fitted(rect, screens))


def fitted(rect: QRect, screens: list[QRect]) -> QRect:
    """`rect` moved, and made smaller if it must be, so that all of it lies on one of the screens.

    A window across two screens stays as it is if no part is lost; else the screen that holds most of it, or
    the nearest one, takes it whole.
    """
    if _covered(rect, screens):
        return rect
    screen = max(screens, key=lambda one: (_area(one.intersected(rect)), -_distance(one, rect)))
    room = screen.adjusted(0, _TITLE_BAR, 0, 0) if rect.height() >= screen.height() - _TITLE_BAR else screen
    size = rect.size().boundedTo(room.size())
    x = min(max(rect.x(), room.left()), room.right() + 1 - size.width())
    y = min(max(rect.y(), room.top()), room.bottom() + 1 - size.height())
    return QRect(QPoint(x, y), size)


def _covered(rect: QRect, screens: list[QRect]) -> bool:
    # screens do not overlap unless they mirror each other, and then one alone covers it
    if any(screen.contains(rect) for screen in screens):
        return True
    distinct = [one for at, one in enumerate(screens) if one not in screens[:at]]
    return sum(_area(one.intersected(rect)) for one in distinct) >= _area(rect)


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())


def _distance(screen: QRect, rect: QRect) -> int:
    gap = screen.center() - rect.center()
    return gap.manhattanLength()
