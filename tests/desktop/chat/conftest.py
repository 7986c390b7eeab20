"""A transcript to test with."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.chat.view import TranscriptView
from desktop.kit.theme import LIGHT


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    """Shown, light, 700 × 500, nothing moves by itself."""
    made = TranscriptView()
    qtbot.addWidget(made)
    made.reduce_motion = True
    made.resize(700, 500)
    made.set_theme(LIGHT)
    made.show()
    return made
