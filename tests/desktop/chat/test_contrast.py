"""G08: what is read on a tint can be read: the painted pixels themselves, in every theme."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop.chat.view import TokenRef, TranscriptView
from desktop.kit import fonts
from desktop.kit.theme import DARK, HIGH_CONTRAST, LIGHT, Theme, contrast
from tests.fakes.answers import Answer
from tests.fakes.transcript import picture, show, turn_of

READABLE = 4.5  # WCAG 2.2, 1.4.3
STEPS = (0.95, 0.8, 0.6, 0.4, 0.2, 0.1, 0.01)  # one probability for each step of the scale


def colours(shot: QImage, rect: QRect) -> tuple[str, str]:
    """(ground, text): the most frequent colour of an area and the one that differs most from it."""
    seen = Counter(
        shot.pixelColor(x, y).name().upper()
        for x in range(rect.left(), rect.right())
        for y in range(rect.top(), rect.bottom())
    )
    ground = seen.most_common(1)[0][0]
    return ground, max(seen, key=lambda colour: contrast(colour, ground))


def area(view: TranscriptView, index: int) -> QRect:
    """Inside a token's tint, above its bar."""
    rect = view.token_rect(TokenRef("a", index))
    assert rect is not None
    corner = view.viewport().mapFromGlobal(rect.topLeft())
    return QRect(corner, rect.size()).adjusted(3, 3, -3, -fonts.px(4))


@pytest.mark.parametrize("theme", [LIGHT, DARK, HIGH_CONTRAST], ids=lambda theme: theme.name)
def test_text_on_each_tint_a_pill_and_a_selection(view: TranscriptView, theme: Theme, qtbot: QtBot) -> None:
    tokens = [b"HIHIHIHI" + bytes([65 + step]) + b" " for step in range(len(STEPS))]
    made = Answer([*tokens, b"<|HIHIHI|>"], special=[b"<|HIHIHI|>"])
    for token, probability in zip(tokens, STEPS, strict=True):
        made.add([token], probability)
    made.add([b"<|HIHIHI|>"], 0.9)
    before = fonts.zoom()
    try:
        fonts.set_zoom(200)  # stems wider than a pixel: some pixels have the text's own colour
        view.resize(1600, 500)
        show(view, turn_of(made))
        view.set_theme(theme)
        shot = picture(view)
        for step in range(len(STEPS)):
            ground, text = colours(shot, area(view, step))
            assert ground == theme.heat_probability[step]
            assert contrast(text, ground) >= READABLE, (step, text, ground)
        ground, text = colours(shot, area(view, len(STEPS)))
        assert ground == theme.accent_soft
        assert contrast(text, ground) >= READABLE
        view.set_heat("off")
        view.setFocus()
        view._selection.select_all()
        view.viewport().update()
        ground, text = colours(picture(view), area(view, 6))
        assert ground == theme.selection
        assert contrast(text, ground) >= READABLE
    finally:
        fonts.set_zoom(before)
