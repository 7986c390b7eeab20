"""The heat menu's legend, and what stands in its place where there are no probabilities."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.window.heat_bar import HeatBar


@pytest.fixture
def bar(qtbot: QtBot) -> HeatBar:
    made = HeatBar()
    qtbot.addWidget(made)
    made.show()
    return made


def test_without_probabilities_it_says_so_and_leads_on(bar: HeatBar, qtbot: QtBot) -> None:
    assert bar.steps.isVisible() and not bar.why.isVisible()
    bar.set_reason("This server sends <scores>.")
    assert bar.why.isVisible() and not bar.steps.isVisible() and not bar._sure.isVisible()
    assert bar.why.text() == "no probabilities from this server — why?"
    assert "&lt;scores&gt;" in bar.why.toolTip()
    assert bar.why.accessibleDescription() == "This server sends <scores>."
    with qtbot.waitSignal(bar.why_wanted):
        bar.why.click()
    bar.set_reason("")
    assert bar.steps.isVisible() and not bar.why.isVisible()


def test_it_leaves_with_the_legend(bar: HeatBar) -> None:
    bar.set_reason("none")
    bar.set_legend_room(False)
    assert not bar.why.isVisible() and bar.button.isVisible()
    bar.set_legend_room(True)
    bar.set_mode("off")
    assert not bar.why.isVisible()
