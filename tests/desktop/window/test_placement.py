"""Docks by width: 1100 px for the right one, more than 900 for the left one, overlays below."""

from __future__ import annotations

import pytest

from desktop.window.placement import Panel, Placement


@pytest.mark.parametrize(
    ("width", "left", "right"),
    [(1280, True, True), (1100, True, True), (1099, True, False), (901, True, False), (900, False, False)],
)
def test_docks_close_by_width(width: float, left: bool, right: bool) -> None:
    placement = Placement()
    placement.resize(width)
    assert placement.docked(Panel.CONVERSATIONS) is left
    assert placement.docked(Panel.SAMPLING) is right


def test_what_was_open_comes_back_with_the_room() -> None:
    placement = Placement()
    placement.set_shown(Panel.SAMPLING, False)
    placement.resize(720)
    placement.resize(1280)
    assert placement.docked(Panel.CONVERSATIONS)
    assert not placement.docked(Panel.SAMPLING)


def test_in_a_narrow_window_a_panel_is_an_overlay_and_only_one() -> None:
    placement = Placement()
    placement.resize(900)
    placement.set_shown(Panel.CONVERSATIONS, True)
    placement.set_shown(Panel.SAMPLING, True)
    assert not placement.shown(Panel.CONVERSATIONS)
    assert placement.shown(Panel.SAMPLING) and not placement.docked(Panel.SAMPLING)
    placement.set_shown(Panel.SAMPLING, False)
    assert placement.overlay is None
    placement.resize(1280)
    assert placement.docked(Panel.SAMPLING)  # closing an overlay is not closing the dock


def test_an_open_overlay_becomes_the_dock_when_there_is_room() -> None:
    placement = Placement()
    placement.set_shown(Panel.SAMPLING, False)
    placement.resize(1000)
    placement.set_shown(Panel.SAMPLING, True)
    placement.resize(1200)
    assert placement.docked(Panel.SAMPLING) and placement.overlay is None


def test_the_log_stays_a_dock_at_every_width() -> None:
    placement = Placement()
    placement.resize(720)
    placement.set_shown(Panel.LOG, True)
    assert placement.docked(Panel.LOG) and placement.overlay is None
